"""`derive models`: what comes with derive."""

from __future__ import annotations

import click

from derive.cli import completion, options
from derive.cli.listing import listing
from derive.cli.output import Output
from derive.model import bundled, bundled_text
from derive.render.json import models


@click.command()
@click.argument("name", required=False, shell_complete=completion.models)
@options.output("text", "json")
def command(name: str | None, output: Output) -> None:
    """The bundled models, one a line; with NAME, the file of that one.

    \b
    Examples:
      derive models
      derive models cats > mine.toml
    """
    if name is not None:
        if output.format != "text":
            raise click.UsageError("the file of a model is text; --to is for the list")
        output.write(bundled_text(name))
    elif output.format == "json":
        output.write(models(bundled()))
    else:
        output.write(listing((model.name, model.title) for model in bundled()))

"""`derive code`: the forward pass as a program without dependencies."""

from __future__ import annotations

import click

from derive.blocks import build
from derive.cli import options
from derive.cli.output import Output
from derive.model import load


@click.command()
@options.model
@click.option(
    "--language",
    type=click.Choice(("python", "javascript", "sympy")),
    default="python",
    show_default=True,
    help="What it is written in; sympy keeps every number exact, and free letters.",
)
@options.output("text")
def command(
    source: str, sets: tuple[str, ...], tokens: str | None, language: str, output: Output
) -> None:
    """The forward pass of MODEL as a program: one block for each matrix, no dependencies.

    Run it, and it prints every matrix; its numbers agree with the certified ones as far as
    floating point does.

    \b
    Examples:
      derive code next --language python -o next.py
      derive code cats --language javascript -o cats.js
    """
    from derive.documents.code import code

    output.write(code(build(load(source, sets=sets, tokens=tokens)), language))

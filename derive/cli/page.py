"""`derive page`: one offline HTML page; click any number to see its derivation."""

from __future__ import annotations

import click

from derive.cli import completion, options
from derive.cli.output import Output
from derive.cli.solution import stem_of
from derive.model import load


@click.command()
@click.argument("source", metavar="MODEL", shell_complete=completion.models)
@click.option("--set", "sets", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the model; may be repeated.")  # fmt: skip
@click.option("--tokens", "texts", multiple=True, metavar="TEXT",
              help="Another text, in the words of the model's vocabulary; may be repeated, "
              "and the page gets a switch.")  # fmt: skip
@click.option("--temperature", "temperatures", multiple=True, metavar="T",
              help="A stop of the temperature slider; may be repeated. "
              "Else nine from 1/4 to 10.")  # fmt: skip
@options.digits
@options.output("html", folder=True)
def command(
    source: str,
    sets: tuple[str, ...],
    texts: tuple[str, ...],
    temperatures: tuple[str, ...],
    digits: int,
    output: Output,
) -> None:
    """One offline HTML page of MODEL: click any number to see how it is calculated.

    Every matrix as a table; every number opens its worked derivation, whose numbers open theirs.
    Exact values and decimals of up to 12 digits, next words at several temperatures, decoding
    step by step. Nothing is fetched. Without -o it is written to latex_out/.

    \b
    Examples:
      derive page cats -o cats.html
      derive page mat --temperature 1 --temperature 3 -o mat.html
    """
    from derive.documents.page import page

    models = [load(source, sets=sets, tokens=text) for text in texts or (None,)]
    chosen = output.to_folder(stem_of(source))
    chosen.write(page(models, digits, temperatures))
    if chosen.path != "-":
        output.say(f"wrote {chosen.path}")

"""`derive cell`: the worked derivation of one cell."""

from __future__ import annotations

import click

from derive.blocks import build
from derive.cli import completion, options
from derive.cli.output import Output
from derive.model import load


def depth(context: click.Context, option: click.Parameter, text: str) -> int | None:
    """A number of levels, or `all`, which is None."""
    if text == "all":
        return None
    if text.isascii() and text.isdecimal():
        return int(text)
    raise click.BadParameter(f"{text!r} is neither a number (0, 1, …) nor 'all'")


@click.command()
@options.model
@click.argument("cell", metavar="CELL", shell_complete=completion.cells)
@click.option(
    "--depth",
    callback=depth,
    default="0",
    show_default=True,
    metavar="N|all",
    help="0: this cell; 1: and the cells that it reads; and so on.",
)
@options.form(None)
@options.digits
@options.output("text", "latex", "tex", "pdf", "json")
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    cell: str,
    depth: int | None,
    form: str | None,
    digits: int,
    output: Output,
) -> None:
    """The worked derivation of a CELL of MODEL, from the formula to certified decimals.

    A cell is NAME[row,column]; rows may be tokens: A[cats,I].

    \b
    Examples:
      derive cell cats "A[2,0]"
      derive cell cats "Z[cats,0]" --depth all --to tex -o cats.tex
    """
    from derive.graph import derivation
    from derive.render import render

    graph = build(load(source, sets=sets, tokens=tokens))
    output.write(
        render(derivation(graph, cell, depth, digits, form), output.format, color=output.color)
    )

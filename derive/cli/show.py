"""`derive show`: one matrix."""

from __future__ import annotations

import click

from derive.blocks import build
from derive.cli import completion, options
from derive.cli.output import Output
from derive.model import load


@click.command()
@options.model
@click.argument("matrix", metavar="MATRIX", shell_complete=completion.matrices)
@options.form("decimal")
@options.digits
@options.output("text", "latex", "tex", "pdf", "json")
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    matrix: str,
    form: str,
    digits: int,
    output: Output,
) -> None:
    """A matrix of MODEL, labelled with its tokens; or one row of it: "A[cats,:]".

    \b
    Examples:
      derive show cats A
      derive show cats S_masked --form exact --to latex
    """
    from derive.graph import table
    from derive.render import render

    graph = build(load(source, sets=sets, tokens=tokens))
    output.write(render(table(graph, matrix, form, digits), output.format, color=output.color))

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
@click.option("--picture", is_flag=True, help="With --to pdf: the picture that --to svg draws.")
@options.output("text", "latex", "tex", "pdf", "svg", "json")
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    matrix: str,
    form: str,
    digits: int,
    picture: bool,
    output: Output,
) -> None:
    """A matrix of MODEL, labelled with its tokens; or one row of it: "A[cats,:]".

    --to svg draws it: a heat map; arrows for Q_rot and K_rot; for X.rms or H.rms the size of
    the stream, layer by layer.

    \b
    Examples:
      derive show cats A
      derive show cats S_masked --form exact --to latex
      derive show cats A --to svg -o A.svg
    """
    from derive.graph import table
    from derive.render import render

    graph = build(load(source, sets=sets, tokens=tokens))
    if output.format == "svg" or (picture and output.format == "pdf"):
        from derive.documents import pictures
        from derive.render import drawing

        draw = drawing.svg if output.format == "svg" else drawing.pdf
        output.write(draw(pictures.picture(graph, matrix, digits)))
        return
    output.write(render(table(graph, matrix, form, digits), output.format, color=output.color))

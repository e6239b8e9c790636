"""`derive solution`: a complete worked solution as a document."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.blocks import build
from derive.cli import completion, options
from derive.cli.output import Output
from derive.model import load

if TYPE_CHECKING:
    from derive.documents.solution import Solution


@click.command()
@options.model
@click.argument("matrices", metavar="[MATRIX ...]", nargs=-1, shell_complete=completion.matrices)
@click.option("--every-cell", is_flag=True, help="Work every cell, not one of each matrix.")
@click.option("--title", default="", metavar="TEXT", help="Instead of the model's own title.")
@click.option("--author", default="", metavar="TEXT", help="A line below the title.")
@options.digits
@options.output("tex", "pdf", "text", "latex", folder=True)
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    matrices: tuple[str, ...],
    every_cell: bool,
    title: str,
    author: str,
    digits: int,
    output: Output,
) -> None:
    """A complete worked solution of MODEL, or of some of its matrices, as a document.

    The model in words, a notation table, every matrix with its values, one cell of each worked
    in full, numbers linked to the cells they come from, long exact values in an appendix.
    Without -o it is written to latex_out/: the .tex source, and beside it the PDF where
    pdflatex is installed and no format is asked for.

    \b
    Examples:
      derive solution cats
      derive solution cats-two-blocks b1.A b1.Z --every-cell --to pdf -o z.pdf
    """
    from derive.documents.solution import solution

    made = solution(
        build(load(source, sets=sets, tokens=tokens)), matrices, every_cell, digits, title, author
    )
    stem = f"{stem_of(source)}-solution"
    formats = [output.format]
    if not output.path and not output.asked and shutil.which("pdflatex"):
        formats.append("pdf")
    for format in formats:
        chosen = output.to_folder(stem, format)
        chosen.write(_written(made, format, output.color))
        if chosen.path != "-":
            output.say(f"wrote {chosen.path}")


def stem_of(source: str) -> str:
    """The name of a model's documents: that of its file, harmless as a file name."""
    return re.sub(r"[^\w.-]", "-", Path(source).stem).strip(".-") or "model"


def _written(made: Solution, format: str, color: bool) -> str | bytes:
    from derive.documents import solution_tex, solution_text
    from derive.render.pdf import compiled

    match format:
        case "text":
            return solution_text.document(made, color=color)
        case "latex":
            return solution_tex.fragment(made)
        case "pdf":
            return compiled(solution_tex.document(made))
    return solution_tex.document(made)

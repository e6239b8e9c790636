"""Long formulas in LaTeX: rows that fit the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.line import Shown
from derive.render.latex_joined import BIG, joined, tex
from derive.render.latex_maths import LatexPrinter
from derive.render.layout import DOT, Piece, fill
from derive.render.metrics import size, tall
from derive.render.named_parts import Names, named
from derive.render.widths import DELIMITERS, MEDIUM, THIN

QUAD = 1095  # hundredths of a point
SLACK = 4500  # kept free beside a part that can't be broken: a sign, a parenthesis, a comma


def rows(x: Shown, printer: LatexPrinter, room: int, parts: Names) -> list[str]:
    """The rows of a right side, each at most room wide (1/100 pt) where that can be.

    Parts that can't be broken are named in `parts`; the caller prints what they are.
    """
    code = printer.line(x)
    if size(code).width <= room:
        return [code]
    x = named(x, printer, room - SLACK, parts)
    code = printer.line(x)
    if size(code).width <= room:
        return [code]
    pieces = [replace(piece, width=_width(piece)) for piece in printer.show(x).pieces]
    return list(_broken(fill(pieces, room, QUAD, QUAD)))


def _width(piece: Piece) -> int:
    code = piece.text
    if piece.bracket:
        return size(code[:-1] if piece.bracket > 0 else code[1:]).width + DELIMITERS[4] + THIN
    if piece.kind == DOT:
        code = r"\cdot"  # what it is where a row starts with it
    if code in ("+", "-", r"\cdot"):
        return size(code).width + 2 * MEDIUM
    return size(code).width + THIN


def _broken(lines: list[tuple[int, list[Piece]]]) -> Iterator[str]:
    """Each line as code; parentheses whose ends are on different lines get a fixed size."""
    fixed = _fixed([line for _, line in lines])
    at = 0
    for k, (indent, line) in enumerate(lines):
        pieces = []
        for piece in line:
            if at in fixed:
                piece = replace(piece, text=_sized(piece, fixed[at]), bracket=0)
            pieces.append(piece)
            at += 1
        code = joined(pieces)
        if k:
            start = "{}" if line[0].text in ("+", "-") else ""
            if line[0].kind == DOT:  # a product that shows no sign elsewhere shows it here
                start = r"{}\cdot "
                code = code.removeprefix(line[0].text)
            code = r"\quad" * (indent // QUAD) + f" {start}{code}"
        yield code


def _sized(piece: Piece, step: int) -> str:
    if piece.bracket > 0:
        return piece.text[:-1] + (BIG[step] + "l(" if step else "(")
    return (BIG[step] + "r)" if step else ")") + piece.text[1:]


def _fixed(lines: list[list[Piece]]) -> dict[int, int]:
    """Places of the parentheses that a break parts, with their sizes."""
    found: dict[int, int] = {}
    stack: list[tuple[int, int, list[str]]] = []
    at = 0
    for number, line in enumerate(lines):
        for piece in line:
            if piece.bracket > 0:
                stack.append((at, number, []))
            elif piece.bracket < 0:
                start, began, content = stack.pop()
                step = tall(tex(content))
                if began != number:
                    found[start] = found[at] = step
                if stack:
                    stack[-1][2].append(r"\left(" + tex(content) + r"\right)")
            elif stack:
                stack[-1][2].append(piece.text)
            at += 1
    return found

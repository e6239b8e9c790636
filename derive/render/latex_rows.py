"""Long formulas in LaTeX: rows that fit the page, and names for what can't be broken.

TeX breaks no fraction and no root.  One that is too wide gets a name for its parts,
N/D with N = … and D = …, and each part is broken on rows of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from derive.line import (
    Call,
    Case,
    Cases,
    Const,
    Letter,
    Neg,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Times,
    rebuild,
)
from derive.render.latex_maths import BIG, LatexPrinter, joined, tex
from derive.render.layout import Piece, fill
from derive.render.metrics import DELIMITERS, MEDIUM, THIN, size, tall

QUAD = 1095  # hundredths of a point
SLACK = 4500  # kept free beside a part that can't be broken: a sign, a parenthesis, a comma
PAIRS = (("N", "D"), ("Y", "J"), ("y", "w"))  # letters for numerator and denominator


@dataclass
class Names:
    """Names for parts, the same for equal parts; `numbered` gives N_1, D_1, N_2 …"""

    taken: set[str]  # codes of letters that mean something else
    numbered: bool = False
    given: dict[Shown, Letter] = field(default_factory=dict)

    def name(self, part: Shown, below: bool = False) -> Letter:
        """The letter for a part of a fraction, or of a root (which counts as above)."""
        if part not in self.given:
            pair = next((p for p in PAIRS if not set(p) & self.taken), PAIRS[-1])
            letter = pair[below]
            count = sum(x.name.startswith(letter) for x in self.given.values()) + 1
            self.given[part] = Letter(f"{letter}_{count}" if self.numbered else letter, part)
        return self.given[part]

    @property
    def clash(self) -> bool:
        """Whether one letter stands for two parts."""
        return len({x.name for x in self.given.values()}) < len(self.given)


def rows(x: Shown, printer: LatexPrinter, room: int, parts: Names) -> list[str]:
    """The rows of a right side, each at most room wide (1/100 pt) where that can be.

    Parts that can't be broken are named in `parts`; the caller prints what they are.
    """
    code = printer.line(x)
    if size(code).width <= room:
        return [code]
    x = _named(x, printer, room - SLACK, parts)
    code = printer.line(x)
    if size(code).width <= room:
        return [code]
    pieces = [replace(piece, width=_width(piece)) for piece in printer.show(x).pieces]
    return list(_broken(fill(pieces, room - QUAD, QUAD)))


def _width(piece: Piece) -> int:
    code = piece.text
    if piece.bracket:
        return size(code[:-1] if piece.bracket > 0 else code[1:]).width + DELIMITERS[4] + THIN
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
            start = "{}" if line[0].text in ("+", "-", r"\cdot") else ""
            code = r"\quad" * (1 + indent // QUAD) + f" {start}{code}"
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


def _named(x: Shown, printer: LatexPrinter, room: int, parts: Names) -> Shown:
    """The same tree, in which what is too wide and can't be broken has names."""

    def go(part: Shown) -> Shown:
        return _named(part, printer, room, parts)

    def wide(part: Shown) -> bool:
        return size(printer.line(part)).width > room

    if not wide(x):
        return x
    match x:
        case Plus() | Times() | Neg() | Sum():
            return rebuild(x, go)
        case Root() | Call(function="abs"):
            return rebuild(x, parts.name)
        case Call() | Power(base=Const(name="e")):
            return rebuild(x, go)
        case Over(above=a, below=b):
            a = parts.name(a) if wide(a) else a
            return Over(a, parts.name(b, below=True) if wide(b) else b)
        case Power(base=base, exponent=exponent):
            return Power(go(base), parts.name(exponent) if wide(exponent) else exponent)
        case Cases(branches=branches):
            return Cases(tuple(_short(b, printer, room // 2, parts) for b in branches))
    return x


def _short(b: Case, printer: LatexPrinter, room: int, parts: Names) -> Case:
    if size(printer.line(b.value)).width <= room:
        return b
    return replace(b, value=parts.name(b.value))

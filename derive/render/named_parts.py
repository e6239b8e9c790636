"""Names for what is too wide and can't be broken: N/D with N = … and D = …

TeX breaks no fraction, no root and no exponent; each named part is broken on rows of its own.
"""

from __future__ import annotations

from collections.abc import Callable
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
from derive.render.latex_maths import WIDEST_EXPONENT, LatexPrinter
from derive.render.metrics import BAR, SCRIPT, TEXT, size

PAIRS = (("N", "D"), ("Y", "J"), ("y", "w"))  # letters for numerator and denominator


@dataclass
class Names:
    """The names of one step, the same for equal parts; `numbered` gives N_1, D_1, N_2 …"""

    taken: set[str]  # codes of letters that mean something else
    numbered: bool = False
    given: dict[Shown, Letter] = field(default_factory=dict)

    def name(self, part: Shown, below: bool = False) -> Letter:
        """The letter for a part; all but a denominator count as what stands above."""
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


def named(x: Shown, printer: LatexPrinter, room: int, parts: Names) -> Shown:
    """The same tree, in which no part that can't be broken is wider than room (1/100 pt)."""

    def go(part: Shown) -> Shown:
        return named(part, printer, room, parts)

    if size(printer.line(x)).width <= room:
        return x
    match x:
        case Root() | Call(function="abs"):
            return rebuild(x, parts.name)
        case Plus() | Times() | Neg() | Sum() | Call() | Power(base=Const(name="e")):
            return rebuild(x, go)  # these are broken before a sign or in parentheses
        case Over():
            return _fraction(x, printer, room, parts)
        case Power():
            return _power(x, printer, parts, go)
        case Cases(branches=branches):
            return Cases(tuple(_branch(b, printer, room // 2, parts) for b in branches))
    return x


def _fraction(x: Over, printer: LatexPrinter, room: int, parts: Names) -> Over:
    inside = printer.inside(fractions=1)  # where a fraction in a fraction may have a slash

    def wide(part: Shown) -> bool:
        return size(inside.line(part), TEXT).width + BAR > room

    above = parts.name(x.above) if wide(x.above) else x.above
    return Over(above, parts.name(x.below, below=True) if wide(x.below) else x.below)


def _power(x: Power, printer: LatexPrinter, parts: Names, go: Callable[[Shown], Shown]) -> Power:
    code = printer.inside(linear=True).line(x.exponent)
    wide = size(code, SCRIPT).width > WIDEST_EXPONENT
    return Power(go(x.base), parts.name(x.exponent) if wide else x.exponent)


def _branch(b: Case, printer: LatexPrinter, room: int, parts: Names) -> Case:
    if size(printer.line(b.value)).width <= room:
        return b
    return replace(b, value=parts.name(b.value))

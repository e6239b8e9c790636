"""What a count found: parts with their formulas, the total, notes, shortcuts beside it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from derive.counting.polynomial import Formula, Poly


class Part(NamedTuple):
    """One line of a count."""

    name: str
    formula: Formula
    unit: str = ""  # where it isn't that of the whole


class Shortcut(NamedTuple):
    """A rule of thumb beside the exact count."""

    name: str  # "6ND"
    formula: Poly
    words: str  # what it leaves out


class Line(NamedTuple):
    """A further worked line: text for people, LaTeX."""

    title: str
    text: str
    latex: str


class Count(NamedTuple):
    """A counted quantity: formulas in letters, and the numbers that go into them."""

    quantity: str
    title: str
    unit: str
    parts: tuple[Part, ...]
    formula: Formula
    values: Mapping[str, Poly]
    notes: tuple[str, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    lines: tuple[Line, ...] = ()
    model: str = ""
    source: str = ""
    answer: Formula | None = None  # what was asked for, where that is not the total
    answer_unit: str = ""
    typed: frozenset[str] = frozenset()  # letters that the user chose
    extra: Mapping[str, object] = {}

    @property
    def value(self) -> Formula:
        """The formula with the numbers put in; letters stay where none is known."""
        return self.formula.put(self.values)

    @property
    def number(self) -> Fraction | None:
        """The exact number, or None where letters are left."""
        return self.value.number

    def share(self, part: Part) -> Fraction | None:
        """A part's share of the whole."""
        mine, whole = part.formula.put(self.values).number, self.number
        return mine / whole if mine is not None and whole and not part.unit else None

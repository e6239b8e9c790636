"""What a cell must be: its roundings and comparisons, decided exactly and each once."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derive.exact.rounding import Rounded
    from derive.graph import Cell

FIRST_BITS = 96


class Key:
    """One cell as the judge sees it; with `percent` a hundred times its value."""

    def __init__(self, cell: Cell, percent: bool) -> None:
        self.cell, self.factor = cell, 100 if percent else 1
        self._roundings: dict[tuple[str, int], Rounded | None] = {}

    @cached_property
    def node(self) -> Any:
        return self.cell.node

    @cached_property
    def exact(self) -> Fraction | None:
        """The value, where it is a rational number."""
        number = self.node.number
        return None if number is None else Fraction(*number) * self.factor

    @property
    def infinite(self) -> bool:
        return bool(self.node.op == "infinity")

    @property
    def free(self) -> bool:
        """Does the value have letters?"""
        from derive.exact.points import symbols

        return self.cell.graph.free and bool(symbols(self.node))

    def at(self, bits: int) -> Any:
        """A certified enclosure."""
        from flint import arb, fmpq

        if self.exact is not None:
            return arb(fmpq(self.exact.numerator, self.exact.denominator))
        return self.cell.ball(bits) * self.factor

    def ends(self, bits: int) -> tuple[Fraction, Fraction]:
        if self.exact is not None:
            return self.exact, self.exact
        low, high = self.cell.enclosure(bits)
        return low * self.factor, high * self.factor

    def equals(self, number: Fraction) -> bool | None:
        if self.exact is not None:
            return self.exact == number
        return self.cell.equals(number / self.factor)

    def compare(self, number: Fraction) -> int | None:
        """-1, 0, 1 for a key below, at, above a number; None: undecided."""
        if self.exact is not None:
            return (self.exact > number) - (self.exact < number)
        for bits in (FIRST_BITS, 8 * FIRST_BITS):
            low, high = self.ends(bits)
            if low > number or high < number:
                return 1 if low > number else -1
        from derive.exact.sign import sign

        f = self.node.dag
        return sign(self.node * self.factor - f.rational(*number.as_integer_ratio()))

    def rounded(self, kind: str, digits: int) -> Rounded | None:
        """The nearest decimal with so many places (dp) or figures (sf); None: undecided."""
        from derive.exact.rounding import rounded_digits, rounded_places

        if (kind, digits) not in self._roundings:
            round_ = rounded_places if kind == "dp" else rounded_digits
            self._roundings[kind, digits] = round_(self.at, self.equals, digits)
        return self._roundings[kind, digits]

    def accepted(self, kind: str, digits: int, ties: str) -> tuple[Fraction, ...] | None:
        """The decimals that are right roundings: one, or both of an exact tie."""
        found = self.rounded(kind, digits)
        if found is None:
            return None
        if not found.tie or ties == "even":
            return (found.value,)
        half = Fraction(10) ** -found.places / 2
        above = self.equals(found.value + half)
        other = found.value + (2 * half if above else -2 * half)
        if ties == "away":
            return (max(found.value, other, key=abs),)
        return (found.value, other)

    def truncated(self, places: int) -> Fraction | None:
        """The value cut off after so many places; None where that isn't known quickly."""
        low, high = self.ends(FIRST_BITS + 4 * abs(places))
        scale = Fraction(10) ** places
        cut = [abs(x) * scale // 1 for x in (low, high)]
        if cut[0] != cut[1] or (low < 0) != (high < 0):
            return None
        return (-cut[0] if low < 0 else cut[0]) / scale

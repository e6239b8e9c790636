"""Functions without a rule of their own: erf, and others where their branch isn't known."""

from __future__ import annotations

from derive.exact.field import Element
from derive.exact.generators import COMPLEX, REAL
from derive.exact.ranges import EVERYTHING, Range
from derive.exact.roots import Roots


class Opaque:
    """One variable for each function and argument of one tower."""

    def __init__(self, roots: Roots) -> None:
        self.ground, self.roots = roots.ground, roots
        self._known: list[tuple[str, Element, Element]] = []  # name, argument, value

    def value(
        self, name: str, x: Element, odd: bool = False, known: Range | None = None
    ) -> Element:
        """A function of which only this is used: equal arguments give equal values.

        `known` is the range of its values, where they are real.
        """
        if odd and not x:
            return x
        for other, y, value in self._known:
            if other == name and y.equals(x):
                return value
            if other == name and odd and y.equals(-x):
                return -value
        self.ground.doubts.append(f"{name} is opaque")
        number = self.ground.generators.number(x)
        value = self.ground.variable(
            "erf" if name == "erf" and known else "opaque", name=name, argument=x, number=number,
            nature=REAL if known else COMPLEX, range=known or EVERYTHING,
        )  # fmt: skip
        self._known.append((name, x, value))
        return value

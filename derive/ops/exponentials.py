"""Exponentials of the scores: the numerators of the softmax."""

from __future__ import annotations

from typing import Any

from derive.line import Const, Power, Shown
from derive.operation import Law, Operation, View, column, row


class Exponentials(Operation):
    """e to the score; a masked score -∞ gives exactly 0."""

    name = "exponentials"
    shape = "n m -> n m"

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        return f.exp(s[i, j])

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Power(Const("e"), self.entry("s", row(i), column(j)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """Differences of scores become ratios."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield out[i, j] / out[i, 0], f.exp(s[i, j] - s[i, 0])

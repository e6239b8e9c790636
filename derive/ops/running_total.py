"""Running total: where each word's share of the whole chance ends."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Plus, Shown
from derive.operation import Law, Operation, View, row


class RunningTotal(Operation):
    """The chances of a row added up from the left; a random number in [0, 1) below the
    total of column j, and not below that of column j - 1, draws word j.
    """

    name = "running total"
    shape = "n V -> n V"

    def define(self, f: Any, i: int, j: int, /, p: View) -> Any:
        return sum(p[i, k] for k in range(j + 1))

    def formulas(self, i: int, j: int) -> list[Shown]:
        terms = tuple(self.entry("p", row(i), Num(k)) for k in range(j + 1))
        return [terms[0] if len(terms) == 1 else Plus(terms)]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(p="p"), {"n": 2, "V": 3}

    def law(self, f: Any, out: View, /, p: View) -> Law:
        """One step is one chance."""
        for i in range(p.rows):
            for j in range(1, p.columns):
                yield out[i, j] - out[i, j - 1], p[i, j]

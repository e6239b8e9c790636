"""Weighted sum of values: what a row takes along from the rows that it attends to."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Shown, Times
from derive.operation import Law, Operation, View, column, row, size, total


class WeightedValues(Operation):
    """Z = A V, the output of one head.  Source: Vaswani et al. 2017, equation 1."""

    name = "weighted values"
    shape = "n m, m v -> n v"
    cached = ("v",)
    letter = "n"  # how many rows are read

    def define(self, f: Any, i: int, j: int, /, a: View, v: View) -> Any:
        # values of weight exactly 0 are not needed; a ball that only may be 0 is not "== 0"
        visible = [m for m in range(v.rows) if not a[i, m] == f.zero]
        return sum((a[i, m] * v[m, j] for m in visible), f.zero)

    def formulas(self, i: int, j: int) -> list[Shown]:
        m = Bound("m")
        body = Times((self.entry("a", row(i), m), self.entry("v", m, column(j))))
        return [total(m, size(self.letter, self.sizes["v"][0]), body)]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(a="a", v="v"), {"n": 2, "m": 3, "v": 4}

    def law(self, f: Any, out: View, /, a: View, v: View) -> Law:
        """Linear: entries of a result row add up to the weighted row sums of the values."""
        for i in range(a.rows):
            rows = [sum(v[m, j] for j in range(v.columns)) for m in range(v.rows)]
            yield (
                sum(out[i, j] for j in range(v.columns)),
                sum(a[i, m] * rows[m] for m in range(v.rows)),
            )

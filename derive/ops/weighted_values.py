"""Weighted sum of values: what a row takes along from the rows that it attends to."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Shown, Times
from derive.operation import Law, Operation, Slip, View, column, row, size, total, worked_as


class WeightedValues(Operation):
    """Z = A V, the output of one head.  Source: Vaswani et al. 2017, equation 1."""

    name = "weighted values"
    shape = "n m, m v -> n v"
    cached = ("v",)
    letter = "n"  # how many rows are read

    slips = (
        Slip(
            "weights-transposed",
            "It looks as if the weights were read down a column instead of along the row.",
            lambda op: worked_as(_transposed)(op) if op.sizes["a"][0] == op.sizes["a"][1] else None,
        ),
    )

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


def _transposed(op: Operation, f: Any, i: int, j: int, /, a: View, v: View) -> Any:
    """The column of the weights instead of the row, for a slip."""
    return sum(a[m, i] * v[m, j] for m in range(v.rows))

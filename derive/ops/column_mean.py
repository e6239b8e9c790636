"""Mean over the rows: one number for a whole text."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Num, Over, Shown, Times
from derive.operation import Law, Operation, Slip, View, column, size, total, worked_as


class ColumnMean(Operation):
    """The mean of a column, such as the mean loss of a text."""

    name = "mean over rows"
    shape = "n 1 -> 1 1"

    slips = (
        Slip(
            "sum-not-mean",
            "It looks as if the sum was not divided by the number of rows.",
            worked_as(lambda op, f, i, j, x: sum(x[k, j] for k in range(x.rows))),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        return sum(x[k, j] for k in range(x.rows)) / x.rows

    def formulas(self, i: int, j: int) -> list[Shown]:
        k, n = Bound("k"), size("n", self.sizes["x"][0])
        return [Times((Over(Num(1), n), total(k, n, self.entry("x", k, column(j)))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(x="x"), {"n": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """The distances from the mean add up to 0."""
        yield sum(x[k, 0] - out[0, 0] for k in range(x.rows)), f.rational(0)

"""Mean of a row: the first statistic of LayerNorm."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Num, Over, Shown, Times
from derive.operation import Law, Operation, Slip, View, row, size, total, worked_as


class Mean(Operation):
    """The mean of the numbers of a row.  Source: Ba et al. 2016 (LayerNorm), equation 3."""

    name = "mean"
    shape = "n d -> n 1"

    slips = (
        Slip(
            "sum-not-mean",
            "It looks as if the sum was not divided by the number of entries.",
            worked_as(lambda op, f, i, j, x: sum(x[i, k] for k in range(x.columns))),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        return sum(x[i, k] for k in range(x.columns)) / x.columns

    def formulas(self, i: int, j: int) -> list[Shown]:
        k, d = Bound("k"), size("d", self.sizes["x"][1])
        return [Times((Over(Num(1), d), total(k, d, self.entry("x", row(i), k))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(x="x"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """The distances from the mean add up to 0."""
        for i in range(x.rows):
            yield sum(x[i, k] - out[i, 0] for k in range(x.columns)), f.rational(0)

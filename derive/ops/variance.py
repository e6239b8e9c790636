"""Variance of a row: the second statistic of LayerNorm."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Neg, Num, Over, Plus, Power, Shown, Times
from derive.operation import Law, Operation, Slip, View, changed, row, size, total, worked_as


class Variance(Operation):
    """The mean squared distance from the mean; `sample` divides by d - 1 instead of d.

    Source: Ba et al. 2016 (LayerNorm), equation 3.
    """

    name = "variance"
    shape = "n d, n 1 -> n 1"

    slips = (
        Slip(
            "sample-variance",
            "It looks as if the sum of squares was divided by one less than the number of entries.",
            lambda op: None if op.sample or op.sizes["x"][1] < 2 else changed(op, sample=True),
        ),
        Slip(
            "population-variance",
            "It looks as if the squares were divided by the number of entries, not by one less.",
            lambda op: changed(op, sample=False) if op.sample else None,
        ),
        Slip(
            "mean-not-subtracted",
            "It looks as if the mean was not subtracted before squaring.",
            worked_as(
                lambda op, f, i, j, x, mean: (
                    sum(x[i, k] * x[i, k] for k in range(x.columns)) / (x.columns - op.sample)
                )
            ),
        ),
    )

    def __init__(self, sample: bool = False, *, x: str, mean: str) -> None:
        super().__init__(x=x, mean=mean)
        self.sample = sample

    def define(self, f: Any, i: int, j: int, /, x: View, mean: View) -> Any:
        distances = [x[i, k] - mean[i, 0] for k in range(x.columns)]
        return sum(a * a for a in distances) / (x.columns - self.sample)

    def formulas(self, i: int, j: int) -> list[Shown]:
        k, d = Bound("k"), size("d", self.sizes["x"][1])
        distance = Plus((self.entry("x", row(i), k), Neg(self.entry("mean", row(i), Num(0)))))
        count: Shown = Plus((d, Neg(Num(1)))) if self.sample else d
        return [Times((Over(Num(1), count), total(k, d, Power(distance, Num(2)))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(True, x="x", mean="mean"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, x: View, mean: View) -> Law:
        """Shifting the row together with its mean changes nothing: Σx² - 2mΣx + d·m²."""
        for i in range(x.rows):
            squares = sum(x[i, k] ** 2 for k in range(x.columns))
            m, added = mean[i, 0], sum(x[i, k] for k in range(x.columns))
            right = squares - 2 * m * added + x.columns * m**2
            yield out[i, 0] * (x.columns - self.sample), right

"""Scale: scores times a constant, 1/√d_k unless the model says otherwise."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Over, Root, Shown, Times, constant
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as


class Scale(Operation):
    """S_scaled = S · scale.  Source: Vaswani et al. 2017, equation 1 (scale 1/√d_k)."""

    name = "scale"
    shape = "n m -> n m"

    slips = (
        Slip(
            "no-scale", "It looks as if the scores were not scaled before the softmax.", only("s")
        ),
        Slip(
            "scale-without-root",
            "It looks as if the root was forgotten: the scores were divided by the width itself.",
            worked_as(
                lambda op, f, i, j, s: s[i, j] * constant(op.factor, f) * constant(op.factor, f)
            ),
        ),
        Slip(
            "scale-inverted",
            "It looks as if the scores were multiplied where they should be divided.",
            worked_as(lambda op, f, i, j, s: s[i, j] / constant(op.factor, f)),
        ),
    )

    def __init__(self, factor: Shown, *, s: str) -> None:
        super().__init__(s=s)
        self.factor = factor  # size letters in it carry their values

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        return s[i, j] * constant(self.factor, f)

    def formulas(self, i: int, j: int) -> list[Shown]:
        score = self.entry("s", row(i), column(j))
        if isinstance(self.factor, Over) and self.factor.above == Num(1):
            return [Over(score, self.factor.below)]
        return [Times((score, self.factor))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Over(Num(1), Root(Num(3))), s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """Ratios of scores stay."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield out[i, j] * s[i, 0], s[i, j] * out[i, 0]

"""Leaky ReLU: negative numbers shrink, the others stay."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Letter, Num, Plus, Shown, Times, constant
from derive.operation import Law, Operation, Sign, Slip, View, column, only, row, worked_as


class LeakyReLU(Operation):
    """max(0, u) + α · min(0, u).  Source: Maas et al. 2013, equation 2."""

    name = "leaky ReLU"
    shape = "n f -> n f"

    slips = (
        Slip("no-activation", "It looks as if the activation was left out.", only("u")),
        Slip(
            "relu-instead",
            "It looks as if a ReLU was taken instead of the activation asked for.",
            worked_as(lambda op, f, i, j, u: f.max(f.rational(0), u[i, j])),
        ),
    )

    def __init__(self, slope: Shown, *, u: str) -> None:
        super().__init__(u=u)
        self.slope = slope

    def define(self, f: Any, i: int, j: int, /, u: View) -> Any:
        x, zero = u[i, j], f.rational(0)
        return f.max(zero, x) + constant(self.slope, f) * f.min(zero, x)

    def formulas(self, i: int, j: int) -> list[Shown]:
        u = self.entry("u", row(i), column(j))
        below = Times((Letter("α", self.slope), Call("min", (Num(0), u))))
        return [Plus((Call("max", (Num(0), u)), below))]

    def remark(self, sign: Sign, *at: int) -> str:
        found = sign(self.inputs["u"], at)
        if found is None:
            return ""
        what = ("is exactly 0", "is positive, so it stays", "is negative, so it is times α")[found]
        return f"The number inside {what}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(1, 10), u="u"), {"n": 2, "f": 3}

    def law(self, f: Any, out: View, /, u: View) -> Law:
        """With the roles of 1 and α exchanged it adds up to (1 + α) · u."""
        slope, zero = constant(self.slope, f), f.rational(0)
        for i in range(u.rows):
            for j in range(u.columns):
                x = u[i, j]
                other = slope * f.max(zero, x) + f.min(zero, x)
                yield out[i, j] + other, (1 + slope) * x

"""Root mean square of a row: the size of a typical entry."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Letter, Num, Over, Plus, Power, Root, Shown, Times, constant
from derive.operation import Law, Operation, Slip, View, changed, row, size, total, worked_as

ZERO = Num(0)


class RootMeanSquare(Operation):
    """√(mean of squares + ε), or √(mean of squares) + ε; one number a row.

    Source: Zhang and Sennrich 2019 (RMSNorm), equation 4.
    """

    name = "root mean square"
    shape = "n d -> n 1"

    slips = (
        Slip(
            "eps-forgotten",
            "It looks as if ε was forgotten.",
            lambda op: changed(op, eps=ZERO) if op.eps != ZERO else None,
        ),
        Slip(
            "eps-misplaced",
            "It looks as if ε was put on the wrong side of the root.",
            lambda op: changed(op, inside=not op.inside) if op.eps != ZERO else None,
        ),
        Slip(
            "sum-not-mean",
            "It looks as if the sum of the squares was taken instead of their mean.",
            worked_as(lambda op, f, i, j, x: f.sqrt(_squares(x, i) + constant(op.eps, f))),
        ),
        Slip(
            "no-root",
            "It looks as if the root was forgotten.",
            worked_as(lambda op, f, i, j, x: _squares(x, i) / x.columns + constant(op.eps, f)),
        ),
    )

    def __init__(self, eps: Shown = ZERO, inside: bool = True, *, x: str) -> None:
        super().__init__(x=x)
        self.eps, self.inside = eps, inside

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        mean = sum(x[i, k] * x[i, k] for k in range(x.columns)) / x.columns
        eps = constant(self.eps, f)
        return f.sqrt(mean + eps) if self.inside else f.sqrt(mean) + eps

    def formulas(self, i: int, j: int) -> list[Shown]:
        k, d = Bound("k"), size("d", self.sizes["x"][1])
        squares = total(k, d, Power(self.entry("x", row(i), k), Num(2)))
        mean: Shown = Times((Over(Num(1), d), squares))
        eps = Letter("ε", self.eps)
        if self.eps == ZERO:
            return [Root(mean)]
        return [Root(Plus((mean, eps))) if self.inside else Plus((Root(mean), eps))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(1, 1000000), x="x"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """d · (rms² - ε) is the squared length of the row (ε outside: d · (rms - ε)²)."""
        eps = constant(self.eps, f)
        for i in range(x.rows):
            r = out[i, 0]
            mean = r * r - eps if self.inside else (r - eps) ** 2
            yield x.columns * mean, sum(x[i, k] ** 2 for k in range(x.columns))


def _squares(x: View, i: int) -> Any:
    """The sum of the squares of a row, for slips."""
    return sum(x[i, k] * x[i, k] for k in range(x.columns))

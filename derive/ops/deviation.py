"""Root of the variance: what LayerNorm divides by."""

from __future__ import annotations

from typing import Any

from derive.line import Letter, Num, Plus, Root, Shown, constant
from derive.operation import Law, Operation, Slip, View, changed, row, worked_as

ZERO = Num(0)


class Deviation(Operation):
    """√(variance + ε), or √variance + ε; one number a row.

    Source: Ba et al. 2016 (LayerNorm), equation 3, with the ε of its implementations.
    """

    name = "root of the variance"
    shape = "n 1 -> n 1"

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
            "no-root",
            "It looks as if the root of the variance was forgotten.",
            worked_as(lambda op, f, i, j, var: var[i, 0] + constant(op.eps, f)),
        ),
    )

    def __init__(self, eps: Shown = ZERO, inside: bool = True, *, var: str) -> None:
        super().__init__(var=var)
        self.eps, self.inside = eps, inside

    def define(self, f: Any, i: int, j: int, /, var: View) -> Any:
        eps = constant(self.eps, f)
        return f.sqrt(var[i, 0] + eps) if self.inside else f.sqrt(var[i, 0]) + eps

    def formulas(self, i: int, j: int) -> list[Shown]:
        var, eps = self.entry("var", row(i), Num(0)), Letter("ε", self.eps)
        if self.eps == ZERO:
            return [Root(var)]
        return [Root(Plus((var, eps))) if self.inside else Plus((Root(var), eps))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(1, 100000), var="var"), {"n": 2}

    def law(self, f: Any, out: View, /, var: View) -> Law:
        """Its square is the variance again, with ε."""
        eps = constant(self.eps, f)
        for i in range(var.rows):
            r = out[i, 0]
            yield (r**2 - eps if self.inside else (r - eps) ** 2), var[i, 0]

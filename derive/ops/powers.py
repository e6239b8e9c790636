"""Powers of another base than e: the numerators of a softmax in that base."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Power, Shown, constant
from derive.operation import Law, Operation, Slip, View, column, row, worked_as


class Powers(Operation):
    """base^score, base above 1; a masked score -∞ gives exactly 0.

    Source: AI by Hand, the softmax sheet ("use 3 instead of e").
    """

    name = "powers of the base"
    meaning = "powers of the base, the scores as exponents"
    shape = "n m -> n m"

    slips = (
        Slip(
            "base-e",
            "It looks as if powers of e were taken instead of powers of the base asked for.",
            worked_as(lambda op, f, i, j, s: f.exp(s[i, j])),
        ),
    )

    def __init__(self, base: Shown, *, s: str) -> None:
        super().__init__(s=s)
        self.base = base

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        score = s[i, j]
        if score == f.infinity(-1):
            return f.zero
        return f.general_power(constant(self.base, f), score)

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Power(self.base, self.entry("s", row(i), column(j)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(3), s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """Its logarithm is the score times ln(base), said without a logarithm of a power."""
        base = constant(self.base, f)
        for i in range(s.rows):
            for j in range(s.columns):
                yield out[i, j], f.exp(s[i, j] * f.log(base))

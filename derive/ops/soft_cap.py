"""Soft cap: large scores are bent towards a bound."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Letter, Num, Over, Shown, Times, constant
from derive.operation import Law, Operation, Slip, View, column, only, row


class SoftCap(Operation):
    """c · tanh(x / c): nearly x for small scores, never beyond ±c.

    Source: Gemma Team 2024 (Gemma 2), section 2 (logit soft-capping).
    """

    name = "soft cap"
    shape = "n m -> n m"

    slips = (Slip("no-soft-cap", "It looks as if the soft cap was left out.", only("x")),)

    def __init__(self, cap: Shown, *, x: str) -> None:
        super().__init__(x=x)
        self.cap = cap

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        c = constant(self.cap, f)
        return c * f.tanh(x[i, j] / c)

    def formulas(self, i: int, j: int) -> list[Shown]:
        c = Letter("c", self.cap)
        return [Times((c, Call("tanh", (Over(self.entry("x", row(i), column(j)), c),))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(5), x="x"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """(c + y) / (c - y) = e^(2x/c)."""
        c = constant(self.cap, f)
        for i in range(x.rows):
            for j in range(x.columns):
                y = out[i, j]
                yield (c + y) / (c - y), f.exp(2 * x[i, j] / c)

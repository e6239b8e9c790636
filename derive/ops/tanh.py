"""Hyperbolic tangent: any number bent into -1 … 1."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as


class Tanh(Operation):
    """tanh(u).

    Source: Goodfellow et al. 2016, section 6.3.2.
    """

    name = "tanh"
    shape = "n f -> n f"

    slips = (
        Slip("no-activation", "It looks as if the activation was left out.", only("u")),
        Slip(
            "relu-instead",
            "It looks as if a ReLU was taken instead of the activation asked for.",
            worked_as(lambda op, f, i, j, u: f.max(f.rational(0), u[i, j])),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, u: View) -> Any:
        return f.tanh(u[i, j])

    def formulas(self, i: int, j: int) -> list[Shown]:
        u = self.entry("u", row(i), column(j))
        return [Call("tanh", (u,))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(u="u"), {"n": 2, "f": 3}

    def law(self, f: Any, out: View, /, u: View) -> Law:
        """(1 + y) / (1 - y) = e^(2u)."""
        for i in range(u.rows):
            for j in range(u.columns):
                yield (1 + out[i, j]) / (1 - out[i, j]), f.exp(2 * u[i, j])

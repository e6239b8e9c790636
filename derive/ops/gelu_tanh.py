"""GELU by the hyperbolic tangent: the form of GPT-2."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Const, Num, Over, Plus, Power, Root, Shown, Times
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as

CUBIC = Num(8943, 200000)  # 0.044715


class GELUTanh(Operation):
    """u/2 · (1 + tanh(√(2/π) · (u + 0.044715 u³))).

    Source: Hendrycks and Gimpel 2016, section 2.
    """

    name = "GELU by tanh"
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
        return _gelu(f, u[i, j])

    def formulas(self, i: int, j: int) -> list[Shown]:
        u = self.entry("u", row(i), column(j))
        return [Times((Over(u, Num(2)), Plus((Num(1), Call("tanh", (_inner(u),))))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(u="u"), {"n": 2, "f": 3}

    def law(self, f: Any, out: View, /, u: View) -> Law:
        """gelu(u) - gelu(-u) = u."""
        for i in range(u.rows):
            for j in range(u.columns):
                yield out[i, j] - _gelu(f, -u[i, j]), u[i, j]


def _inner(u: Shown) -> Shown:
    root = Root(Over(Num(2), Const("pi")))
    return Times((root, Plus((u, Times((CUBIC, Power(u, Num(3))))))))


def _gelu(f: Any, x: Any) -> Any:
    inner = f.sqrt(2 / f.pi) * (x + f.rational(CUBIC.p, CUBIC.q) * x * x * x)
    return x / 2 * (f.tanh(inner) + 1)

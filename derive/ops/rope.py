"""RoPE: queries and keys turned by an angle that grows with the position."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Letter, Neg, Num, Plus, Power, Shown, Times, constant
from derive.operation import Law, Operation, Sign, View, row


class Rope(Operation):
    """Each pair (2p, 2p+1) of a row turns by position · θ_p, counter-clockwise.

    θ_p is in radians per position: base^(-2p/k) unless the model gives the angles.
    Source: Su et al. 2021 (RoFormer), equations 14, 15 and 34.
    """

    name = "RoPE"
    shape = "n k -> n k"

    def __init__(self, angles: tuple[Shown, ...], first: int, *, x: str) -> None:
        super().__init__(x=x)
        self.angles = angles  # radians per position, one a pair
        self.first = first  # position of row 0, in tokens

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        pair, odd = divmod(j, 2)
        turn = (self.first + i) * constant(self.angles[pair], f)
        a, b = x[i, 2 * pair], x[i, 2 * pair + 1]
        if odd:
            return a * f.sin(turn) + b * f.cos(turn)
        return a * f.cos(turn) - b * f.sin(turn)

    def formulas(self, i: int, j: int) -> list[Shown]:
        p, odd = divmod(j, 2)
        a = self.entry("x", row(i), Letter("2p", Num(2 * p)))
        b = self.entry("x", row(i), Letter("2p+1", Num(2 * p + 1)))
        turn = Times((Letter("m_i", Num(self.first + i)), Letter("θ_p", self.angles[p])))
        cos, sin = Call("cos", (turn,)), Call("sin", (turn,))
        if odd:
            return [Plus((Times((a, sin)), Times((b, cos))))]
        return [Plus((Times((a, cos)), Neg(Times((b, sin)))))]

    def remark(self, sign: Sign, *at: int) -> str:
        i, j = at
        return f"The position is m_i = {self.first + i}; column {j} belongs to pair p = {j // 2}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls((Num(1), Num(1, 2)), 1, x="x"), {"n": 3, "k": 4}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """A rotation keeps the length of every pair."""
        for i in range(x.rows):
            for a in range(0, x.columns, 2):
                yield tuple(v[i, a] ** 2 + v[i, a + 1] ** 2 for v in (out, x))


def frequency(base: Shown, pair: int, width: int) -> Shown:
    """θ_p = base^(-2p/k), in radians per position."""
    if pair == 0:
        return Num(1)
    from fractions import Fraction

    exponent = Fraction(-2 * pair, width)
    return Power(base, Num(exponent.numerator, exponent.denominator))

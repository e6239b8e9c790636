"""RoPE: queries and keys turned by an angle that grows with the position."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Const, Letter, Neg, Num, Over, Plus, Power, Shown, Times, constant
from derive.operation import Law, Operation, Sign, Slip, View, changed, column, only, row


class Rope(Operation):
    """Each pair (2p, 2p+1) of a row turns by position · θ_p, counter-clockwise.

    θ_p is in radians per position: base^(-2p/k) unless the model gives the angles.  Columns
    without a pair (where only a part of a head turns) stay.
    Source: Su et al. 2021 (RoFormer), equations 14, 15 and 34.
    """

    name = "RoPE"
    shape = "n k -> n k"

    slips = (
        Slip(
            "rope-reversed",
            "It looks as if the pairs were turned the wrong way round.",
            lambda op: changed(op, angles=tuple(map(Neg, op.angles))),
        ),
        Slip(
            "no-rope",
            "It looks as if queries and keys were not turned by their positions.",
            only("x"),
        ),
        Slip(
            "positions-from-one",
            "It looks as if the positions were counted from one instead of from zero.",
            lambda op: changed(op, first=op.first + 1),
        ),
        Slip(
            "positions-from-zero",
            "It looks as if the positions were counted from zero.",
            lambda op: changed(op, first=0) if op.first else None,
        ),
        Slip(
            "wrong-position",
            "It looks as if a row was turned as the one after it should be.",
            lambda op: changed(op, first=op.first + 1),
            alone=True,
        ),
        Slip(
            "degrees",
            "It looks as if an angle in radians was taken for degrees.",
            lambda op: changed(op, angles=tuple(map(degrees, op.angles))),
        ),
    )

    def __init__(self, angles: tuple[Shown, ...], first: int, *, x: str) -> None:
        super().__init__(x=x)
        self.angles = angles  # radians per position, one a pair
        self.first = first  # position of row 0, in tokens

    def output(self, shapes: Any) -> tuple[int, ...]:
        out = super().output(shapes)
        if self.turned < out[1]:
            self.name = f"{type(self).name} of the first {self.turned} columns"  # type: ignore[misc]
        return out

    @property
    def turned(self) -> int:
        """How many columns turn."""
        return 2 * len(self.angles)

    def pair(self, p: int) -> tuple[tuple[int, str], tuple[int, str]]:
        """The two columns of pair p, each with its letters."""
        return (2 * p, "2p"), (2 * p + 1, "2p+1")

    def place(self, j: int) -> tuple[int, int]:
        """The pair of column j, and 0 or 1 for its first or second column."""
        return divmod(j, 2)

    def terms(self, second: int, cos: Any, sin: Any, a: Any, b: Any) -> tuple[Any, Any, bool]:
        """The two products of a turned column, and whether the second is subtracted."""
        return ((a, sin), (b, cos), False) if second else ((a, cos), (b, sin), True)

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        if j >= self.turned:
            return x[i, j]
        p, second = self.place(j)
        turn = (self.first + i) * constant(self.angles[p], f)
        (one, _), (other, _) = self.pair(p)
        (a, s), (b, t), minus = self.terms(second, f.cos(turn), f.sin(turn), x[i, one], x[i, other])
        return a * s - b * t if minus else a * s + b * t

    def formulas(self, i: int, j: int) -> list[Shown]:
        if j >= self.turned:
            return [self.entry("x", row(i), column(j))]
        p, second = self.place(j)
        a, b = (self.entry("x", row(i), Letter(text, Num(k))) for k, text in self.pair(p))
        turn = Times((Letter("m_i", Num(self.first + i)), Letter("θ_p", self.angles[p])))
        cos, sin = Call("cos", (turn,)), Call("sin", (turn,))
        one, other, minus = self.terms(second, cos, sin, a, b)
        return [Plus((Times(one), Neg(Times(other)) if minus else Times(other)))]

    def remark(self, sign: Sign, *at: int) -> str:
        i, j = at
        if j >= self.turned:
            return f"Only the first {self.turned} columns turn."
        place = f"column {self.index(j)} belongs to pair p = {self.place(j)[0]}"
        return f"The position is m_i = {self.first + i}; {place}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls((Num(1), Num(1, 2)), 1, x="x"), {"n": 3, "k": 5}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """A rotation keeps the length of every pair, and a column without a pair stays."""
        for i in range(x.rows):
            for p in range(len(self.angles)):
                (a, _), (b, _) = self.pair(p)
                yield tuple(v[i, a] ** 2 + v[i, b] ** 2 for v in (out, x))
            for j in range(self.turned, x.columns):
                yield out[i, j], x[i, j]


def frequency(base: Shown, pair: int, width: int) -> Shown:
    """θ_p = base^(-2p/k), in radians per position."""
    if pair == 0:
        return Num(1)
    from fractions import Fraction

    exponent = Fraction(-2 * pair, width)
    return Power(base, Num(exponent.numerator, exponent.denominator))


def degrees(angle: Shown) -> Shown:
    """So many degrees, for a slip."""
    return Times((angle, Over(Const("pi"), Num(180))))

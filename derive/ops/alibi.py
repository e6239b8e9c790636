"""ALiBi: the further away a key is, the more its score loses."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Letter, Neg, Num, Plus, Power, Shown, Times, constant
from derive.operation import Law, Operation, Slip, View, column, row, worked_as
from derive.shapes import Shape


class Alibi(Operation):
    """-μ · |i - j|: one slope μ a head, the distance in tokens.

    Source: Press et al. 2022 (ALiBi), section 3.
    """

    name = "ALiBi bias"
    shape = " -> n m"
    sentence = "what the score of {row} for {column} loses by their distance"

    slips = (
        Slip(
            "alibi-reversed",
            "It looks as if the bias was added where distance should cost something.",
            worked_as(lambda op, f, i, j: constant(op.slope, f) * abs(i - j)),
        ),
        Slip(
            "alibi-no-slope",
            "It looks as if the distance was taken without the slope of the head.",
            worked_as(lambda op, f, i, j: f.rational(-abs(i - j))),
        ),
    )

    def __init__(self, slope: Shown, rows: int, columns: int) -> None:
        super().__init__()
        self.slope, self.rows, self.columns = slope, rows, columns

    def output(self, shapes: object) -> Shape:
        return self.rows, self.columns

    def define(self, f: Any, i: int, j: int, /) -> Any:
        return constant(self.slope, f) * -abs(i - j)

    def formulas(self, i: int, j: int) -> list[Shown]:
        distance = Call("abs", (Plus((row(self.index(i)), Neg(column(self.index(j))))),))
        return [Neg(Times((Letter("μ", self.slope), distance)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(1, 4), 3, 4), {}

    def law(self, f: Any, out: View, /) -> Law:
        """One step further costs one slope more."""
        for i in range(self.rows):
            for j in range(i):
                yield out[i, j + 1] - out[i, j], constant(self.slope, f)


def slope(head: int, heads: int) -> Shown:
    """2^(-8(i+1)/h), the slope of head i of h.

    >>> slope(0, 8), slope(1, 2)
    (Num(p=1, q=2), Num(p=1, q=256))
    """
    from fractions import Fraction

    exponent = Fraction(8 * (head + 1), heads)
    if exponent.denominator == 1:
        return Num(1, 2**exponent.numerator)
    return Power(Num(2), Num(-exponent.numerator, exponent.denominator))

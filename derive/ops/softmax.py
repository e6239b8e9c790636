"""Softmax: exponentials divided by their row total."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Const, Entry, Letter, Num, Over, Power, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row, size, total, worked_as

ONE, E = Num(1), Const("e")
KINDS = {  # of a row that is not one of attention: its sentence, and the letter of its length
    "chance": ("the chance that {column} follows {row}", "V"),
    "expert": ("how much expert {column} counts for {row}", "n_E"),
}


class Softmax(Operation):
    """Attention weights: positive (0 where masked), every row sums to 1.

    Source: Vaswani et al. 2017, equation 1.
    """

    name = "softmax"
    shape = "n m, n 1 -> n m"
    sentence = "how much {row} attends to {column}"

    slips = (
        Slip(
            "wrong-axis",
            "It looks as if the softmax was taken down the columns instead of along the rows.",
            worked_as(lambda op, f, i, j, exp, sum: exp[i, j] / total_of(exp, j)),
        ),
        Slip(
            "not-normalised",
            "It looks as if the exponentials were not divided by their total.",
            only("exp"),
        ),
    )

    def __init__(
        self,
        kind: str = "attention",
        temperature: Shown = ONE,
        base: Shown = E,
        *,
        scores: str,
        exp: str,
        sum: str,
    ) -> None:
        super().__init__(exp=exp, sum=sum)
        self.scores = scores  # for the formula in the scores themselves
        self.temperature, self.base = temperature, base
        if base != E:
            self.name = "softmax in another base"  # type: ignore[misc]
        self.size = "n"
        if kind in KINDS:
            self.sentence, self.size = KINDS[kind]  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, exp: View, sum: View) -> Any:
        return exp[i, j] / sum[i, 0]

    def formulas(self, i: int, j: int) -> list[Shown]:
        m = Bound("m")
        scores: list[Shown] = [Entry(self.scores, (row(i), at)) for at in (column(j), m)]
        if self.temperature != ONE:
            scores = [Over(score, Letter("T", self.temperature)) for score in scores]
        powers = [Power(self.base, score) for score in scores]
        return [
            Over(powers[0], total(m, size(self.size, self.sizes["exp"][1]), powers[1])),
            Over(self.entry("exp", row(i), column(j)), self.entry("sum", row(i), Num(0))),
        ]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(scores="scores", exp="exp", sum="sum"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, exp: View, sum: View) -> Law:
        """Every row is the row of exponentials in the measure of its total."""
        for i in range(exp.rows):
            for j in range(exp.columns):
                yield out[i, j] * sum[i, 0], exp[i, j]


def total_of(x: View, j: int) -> Any:
    """The sum of a column, for a slip."""
    return sum(x[i, j] for i in range(x.rows))

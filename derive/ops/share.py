"""Share: weights that are shares of a row total, without exponentials."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Over, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as
from derive.ops.softmax import total_of


class Share(Operation):
    """Attention weights part / total: the parts are scores, or the ReLU of scores."""

    name = "share of the row total"
    shape = "n m, n 1 -> n m"
    sentence = "how much {row} attends to {column}"

    slips = (
        Slip(
            "wrong-axis",
            "It looks as if the shares were taken down the columns instead of along the rows.",
            worked_as(lambda op, f, i, j, part, sum: part[i, j] / total_of(part, j)),
        ),
        Slip(
            "not-normalised",
            "It looks as if the weights were not divided by their total.",
            only("part"),
        ),
    )

    def __init__(self, name: str, *, part: str, sum: str) -> None:
        super().__init__(part=part, sum=sum)
        self.name = name  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, part: View, sum: View) -> Any:
        return part[i, j] / sum[i, 0]

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Over(self.entry("part", row(i), column(j)), self.entry("sum", row(i), Num(0)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("share", part="part", sum="sum"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, part: View, sum: View) -> Law:
        """Times the total it is the part again."""
        for i in range(part.rows):
            for j in range(part.columns):
                yield out[i, j] * sum[i, 0], part[i, j]

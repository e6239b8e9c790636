"""Row total: the denominator of the softmax."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Shown
from derive.operation import Law, Operation, View, row, size, total


class RowTotal(Operation):
    """The sum of a row, one number a row: of exponentials, or of what else is shared out."""

    name = "row total"
    shape = "n m -> n 1"

    def __init__(self, letter: str = "n", meaning: str = "", *, x: str) -> None:
        super().__init__(x=x)
        self.meaning = meaning
        self.letter = letter  # the size that the sum runs over

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        return sum(x[i, m] for m in range(x.columns))

    def formulas(self, i: int, j: int) -> list[Shown]:
        m = Bound("m")
        return [total(m, size(self.letter, self.sizes["x"][1]), self.entry("x", row(i), m))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(x="x"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """What is left of a row without its first number is the rest's total."""
        for i in range(x.rows):
            yield out[i, 0] - x[i, 0], sum(x[i, m] for m in range(1, x.columns))

"""Exponentials of the scores: the numerators of the softmax."""

from __future__ import annotations

from typing import Any

from derive.line import Const, Power, Shown
from derive.operation import Law, Operation, Slip, View, column, row, worked_as


class Exponentials(Operation):
    """e to the score; a masked score -∞ gives exactly 0."""

    name = "exponentials"
    shape = "n m -> n m"

    slips = (
        Slip(
            "base-two",
            "It looks as if powers of two were taken instead of powers of e.",
            worked_as(lambda op, f, i, j, s: _power(f, 2, s[i, j])),
        ),
        Slip(
            "base-ten",
            "It looks as if powers of ten were taken instead of powers of e.",
            worked_as(lambda op, f, i, j, s: _power(f, 10, s[i, j])),
        ),
        Slip(
            "no-exponential",
            "It looks as if the scores were shared out without taking exponentials.",
            worked_as(lambda op, f, i, j, s: _open(f, s[i, j])),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        return f.exp(s[i, j])

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Power(Const("e"), self.entry("s", row(i), column(j)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """Differences of scores become ratios."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield out[i, j] / out[i, 0], f.exp(s[i, j] - s[i, 0])


def _power(f: Any, base: int, score: Any) -> Any:
    """A power of another base, for slips; 0 where the score is -∞."""
    hidden = score == f.infinity(-1)
    return f.zero if hidden else f.general_power(f.rational(base), score)


def _open(f: Any, score: Any) -> Any:
    """The score itself, for a slip; 0 where it is hidden."""
    return f.zero if score == f.infinity(-1) else score

"""Zero where hidden: scores that are added up must not be -∞."""

from __future__ import annotations

from typing import Any

from derive.line import Case, Cases, Condition, Const, Neg, Num, Shown
from derive.operation import Law, Operation, View, column, row

Hidden = frozenset[tuple[int, int]]


class ZeroWhereHidden(Operation):
    """The score itself where the mask leaves it, 0 where it hides it."""

    name = "scores that count"
    shape = "n m -> n m"

    def __init__(self, hidden: Hidden, *, s: str) -> None:
        super().__init__(s=s)
        self.hidden = hidden  # cells where the mask has -∞

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        return f.zero if (i, j) in self.hidden else s[i, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        score, hidden = self.entry("s", row(i), column(j)), (i, j) in self.hidden
        infinity = Neg(Const("inf"))
        return [
            Cases((
                Case(score, Condition(score, "!=", infinity), not hidden),
                Case(Num(0), Condition(score, "=", infinity), hidden),
            ))
        ]  # fmt: skip

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(frozenset({(0, 2)}), s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """A row adds up to what is not hidden of it."""
        for i in range(s.rows):
            seen = [s[i, j] for j in range(s.columns) if (i, j) not in self.hidden]
            yield sum(out[i, j] for j in range(s.columns)), sum(seen)

"""Hard attention: the whole weight on the best key, ties shared equally."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derive.line import (
    Bound,
    Call,
    Case,
    Cases,
    Condition,
    Entry,
    Letter,
    Num,
    Over,
    Shown,
)
from derive.operation import Law, Operation, View, column, row

Best = Callable[[int], tuple[int, ...]]  # row -> the columns with its largest score


class HardAttention(Operation):
    """1 at the largest score of a row, 0 elsewhere; of t equal ones each gets 1/t.

    Which scores are largest is decided exactly by `best`, once they are known.
    Source: Luong et al. 2015, section 3.1 (hard attention); Pérez et al. 2021, section 3.1 (ties).
    """

    name = "hard attention"
    shape = "n m -> n m"
    sentence = "how much {row} attends to {column}"

    def __init__(self, best: Best, *, s: str) -> None:
        super().__init__(s=s)
        self.best = best

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        best = self.best(i)
        return f.rational(1, len(best)) if j in best else f.rational(0)

    def formulas(self, i: int, j: int) -> list[Shown]:
        best = self.best(i)
        score, each = self.entry("s", row(i), column(j)), Num(1)
        largest = Call("max", (self.entry("s", row(i), Bound("m")),))
        share = each if len(best) == 1 else Over(each, Letter("t", Num(len(best))))
        return [
            Cases((
                Case(share, Condition(score, "=", largest), j in best),
                Case(Num(0), Condition(None, "otherwise", None), j not in best),
            ))
        ]  # fmt: skip

    def decided_by(self, *at: int) -> tuple[Entry, ...]:
        i, _ = at
        return tuple(self.entry("s", Num(i), Num(m)) for m in range(self.sizes["s"][1]))

    def remark(self, sign: object, *at: int) -> str:
        best = self.best(at[0])
        names = ", ".join(str(self.index(k)) for k in best)
        if len(best) > 1:
            return f"The largest scores of the row are exactly equal, in columns {names}: a tie."
        return f"The largest score of the row is in column {names}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(lambda i: (0, 2) if i else (1,), s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """A row adds up to 1."""
        for i in range(s.rows):
            yield sum(out[i, j] for j in range(s.columns)), f.rational(1)

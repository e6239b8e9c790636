"""Scores: how well a query fits a key, as their dot product."""

from __future__ import annotations

from typing import Any, ClassVar

from derive.line import Bound, Shown, Times
from derive.operation import Law, Operation, Slip, View, column, row, size, total, worked_as


def _swapped(op: Operation) -> Operation | None:
    """The query of the column with the key of the row, for a slip."""
    if len(op.inputs) > 2 or op.sizes["q"][0] != op.sizes["k"][0]:
        return None

    def define(op: Operation, f: Any, i: int, j: int, /, q: View, k: View) -> Any:
        return sum(q[j, c] * k[i, c] for c in range(q.columns))

    return worked_as(define)(op)


class Scores(Operation):
    """S = Q K^T.  Source: Vaswani et al. 2017, equation 1."""

    name = "scores"
    shape = "n k, m k -> n m"
    cached: ClassVar[tuple[str, ...]] = ("k",)
    sentence = "how well the query of {row} fits the key of {column}"

    slips = (Slip("q-k-swapped", "It looks as if query and key were swapped.", _swapped),)

    def define(self, f: Any, i: int, j: int, /, q: View, k: View) -> Any:
        return sum(q[i, c] * k[j, c] for c in range(q.columns))

    def formulas(self, i: int, j: int) -> list[Shown]:
        c = Bound("c")
        body = Times((self.entry("q", row(i), c), self.entry("k", column(j), c)))
        return [total(c, size("d_k", self.sizes["q"][1]), body)]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(q="q", k="k"), {"n": 2, "m": 3, "k": 4}

    def law(self, f: Any, out: View, /, q: View, k: View) -> Law:
        """Linear in the keys: the scores of a row add up to its score against their sum."""
        for i in range(q.rows):
            added = [sum(k[j, c] for j in range(k.rows)) for c in range(k.columns)]
            right = sum(q[i, c] * added[c] for c in range(q.columns))
            yield sum(out[i, j] for j in range(k.rows)), right

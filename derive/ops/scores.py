"""Scores: how well a query fits a key, as their dot product."""

from __future__ import annotations

from typing import Any, ClassVar

from derive.line import Bound, Shown, Times
from derive.operation import Law, Operation, View, column, row, size, total


class Scores(Operation):
    """S = Q K^T.  Source: Vaswani et al. 2017, equation 1."""

    name = "scores"
    shape = "n k, m k -> n m"
    cached: ClassVar[tuple[str, ...]] = ("k",)
    sentence = "how well the query of {row} fits the key of {column}"

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

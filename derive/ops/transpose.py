"""Transpose: rows become columns, as tied unembeddings need it."""

from __future__ import annotations

from typing import Any

from derive.line import Shown
from derive.operation import Law, Operation, View, column, row


class Transpose(Operation):
    """W_U = E^T: the unembedding that shares the numbers of the embedding.

    Source: Press and Wolf 2017.
    """

    name = "transpose"
    shape = "V d -> d V"

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        return x[j, i]

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [self.entry("x", column(j), row(i))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(x="x"), {"V": 3, "d": 2}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """The sum of all numbers stays."""
        pairs = [(i, j) for i in range(x.rows) for j in range(x.columns)]
        yield sum(out[j, i] for i, j in pairs), sum(x[i, j] for i, j in pairs)

"""Passed on: a matrix that this model takes over unchanged under another name."""

from __future__ import annotations

from typing import Any

from derive.line import Shown
from derive.operation import Law, Operation, View, column, row


class PassedOn(Operation):
    """The stream where nothing is added: the branch (or the stream) itself."""

    name = "passed on"
    shape = "n d -> n d"

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        return x[i, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [self.entry("x", row(i), column(j))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(x="x"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """Nothing changes."""
        for i in range(x.rows):
            for j in range(x.columns):
                yield out[i, j], x[i, j]

"""ReLU of the scores: what the weights of ReLU attention are shares of."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Num, Shown
from derive.operation import Law, Operation, View, column, row


class ReLUScores(Operation):
    """max(0, score); a masked score -∞ gives exactly 0.

    Source: Wortsman et al. 2023 (ReLU in place of softmax), here with shares of the row total.
    """

    name = "ReLU of the scores"
    shape = "n m -> n m"

    def define(self, f: Any, i: int, j: int, /, s: View) -> Any:
        return f.zero if s[i, j] == f.infinity(-1) else f.max(f.rational(0), s[i, j])

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Call("max", (Num(0), self.entry("s", row(i), column(j))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(s="s"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View) -> Law:
        """relu(s) - relu(-s) = s."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield out[i, j] - f.max(f.rational(0), -s[i, j]), s[i, j]

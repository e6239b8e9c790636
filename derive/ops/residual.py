"""Residual addition: a branch's result added to the stream."""

from __future__ import annotations

from typing import Any

from derive.line import Plus, Shown
from derive.operation import Law, Operation, View, column, row


class Residual(Operation):
    """stream + branch, and rows + positions.

    Source: He et al. 2015; Vaswani et al. 2017, sections 3.1 and 3.5.
    """

    name = "residual addition"
    shape = "n d, n d -> n d"

    def __init__(self, name: str = "residual addition", *, stream: str, branch: str) -> None:
        super().__init__(stream=stream, branch=branch)
        self.name = name  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, stream: View, branch: View) -> Any:
        return stream[i, j] + branch[i, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        at = row(i), column(j)
        return [Plus((self.entry("stream", *at), self.entry("branch", *at)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(stream="stream", branch="branch"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, stream: View, branch: View) -> Law:
        """Taking the branch away again leaves the stream."""
        for i in range(stream.rows):
            for j in range(stream.columns):
                yield out[i, j] - branch[i, j], stream[i, j]

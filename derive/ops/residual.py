"""Residual addition: a branch's result added to the stream."""

from __future__ import annotations

from typing import Any

from derive.line import Plus, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row


class Residual(Operation):
    """stream + branch, and rows + positions.

    Source: He et al. 2015; Vaswani et al. 2017, sections 3.1 and 3.5.
    """

    name = "residual addition"
    shape = "n d, n d -> n d"

    slips = (
        Slip(
            "no-residual",
            "It looks as if the stream was not added to the result of the branch.",
            lambda op: only("branch")(op) if op.name == Residual.name else None,
        ),
        Slip(
            "branch-left-out",
            "It looks as if the result of the branch was not added to the stream.",
            lambda op: only("stream")(op) if op.name == Residual.name else None,
        ),
        Slip(
            "no-position",
            "It looks as if the position signal was not added.",
            lambda op: only("stream")(op) if op.name == "position addition" else None,
        ),
    )

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

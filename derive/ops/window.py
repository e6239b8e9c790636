"""Window: a row sees only what is near it."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Case, Cases, Condition, Letter, Neg, Num, Plus, Shown
from derive.operation import Law, Operation, Slip, View, changed, column, row
from derive.ops.mask import MINUS_INFINITY
from derive.shapes import Shape


class WindowMask(Operation):
    """Open where |i - j| < w; with a causal mask: itself and the w - 1 rows before it.

    Source: Beltagy et al. 2020 (Longformer), section 3.1; Jiang et al. 2023 (Mistral).
    """

    name = "window"
    shape = " -> n m"
    sentence = "whether {row} is near enough to {column}"

    slips = (
        Slip(
            "window-off-by-one",
            "It looks as if the window is one token too wide.",
            lambda op: changed(op, width=op.width + 1),
        ),
        Slip(
            "window-too-narrow",
            "It looks as if the window is one token too narrow.",
            lambda op: changed(op, width=op.width - 1) if op.width > 1 else None,
        ),
    )

    def __init__(self, width: int, rows: int, columns: int) -> None:
        super().__init__()
        self.width, self.rows, self.columns = width, rows, columns

    def output(self, shapes: object) -> Shape:
        return self.rows, self.columns

    def define(self, f: Any, i: int, j: int, /) -> Any:
        return f.rational(0) if abs(i - j) < self.width else f.infinity(-1)

    def formulas(self, i: int, j: int) -> list[Shown]:
        distance = Call("abs", (Plus((row(i), Neg(column(j)))),))
        width, near = Letter("w", Num(self.width)), abs(i - j) < self.width
        return [
            Cases((
                Case(Num(0), Condition(distance, "<", width), near),
                Case(MINUS_INFINITY, Condition(distance, ">=", width), not near),
            ))
        ]  # fmt: skip

    def remark(self, sign: object, *at: int) -> str:
        return f"The window is w = {self.width}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(2, 3, 4), {}

    def law(self, f: Any, out: View, /) -> Law:
        """What is open for i from j is open for j from i."""
        for i in range(self.rows):
            for j in range(self.rows):
                yield f.exp(out[i, j]), f.exp(out[j, i])

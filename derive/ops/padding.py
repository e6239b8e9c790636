"""Padding: rows that only fill up a text are seen by nobody."""

from __future__ import annotations

from typing import Any

from derive.line import Const, Neg, Num, Shown
from derive.operation import Law, Operation, View
from derive.shapes import Shape


class PaddingMask(Operation):
    """-∞ in the columns of padding, 0 in the others.

    Source: Devlin et al. 2019 (BERT), the input mask of its code.
    """

    name = "padding mask"
    shape = " -> n m"
    sentence = "whether {column} is a word that {row} may look at"

    def __init__(self, padding: tuple[bool, ...], rows: int) -> None:
        super().__init__()
        self.padding, self.rows = padding, rows

    def output(self, shapes: object) -> Shape:
        return self.rows, len(self.padding)

    def define(self, f: Any, i: int, j: int, /) -> Any:
        return f.infinity(-1) if self.padding[j] else f.rational(0)

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Neg(Const("inf")) if self.padding[j] else Num(0)]

    def remark(self, sign: object, *at: int) -> str:
        what = "padding" if self.padding[at[1]] else "no padding"
        return f"Column {self.index(at[1])} is {what}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls((False, True, False), 2), {}

    def law(self, f: Any, out: View, /) -> Law:
        """Every row has as many open places as there are words."""
        for i in range(self.rows):
            seen = [f.exp(out[i, j]) for j in range(len(self.padding))]
            yield sum(seen), f.rational(self.padding.count(False))

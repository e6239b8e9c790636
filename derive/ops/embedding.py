"""Embedding look-up: a token's row of the embedding table."""

from __future__ import annotations

from typing import Any

from derive.line import Letter, Num, Shown, Times, constant
from derive.operation import Law, Operation, Sign, Slip, View, changed, column
from derive.shapes import Shape

ONE = Num(1)


def _next_row(op: Any) -> Operation | None:
    """The row after the right one, for a slip."""
    rows = op.sizes["table"][0]
    return changed(op, ids=tuple((k + 1) % rows for k in op.ids))


def _by_place(op: Any) -> Operation | None:
    """The row of the place in the text, for a slip."""
    places = tuple(range(len(op.ids)))
    return changed(op, ids=places) if len(places) <= op.sizes["table"][0] else None


class Embedding(Operation):
    """Row i is the row of E that belongs to token i, times a scale: x_i = E[t_i] · scale.

    Source: Vaswani et al. 2017, section 3.4 (there the scale is √d).
    """

    name = "embedding look-up"
    shape = "V d -> n d"

    slips = (
        Slip(
            "no-embedding-scale",
            "It looks as if the looked-up row was not scaled.",
            lambda op: changed(op, scale=ONE) if op.scale != ONE else None,
        ),
        Slip("wrong-token", "It looks as if the row of another token was looked up.", _next_row),
        Slip(
            "position-as-token",
            "It looks as if the place in the text was used to look a token up.",
            _by_place,
        ),
    )

    def __init__(self, ids: tuple[int, ...], scale: Shown = ONE, *, table: str) -> None:
        super().__init__(table=table)
        self.ids = ids  # the row of the table for each token
        self.scale = scale

    def output(self, shapes: Any) -> Shape:
        self.sizes = {"table": shapes[self.inputs["table"]]}
        return len(self.ids), self.sizes["table"][1]

    def define(self, f: Any, i: int, j: int, /, table: View) -> Any:
        number = table[self.ids[i], j]
        return number if self.scale == ONE else number * constant(self.scale, f)

    def formulas(self, i: int, j: int) -> list[Shown]:
        number = self.entry("table", Letter("t_i", Num(self.ids[i])), column(j))
        return [number if self.scale == ONE else Times((number, self.scale))]

    def remark(self, sign: Sign, *at: int) -> str:
        number = self.index(self.ids[at[0]])
        return f"t_i is the number of token i in the vocabulary: here {number}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls((2, 0, 2), table="table"), {"V": 4, "d": 2}

    def law(self, f: Any, out: View, /, table: View) -> Law:
        """Equal tokens have equal rows."""
        first = {t: i for i, t in reversed(list(enumerate(self.ids)))}
        for i, t in enumerate(self.ids):
            for j in range(table.columns):
                yield out[i, j], out[first[t], j]

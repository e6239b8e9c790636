"""FlashAttention's result: the running sum of values divided by the running total."""

from __future__ import annotations

from typing import Any

from derive.line import Entry, Num, Over, Shown
from derive.operation import Law, Operation, View, column, row
from derive.ops.flash_maximum import EXAMPLE, SIZES
from derive.ops.tiles import Tiles
from derive.shapes import Shape


class FlashResult(Operation):
    """o/ℓ after the last tile: what softmax over the whole row gives, Z.

    Source: Dao 2023 (FlashAttention-2), algorithm 1, line 12.
    """

    name = "values by tiles"
    shape = "n t v, n t -> n v"

    def __init__(self, tiles: Tiles, same: str = "", *, o: str, l: str) -> None:  # noqa: E741
        super().__init__(o=o, l=l)
        self.tiles, self.same = tiles, same

    def output(self, shapes: Any) -> Shape:
        return self.tiles.n, shapes[self.inputs["o"]][2]

    def define(self, f: Any, i: int, j: int, /, o: View, l: View) -> Any:  # noqa: E741
        last = self.tiles.count - 1
        return o[i, last, j] / l[i, last]

    def formulas(self, i: int, j: int) -> list[Shown]:
        last = Num(self.tiles.count - 1)
        return [Over(self.entry("o", row(i), last, column(j)), self.entry("l", row(i), last))]

    def equal_to(self, *at: int) -> Entry | None:
        return Entry(self.same, tuple(map(Num, at))) if self.same else None

    def remark(self, sign: object, *at: int) -> str:
        return f"Divided once, after the last tile; {self.tiles.counted()}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(EXAMPLE, o="o", l="l"), SIZES

    def law(self, f: Any, out: View, /, o: View, l: View) -> Law:  # noqa: E741
        """Times the total it is the running sum again."""
        last = self.tiles.count - 1
        for i in range(self.tiles.n):
            for j in range(SIZES["v"]):
                yield out[i, j] * l[i, last], o[i, last, j]

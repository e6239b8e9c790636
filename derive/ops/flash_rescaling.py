"""FlashAttention's rescaling: what earlier sums are worth under a new maximum."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Shown
from derive.operation import Law, Operation, Slip, View, row, worked_as
from derive.ops.flash_maximum import EXAMPLE, SIZES
from derive.ops.tiles import MINUS_INFINITY, Tiles, before, tile
from derive.shapes import Shape


class FlashRescaling(Operation):
    """α_t = e^(m_(t-1) - m_t): 0 at a row's first keys, 1 where the maximum stays.

    Source: Milakov and Gimelshein 2018, algorithm 3, line 5; Dao 2023 (FlashAttention-2),
    algorithm 1, line 9.
    """

    name = "rescaling factor"
    shape = "n t -> n t"

    slips = (
        Slip(
            "not-rescaled",
            "It looks as if earlier sums were not rescaled to the new maximum.",
            worked_as(lambda op, f, i, j, **x: f.rational(1)),
        ),
    )

    def __init__(self, tiles: Tiles, *, m: str) -> None:
        super().__init__(m=m)
        self.tiles = tiles

    def output(self, shapes: object) -> Shape:
        return self.tiles.n, self.tiles.count

    def _still(self, i: int, t: int) -> bool:
        return self.tiles.skipped(i, t) or self.tiles.blind(i, t)

    def define(self, f: Any, i: int, t: int, /, m: View) -> Any:
        if self._still(i, t):
            return f.rational(1)
        earlier = m[i, t - 1] if t else f.infinity(-1)
        if earlier == f.infinity(-1):
            return f.rational(0)
        return self.tiles.power(f, earlier - m[i, t])

    def formulas(self, i: int, t: int) -> list[Shown]:
        if self._still(i, t):
            return [Num(1)]
        earlier = before(self.inputs["m"], i, t, start=MINUS_INFINITY)
        return [self.tiles.exponential(earlier, self.entry("m", row(i), tile(t)))]

    def remark(self, sign: object, *at: int) -> str:
        words = self.tiles.words(at[0], at[1], self.index_base)
        if at[1] == 0 and not self._still(*at):
            words += " Before the first tile the maximum is -∞ and the sums are 0."
        return words

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(EXAMPLE, m="m"), SIZES

    def law(self, f: Any, out: View, /, m: View) -> Law:
        """It turns exponentials of the new maximum into those of the earlier one."""
        for i in range(self.tiles.n):
            for t in range(1, self.tiles.count):
                if not self._still(i, t):
                    yield out[i, t] * f.exp(m[i, t]), f.exp(m[i, t - 1])

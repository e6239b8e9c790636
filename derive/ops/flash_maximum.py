"""FlashAttention's running maximum: the largest score that a row has seen so far."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Num, Shown
from derive.operation import Law, Operation, View, row
from derive.ops.tiles import MINUS_INFINITY, Tiles, before
from derive.shapes import Shape


class FlashMaximum(Operation):
    """m_t = max(m_(t-1), scores of key tile t), from -∞ on.

    Source: Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022 (FlashAttention),
    algorithm 1, line 10.
    """

    name = "running maximum"
    shape = "n m, n t -> n t"
    own = "m"

    def __init__(self, tiles: Tiles, *, s: str, m: str) -> None:
        super().__init__(s=s, m=m)
        self.tiles = tiles

    def output(self, shapes: object) -> Shape:
        return self.tiles.n, self.tiles.count

    def define(self, f: Any, i: int, t: int, /, s: View, m: View) -> Any:
        seen = [] if self.tiles.skipped(i, t) else self.tiles.visible(f, s, i, t)
        earlier = m[i, t - 1] if t else f.infinity(-1)
        return f.max(earlier, *(s[i, j] for j in seen))

    def formulas(self, i: int, t: int) -> list[Shown]:
        earlier = before(self.inputs["m"], i, t, start=MINUS_INFINITY)
        if self.tiles.skipped(i, t):
            return [earlier]
        scores = (self.entry("s", row(i), Num(j)) for j in self.tiles.columns(t))
        return [Call("max", (earlier, *scores))]

    def remark(self, sign: object, *at: int) -> str:
        return self.tiles.words(at[0], at[1], self.index_base)

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(EXAMPLE, s="s", m="m"), SIZES

    def law(self, f: Any, out: View, /, s: View, m: View) -> Law:
        """It is one of the numbers that it is the maximum of."""
        for i in range(self.tiles.n):
            for t in range(self.tiles.count):
                if self.tiles.skipped(i, t):
                    continue
                product = out[i, t] - m[i, t - 1] if t else f.rational(1)
                for j in self.tiles.columns(t):
                    product = product * (out[i, t] - s[i, j])
                yield product, f.rational(0)


# for the examples of all operations of FlashAttention: tiles that divide neither side, row 0
# sees only key 0, so that the tiles 1 and 2 are skipped for it
SIZES = {"n": 2, "m": 5, "t": 3, "v": 4}
EXAMPLE = Tiles(1, 2, 2, 5, frozenset((0, j) for j in range(1, 5)))

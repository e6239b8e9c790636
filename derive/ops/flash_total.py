"""FlashAttention's running total of exponentials, rescaled whenever the maximum grows."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Plus, Shown, Times
from derive.operation import Law, Operation, View, row
from derive.ops.flash_maximum import EXAMPLE, SIZES
from derive.ops.tiles import ZERO, Tiles, before, tile
from derive.shapes import Shape


class FlashTotal(Operation):
    """ℓ_t = α_t ℓ_(t-1) + Σ e^(score - m_t) over the keys of tile t, from 0 on.

    Source: Milakov and Gimelshein 2018, algorithm 3; Dao 2023 (FlashAttention-2),
    algorithm 1, line 9.
    """

    name = "running total"
    shape = "n m, n t, n t, n t -> n t"
    own = "l"

    def __init__(self, tiles: Tiles, *, s: str, m: str, alpha: str, l: str) -> None:  # noqa: E741
        super().__init__(s=s, m=m, alpha=alpha, l=l)
        self.tiles = tiles

    def output(self, shapes: object) -> Shape:
        return self.tiles.n, self.tiles.count

    def define(self, f: Any, i: int, t: int, /, s: View, m: View, alpha: View, l: View) -> Any:  # noqa: E741
        if self.tiles.blind(i, t):
            return f.rational(0)
        if self.tiles.skipped(i, t):
            return l[i, t - 1]
        total = alpha[i, t] * l[i, t - 1] if t else f.rational(0)
        for j in self.tiles.visible(f, s, i, t):
            total = total + self.tiles.power(f, s[i, j] - m[i, t])
        return total

    def formulas(self, i: int, t: int) -> list[Shown]:
        if self.tiles.blind(i, t):
            return [ZERO]
        earlier = before(self.inputs["l"], i, t)
        if self.tiles.skipped(i, t):
            return [earlier]
        at = row(i), tile(t)
        terms = (
            self.tiles.exponential(self.entry("s", row(i), Num(j)), self.entry("m", *at))
            for j in self.tiles.columns(t)
        )
        return [Plus((Times((self.entry("alpha", *at), earlier)), *terms))]

    def remark(self, sign: object, *at: int) -> str:
        return self.tiles.words(at[0], at[1], self.index_base)

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(EXAMPLE, s="s", m="m", alpha="alpha", l="l"), SIZES

    def law(self, f: Any, out: View, /, s: View, m: View, alpha: View, l: View) -> Law:  # noqa: E741
        """Multiplied by e^m, a tile adds plain exponentials: the maximum cancels out."""
        for i in range(self.tiles.n):
            for t in range(self.tiles.count):
                if self.tiles.skipped(i, t):
                    continue
                size = f.exp(m[i, t])
                plain = sum(f.exp(s[i, j]) for j in self.tiles.columns(t))
                yield out[i, t] * size, plain + (alpha[i, t] * l[i, t - 1] * size if t else 0)

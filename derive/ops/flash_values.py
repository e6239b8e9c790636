"""FlashAttention's running sum of values, each weighted by its exponential."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Plus, Shown, Times
from derive.operation import Law, Operation, View, column, row
from derive.ops.flash_maximum import EXAMPLE, SIZES
from derive.ops.tiles import ZERO, Tiles, before, tile
from derive.shapes import Shape


class FlashValues(Operation):
    """o_t = α_t o_(t-1) + Σ e^(score - m_t) · value over the keys of tile t, from 0 on.

    The division by the total waits until the end: Dao 2023 (FlashAttention-2), algorithm 1,
    line 10.
    """

    name = "running values"
    shape = "n m, n t, n t, m v, n t v -> n t v"
    own = "o"

    def __init__(self, tiles: Tiles, *, s: str, m: str, alpha: str, v: str, o: str) -> None:
        super().__init__(s=s, m=m, alpha=alpha, v=v, o=o)
        self.tiles = tiles

    def output(self, shapes: Any) -> Shape:
        return self.tiles.n, self.tiles.count, shapes[self.inputs["v"]][1]

    def define(
        self, f: Any, i: int, t: int, j: int, /, s: View, m: View, alpha: View, v: View, o: View
    ) -> Any:
        if self.tiles.blind(i, t):
            return f.rational(0)
        if self.tiles.skipped(i, t):
            return o[i, t - 1, j]
        total = alpha[i, t] * o[i, t - 1, j] if t else f.rational(0)
        for key in self.tiles.visible(f, s, i, t):
            total = total + self.tiles.power(f, s[i, key] - m[i, t]) * v[key, j]
        return total

    def formulas(self, i: int, t: int, *rest: int) -> list[Shown]:
        (j,) = rest
        if self.tiles.blind(i, t):
            return [ZERO]
        earlier = before(self.inputs["o"], i, t, column(j))
        if self.tiles.skipped(i, t):
            return [earlier]
        maximum = self.entry("m", row(i), tile(t))
        terms: list[Shown] = [Times((self.entry("alpha", row(i), tile(t)), earlier))]
        for key in self.tiles.columns(t):
            score = self.entry("s", row(i), Num(key))
            value = self.entry("v", Num(key), column(j))
            terms.append(Times((self.tiles.exponential(score, maximum), value)))
        return [Plus(tuple(terms))]

    def remark(self, sign: object, *at: int) -> str:
        return self.tiles.words(at[0], at[1], self.index_base)

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(EXAMPLE, s="s", m="m", alpha="alpha", v="v", o="o"), SIZES

    def law(self, f: Any, out: View, /, s: View, m: View, alpha: View, v: View, o: View) -> Law:
        """Linear: the entries of a result add up to the sums of the values' rows."""
        columns = range(v.columns)
        for i in range(self.tiles.n):
            for t in range(self.tiles.count):
                if self.tiles.skipped(i, t):
                    continue
                total = alpha[i, t] * sum(o[i, t - 1, c] for c in columns) if t else f.rational(0)
                for j in self.tiles.columns(t):
                    total = total + f.exp(s[i, j] - m[i, t]) * sum(v[j, c] for c in columns)
                yield sum(out[i, t, c] for c in columns), total

"""Tiles of attention: blocks of queries times blocks of keys, as FlashAttention takes them.

No operation of its own: which keys a tile has, and which pairs of tiles nobody looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from derive.line import Const, Entry, Letter, Neg, Num, Plus, Power, Shown, constant
from derive.operation import row

E, ZERO = Const("e"), Num(0)
MINUS_INFINITY = Neg(Const("inf"))


@dataclass(frozen=True)
class Tiles:
    """n × m scores in tiles of `queries` × `keys`; the last ones may be smaller.

    >>> tiles = Tiles(2, 2, 3, 3, frozenset({(0, 1), (0, 2), (1, 2)}))
    >>> tiles.count, list(tiles.columns(1)), tiles.skipped(1, 1), tiles.skipped(2, 1)
    (2, [2], True, False)
    >>> tiles.pairs, tiles.pairs_skipped
    (4, 1)
    """

    queries: int
    keys: int
    n: int
    m: int
    hidden: frozenset[tuple[int, int]] = field(repr=False)  # (query, key) that a mask hides
    base: Shown = E

    @property
    def count(self) -> int:
        """How many tiles of keys there are."""
        return -(-self.m // self.keys)

    @property
    def pairs(self) -> int:
        """How many pairs of tiles there are."""
        return -(-self.n // self.queries) * self.count

    @property
    def pairs_skipped(self) -> int:
        """How many of them need no work, because a mask hides every key from every query."""
        return len(self._skipped)

    def columns(self, t: int) -> range:
        """The keys of tile t."""
        return range(t * self.keys, min((t + 1) * self.keys, self.m))

    def rows(self, i: int) -> range:
        """The queries in the tile of query i."""
        start = i // self.queries * self.queries
        return range(start, min(start + self.queries, self.n))

    def skipped(self, i: int, t: int) -> bool:
        """Whether query i's tile has nothing to see in the key tile t."""
        return (i // self.queries, t) in self._skipped

    def blind(self, i: int, t: int) -> bool:
        """Whether query i has seen nothing up to and with the key tile t."""
        return all((i, j) in self.hidden for j in range(self.columns(t).stop))

    @cached_property
    def _skipped(self) -> frozenset[tuple[int, int]]:
        return frozenset(
            (start // self.queries, t)
            for start in range(0, self.n, self.queries)
            for t in range(self.count)
            if all((i, j) in self.hidden for i in self.rows(start) for j in self.columns(t))
        )

    # what several operations need

    def power(self, f: Any, exponent: Any) -> Any:
        """The softmax's base to an exponent, 0 for -∞."""
        if exponent == f.infinity(-1):
            return f.rational(0)
        if self.base == E:
            return f.exp(exponent)
        return f.general_power(constant(self.base, f), exponent)

    def visible(self, f: Any, scores: Any, i: int, t: int) -> list[int]:
        """The keys of tile t whose score in row i is not -∞."""
        return [j for j in self.columns(t) if not scores[i, j] == f.infinity(-1)]

    def exponential(self, score: Shown, maximum: Shown) -> Shown:
        """The base to a score minus the running maximum."""
        return Power(self.base, Plus((score, Neg(maximum))))

    def words(self, i: int, t: int, base: int) -> str:
        """For a remark: what the pair of tiles is, and why it is skipped where it is."""
        keys = _numbers("key", self.columns(t), base)
        if self.skipped(i, t):
            queries = _numbers("query", self.rows(i), base)
            return (
                f"The mask hides {keys} from {queries}, so this pair of tiles is skipped and "
                f"nothing changes; {self.counted()}."
            )
        if self.blind(i, t):
            return f"Tile {t + base} has {keys}; this row has seen no key yet."
        return f"Tile {t + base} has {keys}; {self.counted()}."

    def counted(self) -> str:
        """How many pairs of tiles are skipped, in words."""
        number, verb = self.pairs_skipped, "is" if self.pairs_skipped == 1 else "are"
        pairs = f"{self.pairs} pairs of tiles" if self.pairs > 1 else "1 pair of tiles"
        return f"{number or 'none'} of {pairs} {verb} skipped"


def tile(t: int) -> Letter:
    """The tile letter t with its value."""
    return Letter("t", Num(t))


def before(name: str, i: int, t: int, *rest: Shown, start: Shown = ZERO) -> Shown:
    """The entry of a running matrix one tile earlier; what it starts from at tile 0."""
    return Entry(name, (row(i), Letter("t−1", Num(t - 1)), *rest)) if t else start


def _numbers(noun: str, places: Sequence[int], base: int) -> str:
    first, last = places[0] + base, places[-1] + base
    plural = {"key": "keys", "query": "queries"}[noun]
    if first == last:
        return f"{noun} {first}"
    return f"{plural} {first} {'and' if last == first + 1 else 'to'} {last}"

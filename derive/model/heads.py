"""Heads of one attention layer: how many there are, and which KV head each of them reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

SHARED = ("W_K", "b_K", "W_V", "b_V")  # what share = "mean" averages over a group of heads


class Heads(NamedTuple):
    """The heads and KV heads of a block, both numbered from 0.

    >>> four = Heads(4, 2)
    >>> [four.kv_of(head) for head in range(4)], four.readers(1)
    ([0, 0, 1, 1], (2, 3))
    >>> Heads(4, 2, interleaved=True).readers(1)
    (1, 3)
    """

    queries: int = 1
    kv: int = 1
    interleaved: bool = False
    shared: bool = False  # keys and values are given for every head and averaged

    def kv_of(self, head: int) -> int:
        """The KV head that a head reads."""
        if self.interleaved:
            return head % self.kv
        return min(head // max(self.queries // self.kv, 1), self.kv - 1)

    def readers(self, kv: int) -> tuple[int, ...]:
        """The heads that read a KV head."""
        return tuple(head for head in range(self.queries) if self.kv_of(head) == kv)


def heads_of(attention: Mapping[str, Any] | None) -> Heads:
    """The heads of an attention table, read or raw; what is no number counts as one head."""
    options = attention or {}
    queries = _count(options.get("heads"), 1)
    kv = _count(options.get("kv_heads"), queries)
    return Heads(
        queries, kv, options.get("kv_map") == "interleaved", options.get("share") == "mean"
    )


def _count(value: object, default: int) -> int:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 10_000
    return value if good else default  # type: ignore[return-value]

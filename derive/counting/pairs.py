"""Which query sees which key: pairs under a causal mask and a sliding window; tiles."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.counting.polynomial import Poly, ceil_div
from derive.errors import DeriveError

MOST_TILES = 1_000_000


def narrow(tokens: Poly, window: Poly | None, values: Mapping[str, Poly]) -> bool:
    """Whether a window hides anything; with letters left, it is taken to be narrower."""
    if window is None:
        return False
    n, w = tokens.put(values).number, window.put(values).number
    return n is None or w is None or n > w


def seen(tokens: Poly, window: Poly | None, values: Mapping[str, Poly]) -> Poly:
    """Keys that the last query sees: all tokens, or those of the window."""
    return window if window is not None and narrow(tokens, window, values) else tokens


def visible(tokens: Poly, window: Poly | None, causal: bool, values: Mapping[str, Poly]) -> Poly:
    """Pairs of a query and a key.

    Without `causal` every query counts all n keys (w with a window): what a full matrix
    product costs.  With it, only the keys up to the query itself: n(n+1)/2 pairs, and with a
    window the first w queries see fewer than w: n·w - w(w-1)/2.
    """
    near = seen(tokens, window, values)
    if not causal:
        return tokens * near
    half = Fraction(1, 2)
    if near is tokens:
        return half * tokens * tokens + half * tokens
    return tokens * near - half * near * near + half * near


def tiles(
    tokens: Poly, rows: Poly, columns: Poly, causal: bool, values: Mapping[str, Poly]
) -> tuple[Poly, Poly]:
    """(all tiles, those a causal mask hides whole) of an n×n score matrix.

    A tile is skipped where its first key comes after its last query.  Raises DeriveError for a
    causal mask with letters left, unless tiles are squares: then T(T+1)/2 of T² are computed.
    """
    down, across = ceil_div(tokens, rows), ceil_div(tokens, columns)
    every = down * across
    if not causal:
        return every, Poly()
    if rows == columns:
        return every, Fraction(1, 2) * down * down - Fraction(1, 2) * down
    n, r, c = (_whole(x.put(values)) for x in (tokens, rows, columns))
    if n is None or r is None or c is None:
        raise DeriveError(
            "causal tiles of two different sizes have no short formula in letters: "
            "expected numbers for tokens, tile-q and tile-k, or one letter for both tiles"
        )
    if -(-n // r) > MOST_TILES:
        raise DeriveError(f"more than {MOST_TILES} rows of tiles")
    computed = sum(-(-min((i + 1) * r, n) // c) for i in range(-(-n // r)))
    return every, every - computed


def _whole(x: Poly) -> int | None:
    return None if x.number is None else int(x.number)

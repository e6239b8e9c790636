"""Memory: the KV cache, training state, activations, and attention's traffic."""

from __future__ import annotations

from collections.abc import Mapping

from derive.counting.architecture import Architecture, Attention, Layers
from derive.counting.flops import inner
from derive.counting.pairs import seen, visible
from derive.counting.polynomial import Poly, ceil_div, total
from derive.counting.tensors import weights


def cached(
    a: Architecture, tokens: Poly, batch: Poly, values: Mapping[str, Poly]
) -> dict[str, Poly]:
    """Numbers kept for each sequence while decoding.

    Keys and values of every KV head; a window keeps its own tokens only; latent attention
    keeps one compressed row and one rotary key a token; linear attention a state of fixed size.
    """
    found: dict[str, Poly] = {}
    for layers in a.layers:
        if layers.attention:
            kept = seen(tokens, layers.attention.window, values)
            for name, entries in _kept(layers.attention, kept):
                found[name] = found.get(name, Poly()) + batch * layers.times * entries
    return {name: formula for name, formula in found.items() if formula}


def _kept(x: Attention, tokens: Poly) -> list[tuple[str, Poly]]:
    if x.features is not None:
        return [
            ("state φ(K)ᵀV", x.heads * x.features * x.value),
            ("state Σφ(k)", x.heads * x.features),
        ]
    if x.rank is not None and x.rope is not None:
        return [("latent rows", x.rank * tokens), ("rotary keys", x.rope * tokens)]
    return [("keys", x.kv_heads * x.key * tokens), ("values", x.kv_heads * x.value * tokens)]


def activations(
    a: Architecture, tokens: Poly, batch: Poly, values: Mapping[str, Poly], flash: bool = False
) -> dict[str, Poly]:
    """Numbers that the backward pass needs again: the result of every step of the forward pass.

    With `flash` the score matrices are not kept, only one number a row (Dao et al. 2022).
    """
    rows = batch * tokens
    found: dict[str, Poly] = {}
    for layers in a.layers:
        for name, entries in _layer(a, layers, tokens, rows, batch, values, flash):
            found[name] = found.get(name, Poly()) + layers.times * entries
    if a.final_norm and a.norm != "none":
        found["final norm"] = rows * a.width
    if a.unembedding != "none":
        found["logits"] = rows * a.vocab
        found["cross-entropy"] = rows * a.vocab
    return {name: formula for name, formula in found.items() if formula}


def _layer(
    a: Architecture,
    layers: Layers,
    tokens: Poly,
    rows: Poly,
    batch: Poly,
    values: Mapping[str, Poly],
    flash: bool,
) -> list[tuple[str, Poly]]:
    d, found = a.width, []
    if a.norm != "none":
        found.append(("norms", rows * d * layers.norms))
    if x := layers.attention:
        key, value = inner(x, absorbed=False)
        kv = x.heads if x.rank is not None else x.kv_heads
        found += [
            ("queries", rows * x.heads * key),
            ("keys", rows * kv * key),
            ("values", rows * kv * value),
        ]
        if x.features is not None:
            found.append(("states φ(K)ᵀV", batch * x.heads * x.features * value))
        elif flash:
            found.append(("row statistics", rows * x.heads))
        else:
            pairs = batch * x.heads * visible(tokens, x.window, a.causal, values)
            found += [("scores", pairs), ("attention weights", pairs)]
        found += [("weighted values", rows * x.heads * value), ("attention output", rows * d)]
    if y := layers.ffn:
        experts = Poly.of(1)
        if y.active is not None:
            experts = y.active + (y.shared or 0)
        wide = rows * y.width * experts
        found += [("FFN gate", wide), ("FFN gate times up", wide)] if y.gated else []
        found += [("FFN up", wide), ("FFN activation", wide), ("FFN output", rows * d * experts)]
    return found


def parameters(a: Architecture) -> Poly:
    """All weights."""
    return total(t.entries for t in weights(a))


def traffic(
    a: Architecture,
    tokens: Poly,
    batch: Poly,
    values: Mapping[str, Poly],
    tile: tuple[Poly, Poly] | None = None,
) -> dict[str, Poly]:
    """Numbers that attention moves between slow memory and the chip, forward.

    Without a tile every step reads its inputs and writes its result: Q, K → S → A, V → Z.
    With one (FlashAttention-2, algorithm 1) queries are read and outputs written once, and
    every tile of queries reads all keys and values that its mask shows.  Each query head reads
    the keys and values of its KV head.
    """
    found: dict[str, Poly] = {}
    for layers in a.layers:
        if x := layers.attention:
            copies = batch * layers.times * x.heads
            for name, entries in _moved(a, x, tokens, values, tile):
                found[name] = found.get(name, Poly()) + copies * entries
    return found


def _moved(
    a: Architecture,
    x: Attention,
    tokens: Poly,
    values: Mapping[str, Poly],
    tile: tuple[Poly, Poly] | None,
) -> list[tuple[str, Poly]]:
    key, value = inner(x, absorbed=False)
    if tile is None:
        pairs = tokens * tokens
        return [
            ("read Q and K", 2 * tokens * key),
            ("write S", pairs),
            ("read S", pairs),
            ("write A", pairs),
            ("read A", pairs),
            ("read V", tokens * value),
            ("write Z", tokens * value),
        ]
    read = keys_read(tokens, *tile, a.causal, values)
    return [
        ("read Q", tokens * key),
        ("read K", read * key),
        ("read V", read * value),
        ("write Z", tokens * value),
        ("write row statistics", tokens),
    ]


def keys_read(
    tokens: Poly, rows: Poly, columns: Poly, causal: bool, values: Mapping[str, Poly]
) -> Poly:
    """Rows of keys read over all tiles of queries; causal tiles that are hidden are not read."""
    if not causal:
        return ceil_div(tokens, rows) * tokens
    n, r, c = (x.put(values).number for x in (tokens, rows, columns))
    if n is None or r is None or c is None:
        from derive.errors import DeriveError

        raise DeriveError("causal traffic in tiles: expected numbers for tokens, tile-q and tile-k")
    tops = (min((i + 1) * int(r), int(n)) for i in range(-(-int(n) // int(r))))
    return Poly.of(sum(min(-(-top // int(c)) * int(c), int(n)) for top in tops))

"""Every tensor of a transformer, in the order of the pass: its shape in letters and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from derive.counting.architecture import Architecture, Layers
from derive.counting.flops import inner
from derive.counting.pairs import seen
from derive.counting.polynomial import Poly, product
from derive.counting.spec import Spec
from derive.counting.tensors import weights


class Row(NamedTuple):
    """A tensor: how many of it there are, and what it is."""

    name: str
    kind: str  # weight | activation | cache
    meaning: str
    shape: tuple[Poly, ...]
    copies: Poly

    @property
    def entries(self) -> Poly:
        """Numbers in all copies."""
        return self.copies * product(self.shape)


def shapes(spec: Spec) -> tuple[Row, ...]:
    """Weights, then what one forward pass over one batch makes, then the KV cache.

    Names are those of `derive matrices`; a matrix that every head has is listed once, with
    its number of copies (all layers, heads and sequences).

    >>> from derive.counting.spec import make
    >>> [str(x) for x in shapes(make({}))[1].shape]
    ['d', 'k']
    """
    a = spec.architecture()
    rows = [
        Row(t.name, "weight", t.component + (f" ({t.group})" if t.group else ""), t.shape, t.copies)
        for t in weights(a)
    ]
    rows += [x for x in _activations(a, spec) if x.entries]
    rows += [x for x in _cache(a, spec) if x.entries]
    return tuple(rows)


def _activations(a: Architecture, spec: Spec) -> Iterator[Row]:
    n, batch, d = spec.symbol("n"), spec.symbol("B"), a.width

    def made(name: str, meaning: str, copies: Poly, *shape: Poly) -> Row:
        return Row(name, "activation", meaning, shape, copies)

    yield made("X", "input of the first block", batch, n, d)
    for layers in a.layers:
        yield from _layer(a, layers, n, batch * layers.times, made)
    if a.unembedding != "none":
        yield made("logits", "scores of every vocabulary entry", batch, n, a.vocab)
        yield made("probs", "chances of every vocabulary entry", batch, n, a.vocab)


def _layer(a: Architecture, layers: Layers, n: Poly, copies: Poly, made) -> Iterator[Row]:  # type: ignore[no-untyped-def]
    d, group = a.width, f" ({layers.label})" if layers.label else ""
    if x := layers.attention:
        key, value = inner(x, absorbed=False)
        heads = copies * x.heads
        kv = heads if x.rank is not None else copies * x.kv_heads
        if a.norm != "none":
            yield made("N1", f"normalised input of attention{group}", copies, n, d)
        yield made("Q", f"queries{group}", heads, n, key)
        yield made("K", f"keys, one for a KV head{group}", kv, n, key)
        yield made("V", f"values, one for a KV head{group}", kv, n, value)
        if x.rank is not None:
            yield made("C_KV", f"compressed keys and values{group}", copies, n, x.rank)
        if x.features is None:
            yield made("S", f"raw scores{group}", heads, n, n)
            yield made("A", f"attention weights{group}", heads, n, n)
        else:
            yield made("state", f"φ(K)ᵀV of linear attention{group}", heads, x.features, value)
        yield made("Z", f"output of a head{group}", heads, n, value)
        yield made("Z_cat", f"heads side by side{group}", copies, n, x.heads * value)
        yield made("O", f"result of attention{group}", copies, n, d)
        yield made("H_mid", f"stream after attention{group}", copies, n, d)
    if y := layers.ffn:
        experts = Poly.of(1) if y.active is None else y.active + (y.shared or 0)
        if a.norm != "none":
            yield made("N2", f"normalised input of the FFN{group}", copies, n, d)
        if y.gated:
            yield made("U_gate", f"gate branch{group}", copies * experts, n, y.width)
        yield made("U", f"up branch{group}", copies * experts, n, y.width)
        yield made("G", f"what goes into W_down{group}", copies * experts, n, y.width)
        yield made("F", f"FFN result{group}", copies, n, d)
    yield made("H", f"stream after the block{group}", copies, n, d)


def _cache(a: Architecture, spec: Spec) -> Iterator[Row]:
    n, batch = spec.symbol("n"), spec.symbol("B")
    for layers in a.layers:
        x = layers.attention
        if x is None or x.features is not None:
            continue
        kept = seen(n, x.window, spec.values())
        copies = batch * layers.times
        group = f" ({layers.label})" if layers.label else ""
        if x.rank is not None and x.rope is not None:
            yield Row("cache.C_KV", "cache", f"compressed rows{group}", (kept, x.rank), copies)
            yield Row("cache.K_rope", "cache", f"rotary keys{group}", (kept, x.rope), copies)
        else:
            kv = x.kv_heads
            yield Row("cache.K", "cache", f"keys of every token{group}", (kept, kv, x.key), copies)
            yield Row(
                "cache.V", "cache", f"values of every token{group}", (kept, kv, x.value), copies
            )

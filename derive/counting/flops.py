"""FLOPs: every matrix product of a pass, by its three sizes.

A product of an m×k and a k×n matrix takes m·n·k multiplications and m·n·(k-1) additions; the
usual cost model calls that 2·m·n·k FLOPs.  Norms, softmax, activations, biases and look-ups are
not counted: notes say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from derive.counting.architecture import Architecture, Attention
from derive.counting.pairs import seen, visible
from derive.counting.polynomial import Poly
from derive.counting.tensors import weights

LOOKED_UP = ("token embedding", "position embedding", "token types")
PASSES = ("forward", "backward", "training", "prefill", "decode", "optimizer")
COSTS = {  # cost model: the unit it counts in, in words
    "2mnk": ("FLOPs", "a product of m×k and k×n costs 2·m·n·k FLOPs"),
    "macs": ("MACs", "a product of m×k and k×n costs m·n·k multiply-accumulates"),
    "multiplications": ("multiplications", "a product of m×k and k×n has m·n·k multiplications"),
    "additions": ("additions", "a product of m×k and k×n has m·n·(k-1) additions"),
}
ADAMW = (  # Loshchilov & Hutter 2019, algorithm 2: operations for each parameter
    ("first moment", 3, "β₁·m + (1-β₁)·g"),
    ("second moment", 4, "β₂·v + (1-β₂)·g²"),
    ("update", 5, "θ - α·m/(√v + ε)"),
    ("weight decay", 2, "θ - α·λ·θ"),
)


class Product(NamedTuple):
    """`copies` products with so many rows, inner size and columns."""

    name: str
    copies: Poly
    rows: Poly
    inner: Poly
    columns: Poly

    def cost(self, model: str) -> Poly:
        """Its operations in a cost model."""
        entries = self.copies * self.rows * self.columns
        if model == "additions":
            return entries * (self.inner - 1)
        return entries * self.inner * (2 if model == "2mnk" else 1)


def products(
    a: Architecture, tokens: Poly, batch: Poly, values: Mapping[str, Poly], which: str = "forward"
) -> Iterator[Product]:
    """The products of a pass over `batch` sequences of `tokens`.

    `decode` reads one new token a sequence, with `tokens` of them in the cache, the new one
    too; `prefill` makes logits for the last token only.
    """
    decoding = which == "decode"
    rows = batch if decoding else batch * tokens
    out = batch if which in ("decode", "prefill") else batch * tokens
    attended = False
    for t in weights(a):
        if len(t.shape) < 2 or t.component in LOOKED_UP:
            continue
        if t.component == "output projection" and not attended:
            attended = True
            yield from _attention(a, tokens, batch, values, decoding)
        mine = {"unembedding": out, "pooler": batch}.get(t.component, rows)
        yield Product(t.component, t.active, mine, *t.shape)
    if not attended:
        yield from _attention(a, tokens, batch, values, decoding)
    if a.unembedding == "tied":
        yield Product("unembedding", Poly.of(1), out, a.width, a.vocab)


def _attention(
    a: Architecture, tokens: Poly, batch: Poly, values: Mapping[str, Poly], decoding: bool
) -> Iterator[Product]:
    for layers in a.layers:
        x = layers.attention
        if x is None:
            continue
        copies = layers.times * batch * x.heads
        if x.features is not None:
            yield from _linear(x, copies, Poly.of(1) if decoding else tokens)
            continue
        pairs = (
            seen(tokens, x.window, values)
            if decoding
            else visible(tokens, x.window, a.causal, values)
        )
        key, value = inner(x, decoding)
        yield Product("scores QKᵀ", copies, pairs, key, Poly.of(1))
        yield Product(
            "weighted values AV",
            copies,
            _queries(tokens, decoding),
            _keys(pairs, tokens, decoding),
            value,
        )


def _queries(tokens: Poly, decoding: bool) -> Poly:
    return Poly.of(1) if decoding else tokens


def _keys(pairs: Poly, tokens: Poly, decoding: bool) -> Poly:
    """Keys a query sees: their mean number, where a mask hides some."""
    return pairs if decoding else pairs.divided(tokens)


def inner(x: Attention, absorbed: bool) -> tuple[Poly, Poly]:
    """The widths that scores and weighted values sum over.

    Latent attention when decoding works in the latent space: the up projections are absorbed
    into queries and outputs (DeepSeek-V2, section 2.1.2).
    """
    if x.rank is None or x.rope is None:
        return x.key, x.value
    return (x.rank + x.rope, x.rank) if absorbed else (x.key + x.rope, x.value)


def _linear(x: Attention, copies: Poly, tokens: Poly) -> Iterator[Product]:
    """Katharopoulos et al. 2020, equations 4 to 6, after the feature maps."""
    assert x.features is not None
    yield Product("φ(K)ᵀV", copies, x.features, tokens, x.value)
    yield Product("φ(Q)(φ(K)ᵀV)", copies, tokens, x.features, x.value)
    yield Product("normaliser", copies, tokens, x.features, Poly.of(1))


def flops(
    a: Architecture,
    tokens: Poly,
    batch: Poly,
    values: Mapping[str, Poly],
    which: str = "forward",
    cost: str = "2mnk",
) -> dict[str, Poly]:
    """Operations of a pass by component, in the order of the pass.

    The backward pass has two products for each of the forward pass: one for the gradient of
    the input, one for that of the weights; it is counted as twice the forward pass.
    """
    times = {"backward": 2, "training": 3}.get(which, 1)
    found: dict[str, Poly] = {}
    for x in products(a, tokens, batch, values, which):
        found[x.name] = found.get(x.name, Poly()) + times * x.cost(cost)
    return {name: formula for name, formula in found.items() if formula}

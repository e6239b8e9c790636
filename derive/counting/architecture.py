"""The shape of a transformer: its sizes as formulas, its options; nothing is counted here."""

from __future__ import annotations

from typing import Literal, NamedTuple

from derive.counting.polynomial import Poly, product


class Size(NamedTuple):
    """A size that can be given: its letter, and the option that gives it."""

    letter: str
    option: str  # --d-model; d_model in a file
    meaning: str


SIZES = (
    Size("L", "layers", "layers"),
    Size("d", "d-model", "width of the model"),
    Size("h", "heads", "query heads"),
    Size("g", "kv-heads", "KV heads; default: heads"),
    Size("k", "head-dim", "width of a head; default: d-model/heads"),
    Size("v", "value-dim", "width of a value; default: head-dim"),
    Size("f", "d-ff", "width of the FFN"),
    Size("V", "vocab", "vocabulary"),
    Size("n", "tokens", "tokens of a sequence (when decoding: in the cache, the new one too)"),
    Size("B", "batch", "sequences; default: 1"),
    Size("b", "bytes", "bytes of a number, or fp32, bf16, fp16, fp8, int8, int4"),
    Size("b_s", "optimizer-bytes", "bytes of a number of the optimiser's state; default: bytes"),
    Size("P", "positions", "rows of a learned position table; default: 0, no table"),
    Size("t", "types", "token types; default: 0"),
    Size("w", "window", "tokens that a sliding window sees, itself included"),
    Size("L_w", "window-layers", "layers with the window; default: all"),
    Size("x", "experts", "routed experts of a layer (mixture of experts)"),
    Size("x_a", "active", "routed experts that a token is sent to"),
    Size("x_s", "shared", "experts that every token is sent to; default: 0"),
    Size("f_x", "expert-ff", "width of an expert; default: d-ff"),
    Size("L_0", "dense-layers", "first layers without experts; default: 0"),
    Size("r", "kv-rank", "latent attention (MLA): width of the compressed keys and values"),
    Size("q", "q-rank", "MLA: width of the compressed queries; default: they are not compressed"),
    Size("k_R", "rope-dim", "MLA: width of the decoupled rotary part"),
    Size("m", "features", "linear attention: features of a query or key"),
    Size("t_q", "tile-q", "queries of a tile"),
    Size("t_k", "tile-k", "keys of a tile"),
    Size("N", "parameters", "parameters, for the 6ND shortcut alone"),
    Size("D", "training-tokens", "tokens of a training run, for 6ND"),
    Size("p", "devices", "devices that share the work; default: 1"),
)
BY_OPTION = {size.option: size for size in SIZES}
BY_LETTER = {size.letter: size for size in SIZES}


class Tensor(NamedTuple):
    """One kind of tensor: `copies` of them, each of this shape.

    `active` is how many of the copies one token meets (fewer where it is sent to few experts).
    """

    name: str
    component: str  # the line of a count that it belongs to
    shape: tuple[Poly, ...]
    copies: Poly
    active: Poly
    group: str = ""  # which layers: "expert layers"; nothing where all are alike

    @property
    def entries(self) -> Poly:
        """Numbers in all copies."""
        return self.copies * product(self.shape)

    @property
    def active_entries(self) -> Poly:
        """Numbers in the copies that one token meets."""
        return self.active * product(self.shape)


Bias = Literal["none", "all", "qkv"]
Norm = Literal["none", "rmsnorm", "layernorm"]
Unembedding = Literal["untied", "tied", "none"]


class Attention(NamedTuple):
    """One layer's attention; with `rank` it is latent (MLA), with `features` linear."""

    heads: Poly
    kv_heads: Poly
    key: Poly
    value: Poly
    bias: Bias = "none"
    qk_norm: bool = False
    window: Poly | None = None
    rank: Poly | None = None
    query_rank: Poly | None = None
    rope: Poly | None = None
    features: Poly | None = None


class FFN(NamedTuple):
    """One layer's feed-forward pass; with `experts` a mixture of experts of this width."""

    width: Poly
    gated: bool = False
    bias: bool = False
    experts: Poly | None = None
    active: Poly | None = None
    shared: Poly | None = None


class Layers(NamedTuple):
    """So many equal layers."""

    times: Poly
    attention: Attention | None
    ffn: FFN | None
    norms: int = 2  # norms of the stream, each with its own gain
    label: str = ""  # tells groups of layers apart: "windowed", "experts"


class Architecture(NamedTuple):
    """A whole transformer."""

    width: Poly
    vocab: Poly
    positions: Poly
    types: Poly
    layers: tuple[Layers, ...]
    norm: Norm = "none"
    embedding_norm: bool = False
    final_norm: bool = True
    unembedding: Unembedding = "untied"
    unembedding_bias: bool = False
    pooler: bool = False
    causal: bool = False
    given: tuple[Tensor, ...] | None = None  # the weights of a model file, as they are

"""Every key of a model file, one entry each: where it stands, what it takes, what it means.

A new key is one more entry here.  In a path `*` is the number of a
block or of an expert.  Shape letters are those of names.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from derive.model.kinds import (
    Base,
    Choice,
    Count,
    Counts,
    Flag,
    Flags,
    Formula,
    Kind,
    Named,
    OrNone,
    Part,
    Residual,
    Scalar,
    Scalars,
    Sizes,
    Symbols,
    Table,
    Tables,
    Text,
    Texts,
    Tile,
)
from derive.model.matrix_kinds import Mask, PerHead, Rows

MATRIX, ROW = Rows(), Rows("row")
NO_NORM = {"kind": "none"}


@dataclass(frozen=True)
class Key:
    """One key: its path, the kind of its value, its meaning, default and shape."""

    path: str
    kind: Kind
    meaning: str
    default: Any = None  # as it would stand in a file; None: absent unless it is given
    shape: str = ""  # of a matrix
    required: bool = False


def _norm(path: str, where: str, shape: str) -> tuple[Key, ...]:
    return (
        Key(path, Table(), f"the norm {where}", NO_NORM),
        Key(f"{path}.kind", Choice(("none", "rmsnorm", "layernorm")), "which norm", required=True),
        Key(f"{path}.eps", Scalar("nonnegative"), "added to the mean square or variance", 0),
        Key(f"{path}.eps_at", Choice(("inside", "outside")), "eps and the root", "inside"),
        Key(f"{path}.gain", ROW, "factor of each column", shape=shape),
        Key(f"{path}.shift", ROW, "LayerNorm: added to each column", shape=shape),
        Key(
            f"{path}.variance",
            Choice(("population", "sample")),
            "LayerNorm: divide by d or by d - 1",
            "population",
        ),
    )


_RESIDUAL = "whether the stream is added to attention's and the FFN's result"
_ACTIVATIONS = (
    "relu", "leaky_relu", "gelu", "gelu_tanh", "gelu_sigmoid", "silu", "sigmoid", "tanh", "identity"
)  # fmt: skip
_POSITIONS = ("none", "rope", "sinusoidal", "learned", "alibi")


def _ffn_weights(path: str, each: str = "") -> tuple[Key, ...]:
    """The weights of one feed-forward pass, or of one expert."""
    return (
        Key(f"{path}.W_gate", MATRIX, f"gate projection weights{each}", shape="d' f"),
        Key(f"{path}.b_gate", ROW, f"gate projection bias{each}", shape="1 f"),
        Key(f"{path}.W_up", MATRIX, f"up projection weights{each}", shape="d' f"),
        Key(f"{path}.b_up", ROW, f"up projection bias{each}", shape="1 f"),
        Key(f"{path}.W_down", MATRIX, f"down projection weights{each}", shape="f d''"),
        Key(f"{path}.b_down", ROW, f"down projection bias{each}", shape="1 d''"),
    )


def _ffn(ffn: str) -> tuple[Key, ...]:
    """The feed-forward pass of a block: one pass, or experts and a router."""
    return (
        Key(ffn, Table(optional=True), "the feed-forward pass"),
        Key(
            f"{ffn}.activation",
            Choice(_ACTIVATIONS),
            "the function between up and down",
            "relu",
        ),
        Key(f"{ffn}.slope", Scalar(), "of leaky_relu below 0; default: 1/100"),
        Key(f"{ffn}.gated", Flag(), "true: activation(x W_gate) * (x W_up)", False),
        Key(f"{ffn}.after", Choice(("none", *_ACTIVATIONS)), "an activation after W_down", "none"),
        *_ffn_weights(ffn),
        Key(f"{ffn}.experts", Tables(), "the experts, each with weights of its own"),
        *_ffn_weights(f"{ffn}.experts.*", " of one expert"),
        Key(f"{ffn}.shared", Tables(), "experts that every row goes to, with weight 1"),
        *_ffn_weights(f"{ffn}.shared.*", " of one shared expert"),
        Key(f"{ffn}.W_R", MATRIX, "router weights: a column for each expert", shape="d' e"),
        Key(f"{ffn}.top", Count(1, 1000), "how many experts a row goes to; default: 2"),
        Key(
            f"{ffn}.gate",
            Choice(("softmax-then-top", "top-then-softmax")),
            "softmax over all experts and the top ones keep theirs, or over the top ones alone",
            "softmax-then-top",
        ),
    )


def _attention(path: str) -> tuple[Key, ...]:
    """The attention layer of a block."""
    return (
        Key(path, Table(optional=True), "attention"),
        Key(f"{path}.heads", Count(1, 1000), "how many heads", 1),
        Key(f"{path}.kv_heads", Count(1, 1000), "heads of keys and values; default: heads"),
        Key(
            f"{path}.kv_map",
            Choice(("blocked", "interleaved")),
            "which KV head a head reads: head // (h/g), or head mod g",
            "blocked",
        ),
        Key(
            f"{path}.share",
            Choice(("none", "mean")),
            "mean: W_K and W_V are given for every head and averaged for each KV head",
            "none",
        ),
        Key(
            f"{path}.reads",
            Choice(("self", "memory")),
            "whose rows give keys and values: its own, or those of the second sequence X_mem",
            "self",
        ),
        Key(
            f"{path}.scale",
            Scalar(),
            "factor of the scores, 1 is none; k: a query's width",
            "1/sqrt(k)",
        ),
        Key(f"{path}.soft_cap", OrNone(Scalar("positive")), "c of c·tanh(score/c)", "none"),
        *_norm(f"{path}.qk_norm", "of queries and keys", "1 k"),
        Key(f"{path}.mask", Mask(), "who may look where", "none", "n m"),
        Key(f"{path}.window", OrNone(Count(1)), "who is near enough: |i - j| < window", "none"),
        Key(f"{path}.padding", Flags(), "true for each row that is padding: nobody sees it"),
        Key(
            f"{path}.weights",
            Choice(("softmax", "sum", "hard", "relu")),
            "softmax; shares of the scores or of their ReLU; or all on the largest score",
            "softmax",
        ),
        Key(f"{path}.base", Base(), "what the softmax takes powers of", "e"),
        Key(f"{path}.tile", Tile(), "queries × keys of a tile, for the steps of FlashAttention"),
        Key(f"{path}.W_Q", PerHead(MATRIX), "query weights", shape="d k"),
        Key(f"{path}.W_K", PerHead(MATRIX), "key weights", shape="d k"),
        Key(f"{path}.W_V", PerHead(MATRIX), "value weights", shape="d v"),
        Key(f"{path}.b_Q", PerHead(ROW), "query bias", shape="1 k"),
        Key(f"{path}.b_K", PerHead(ROW), "key bias", shape="1 k"),
        Key(f"{path}.b_V", PerHead(ROW), "value bias", shape="1 v"),
        Key(f"{path}.W_DKV", MATRIX, "latent attention: down to the row C_KV", shape="d r"),
        *_norm(f"{path}.norm_KV", "of the rows C_KV (latent attention)", "1 r"),
        *_norm(f"{path}.norm_Q", "of the rows C_Q (latent attention)", "1 r'"),
        Key(f"{path}.W_UK", PerHead(MATRIX), "latent attention: up to the keys", shape="r k"),
        Key(f"{path}.W_UV", PerHead(MATRIX), "latent attention: up to the values", shape="r v"),
        Key(f"{path}.W_DQ", MATRIX, "latent attention: down to the row C_Q", shape="d r'"),
        Key(f"{path}.W_UQ", PerHead(MATRIX), "latent attention: up to the queries", shape="r' k"),
        Key(
            f"{path}.W_QR",
            PerHead(MATRIX),
            "latent attention: rotary part of the queries, of C_Q (of the row where there is none)",
            shape="r' r''",
        ),
        Key(f"{path}.W_KR", MATRIX, "latent attention: rotary part of the keys", shape="d r''"),
        Key(f"{path}.W_O", MATRIX, "output projection weights", shape="hv d'"),
        Key(f"{path}.b_O", ROW, "output projection bias", shape="1 d'"),
    )


def _block(path: str) -> tuple[Key, ...]:
    """One block, of the model or of its encoder."""
    return (
        Key(f"{path}.parallel", Flag(), "whether attention and FFN read the same input", False),
        Key(f"{path}.residual", Residual(), _RESIDUAL, True),
        *_norm(f"{path}.norm1", "before attention", "1 d"),
        *_norm(f"{path}.norm2", "before the FFN", "1 d'"),
        *_norm(f"{path}.post1", "after attention's addition", "1 d'"),
        *_norm(f"{path}.post2", "after the FFN's addition", "1 d''"),
        *_norm(f"{path}.branch1", "of attention's result, before its addition", "1 d'"),
        *_norm(f"{path}.branch2", "of the FFN's result, before its addition", "1 d''"),
        *_attention(f"{path}.attention"),
        *_ffn(f"{path}.ffn"),
    )


SCHEMA: tuple[Key, ...] = (
    Key("title", Text(), "a line that says what the model shows"),
    Key("source", Text(), "where its numbers come from"),
    Key("note", Text(), "anything else worth knowing"),
    Key("extends", Text(), "a bundled model or a path; what stands here replaces or adds"),
    Key("tokens", Texts(), "texts of the rows"),
    Key("ids", Counts(), "vocabulary numbers of the rows"),
    Key("text", Text(), "texts of the rows, split at spaces"),
    Key("targets", Texts(), "the next token of each row, for the loss"),
    Key("vocabulary", Texts(), "texts that tokens are looked up in"),
    Key("symbols", Symbols(), "letters that numbers may use, with what is known of them", {}),
    Key("weights", Table(optional=True), "drawn weights"),
    Key("weights.generator", Choice(("mulberry32",)), "which generator", required=True),
    Key("weights.seed", Count(0, 2**32 - 1), "where it starts", required=True),
    Key("weights.order", Texts(), "names of the matrices, as they are drawn", required=True),
    Key("weights.map", Formula("u"), "the entry made of a draw u, 0 <= u < 1", required=True),
    Key("weights.sizes", Sizes(), "sizes of the drawn matrices", required=True),
    Key("embedding", Table(), "how tokens become rows"),
    Key("embedding.E", MATRIX, "embedding table", shape="V d"),
    Key("embedding.X", MATRIX, "the rows themselves", shape="n d"),
    Key("embedding.scale", Scalar(), "factor of the looked-up rows", 1),
    Key("embedding.tied", Flag(), "whether W_U is E transposed", False),
    Key("embedding.E_type", MATRIX, "table of token types", shape="t d"),
    Key("embedding.type_ids", Counts(), "the type of each token: its row of E_type"),
    *_norm("embedding.norm", "of what the first block reads", "1 d"),
    Key("position", Table(), "how a token's place enters"),
    Key("position.kind", Choice(_POSITIONS), "which way", "none"),
    Key("position.base", Scalar("positive"), "pair p turns by base^(-2p/width)", 10000),
    Key("position.P", MATRIX, "learned: a row for each position"),
    Key("position.angles", Scalars(), "RoPE: radians per position for each pair"),
    Key(
        "position.layout",
        Choice(("pairs", "halves", "interleaved", "blocks")),
        "RoPE: pairs (the default) or halves; sinusoidal: interleaved (the default) or blocks, "
        "all sines first",
    ),
    Key("position.fraction", Part(), "RoPE: the part of a head that turns", 1),
    Key("position.clockwise", Flag(), "RoPE: whether pairs turn clockwise", False),
    Key("position.slopes", Scalars(), "ALiBi: a slope for each head; default: 2^(-8(i+1)/h)"),
    Key("position.first", Count(0), "position of the first token", 0),
    Key("block", Tables(), "the blocks, one after another"),
    *_block("block.*"),
    Key("memory", Table(optional=True), "a second sequence, for attention that reads it"),
    Key("memory.tokens", Texts(), "texts of its rows"),
    Key("memory.ids", Counts(), "vocabulary numbers of its rows"),
    Key("memory.X", MATRIX, "the rows themselves", shape="m d"),
    Key(
        "memory.vocabulary", Texts(), "texts that its tokens are looked up in; default: the model's"
    ),
    Key("memory.E", MATRIX, "embedding table of its own; default: the model's", shape="V d"),
    Key("memory.block", Tables(), "blocks of an encoder that its rows pass through first"),
    *_block("memory.block.*"),
    *_norm("memory.norm", "after the encoder", "1 d*"),
    Key("output", Table(optional=True), "from the stream to the next word"),
    *_norm("output.norm", "before the output", "1 d*"),
    Key("output.W_U", MATRIX, "unembedding weights", shape="d* V"),
    Key("output.b_U", ROW, "unembedding bias", shape="1 V"),
    Key("output.soft_cap", OrNone(Scalar("positive")), "c of c·tanh(logit/c)", "none"),
    Key("output.temperature", Scalar("positive"), "T of the chances", 1),
    Key("output.top_k", OrNone(Count(1)), "how many of the likeliest words stay", "none"),
    Key("output.top_p", OrNone(Scalar("positive")), "the chance that must stay", "none"),
    Key("given", Named(), "named matrices that replace their computation", {}),
    Key("notation", Table(), "how things are written"),
    Key("notation.vectors", Choice(("row", "column")), "what a token is when printed", "row"),
    Key("notation.index_base", Count(0, 1), "what printed indices count from", 0),
    Key("notation.decimal", Choice(("point", "comma")), "the sign in printed decimals", "point"),
)


@dataclass
class Node:
    """A key with the keys inside it."""

    key: Key
    inside: dict[str, Node] = field(default_factory=dict)

    @property
    def supported(self) -> tuple[str, ...]:
        """The names of the keys inside."""
        return tuple(self.inside)


@cache
def schema() -> Node:
    """The table as a tree; the keys of a list of tables stand inside its `*`."""
    top = Node(Key("", Table(), "a model file"))
    for key in SCHEMA:
        node = top
        *around, name = key.path.split(".")
        for part in around:
            node = node.inside.setdefault(part, Node(Key("", Table(), "one of the list")))
        node.inside[name] = Node(key)
    return top


def schema_keys(blocks: int = 1) -> tuple[str, ...]:
    """Every supported key of a model with this many blocks, as `--set` takes them.

    >>> [key for key in schema_keys() if key.endswith("mask")]
    ['block.0.attention.mask', 'memory.block.0.attention.mask']
    """
    return tuple(
        path.replace("*", str(block), 1).replace("*", "0")  # experts count from 0 in each block
        for block in range(max(blocks, 1))
        for path in (key.path for key in SCHEMA)
        if block == 0 or path.startswith("block.*")
    )

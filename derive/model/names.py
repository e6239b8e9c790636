"""The named matrices of a model: prefix, shape letters and plain meaning of each.

Shape letters: n tokens that read, m tokens that are read, d width of the stream, d' the same
after attention, d'' after the feed-forward pass, d* after the last block (without residual
addition they may differ), k width of queries and keys, v of values, f of the feed-forward pass,
r width of a latent row of keys and values, r' of queries, r'' of a rotary part, h heads,
e experts, t token types, T tiles of keys, V vocabulary.  Two letters together are multiplied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from derive.model.heads import SHARED, Heads
from derive.text.nearest import nearest

Scope = Literal["model", "block", "head", "kv"]
Part = Literal["", "attention", "ffn", "output", "memory"]


@dataclass(frozen=True)
class Matrix:
    """One base name: where its number of copies comes from, its shape, what it is."""

    base: str
    scope: Scope  # one in the model, in each block, each head, each key/value head
    shape: str
    meaning: str
    part: Part = ""  # the part of a block that it belongs to
    key: str = ""  # where a model file gives it: a weight


def _norm(
    base: str,
    width: str,
    what: str,
    scope: Scope = "block",
    part: Part = "",
    key: str = "",
    n: str = "n",
) -> tuple[Matrix, ...]:
    """What belongs to one norm: its result (under `base`), its statistics, gain and shift.

    Of the statistics a model has those that its norm uses: RMSNorm its root mean square,
    LayerNorm mean, variance and root.  `n` is the letter of its rows.
    """
    rows = (
        ("", f"{n} {width}", what),
        (".mean", f"{n} 1", "mean of each row"),
        (".var", f"{n} 1", "variance of each row"),
        (".root", f"{n} 1", "root of the variance, which this norm divides by"),
        (".rms", f"{n} 1", "root mean square that this norm divides by"),
    )
    weights_part = part if scope == "model" else ""  # no gain makes an attention or an FFN
    weights = (("gain", "factor of each column in the norm"), ("shift", "added to each column"))
    return (
        *(Matrix(base + name, scope, shape, words, part) for name, shape, words in rows if words),
        *(
            Matrix(f"{base}.{name}", scope, f"1 {width}", words, weights_part, f"{key}.{name}")
            for name, words in weights
            if key
        ),
    )


MATRICES = (
    Matrix("E", "model", "V d", "embedding table: one row for each vocabulary entry", "", "E"),
    Matrix("X_tok", "model", "n d", "looked-up rows, before anything is added"),
    Matrix("P", "model", "n d", "position signal: one row for each token"),
    Matrix("E_type", "model", "t d", "table of token types: one row for each type", "", "E_type"),
    Matrix("X_type", "model", "n d", "looked-up rows of the token types"),
    Matrix("X_sum", "model", "n d", "words, positions and token types added, before the norm"),
    *_norm("X_norm", "d", "", "model", key="norm"),
    Matrix("X", "model", "n d", "input of the first block: one row for each token", "", "X"),
    Matrix("X.rms", "model", "n 1", "root mean square of each row of the input"),
    Matrix("X_mem", "model", "m d", "second sequence: cross-attention reads it", "memory", "X"),
    *_norm("N1", "d", "normalised input of attention", part="attention", key="norm1"),
    Matrix("W_Q", "head", "d k", "query weights", "attention", "attention.W_Q"),
    Matrix("b_Q", "head", "1 k", "query bias", "attention", "attention.b_Q"),
    Matrix("W_K", "kv", "d k", "key weights", "attention", "attention.W_K"),
    Matrix("b_K", "kv", "1 k", "key bias", "attention", "attention.b_K"),
    Matrix("W_V", "kv", "d v", "value weights", "attention", "attention.W_V"),
    Matrix("b_V", "kv", "1 v", "value bias", "attention", "attention.b_V"),
    Matrix("W_DKV", "block", "d r", "down to C_KV", "attention", "attention.W_DKV"),
    Matrix("W_UK", "kv", "r k", "up from C_KV to keys", "attention", "attention.W_UK"),
    Matrix("W_UV", "kv", "r v", "up from C_KV to values", "attention", "attention.W_UV"),
    Matrix("W_DQ", "block", "d r'", "down to C_Q", "attention", "attention.W_DQ"),
    Matrix("W_UQ", "head", "r' k", "up from C_Q to queries", "attention", "attention.W_UQ"),
    Matrix("W_QR", "head", "r' r''", "rotary query weights", "attention", "attention.W_QR"),
    Matrix("W_KR", "block", "d r''", "rotary key weights", "attention", "attention.W_KR"),
    Matrix("C_KV.raw", "block", "m r", "latent rows before their norm", "attention"),
    *_norm(
        "C_KV",
        "r",
        "latent rows: keys and values compressed",
        "block",
        "attention",
        "attention.norm_KV",
        "m",
    ),
    Matrix("C_Q.raw", "block", "n r'", "latent query rows before their norm", "attention"),
    *_norm(
        "C_Q",
        "r'",
        "latent query rows: queries compressed",
        "block",
        "attention",
        "attention.norm_Q",
    ),
    Matrix("Q", "head", "n k", "queries: what each token asks for", "attention"),
    Matrix("K", "kv", "m k", "keys: what each token offers to be found by", "attention"),
    Matrix("V", "kv", "m v", "values: what each token hands on", "attention"),
    *_norm("Q_norm", "k", "queries after their norm", "head", "attention"),
    *_norm("K_norm", "k", "keys after their norm", "kv", "attention", n="m"),
    *_norm("qk_norm", "k", "", part="attention", key="attention.qk_norm")[-2:],
    Matrix("Q_rot", "head", "n k", "queries turned by their position (RoPE)", "attention"),
    Matrix("K_rot", "kv", "m k", "keys turned by their position (RoPE)", "attention"),
    Matrix("Q_rope.raw", "head", "n r''", "rotary part of the queries, before RoPE", "attention"),
    Matrix("K_rope.raw", "block", "m r''", "rotary part of the keys, before RoPE", "attention"),
    Matrix("Q_rope", "head", "n r''", "rotary part of the queries (decoupled RoPE)", "attention"),
    Matrix("K_rope", "block", "m r''", "rotary part of the keys, one for all heads", "attention"),
    Matrix("Q_latent", "head", "n r", "queries that fit latent rows: W_UK absorbed", "attention"),
    Matrix("S", "head", "n m", "raw scores: each query times each key", "attention"),
    Matrix("S_scaled.raw", "head", "n m", "scores after scaling, before the cap", "attention"),
    Matrix("S_scaled", "head", "n m", "scores after scaling", "attention"),
    Matrix("bias", "head", "n m", "what a score loses by distance (ALiBi)", "attention"),
    *(
        Matrix(f"mask.{name}", "block", "n m", f"0 or -inf: {words}", "attention")
        for name, words in (
            ("given", "the mask that the model gives"),
            ("causal", "nothing later"),
            ("window", "only what is near"),
            ("padding", "no padding"),
        )
    ),
    Matrix("mask", "block", "n m", "0 where a token may look, -inf where it may not", "attention"),
    Matrix("S_masked", "head", "n m", "scaled scores, -inf where hidden", "attention"),
    Matrix("A.exp", "head", "n m", "exponentials of the scores", "attention"),
    Matrix("A.relu", "head", "n m", "scores, negative ones 0", "attention"),
    Matrix("A.open", "head", "n m", "scores, hidden ones 0", "attention"),
    Matrix("A.sum", "head", "n 1", "row totals of the exponentials", "attention"),
    Matrix("A", "head", "n m", "attention weights: each row sums to 1", "attention"),
    Matrix("Z_latent", "head", "n r", "latent rows mixed by weight, before W_UV", "attention"),
    Matrix("flash.m", "head", "n T", "largest score so far, tile by tile", "attention"),
    Matrix("flash.alpha", "head", "n T", "what earlier sums are multiplied by", "attention"),
    Matrix("flash.l", "head", "n T", "exponentials added up so far", "attention"),
    Matrix("flash.o", "head", "n T v", "weighted values added up so far", "attention"),
    Matrix("flash.Z", "head", "n v", "output of the head by tiles: it is Z", "attention"),
    Matrix("Z", "head", "n v", "output of the head: values mixed by weight", "attention"),
    Matrix("Z_cat", "block", "n hv", "outputs of the heads, side by side", "attention"),
    Matrix("W_O", "block", "hv d'", "output projection weights", "attention", "attention.W_O"),
    Matrix("b_O", "block", "1 d'", "output projection bias", "attention", "attention.b_O"),
    Matrix("O", "block", "n d'", "result of attention, ready to be added", "attention"),
    *_norm("branch1", "d'", "normalised result of attention", part="attention", key="branch1"),
    Matrix("R1", "block", "n d'", "stream after attention's addition, before its norm"),
    *_norm("post1", "d'", "", part="attention", key="post1"),
    Matrix("H_mid", "block", "n d'", "stream after attention", "attention"),
    Matrix("H_mid.rms", "block", "n 1", "root mean square of each row of H_mid", "attention"),
    *_norm("N2", "d'", "normalised input of the feed-forward pass", part="ffn", key="norm2"),
    Matrix("W_R", "block", "d' e", "router weights: a column an expert", "ffn", "ffn.W_R"),
    Matrix("router.logits", "block", "n e", "score of each expert for each row", "ffn"),
    Matrix("router.top", "block", "n e", "the same, -inf but for the top ones", "ffn"),
    Matrix("router.exp", "block", "n e", "exponentials of the experts' scores", "ffn"),
    Matrix("router.sum", "block", "n 1", "row totals of the exponentials", "ffn"),
    Matrix("router.probs", "block", "n e", "chance of each expert, before the top is taken", "ffn"),
    Matrix("router", "block", "n e", "weight of each expert, exactly 0 for most", "ffn"),
    Matrix("W_up", "block", "d' f", "up projection weights", "ffn", "ffn.W_up"),
    Matrix("b_up", "block", "1 f", "up projection bias", "ffn", "ffn.b_up"),
    Matrix("U", "block", "n f", "up projection, before the activation", "ffn"),
    Matrix("W_gate", "block", "d' f", "gate projection weights", "ffn", "ffn.W_gate"),
    Matrix("b_gate", "block", "1 f", "gate projection bias", "ffn", "ffn.b_gate"),
    Matrix("U_gate", "block", "n f", "gate projection, before the activation", "ffn"),
    Matrix("G.gate", "block", "n f", "gate after the activation", "ffn"),
    Matrix("G", "block", "n f", "after the activation: what goes into W_down", "ffn"),
    Matrix("W_down", "block", "f d''", "down projection weights", "ffn", "ffn.W_down"),
    Matrix("b_down", "block", "1 d''", "down projection bias", "ffn", "ffn.b_down"),
    Matrix("F.raw", "block", "n d''", "down projection, before its activation", "ffn"),
    Matrix("F", "block", "n d''", "result of the feed-forward pass", "ffn"),
    *_norm("branch2", "d''", "normalised result of the FFN", part="ffn", key="branch2"),
    Matrix("R2", "block", "n d''", "stream after the FFN's addition, before its norm"),
    *_norm("post2", "d''", "", part="ffn", key="post2"),
    Matrix("H", "block", "n d''", "stream after the block"),
    Matrix("H.rms", "block", "n 1", "root mean square of each row of H"),
    *_norm("N_out", "d*", "normalised stream before the output", "model", "output", "norm"),
    Matrix("W_U", "model", "d* V", "unembedding weights", "output", "W_U"),
    Matrix("b_U", "model", "1 V", "unembedding bias", "output", "b_U"),
    Matrix("logits.raw", "model", "n V", "scores of each word, before the soft cap", "output"),
    Matrix("logits", "model", "n V", "score of each word as the next one", "output"),
    Matrix("probs.exp", "model", "n V", "exponentials of the scores", "output"),
    Matrix("probs.sum", "model", "n 1", "row totals of the exponentials", "output"),
    Matrix("probs", "model", "n V", "chance of each word as the next one", "output"),
    Matrix("probs_cut", "model", "n V", "chances after top-k or top-p, shared anew", "output"),
    Matrix("probs_cut.cum", "model", "n V", "chances added up from the left", "output"),
    Matrix("loss", "model", "n 1", "surprise at the word that comes next, in nats", "output"),
    Matrix("loss.mean", "model", "1 1", "mean loss of the text", "output"),
)
BY_BASE = {matrix.base: matrix for matrix in MATRICES}
WITH_INFINITY = tuple(
    base for base in BY_BASE if base.startswith(("mask", "S_masked", "flash.m"))
)  # or -inf

# names of the contract whose operations this version doesn't have
OF_EXPERTS = frozenset(
    "W_up b_up U W_gate b_gate U_gate G.gate G W_down b_down F.raw F".split()
)  # what each expert has of its own, by the prefix e0, e1 … or shared0 …
OF_MEMORY = ("X", "N_out")  # what an encoder has besides its blocks

MEMORY = "mem."
_EXPERT = re.compile("(e|shared)([0-9]+)")
_PREFIXED = re.compile(r"(?:b([0-9]{1,6})\.)?(?:(h|kv|e|shared)([0-9]{1,6})\.)?(.+)", re.DOTALL)


class UnknownMatrix(Exception):
    """A name means no matrix, or several: what was expected, and the nearest name."""

    def __init__(self, expected: str, better: str = "", misspelt: str | None = None) -> None:
        super().__init__(expected)
        self.expected, self._better, self._misspelt = expected, better, misspelt

    def inside(self, prefix: str) -> UnknownMatrix:
        """The same where names are written behind a prefix."""
        better = self._better and prefix + self._better
        return UnknownMatrix(self.expected, better, self._misspelt)

    @property
    def nearest(self) -> str | None:
        """A name that was perhaps meant; searched only when it is asked for."""
        if self._misspelt is None:
            return self._better or None
        near = nearest(self._misspelt, BY_BASE) if self._misspelt else None
        return self._better + near if near else None


@dataclass(frozen=True)
class FullName:
    """A matrix of one model; its text is the full name.

    >>> str(FullName(BY_BASE["K"], 1, 0)), str(FullName(BY_BASE["X"]))
    ('b1.kv0.K', 'X')
    """

    matrix: Matrix
    block: int = 0
    head: int = 0
    own: bool = False  # one head's own keys or values, averaged into those of its KV head
    expert: str = ""  # e0, e1 … or shared0 …
    memory: bool = False  # of the encoder

    def __str__(self) -> str:
        base, scope = self.matrix.base, self.matrix.scope
        memory = MEMORY if self.memory else ""
        if scope == "model":
            return memory + base
        if scope == "block":
            return f"{memory}b{self.block}.{self.expert and f'{self.expert}.'}{base}"
        kind = "h" if scope == "head" or self.own else "kv"
        return f"{memory}b{self.block}.{kind}{self.head}.{base}"


def axes(shape: str) -> tuple[str, ...]:
    """The letters of a shape as readers see them.

    >>> axes("n d''")
    ('n', 'd')
    """
    return tuple(letters.rstrip("'*") for letters in shape.split())


def facts(base: str) -> tuple[str, tuple[str, ...]]:
    """Meaning and axis letters of a base name; raises KeyError for no matrix.

    >>> facts("A")
    ('attention weights: each row sums to 1', ('n', 'm'))
    """
    matrix = BY_BASE[base]
    return matrix.meaning, axes(matrix.shape)


def full_name(name: str) -> str:
    """The full name where each prefix that is left out means number 0.

    >>> full_name("Q"), full_name("kv0.K"), full_name("b1.O"), full_name("b1.h0.A")
    ('b0.h0.Q', 'b0.kv0.K', 'b1.O', 'b1.h0.A')
    >>> full_name("mem.A"), full_name("e1.U"), full_name("mem.X")
    ('mem.b0.h0.A', 'b0.e1.U', 'mem.X')
    """
    memory = name.startswith(MEMORY)
    block, kind, head, matrix = _split(name.removeprefix(MEMORY))
    expert = f"{kind}{head}" if kind in ("e", "shared") else ""
    number = 0 if expert else int(head or 0)
    return str(FullName(matrix, int(block or 0), number, expert=expert, memory=memory))


def resolve(name: str, blocks: Sequence[Sequence[str]], heads: Sequence[Heads] = ()) -> FullName:
    """The matrix that a name means in a model whose blocks have these parts and heads.

    Raises UnknownMatrix where there is none, or where a prefix is missing and several fit.

    >>> str(resolve("A", [["attention"]]))
    'b0.h0.A'
    >>> str(resolve("W_up", [["attention"], ["attention", "ffn"]]))
    'b1.W_up'
    >>> str(resolve("h2.K", [["attention"]], [Heads(4, 2)]))
    'b0.kv1.K'
    """
    fits = _fits(name, blocks, heads)
    if len(fits) == 1:
        return fits[0]
    raise UnknownMatrix(f"one of {', '.join(map(str, fits))}", str(fits[0]))


def of_memory(full: FullName) -> FullName:
    """The encoder's matrix of the same name; raises UnknownMatrix where it has none.

    >>> str(of_memory(resolve("b0.A", [["attention"]])))
    'mem.b0.h0.A'
    """
    base = full.matrix.base
    if full.matrix.scope == "model" and base.split(".")[0] not in OF_MEMORY:
        raise UnknownMatrix(f"{base} without a prefix: an encoder has none", base)
    return replace(full, memory=True)


def resolve_heads(
    name: str, blocks: Sequence[Sequence[str]], heads: Sequence[Heads] = ()
) -> list[FullName]:
    """The same, where a name without the number of a head means every head of its block.

    >>> [str(x) for x in resolve_heads("W_Q", [["attention"]], [Heads(2, 1)])]
    ['b0.h0.W_Q', 'b0.h1.W_Q']
    """
    fits = _fits(name, blocks, heads)
    if len(fits) > 1 and len({full.block for full in fits}) == 1:
        return [full for full in fits if full.own] or fits
    return [resolve(name, blocks, heads)]


def _fits(name: str, blocks: Sequence[Sequence[str]], heads: Sequence[Heads]) -> list[FullName]:
    """The matrices that a name can mean, at least one; raises UnknownMatrix."""
    block, kind, head, matrix = _split(name)
    if kind in ("e", "shared") and matrix.base not in OF_EXPERTS:
        right = str(FullName(matrix, int(block or 0)))
        raise UnknownMatrix(f"a name such as {right} (no expert has its own)", right)
    if matrix.scope == "model":
        if block or kind:
            raise UnknownMatrix(f"{matrix.base} without a prefix: a model has one", matrix.base)
        return [FullName(matrix)]
    alone = matrix.scope == "block" and not _one_for_all(matrix)
    if kind in ("h", "kv") and (alone or (kind == "kv") > (matrix.scope == "kv")):
        shared = "each head has one" if matrix.scope == "head" else "the heads of a block share it"
        right = str(FullName(matrix, int(block or 0)))
        raise UnknownMatrix(f"a name such as {right} ({shared})", right)
    copies = (
        full
        for letter, number, full in _copies(matrix, blocks, heads, everywhere=bool(block))
        if (not block or full.block == int(block))
        and (not kind or (letter, number) == (kind, int(head)))
    )
    fits = list(dict.fromkeys(copies))
    if not kind:  # F is the sum of what the experts give, and not one of them
        fits = [full for full in fits if not full.expert] or fits
    if not fits:
        most = max((one.queries for one in heads), default=1)
        count = f"{len(blocks)} block{'s'[: len(blocks) != 1]}, {most} head{'s'[: most != 1]}"
        raise UnknownMatrix(f"a matrix of this model ({count}; numbers count from 0)")
    return fits


def _one_for_all(matrix: Matrix) -> bool:
    """Whether each head has this matrix, and all of a block the same: its mask."""
    return matrix.base.partition(".")[0] == "mask"


def _copies(
    matrix: Matrix, blocks: Sequence[Sequence[str]], heads: Sequence[Heads], everywhere: bool
) -> Iterator[tuple[str, int, FullName]]:
    """Each copy of a matrix with the prefix that names it: in the blocks that have its part,
    or in all where none has.  A KV head is named by the heads that read it, too.
    """
    having = [i for i, parts in enumerate(blocks) if not matrix.part or matrix.part in parts]
    for block in range(len(blocks)) if everywhere or not having else having:
        layout = heads[block] if block < len(heads) else Heads()
        if matrix.scope == "block":
            experts = _experts(matrix, blocks[block])
            if not experts or matrix.base == "F":
                yield "", 0, FullName(matrix, block)
            for letter, expert in experts:
                full = FullName(matrix, block, expert=f"{letter}{expert}")
                yield letter, expert, full
            if experts:
                continue
        if matrix.scope == "kv":
            for number in range(layout.kv):
                yield "kv", number, FullName(matrix, block, number)
        for number in range(layout.queries):
            yield "h", number, _of_head(matrix, block, number, layout)


def _experts(matrix: Matrix, parts: Sequence[str]) -> list[tuple[str, int]]:
    """The experts of a block that have this matrix: ("e", 0), ("shared", 0) …"""
    found = (_EXPERT.fullmatch(part) for part in parts if matrix.base in OF_EXPERTS)
    return [(x[1], int(x[2])) for x in found if x]


def _of_head(matrix: Matrix, block: int, head: int, layout: Heads) -> FullName:
    if matrix.scope == "block":
        return FullName(matrix, block)
    if matrix.scope == "head":
        return FullName(matrix, block, head)
    if layout.shared and matrix.base in SHARED:
        return FullName(matrix, block, head, own=True)
    return FullName(matrix, block, layout.kv_of(head))


def _split(name: str) -> tuple[str, str, str, Matrix]:
    """(block, "h" or "kv", head, matrix); the numbers are "" where they are left out."""
    found = _PREFIXED.fullmatch(name)
    block, kind, head, base = found.groups("") if found else ("", "", "", name)
    if base in BY_BASE:
        return block, kind, head, BY_BASE[base]
    prefix = name[: len(name) - len(base)]
    raise UnknownMatrix("the name of a matrix, such as X, W_Q or A", prefix, base)

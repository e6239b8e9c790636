"""A commented model file to start from: small drawn numbers that the reader replaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.documents.exercise import toml_list, toml_text
from derive.documents.variants import HALVES, draws

POSITIONS = {
    "none": "a token's place doesn't enter",
    "rope": "queries and keys turn with the place",
    "sinusoidal": "sines and cosines are added",
    "learned": "a row of P is added for each place",
    "alibi": "a score loses a multiple of the distance",
}
NORMS = {"none": "no norm", "rmsnorm": "x / rms(x)", "layernorm": "(x - mean) / root of variance"}


@dataclass(frozen=True)
class Plan:
    """Sizes and options of the file; sizes in numbers of columns, rows, heads."""

    tokens: tuple[str, ...] = ("the", "cat", "sat")
    d_model: int = 4
    heads: int = 1
    kv_heads: int = 0  # 0: as many as heads
    head_dim: int = 0  # 0: d_model // heads
    d_ff: int = 8  # 0: no feed-forward pass
    blocks: int = 1
    position: str = "none"
    norm: str = "none"
    activation: str = "relu"
    mask: str = "causal"
    output: bool = False
    seed: int = 0


def starter(plan: Plan) -> str:
    """The file as TOML, every key with a comment; it validates as it is.

    >>> from derive.model import loads
    >>> loads(starter(Plan(heads=2, norm="rmsnorm"))).sizes["d"]
    4
    """
    return "\n".join(_Writer(plan).lines())


class _Writer:
    def __init__(self, plan: Plan) -> None:
        self.p = plan
        self.k = plan.head_dim or max(1, plan.d_model // plan.heads)
        self.draw = draws(f"new:{plan.seed}", HALVES)
        self.vocabulary = tuple(dict.fromkeys(plan.tokens))

    def lines(self) -> Iterator[str]:
        p = self.p
        yield "# A model to start from: change what you like; `derive matrices FILE` lists it all."
        yield '# Numbers are exact: 0.1 is 1/10; texts such as "1/3" and "sqrt(2)/2" are read, too.'
        yield ""
        yield 'title = "a model of my own"'
        yield ""
        yield f"vocabulary = {toml_list(self.vocabulary)}"
        yield f"tokens = {toml_list(p.tokens)}  # the rows, in order; words of the vocabulary"
        yield ""
        yield "[embedding]"
        yield from self._matrix("E", len(self.vocabulary), p.d_model, "a row for each word",
                                self.vocabulary)  # fmt: skip
        yield ""
        yield from self._position()
        for number in range(p.blocks):
            yield from self._block(number)
        if p.output:
            yield ""
            yield "[output]"
            yield from self._norm("norm", "before the output")
            yield from self._matrix(
                "W_U", p.d_model, len(self.vocabulary), "a column for each word"
            )
            yield "temperature = 1  # scores are divided by it before the softmax"
        yield ""

    def _position(self) -> Iterator[str]:
        p = self.p
        yield "[position]"
        yield f'kind = "{p.position}"  # {POSITIONS[p.position]}'
        if p.position == "rope":
            yield "base = 10000  # pair p turns by base^(-2p/k) radians a place"
        if p.position == "learned":
            yield from self._matrix("P", len(p.tokens), p.d_model, "a row for each place")

    def _block(self, number: int) -> Iterator[str]:
        p, k = self.p, self.k
        yield ""
        yield f"[[block]]  # block {number}"
        yield from self._norm("norm1", "before attention")
        if p.d_ff:
            yield from self._norm("norm2", "before the feed-forward pass")
        yield ""
        yield "[block.attention]"
        kv = p.kv_heads or p.heads
        if p.heads > 1:
            yield f"heads = {p.heads}"
        if kv != p.heads:
            yield f"kv_heads = {kv}  # heads share keys and values in groups"
        yield f'mask = "{p.mask}"  # ' + (
            "a token sees itself and earlier ones" if p.mask == "causal" else "every token sees all"
        )
        yield 'scale = "1/sqrt(k)"  # factor of the scores'
        yield from self._heads("W_Q", p.heads, "queries")
        yield from self._heads("W_K", kv, "keys")
        yield from self._heads("W_V", kv, "values")
        yield from self._matrix("W_O", p.heads * k, p.d_model, "back to the stream")
        if p.d_ff:
            yield ""
            yield "[block.ffn]"
            yield f'activation = "{p.activation}"'
            yield from self._matrix("W_up", p.d_model, p.d_ff, "up")
            yield from self._matrix("W_down", p.d_ff, p.d_model, "and back")

    def _norm(self, key: str, where: str) -> Iterator[str]:
        if self.p.norm == "none":
            yield f'{key} = {{ kind = "none" }}  # {where}: none | rmsnorm | layernorm'
        else:
            eps = "1/100000"
            yield (
                f'{key} = {{ kind = "{self.p.norm}", eps = "{eps}" }}  # {where}: '
                + (NORMS[self.p.norm])
            )

    def _heads(self, name: str, count: int, what: str) -> Iterator[str]:
        if count == 1:
            yield from self._matrix(name, self.p.d_model, self.k, what)
            return
        yield f"{name} = [  # {what}, {self.p.d_model}×{self.k} for each head"
        for _ in range(count):
            rows = ", ".join(self._row(self.k) for _ in range(self.p.d_model))
            yield f"    [{rows}],"
        yield "]"

    def _matrix(
        self, name: str, rows: int, columns: int, what: str, labels: Sequence[str] = ()
    ) -> Iterator[str]:
        yield f"{name} = [  # {what}: {rows}×{columns}"
        for i in range(rows):
            label = f"  # {toml_text(labels[i])}" if labels else ""
            yield f"    {self._row(columns)},{label}"
        yield "]"

    def _row(self, columns: int) -> str:
        return "[" + ", ".join(next(self.draw) for _ in range(columns)) + "]"

"""Latent attention (MLA): compressed rows, decoupled rotary parts, and the absorbed form.

Source: DeepSeek-V2 (2024), arXiv:2405.04434, section 2.1 and equations 9 to 19.
"""

from __future__ import annotations

from collections.abc import Callable

from derive.blocks.parts import given, norm, of_head, projection
from derive.graph import Graph
from derive.line import Plus, Shown
from derive.model.heads import Heads
from derive.model.section import Section
from derive.operation import Operation, size
from derive.ops import AbsorbedQueries, LatentScores, LatentValues, Projection, WeightedValues

Name = str | None
Names = list[Name]
Turned = Callable[[Name, str], Name]  # rows after RoPE, under a name

KEYS = ("W_DKV", "W_UK", "W_UV", "W_DQ", "W_UQ", "W_QR", "W_KR")
GIVEN = ("C_KV", "C_Q", "K_rope", *KEYS)


def is_latent(graph: Graph, block: str, options: Section) -> bool:
    """Whether the attention of a block goes through latent rows."""
    names = (name for name in graph.given if name.startswith(f"{block}."))
    return any(key in options for key in KEYS) or any(x.split(".")[-1] in GIVEN for x in names)


class Latent:
    """The latent attention of one block."""

    def __init__(
        self, graph: Graph, block: str, options: Section, heads: Heads, turn: Turned | None
    ) -> None:
        self.graph, self.block, self.options, self.heads = graph, block, options, heads
        self.turn = turn  # RoPE, where the model has it
        rotary = any(name in options for name in ("W_QR", "W_KR"))
        rotary = rotary or f"{block}.K_rope" in graph.given
        # RoPE on the content itself stands between query and W_UK: nothing can be absorbed
        self.turns_content = turn is not None and not rotary
        self.absorbs = graph.absorbed and not self.turns_content
        self.q: Names = []
        self.k: Names = []
        self.v: Names = []
        self.q_rope: Names = []
        self.k_rope: Name = None
        self.c_kv: Name = None
        self.latent: Names = []  # queries with W_UK absorbed

    def rows(self, x: Name, read: Name) -> tuple[Names, Names, Names]:
        """Queries, keys and values of all heads; x asks, and `read` is read."""
        c_q = self._down("DQ", "C_Q", x)
        self.c_kv = self._down("DKV", "C_KV", read)
        for number in range(self.heads.queries):
            self.q.append(self._query(number, c_q, x))
            self.q_rope.append(self._rotary_query(number, c_q or x))
        for number in range(self.heads.kv):
            self._key_and_value(number, read)
        self.k_rope = self._rotary_key(read)
        if self.turn and self.turns_content:
            self.q = [self.turn(y, f"{self.block}.h{i}.Q_rot") for i, y in enumerate(self.q)]
            self.k = [self.turn(y, f"{self.block}.kv{i}.K_rot") for i, y in enumerate(self.k)]
        self._absorb()
        return self.q, self.k, self.v

    def scores(self, number: int) -> Operation | None:
        """The scores of one head: in the absorbed form alone where the graph asks for it."""
        kv = self.heads.kv_of(number)
        q, k, latent = self.q[number], self.k[kv], self.latent[number]
        rotary = self.q_rope[number], self.k_rope
        if self._absorbed(number) and latent and self.c_kv:
            return LatentScores(q=latent, k=self.c_kv, rotary=rotary, letter="r")
        if not q or not k:
            return None
        both = None
        if latent and self.c_kv:
            both = latent, self.c_kv, self.graph.matrices[self.c_kv].shape[1]
        return LatentScores(q=q, k=k, rotary=rotary, absorbed=both)

    def letters(self, number: int) -> dict[str, Shown]:
        """The size letters of a scale; k is the whole width of a query, both its parts."""
        q, rope = self.q[number], self.q_rope[number]
        read = self.c_kv or self.k[self.heads.kv_of(number)]
        if not q or not read:
            return {}
        width: Shown = size("d_k", self.graph.matrices[q].shape[1])
        if rope and self.k_rope:
            width = Plus((width, size("d_R", self.graph.matrices[rope].shape[1])))
        found = {"k": width, "n": size("n", self.graph.matrices[read].shape[0])}
        if w := self._weight(number, "W_UV"):
            found["v"] = size("d_v", self.graph.matrices[w].shape[1])
        return found

    def values(self, number: int, a: Name) -> Operation | None:
        """The output of one head, of its weights and the values or the latent rows."""
        if not a:
            return None
        kv, w = self.heads.kv_of(number), self._weight(number, "W_UV")
        mixed = None
        if self.c_kv and w:
            name = f"{self.block}.h{number}.Z_latent"
            latent = WeightedValues(a=a, v=self.c_kv)
            latent.letter = self.graph.read_rows(self.block)
            latent.meaning = "latent rows mixed by weight, before W_UV"
            mixed = self.graph.add(name, latent)
        if self._absorbed(number) and mixed and w:
            return Projection("values up from the latent row", "r", x=mixed, w=w)
        v = self.v[kv]
        if not v:
            return None
        both = None
        if mixed and w and self.c_kv and self._made(v):
            both = mixed, w, self.graph.matrices[self.c_kv].shape[1]
        return LatentValues(a=a, v=v, absorbed=both)

    # one row or head

    def _down(self, weight: str, name: str, x: Name) -> Name:
        """A latent row: what is read, compressed."""
        w = given(self.graph, f"{self.block}.W_{weight}", self.options.get(f"W_{weight}"))
        full, normed = f"{self.block}.{name}", self.options[f"norm_{weight.removeprefix('D')}"]
        if normed["kind"] == "none":
            return projection(self.graph, full, "compression", "d", x, w, None)
        raw = projection(self.graph, f"{full}.raw", "compression", "d", x, w, None)
        return norm(self.graph, full, normed, raw)

    def _query(self, number: int, c_q: Name, x: Name) -> Name:
        place = f"{self.block}.h{number}"
        b = given(self.graph, f"{place}.b_Q", of_head(self.options, "b_Q", number))
        up = given(self.graph, f"{place}.W_UQ", of_head(self.options, "W_UQ", number))
        if up or c_q:
            words = "queries up from the latent row"
            return projection(self.graph, f"{place}.Q", words, "r_Q", c_q, up, b)
        w = given(self.graph, f"{place}.W_Q", of_head(self.options, "W_Q", number))
        return projection(self.graph, f"{place}.Q", "query projection", "d", x, w, b)

    def _rotary_query(self, number: int, x: Name) -> Name:
        place = f"{self.block}.h{number}"
        w = given(self.graph, f"{place}.W_QR", of_head(self.options, "W_QR", number))
        inner = "r_Q" if x == f"{self.block}.C_Q" else "d"
        return self._rotary(place, "Q_rope", "rotary query projection", inner, x, w)

    def _rotary_key(self, read: Name) -> Name:
        w = given(self.graph, f"{self.block}.W_KR", self.options.get("W_KR"))
        words = "rotary key projection"
        return self._rotary(self.block, "K_rope", words, "d", read, w)

    def _rotary(self, place: str, name: str, words: str, inner: str, x: Name, w: Name) -> Name:
        """A rotary part: its projection, turned by the position where the model has RoPE."""
        full = f"{place}.{name}"
        if self.turn is None:
            return projection(self.graph, full, words, inner, x, w, None)
        return self.turn(projection(self.graph, f"{full}.raw", words, inner, x, w, None), full)

    def _key_and_value(self, number: int, read: Name) -> None:
        place = f"{self.block}.kv{number}"
        for letter, up, rows in (("K", "W_UK", self.k), ("V", "W_UV", self.v)):
            w = given(self.graph, f"{place}.{up}", of_head(self.options, up, number))
            name, kind = f"{place}.{letter}", {"K": "keys", "V": "values"}[letter]
            plain = given(self.graph, f"{place}.W_{letter}", self._plain(letter, number))
            if self.absorbs and w and self.c_kv and name not in self.graph.given:
                rows.append(None)
            elif plain and not w:  # latent rows for one of the two alone
                words = {"K": "key", "V": "value"}[letter] + " projection"
                rows.append(projection(self.graph, name, words, "d", read, plain, None))
            else:
                words = f"{kind} up from the latent row"
                rows.append(projection(self.graph, name, words, "r", self.c_kv, w, None))

    def _plain(self, letter: str, number: int) -> object:
        return of_head(self.options, f"W_{letter}", number)

    def _absorb(self) -> None:
        """Queries that fit the latent rows; none where RoPE stands between query and W_UK."""
        for number, q in enumerate(self.q):
            w, k = self._weight(number, "W_UK"), self.k[self.heads.kv_of(number)]
            possible = q and w and self.c_kv and not self.turns_content
            fits = (self.absorbs and k is None) or self._made(k)
            name = f"{self.block}.h{number}.Q_latent"
            made = AbsorbedQueries(q=q, w=w) if possible and q and w and fits else None
            self.latent.append(self.graph.add(name, made))

    def _made(self, name: Name) -> bool:
        """Whether keys or values are made of the latent rows, and not given."""
        return name is not None and "w" in self.graph.matrices[name].operation.inputs

    def _absorbed(self, number: int) -> bool:
        kv = self.heads.kv_of(number)
        return self.absorbs and self.k[kv] is None and self.v[kv] is None

    def _weight(self, number: int, key: str) -> Name:
        return self.graph.existing(f"{self.block}.kv{self.heads.kv_of(number)}.{key}")

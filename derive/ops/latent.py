"""Latent attention: keys and values that stay compressed, in two equal forms."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Entry, Plus, Shown, Times
from derive.operation import Law, Operation, Sign, View, column, row, size, total
from derive.ops.scores import Scores
from derive.ops.weighted_values import WeightedValues


class AbsorbedQueries(Operation):
    """Q_latent = Q W_UK^T: queries that fit the latent rows, so that no key is needed.

    Source: DeepSeek-V2 (2024), section 2.1.2: W_UK absorbed into the queries.
    """

    name = "W_UK absorbed"
    shape = "n k, r k -> n r"

    def define(self, f: Any, i: int, j: int, /, q: View, w: View) -> Any:
        return sum(q[i, c] * w[j, c] for c in range(q.columns))

    def formulas(self, i: int, j: int) -> list[Shown]:
        c = Bound("c")
        body = Times((self.entry("q", row(i), c), self.entry("w", column(j), c)))
        return [total(c, size("d_k", self.sizes["q"][1]), body)]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(q="q", w="w"), {"n": 2, "k": 3, "r": 4}

    def law(self, f: Any, out: View, /, q: View, w: View) -> Law:
        """(Q W_UK^T) · c = Q · (c W_UK) for any latent row c: the absorbed form is the other."""
        c = [f.symbol(f"latent_{k}") for k in range(w.rows)]
        for i in range(q.rows):
            keys = [sum(c[k] * w[k, a] for k in range(w.rows)) for a in range(w.columns)]
            absorbed = sum(out[i, k] * c[k] for k in range(w.rows))
            yield absorbed, sum(q[i, a] * keys[a] for a in range(w.columns))


class LatentScores(Scores):
    """S = Q K^T + Q_rope K_rope^T, the content and the rotary part of a query and a key.

    With `absorbed` the formula in Q_latent and C_KV stands first: the same number, without K.
    Source: DeepSeek-V2 (2024), equations 14 to 18.
    """

    name = "scores of content and position"
    cached = ("k", "k_rope")

    def __init__(
        self,
        *,
        q: str,
        k: str,
        rotary: tuple[str | None, str | None] = (None, None),
        absorbed: tuple[str, str, int] | None = None,
        letter: str = "d_k",
    ) -> None:
        x, y = rotary
        parts = {"q_rope": x, "k_rope": y} if x and y else {}
        Operation.__init__(self, q=q, k=k, **parts)
        self.absorbed, self.letter = absorbed, letter  # queries, latent rows, their width
        self.shape = "n k, m k, n r, m r -> n m" if parts else "n k, m k -> n m"  # type: ignore[misc]
        if not parts:
            self.name = Scores.name  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, q: View, k: View, **rotary: View) -> Any:
        content = sum(q[i, c] * k[j, c] for c in range(q.columns))
        if not rotary:
            return content
        one, other = rotary["q_rope"], rotary["k_rope"]
        return content + sum(one[i, c] * other[j, c] for c in range(one.columns))

    def formulas(self, i: int, j: int) -> list[Shown]:
        c = Bound("c")

        def product(q: str, k: str, letter: str, width: int) -> Shown:
            body = Times((Entry(q, (row(i), c)), Entry(k, (column(j), c))))
            return total(c, size(letter, width), body)

        def whole(content: Shown) -> Shown:
            if "q_rope" not in self.inputs:
                return content
            roles = self.inputs["q_rope"], self.inputs["k_rope"]
            rotary = product(*roles, "d_R", self.sizes["q_rope"][1])
            return Plus((content, rotary))

        plain = product(self.inputs["q"], self.inputs["k"], self.letter, self.sizes["q"][1])
        if self.absorbed is None:
            return [whole(plain)]
        queries, latent, width = self.absorbed
        return [whole(product(queries, latent, "r", width)), whole(plain)]

    def remark(self, sign: Sign, *at: int) -> str:
        if self.absorbed is None:
            return ""
        return (
            "The first line has W_UK absorbed into the query and needs the latent row alone; "
            "the second makes the key first. Both are the same number."
        )

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(q="q", k="k", rotary=("x", "y")), {"n": 2, "m": 3, "k": 4, "r": 5}

    def law(self, f: Any, out: View, /, q: View, k: View, **rotary: View) -> Law:
        """Linear in the keys: the scores of a row add up to its score against their sum."""
        parts = [(q, k), *([(rotary["q_rope"], rotary["k_rope"])] if rotary else [])]
        for i in range(q.rows):
            right = sum(
                one[i, c] * sum(other[j, c] for j in range(k.rows))
                for one, other in parts
                for c in range(one.columns)
            )
            yield sum(out[i, j] for j in range(k.rows)), right


class LatentValues(WeightedValues):
    """Z = A V, which is (A C_KV) W_UV: weights and latent rows first, W_UV once.

    Source: DeepSeek-V2 (2024), section 2.1.2: W_UV absorbed into the output.
    """

    def __init__(self, *, a: str, v: str, absorbed: tuple[str, str, int] | None = None) -> None:
        super().__init__(a=a, v=v)
        self.absorbed = absorbed  # mixed latent rows, W_UV, their width

    def formulas(self, i: int, j: int) -> list[Shown]:
        plain = super().formulas(i, j)
        if self.absorbed is None:
            return plain
        mixed, w, width = self.absorbed
        c = Bound("c")
        body = Times((Entry(mixed, (row(i), c)), Entry(w, (c, column(j)))))
        return [total(c, size("r", width), body), *plain]

    def remark(self, sign: Sign, *at: int) -> str:
        if self.absorbed is None:
            return ""
        return (
            "The first line mixes the latent rows and applies W_UV once; the second makes every "
            "value first. Both are the same number."
        )

"""Transformer programs written in two ways, to be proved equal cell by cell.

The first way is the textbook's: vectors rotated by their own position, softmax as it is
defined, norms as they are.  The second way rotates by the relative position, shifts the
scores before the exponential, and norms a rescaled vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from derive.exact.dag import Dag, Node

Vector = list[Node]


@dataclass
class Shape:
    """Sizes of a random program; weights and tokens are small integers or symbols."""

    tokens: int = 2
    width: int = 2
    blocks: int = 1
    hidden: int = 0  # of the feed-forward layer with ReLU; 0: none
    final_norm: bool = True
    causal: bool = True


class Program:
    """One random model; `cells(way)` are its outputs for the last token."""

    def __init__(self, dag: Dag, shape: Shape, seed: int) -> None:
        self.dag, self.shape, self.random = dag, shape, Random(seed)
        d, h = shape.width, shape.hidden
        self.inputs = [self._vector(d) for _ in range(shape.tokens)]
        self.weights = [
            {
                **{name: self._matrix(d, d) for name in ("query", "key", "value")},
                "up": self._matrix(h, d),
                "down": self._matrix(d, h),
            }
            for _ in range(shape.blocks)
        ]

    def _vector(self, n: int) -> Vector:
        return [self.dag.rational(self.random.randint(-2, 2)) for _ in range(n)]

    def _matrix(self, rows: int, columns: int) -> list[Vector]:
        return [self._vector(columns) for _ in range(rows)]

    def cells(self, second: bool) -> Vector:
        """The output vector of the last token, in the first or the second way."""
        x = self.inputs
        for weights in self.weights:
            x = self._block(x, weights, second)
        return self._norm(x[-1], second) if self.shape.final_norm else x[-1]

    def _block(self, x: list[Vector], w: dict[str, list[Vector]], second: bool) -> list[Vector]:
        attended = self._attention(x, w, second)
        x = [[a + b for a, b in zip(u, v, strict=True)] for u, v in zip(x, attended, strict=True)]
        if not self.shape.hidden:
            return x
        out = []
        for u in x:
            hidden = [self.dag.max(0, y) for y in times(w["up"], u)]
            change = times(w["down"], hidden)
            out.append([a + b for a, b in zip(u, change, strict=True)])
        return out

    def _attention(self, x: list[Vector], w: dict[str, list[Vector]], second: bool) -> list[Vector]:
        q, k, v = ([times(w[name], u) for u in x] for name in ("query", "key", "value"))
        out = []
        for m in range(len(x)):
            seen = range(m + 1) if self.shape.causal else range(len(x))
            scores = [self._score(q[m], k[n], m, n, second) for n in seen]
            p = self._softmax(scores, second)
            out.append([total(a * v[n][j] for a, n in zip(p, seen, strict=True))
                        for j in range(self.shape.width)])  # fmt: skip
        return out

    def _score(self, q: Vector, k: Vector, m: int, n: int, second: bool) -> Node:
        if second:
            k = rotated(self.dag, k, n - m)
        else:
            q, k = rotated(self.dag, q, m), rotated(self.dag, k, n)
        scale = self.dag.sqrt(self.dag.rational(self.shape.width))
        return total(a * b for a, b in zip(q, k, strict=True)) / scale

    def _softmax(self, scores: Vector, second: bool) -> Vector:
        if second:
            scores = [s - scores[-1] for s in scores]
        e = [self.dag.exp(s) for s in scores]
        return [a / total(e) for a in e]

    def _norm(self, x: Vector, second: bool) -> Vector:
        if second:
            x = [a * 3 for a in x]
        size = self.dag.sqrt(total(a * a for a in x) / len(x))
        return [a / size for a in x]


def rotated(dag: Dag, x: Vector, position: int) -> Vector:
    """RoPE: the pair j is turned by position * 10000^(-2j/d)."""
    out = []
    for j in range(0, len(x), 2):
        angle = position / dag.root(dag.rational(10000**j), len(x))
        c, s = dag.cos(angle), dag.sin(angle)
        out += [x[j] * c - x[j + 1] * s, x[j] * s + x[j + 1] * c]
    return out


def times(matrix: list[Vector], x: Vector) -> Vector:
    """A matrix times a vector."""
    return [total(a * b for a, b in zip(row, x, strict=True)) for row in matrix]


def total(terms: object) -> Node:
    """The sum of at least one node."""
    first, *rest = list(terms)  # type: ignore[call-overload]
    return first.dag.add(first, *rest)  # type: ignore[no-any-return]

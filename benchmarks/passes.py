"""The same forward pass as its peers' users would write it: for comparison only.

`plain_pass` is a bare loop over any number type with exp, sqrt, cos and sin: Arb balls or
mpmath intervals.  `sympy_weighted_values` is what one writes with SymPy matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Rows = list[list[Any]]


@dataclass
class Ring:
    """A number type: how a fraction becomes a number, and its functions."""

    number: Callable[[Fraction], Any]
    exp: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    relu: Callable[[Any], Any]


@dataclass
class Weights:
    """One block's numbers; eps1 None: no norm before attention."""

    W_Q: Rows
    W_K: Rows
    W_V: Rows
    W_O: Rows
    W_up: Rows
    W_down: Rows
    eps1: Fraction | None
    eps2: Fraction


def product(x: Rows, w: Rows) -> Rows:
    columns = list(zip(*w, strict=True))
    return [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in x]


def normed(x: Rows, eps: Any, ring: Ring) -> Rows:
    out = []
    for row in x:
        rms = ring.sqrt(sum(a * a for a in row) / len(row) + eps)
        out.append([a / rms for a in row])
    return out


def turned(x: Rows, ring: Ring) -> Rows:
    """One pair a row, one radian per position."""
    out = []
    for position, (a, b) in enumerate(x):
        c, s = ring.cos(ring.number(Fraction(position))), ring.sin(ring.number(Fraction(position)))
        out.append([a * c - b * s, a * s + b * c])
    return out


def plain_pass(x: Rows, blocks: list[Weights], ring: Ring) -> Rows:
    """The stream after all blocks (causal, one head, RoPE, RMSNorm, ReLU)."""
    for w in blocks:
        n1 = x if w.eps1 is None else normed(x, ring.number(w.eps1), ring)
        q, k, v = (product(n1, m) for m in (w.W_Q, w.W_K, w.W_V))
        q, k = turned(q, ring), turned(k, ring)
        scale = 1 / ring.sqrt(ring.number(Fraction(len(q[0]))))
        z = []
        for i, row in enumerate(q):
            e = [
                ring.exp(scale * sum(a * b for a, b in zip(row, k[j], strict=True)))
                for j in range(i + 1)
            ]
            total = sum(e)
            z.append([sum(e[j] / total * v[j][c] for j in range(i + 1)) for c in range(len(v[0]))])
        x = [
            [a + b for a, b in zip(r, s, strict=True)]
            for r, s in zip(x, product(z, w.W_O), strict=True)
        ]
        u = product(normed(x, ring.number(w.eps2), ring), w.W_up)
        f = product([[ring.relu(a) for a in row] for row in u], w.W_down)
        x = [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(x, f, strict=True)]
    return x


def sympy_weighted_values(x: Rows, w: Weights) -> tuple[str, str]:
    """Z[2,0] of cats with SymPy as a user would: matrices, multiply, simplify, latex, evalf."""
    import sympy as sp

    def matrix(rows: Rows) -> Any:
        return sp.Matrix([[sp.Rational(a.numerator, a.denominator) for a in r] for r in rows])

    X = matrix(x)
    Q, K, V = X * matrix(w.W_Q), X * matrix(w.W_K), X * matrix(w.W_V)

    def turn(m: Any) -> Any:
        rows = []
        for p in range(m.rows):
            R = sp.Matrix([[sp.cos(p), -sp.sin(p)], [sp.sin(p), sp.cos(p)]])
            rows.append((R * m[p, :].T).T)
        return sp.Matrix.vstack(*rows)

    S = turn(Q) * turn(K).T / sp.sqrt(2)
    n = S.rows
    S = sp.Matrix(n, n, lambda i, j: S[i, j] if j <= i else -sp.oo)
    A = S.applyfunc(sp.exp)
    A = sp.Matrix(n, n, lambda i, j: A[i, j] / sum(A[i, :]))
    cell = sp.simplify((A * V)[2, 0])
    return sp.latex(cell), str(sp.N(cell, 50))

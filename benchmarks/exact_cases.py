"""Pairs of SymPy expressions for `benchmarks.exact`: a file of cases, and larger ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy as sp

from derive.exact.reading import evaluate
from derive.exact.symbolic import Symbolic
from derive.text import parse

Expr = Any  # a SymPy expression; SymPy has no type hints


@dataclass(frozen=True)
class Case:
    """Two expressions and what is true of them: "equal" or "different"."""

    name: str
    group: str
    left: Expr
    right: Expr
    truth: str


KINDS = {"> 0": "positive", ">= 0": "nonnegative", "!= 0": "nonzero", "integer": "integer"}


def from_file(path: Path) -> list[Case]:
    """One case a line, as JSON: id, left, right, truth, assume (of single letters)."""
    cases = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        kinds = {}
        for text in row.get("assume", []):
            name, _, relation = text.partition(" ")
            kinds[name] = KINDS[relation]
        f = Symbolic(kinds)
        left, right = (evaluate(parse(row[side]), f) for side in ("left", "right"))
        cases.append(Case(row["id"], "cases", left, right, row["truth"]))
    return cases


def reals(name: str, n: int) -> list[Expr]:
    """name0, name1 …, real symbols."""
    return [sp.Symbol(f"{name}{k}", real=True) for k in range(n)]


def softmax(scores: Sequence[Expr]) -> list[Expr]:
    """The weights of the scores."""
    up = [sp.exp(x) for x in scores]
    return [x / sp.Add(*up) for x in up]


def turned(x: Sequence[Expr], at: Expr, angles: Sequence[Expr]) -> list[Expr]:
    """RoPE: each pair turned by position times angle."""
    out = []
    for k, angle in enumerate(angles):
        c, s, a, b = sp.cos(at * angle), sp.sin(at * angle), x[2 * k], x[2 * k + 1]
        out += [a * c - b * s, a * s + b * c]
    return out


def dot(x: Sequence[Expr], y: Sequence[Expr]) -> Expr:
    """x · y"""
    return sp.Add(*(a * b for a, b in zip(x, y, strict=True)))


def softmax_shift() -> Case:
    """softmax(x) = softmax(x - c), 8 symbols."""
    xs, c = reals("x", 8), sp.Symbol("c", real=True)
    left, right = softmax(xs)[2], softmax([x - c for x in xs])[2]
    return Case("softmax shift, n = 8", "symbols", left, right, "equal")


def rope_relative() -> Case:
    """<R_m q, R_n k> = <q, R_(n-m) k>, width 8, all letters."""
    q, k = reals("q", 8), reals("k", 8)
    m, n = sp.symbols("m n", real=True)
    angles = [sp.Rational(1, 10**j) for j in range(4)]
    left = dot(turned(q, m, angles), turned(k, n, angles))
    return Case("RoPE relative, d = 8", "symbols", left, dot(q, turned(k, n - m, angles)), "equal")


def attention(
    name: str, q: Sequence[Expr], keys: Sequence[Sequence[Expr]], v: Sequence[Expr]
) -> Case:
    """One output cell: RoPE by absolute positions, and by relative ones with shifted scores."""
    angles, root = [sp.Integer(1), sp.Rational(1, 100)], sp.sqrt(len(q))
    last = len(keys) - 1
    absolute = [
        dot(turned(q, sp.Integer(last), angles), turned(k, sp.Integer(j), angles)) / root
        for j, k in enumerate(keys)
    ]
    relative = [dot(q, turned(k, sp.Integer(j - last), angles)) / root for j, k in enumerate(keys)]
    shifted = [x - relative[0] for x in relative]
    return Case(name, "symbols", dot(softmax(absolute), v), dot(softmax(shifted), v), "equal")


def attention_symbols() -> Case:
    """4 tokens, width 4: 24 letters."""
    keys = [reals(f"k{j}_", 4) for j in range(4)]
    return attention("attention cell, 24 symbols", reals("q", 4), keys, reals("v", 4))


def attention_numbers() -> Case:
    """The same with small integers."""
    keys = [[3, -1, 2, 0], [2, 1, -1, 1], [0, 3, 1, -2], [-1, 1, 2, 2]]
    q, v = [1, 2, -1, 3], [2, -1, 3, 1]
    whole = [[sp.Integer(x) for x in row] for row in (q, v, *keys)]
    return attention("attention cell, numbers", whole[0], whole[2:], whole[1])


LARGE: tuple[Callable[[], Case], ...] = (
    softmax_shift,
    rope_relative,
    attention_symbols,
    attention_numbers,
)

"""SymPy expressions in the plain grammar, in an order that a teacher would choose.

Factors: number, roots, constants, letters, functions, sums; what is in a denominator stands
below one stroke.  Terms: letters (highest degree first), functions, roots and constants,
numbers; where that would begin with a minus, the first positive term goes in front.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import sympy as sp

from derive.errors import DeriveError
from derive.text import show
from derive.text.tree import Binary, Call, Constant, Name, Negative, Number, Tree


class NotPlain(DeriveError):
    """The plain grammar has no form for an expression."""


def plain(expr: sp.Expr) -> str:
    """An expression as text that the parser reads back to the same value.

    >>> plain(sp.cos(2) / 2 + sp.Rational(3, 2) * sp.sin(2))
    'cos(2)/2 + 3*sin(2)/2'
    >>> plain(sp.exp(sp.sqrt(2)) / (1 + sp.E) - 1), plain(-sp.oo)
    ('exp(sqrt(2))/(e + 1) - 1', '-inf')
    """
    return show(tree(expr))


@lru_cache(maxsize=10_000)
def tree(expr: sp.Expr) -> Tree:
    """An expression as a tree of the plain grammar."""
    if isinstance(expr, sp.Rational):
        return _rational(expr)
    if expr in CONSTANTS:
        return CONSTANTS[expr]
    if isinstance(expr, sp.Symbol):
        return Name(expr.name)
    if isinstance(expr, sp.Add):
        return _sum(list(expr.args))
    if isinstance(expr, sp.Mul):
        return _product(expr)
    if isinstance(expr, sp.Pow):
        return _product(expr) if _below(expr) else _power(expr.base, expr.exp)
    if isinstance(expr, sp.exp):
        return Call("exp", (tree(expr.args[0]),))
    name = FUNCTIONS.get(type(expr).__name__)
    if name is None:
        raise NotPlain(f"no plain form for {type(expr).__name__}")
    parts = sorted(expr.args, key=_numbers_first) if name in ("max", "min") else expr.args
    return Call(name, tuple(map(tree, parts)))


CONSTANTS: dict[sp.Basic, Tree] = {
    sp.pi: Constant("pi"),
    sp.E: Constant("e"),
    sp.I: Constant("i"),
    sp.oo: Constant("inf"),
    -sp.oo: Negative(Constant("inf")),
}
FUNCTIONS = {
    **{x: x for x in "sin cos tan cot sec csc asin acos atan sinh cosh tanh asinh".split()},
    **{x: x for x in "acosh atanh erf sign".split()},
    "log": "ln", "Abs": "abs", "Max": "max", "Min": "min",
}  # fmt: skip


def _rational(x: sp.Rational) -> Tree:
    above: Tree = Number(abs(x.p))
    value = above if x.q == 1 else Binary("/", above, Number(x.q))
    return Negative(value) if x.p < 0 else value


def _power(base: sp.Expr, exponent: sp.Expr) -> Tree:
    """A power with an exponent that is not a negative number."""
    if exponent == 1:
        return tree(base)
    if base is sp.E:
        return Call("exp", (tree(exponent),))
    if isinstance(exponent, sp.Rational) and exponent.p == 1:
        if exponent.q <= 3:
            return Call("sqrt" if exponent.q == 2 else "cbrt", (tree(base),))
        return Call("root", (tree(base), Number(exponent.q)))
    return Binary("^", tree(base), tree(exponent))


def _below(x: sp.Expr) -> bool:
    """Does a factor belong below the stroke?"""
    return (
        isinstance(x, sp.Pow)
        and x.base is not sp.E
        and isinstance(x.exp, sp.Rational)
        and x.exp.p < 0
    )


def _product(expr: sp.Expr) -> Tree:
    number, factors = sp.Integer(1), []
    for factor in sp.Mul.make_args(expr):
        if isinstance(factor, sp.Rational):
            number = number * factor
        else:
            factors.append(factor)
    factors.sort(key=_factor_order)
    above = [tree(x) for x in factors if not _below(x)]
    below = [_power(x.base, -x.exp) for x in factors if _below(x)]
    if abs(number.p) != 1 or not above:
        above.insert(0, Number(abs(number.p)))
    if number.q != 1:
        below.insert(0, Number(number.q))
    value = _chain(above)
    if below:
        value = Binary("/", value, _chain(below))
    return Negative(value) if number.p < 0 else value


def _chain(factors: list[Tree]) -> Tree:
    value = factors[0]
    for x in factors[1:]:
        value = Binary("*", value, x)
    return value


def _sum(terms: list[sp.Expr]) -> Tree:
    parts = [tree(x) for x in sorted(terms, key=_order)]
    first = next((k for k, x in enumerate(parts) if not isinstance(x, Negative)), 0)
    parts.insert(0, parts.pop(first))
    value = parts[0]
    for x in parts[1:]:
        value = Binary("-", value, x.x) if isinstance(x, Negative) else Binary("+", value, x)
    return value


# orders: keys of our own, so that nothing depends on hashes


@lru_cache(maxsize=10_000)
def _order(term: sp.Expr) -> tuple[Any, ...]:
    factors = [x for x in sp.Mul.make_args(term) if not isinstance(x, sp.Rational)]
    if not factors:
        return (3, 0, _natural(show(_rational(term))))
    kind = 0 if term.free_symbols else min(2, *(_kind(x) for x in factors))
    text = show(_chain([_bare(x) for x in sorted(factors, key=_factor_order)]))
    return (kind, -_degree(factors), _natural(text), _natural(show(tree(term))))


def _bare(x: sp.Expr) -> Tree:
    return Binary("/", Number(1), _power(x.base, -x.exp)) if _below(x) else tree(x)


def _kind(x: sp.Expr) -> int:
    """1 for functions and exponentials, 2 for roots and constants."""
    base = x.base if isinstance(x, sp.Pow) else x
    return 2 if isinstance(base, sp.Rational) or base in CONSTANTS else 1


def _degree(factors: list[sp.Expr]) -> int:
    """The total degree in letters, as far as exponents are positive integers."""
    degree = 0
    for x in factors:
        base, n = (x.base, x.exp) if isinstance(x, sp.Pow) else (x, sp.Integer(1))
        if isinstance(base, sp.Symbol) and isinstance(n, sp.Integer):
            degree += n.p
    return degree


@lru_cache(maxsize=10_000)
def _factor_order(x: sp.Expr) -> tuple[Any, ...]:
    base = x.base if isinstance(x, sp.Pow) and x.base is not sp.E else x
    if isinstance(base, sp.Rational):
        rank = 0
    elif base in CONSTANTS and not isinstance(x, sp.exp):
        rank = 1
    elif isinstance(base, sp.Symbol):
        rank = 2
    else:
        rank = 4 if isinstance(base, sp.Add) else 3
    return (rank, _natural(show(_bare(x))))


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Texts in an order where 2 comes before 10."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part)
        for part in re.split(r"([0-9]{1,4000})", text)
    )


def _numbers_first(x: sp.Expr) -> tuple[Any, ...]:
    return (not isinstance(x, sp.Rational), _order(x))

"""Closed forms a reader can read: trigonometric products as sums, one fraction a denominator.

These are rewritings of SymPy expressions for print; the kernel proves every printed value
equal to its definition, so nothing here is trusted.
"""

from __future__ import annotations

import sympy as sp

HARMONICS = 64  # a longer trigonometric polynomial is left as it is

Harmonics = dict[sp.Expr, tuple[sp.Expr, sp.Expr]]  # angle -> coefficients of cos and sin


def size(expr: sp.Basic) -> int:
    """How many symbols a printed expression has, about: digits, names, operators.

    >>> size(sp.cos(2) / 2 + 10)
    9
    """
    if isinstance(expr, sp.Rational):
        digits = len(str(abs(expr.p)))
        return digits if expr.q == 1 else digits + len(str(expr.q)) + 1
    return 1 + sum(map(size, expr.args))


def tidy(expr: sp.Expr) -> sp.Expr:
    """The expression in its most readable equal form that these rules know.

    >>> tidy(sp.cos(2) * sp.cos(3) + sp.sin(2) * sp.sin(3))
    cos(1)
    """
    if expr.has(sp.sin, sp.cos):
        waves = _harmonics(expr)
        if waves is not None:
            expr = min(expr, _sum(waves), key=size)
    return _content(min(expr, _one_fraction(expr), key=size))


def _content(expr: sp.Expr) -> sp.Expr:
    """A common rational factor of a sum pulled out where a factor stands before it anyway.

    √2·(cos(2)/2 + 3·sin(2)/2)/2 -> √2·(cos(2) + 3·sin(2))/4
    """
    if not isinstance(expr, sp.Mul):
        return expr
    factors = []
    for factor in expr.args:
        if isinstance(factor, sp.Add):
            content, rest = factor.primitive()
            if all(term.could_extract_minus_sign() for term in rest.args):
                content, rest = -content, -rest
            factors += [content, rest]
        else:
            factors.append(factor)
    return sp.Mul(*factors)


ZERO, ONE = sp.Integer(0), sp.Integer(1)


def _harmonics(expr: sp.Expr) -> Harmonics | None:
    """A polynomial in sines and cosines as a sum of single ones; None if it is too long."""
    if isinstance(expr, sp.cos):
        return _wave({}, expr.args[0], ONE, ZERO)
    if isinstance(expr, sp.sin):
        return _wave({}, expr.args[0], ZERO, ONE)
    if isinstance(expr, sp.Add):
        return _added(list(map(_harmonics, expr.args)))
    if isinstance(expr, sp.Mul):
        return _multiplied(list(expr.args))
    if isinstance(expr, sp.Pow) and isinstance(expr.exp, sp.Integer) and 2 <= expr.exp.p <= 8:
        return _multiplied([expr.base] * expr.exp.p)
    return {ZERO: (expr, ZERO)}  # sines inside exponentials and roots stay there


def _added(parts: list[Harmonics | None]) -> Harmonics | None:
    total: Harmonics = {}
    for part in parts:
        if part is None:
            return None
        for angle, (c, s) in part.items():
            _wave(total, angle, c, s)
    return total if len(total) <= HARMONICS else None


def _multiplied(factors: list[sp.Expr]) -> Harmonics | None:
    product: Harmonics = {ZERO: (ONE, ZERO)}
    for part in map(_harmonics, factors):
        if part is None or len(part) * len(product) > HARMONICS:
            return None
        product = _times(product, part)
    return product


def _wave(into: Harmonics, angle: sp.Expr, cos: sp.Expr, sin: sp.Expr) -> Harmonics:
    """Add cos · cos(angle) + sin · sin(angle), the angle written without leading minus."""
    if angle.could_extract_minus_sign():
        angle, sin = -angle, -sin
    c, s = into.get(angle, (ZERO, ZERO))
    into[angle] = (c + cos, s + sin) if angle != 0 else (c + cos, ZERO)
    return into


def _times(left: Harmonics, right: Harmonics) -> Harmonics:
    """The product by cos a cos b = (cos(a-b) + cos(a+b))/2 and its sisters."""
    out: Harmonics = {}
    for a, (ca, sa) in left.items():
        for b, (cb, sb) in right.items():
            if a == 0 or b == 0:
                _wave(out, a + b, ca * cb, ca * sb if a == 0 else sa * cb)
                continue
            _wave(out, a - b, (ca * cb + sa * sb) / 2, (sa * cb - ca * sb) / 2)
            _wave(out, a + b, (ca * cb - sa * sb) / 2, (sa * cb + ca * sb) / 2)
    return out


def _sum(waves: Harmonics) -> sp.Expr:
    terms = []
    for angle, (c, s) in waves.items():
        terms += [sp.expand(c) * sp.cos(angle), sp.expand(s) * sp.sin(angle)]
    return sp.Add(*terms)


def _one_fraction(expr: sp.Expr) -> sp.Expr:
    """Terms with the same denominator as one fraction: a/D + b/D -> (a + b)/D."""
    if not isinstance(expr, sp.Add):
        return expr
    over: dict[sp.Expr, list[sp.Expr]] = {}
    for term in expr.args:
        below = [
            x
            for x in sp.Mul.make_args(term)
            if isinstance(x, sp.Pow) and isinstance(x.base, sp.Add) and x.exp == -1
        ]
        denominator = sp.Mul(*(x.base for x in below))
        above = sp.Mul(*(x for x in sp.Mul.make_args(term) if x not in below))
        over.setdefault(denominator, []).append(above)
    return sp.Add(*(sp.Add(*above) / below for below, above in over.items()))

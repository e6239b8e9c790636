"""Definitions by cases as sums of products of signs, since the plain grammar has no cases."""

from __future__ import annotations

import sympy as sp
from sympy.core.relational import Relational

from derive.exact.dag import UnsupportedFunction
from derive.exact.from_sympy import comparison

ONE, HALF = sp.Integer(1), sp.Rational(1, 2)


def without_cases(x: sp.Expr) -> sp.Expr:
    """A Piecewise or Heaviside with sign(…) instead, of the same value.

    >>> t = sp.Symbol("t", real=True)
    >>> without_cases(sp.Heaviside(t, sp.Rational(1, 2)))
    sign(t)/2 + 1/2
    """
    if isinstance(x, sp.Heaviside):
        cases = [(sp.Integer(0), _holds(x.args[0], (True, False, False)))]
        cases += [(x.args[1], _holds(x.args[0], (False, True, False))), (ONE, ONE)]
    else:
        cases = [(value, _indicator(condition)) for value, condition in x.args]
    if cases[-1][1] != 1:
        raise UnsupportedFunction("a Piecewise without a last case for everything else")
    if any(value in (sp.oo, -sp.oo) for value, _ in cases):
        raise UnsupportedFunction("a Piecewise with an infinite value")
    out, rest = sp.Integer(0), ONE
    for value, here in cases:
        out += value * _expanded(rest * here)
        rest = _expanded(rest * (1 - here))
    return out


def _expanded(x: sp.Expr) -> sp.Expr:
    """A polynomial in signs, multiplied out; the cube of a sign is the sign."""
    terms = []
    for term in sp.Add.make_args(sp.expand(x)):
        powers = [factor.as_base_exp() for factor in sp.Mul.make_args(term)]
        low = [b ** (2 - n % 2) if isinstance(b, sp.sign) and n > 2 else b**n for b, n in powers]
        terms.append(sp.Mul(*low))
    return sp.Add(*terms)


def _indicator(condition: sp.Basic) -> sp.Expr:
    """1 where the condition holds, 0 where it doesn't."""
    if condition in (sp.true, sp.false):
        return ONE if condition is sp.true else sp.Integer(0)
    if isinstance(condition, sp.Not):
        return 1 - _indicator(condition.args[0])
    if isinstance(condition, sp.ITE):
        test, yes, no = map(_indicator, condition.args)
        return _expanded(test * yes + (1 - test) * no)
    if isinstance(condition, sp.And):
        return _expanded(sp.Mul(*map(_indicator, condition.args)))
    if isinstance(condition, sp.Or):
        return 1 - _expanded(sp.Mul(*(1 - _indicator(part) for part in condition.args)))
    holds = comparison(condition)
    assert isinstance(condition, Relational)
    return _holds(condition.args[0] - condition.args[1], holds)


def _holds(x: sp.Expr, holds: tuple[bool, bool, bool]) -> sp.Expr:
    """1 where x is negative, zero, positive, as wished: a polynomial in its sign."""
    s = sp.sign(x, evaluate=False)
    negative, zero, positive = holds
    out = sp.Integer(int(zero))
    return out + (positive - negative) * s * HALF + (positive + negative - 2 * zero) * s**2 * HALF

"""Random SymPy expressions in the letters x, y, real everywhere, and points for them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from derive.exact.balls import Ball, Balls
from derive.exact.dag import Dag
from derive.exact.reading import evaluate
from derive.exact.symbolic import to_node
from derive.text import parse

x, y = (sp.Symbol(name, real=True) for name in "xy")
rationals = st.fractions(min_value=-9, max_value=9, max_denominator=9)
points = st.fixed_dictionaries({name: rationals for name in "xy"})
UNARY = (
    sp.exp, sp.sin, sp.cos, sp.atan, sp.tanh, sp.erf, sp.cosh, sp.asinh,
    lambda a: sp.Abs(a, evaluate=False),
    lambda a: sp.sign(a, evaluate=False),
    lambda a: sp.Max(0, a, evaluate=False),
    lambda a: sp.sqrt(a**2 + 1),
    lambda a: sp.log(a**2 + 2),
    lambda a: 1 / (a**2 + 1),
    lambda a: (a**2 + 2) ** sp.Rational(-2, 3),
    lambda a: sp.Heaviside(a, sp.Rational(1, 2)),
    lambda a: -a,
    lambda a: a**2,
    lambda a: sp.Mul(-1, a, evaluate=False),
)  # fmt: skip
BINARY = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / (b**2 + 1),
    lambda a, b: sp.Min(a, b, evaluate=False),
    lambda a, b: (a**2 + 1) ** b,
    lambda a, b: sp.Mul(a, b, evaluate=False),
    lambda a, b: sp.Add(a, b, evaluate=False),
    lambda a, b: sp.Piecewise(
        (a, sp.StrictLessThan(a, b, evaluate=False)), (b, True), evaluate=False
    ),
)


def _rational(q: Fraction) -> sp.Rational:
    return sp.Rational(q.numerator, q.denominator)


def _built(f: Callable[..., sp.Expr], *args: sp.Expr) -> sp.Expr:
    """f(args); the first argument where SymPy has an infinity or nan to compare."""
    try:
        return f(*args)
    except TypeError:
        return args[0]


leaves = st.one_of(
    rationals.map(_rational), st.sampled_from([x, y, sp.pi, sp.E, sp.sqrt(2), sp.cbrt(5)])
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(_built, st.sampled_from(UNARY), inner),
        st.builds(_built, st.sampled_from(BINARY), inner, inner),
    ),
    max_leaves=8,
)


def ball_of_expression(expr: sp.Expr, point: dict[str, Fraction]) -> Ball:
    """The value by way of the kernel's nodes."""
    with Balls(300, point) as f:
        return f.value(to_node(expr, Dag()))


def ball_of_text(text: str, point: dict[str, Fraction]) -> Ball:
    """The value of the text itself."""
    with Balls(300, point) as f:
        value: Ball = evaluate(parse(text), f)
        return value

"""Closed forms: signs are asked for, nothing huge is built; SymPy's trees as kernel nodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings

from derive.exact.amounts import TooLarge
from derive.exact.balls import Balls, disjoint
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.symbolic import (
    InexactNumber,
    Symbolic,
    UnknownKind,
    UnsupportedFunction,
    to_node,
)
from tests.exact.expressions import ball_of_expression, expressions, points

x, y = (sp.Symbol(name, real=True) for name in "xy")


# arithmetic


def test_letters_are_of_their_kind() -> None:
    f = Symbolic({"w": "positive", "n": "integer", "c": "nonzero", "d": "nonnegative"})
    assert f.symbol("v") == sp.Symbol("v", real=True)
    assert f.symbol("w").is_positive and f.symbol("n").is_integer
    assert f.symbol("c").is_nonzero and f.symbol("d").is_nonnegative
    with pytest.raises(UnknownKind, match="expected one of real, positive"):
        Symbolic({"w": "complex"}).symbol("w")


def test_values_are_plain_sympy() -> None:
    f = Symbolic()
    assert f.rational(2, 4) == sp.Rational(1, 2)
    assert f.sqrt(f.rational(8)) == 2 * sp.sqrt(2)
    assert f.exp(f.rational(1)) is f.e is sp.E
    assert f.cos(f.pi / 3) == sp.Rational(1, 2)
    assert f.atan(f.rational(1)) == sp.pi / 4
    assert f.asin(f.sqrt(f.rational(2)) / 2) == sp.pi / 4
    assert f.sigmoid(x) == 1 / (sp.exp(-x) + 1)
    assert f.log(f.exp(x + 1)) == x + 1
    assert f.power(x + 1, 2) * f.root(f.rational(-1), 2) == sp.I * (x + 1) ** 2


def test_inverse_functions_compare_nothing() -> None:
    f = Symbolic()
    assert f.asin(f.sin(f.rational(2))) == sp.asin(sp.sin(2), evaluate=False)
    assert f.log(f.cos(f.rational(2))) == sp.log(sp.cos(2), evaluate=False)
    assert f.log(f.exp(sp.acos(2))).func is sp.log


def test_masks() -> None:
    f = Symbolic()
    hidden = f.infinity(-1)
    assert hidden + x == hidden
    assert f.add(hidden, 1 / (x + 1)) == hidden
    assert f.exp(hidden) == 0
    assert f.exp(hidden + 1 / (x + 1)) == 0
    assert f.max(hidden, x, f.infinity(-1)) == x
    assert f.max(x, f.infinity(1)) == sp.oo
    assert f.min(hidden, x) == hidden


@pytest.mark.parametrize(
    "build",
    [
        lambda f: f.add(f.infinity(1), f.infinity(-1)),
        lambda f: f.mul(f.zero, f.infinity(1)),
        lambda f: f.power(f.zero, -1),
        lambda f: f.log(f.zero),
        lambda f: f.rational(1, 0),
        lambda f: f.tan(f.pi / 2),
        lambda f: f.sin(f.infinity(1)),
        lambda f: f.general_power(f.zero, x),
        lambda f: f.atan(f.i),
    ],
)
def test_undefined_values_are_not_built(build: Callable[[Symbolic], object]) -> None:
    with pytest.raises(UndefinedValue):
        build(Symbolic())


def test_signs_are_asked_for() -> None:
    asked: list[sp.Expr] = []

    def sign(expr: sp.Expr) -> int | None:
        asked.append(expr)
        return None if expr.free_symbols else -1  # whatever the truth is

    f = Symbolic(sign=sign)
    two = sp.exp(2)
    assert f.abs(two) == -two
    assert f.sign(two) == -1
    assert f.max(f.rational(0), two) == 0
    assert f.select(two, x, y, x + y) == x
    assert asked == [two] * 4
    assert f.max(x, y) == sp.Max(x, y, evaluate=False)
    assert isinstance(f.abs(x), sp.Abs) and isinstance(f.sign(x), sp.sign)
    assert isinstance(f.select(x, x, y, y), sp.Piecewise)
    assert f.select(x, y, y, y) == y


def test_what_shows_itself_is_not_asked() -> None:
    def sign(expr: sp.Expr) -> int | None:
        raise AssertionError(expr)

    f = Symbolic({"w": "positive"}, sign)
    w = f.symbol("w")
    assert f.max(x, x + 1, x - sp.Rational(1, 2)) == x + 1
    assert f.min(1, 2, sp.Rational(1, 2)) == sp.Rational(1, 2)
    assert f.abs(w) == f.max(f.rational(0), w) == w
    assert f.abs(f.rational(-2)) == 2 and f.sign(f.rational(0)) == 0


def test_the_kernel_knows_signs_of_numbers() -> None:
    f = Symbolic()
    tiny = f.cos(f.rational(1, 10**30)) - 1
    assert f.max(f.rational(0), tiny) == 0
    assert f.sign(tiny) == -1
    root = f.sqrt(f.rational(2)) + f.sqrt(f.rational(3)) - f.sqrt(5 + 2 * f.sqrt(f.rational(6)))
    assert f.abs(root) == 0
    assert (
        f.max(f.rational(1), x, f.sqrt(f.rational(2)), sp.Integer(-1)).args
        == sp.Max(sp.sqrt(2), x, evaluate=False).args
    )


def test_nothing_huge_is_built() -> None:
    f = Symbolic()
    nine = f.rational(9)
    builds: list[Callable[[], sp.Expr]] = [
        lambda: f.power(nine, 10**9),
        lambda: f.power(2 * x, 10**9),
        lambda: f.power(f.sqrt(f.rational(3)) * x, 10**9),
        lambda: f.exp(10**9 * f.log(nine)),
        lambda: f.root(f.rational(3**2000 + 1), 2),
        lambda: f.general_power(nine, sp.Rational(10**9, 7)),
    ]
    for build in builds:
        with pytest.raises(TooLarge):
            build()
    assert f.power(f.rational(-1), 10**40 + 1) == -1
    assert f.power(x, 10**40).exp == 10**40


# SymPy -> kernel


def same(expr: sp.Basic, build: Callable[[Dag, Node, Node], Node]) -> None:
    f = Dag()
    assert to_node(expr, f) == build(f, f.symbol("x"), f.symbol("y"))


@pytest.mark.parametrize(
    ("expr", "build"),
    [
        (sp.Rational(-2, 3), lambda f, x, y: f.rational(-2, 3)),
        (x + 2 * y - x, lambda f, x, y: 2 * y),
        (x**-2 * y, lambda f, x, y: y / x**2),
        (sp.sqrt(x), lambda f, x, y: f.sqrt(x)),
        (x ** sp.Rational(-2, 3), lambda f, x, y: f.root(x, 3) ** -2),
        (sp.exp(x) * sp.E, lambda f, x, y: f.exp(x) * f.e),
        (sp.Pow(sp.E, x, evaluate=False), lambda f, x, y: f.exp(x)),
        (sp.Pow(sp.E, 2, evaluate=False), lambda f, x, y: f.exp(f.rational(2))),
        (sp.E * x, lambda f, x, y: f.e * x),
        (x**y, lambda f, x, y: f.exp(y * f.log(x))),
        (2**x, lambda f, x, y: f.exp(x * f.log(f.rational(2)))),
        (sp.pi * sp.I, lambda f, x, y: f.pi * f.i),
        (sp.Add(-sp.oo, x, evaluate=False), lambda f, x, y: f.infinity(-1)),
        (sp.log(x), lambda f, x, y: f.log(x)),
        (sp.tan(x), lambda f, x, y: f.sin(x) / f.cos(x)),
        (sp.cot(x), lambda f, x, y: f.cos(x) / f.sin(x)),
        (sp.sec(x), lambda f, x, y: 1 / f.cos(x)),
        (sp.csc(x), lambda f, x, y: 1 / f.sin(x)),
        (sp.tanh(x), lambda f, x, y: f.tanh(x)),
        (sp.sinh(x) * sp.cosh(y), lambda f, x, y: f.sinh(x) * f.cosh(y)),
        (sp.asinh(x), lambda f, x, y: f.log(x + f.sqrt(x**2 + 1))),
        (sp.acosh(x), lambda f, x, y: f.log(x + f.sqrt(x - 1) * f.sqrt(x + 1))),
        (sp.atanh(x), lambda f, x, y: (f.log(x + 1) - f.log(1 - x)) / 2),
        (sp.asin(x) + sp.acos(x), lambda f, x, y: f.asin(x) + f.acos(x)),
        (sp.atan(x) * sp.erf(y), lambda f, x, y: f.atan(x) * f.erf(y)),
        (sp.Abs(x), lambda f, x, y: f.abs(x)),
        (sp.sign(x), lambda f, x, y: f.sign(x)),
        (sp.Max(0, x), lambda f, x, y: f.max(0, x)),
        (sp.Min(x, 0), lambda f, x, y: f.min(0, x)),
        (sp.Heaviside(x, y), lambda f, x, y: f.select(x, f.zero, y, f.one)),
        (sp.Heaviside(x), lambda f, x, y: f.select(x, f.zero, f.rational(1, 2), f.one)),
        (sp.UnevaluatedExpr(x) + 1, lambda f, x, y: x + 1),
        (sp.Mul(2, 3, x, evaluate=False), lambda f, x, y: 6 * x),
        (sp.Pow(4, sp.Rational(1, 2), evaluate=False), lambda f, x, y: f.rational(2)),
        (sp.Pow(0, 0, evaluate=False), lambda f, x, y: f.one),
        (sp.cos(sp.Integer(0), evaluate=False), lambda f, x, y: f.one),
        (sp.Indexed(sp.IndexedBase("s"), 2), lambda f, x, y: f.symbol("s[2]")),
        (sp.MatrixSymbol("M", 2, 2)[0, 1], lambda f, x, y: f.symbol("M[0,1]")),
    ],
)
def test_nodes(expr: sp.Expr, build: Callable[[Dag, Node, Node], Node]) -> None:
    same(expr, build)


def test_definitions_by_cases() -> None:
    def cases(condition: sp.Basic) -> sp.Expr:
        return sp.Piecewise((1, condition), (2, True), evaluate=False)

    less, more = (kind(x, y, evaluate=False) for kind in (sp.Lt, sp.Gt))
    same(cases(less), lambda f, x, y: f.select(x - y, f.one, f.rational(2), f.rational(2)))
    same(cases(sp.Ge(x, y)), lambda f, x, y: f.select(x - y, f.rational(2), f.one, f.one))
    same(cases(sp.Eq(x, y)), lambda f, x, y: f.select(x - y, *map(f.rational, (2, 1, 2))))
    same(cases(sp.Ne(x, y)), lambda f, x, y: f.select(x - y, *map(f.rational, (1, 2, 1))))
    same(cases(sp.Lt(x, x, evaluate=False)), lambda f, x, y: f.rational(2))
    same(cases(sp.true), lambda f, x, y: f.one)
    for point in ({"x": 1, "y": 2}, {"x": 2, "y": 1}, {"x": 0, "y": 0}, {"x": -1, "y": 0}):
        at = {name: Fraction(n) for name, n in point.items()}
        a, b, zero = point["x"] < point["y"], point["x"] > 0, point["x"] == 0
        for condition, holds in (
            (sp.And(less, x > 0), a and b),
            (sp.Or(more, sp.Eq(x, 0)), point["x"] > point["y"] or zero),
            (sp.Not(sp.And(less, x > 0), evaluate=False), not (a and b)),
            (sp.ITE(x > 0, less, sp.Eq(x, 0)), a if b else zero),
        ):
            assert ball_of_expression(cases(condition), at) == (1 if holds else 2)


@pytest.mark.parametrize(
    ("expr", "error", "words"),
    [
        (sp.Function("f")(x), UnsupportedFunction, "f"),
        (sp.gamma(x) + 1, UnsupportedFunction, "gamma"),
        (sp.besselj(0, x), UnsupportedFunction, "besselj"),
        (sp.EulerGamma, UnsupportedFunction, "EulerGamma"),
        (sp.Sum(x, (y, 0, 3)), UnsupportedFunction, "Sum"),
        (sp.Piecewise((1, x > 0)), UnsupportedFunction, "last case"),
        (sp.Float(1) * x, InexactNumber, "fraction"),
        (sp.zoo, UndefinedValue, "."),
        (sp.nan, UndefinedValue, "."),
        (sp.Pow(0, -1, evaluate=False), UndefinedValue, "."),
        (sp.sin(sp.oo), UndefinedValue, "."),
        (sp.Mul(0, sp.oo, evaluate=False), UndefinedValue, "."),
    ],
)
def test_what_has_no_node(expr: sp.Basic, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        to_node(expr, Dag())


def test_deep_and_shared_expressions() -> None:
    deep: sp.Expr = x
    for k in range(5_000):
        deep = sp.exp(deep, evaluate=False) if k % 2 else sp.Add(deep, 1, evaluate=False)
    shared: sp.Expr = x
    for _ in range(100):  # as a tree: 2^100 nodes
        shared = sp.Add(sp.exp(shared, evaluate=False), shared, evaluate=False)
    start = time.process_time_ns()
    assert to_node(deep, Dag()).op == "exp"
    f = Dag()
    to_node(shared, f)
    assert len(f.nodes) < 300
    assert time.process_time_ns() - start < 3_000_000_000


@settings(max_examples=60)
@given(expressions, points)
def test_nodes_have_the_value_that_sympy_evaluates(
    expr: sp.Expr, point: dict[str, Fraction]
) -> None:
    """Rational points put in by SymPy, then the node; or the node, then the point."""
    values = {sp.Symbol(k, real=True): sp.Rational(*q.as_integer_ratio()) for k, q in point.items()}
    try:
        before = ball_of_expression(expr.xreplace(values), {})
    except (UndefinedValue, TypeError):
        return  # what SymPy can't compare
    with Balls(300):
        assert not disjoint(before, ball_of_expression(expr, point))

"""Closed forms as text: what a teacher writes, in one order, and it reads back the same."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from sympy import E, I, Max, Min, Rational, cbrt, cos, exp, log, oo, pi, sin, sqrt

from derive.exact.amounts import TooLarge
from derive.exact.balls import Balls, disjoint
from derive.exact.dag import UndefinedValue
from derive.exact.plain import plain
from derive.exact.reading import evaluate
from derive.exact.symbolic import InexactNumber, Symbolic, UnsupportedFunction
from derive.text import parse, show
from tests.exact.expressions import ball_of_expression, ball_of_text, expressions, points, x, y

x2, x10, z = (sp.Symbol(name, real=True) for name in ("x2", "x10", "z"))
half = Rational(1, 2)

TEXTS = [
    # numbers
    (sp.Integer(0), "0"),
    (Rational(1, 3), "1/3"),
    (Rational(-1, 3), "-1/3"),
    (-oo, "-inf"),
    (oo, "inf"),
    (sqrt(2) / 2, "sqrt(2)/2"),
    (-3 * sqrt(2) / 2, "-3*sqrt(2)/2"),
    ((1 + sqrt(5)) / 2, "sqrt(5)/2 + 1/2"),
    (sqrt(10) - sqrt(2), "sqrt(10) - sqrt(2)"),
    (cbrt(2), "cbrt(2)"),
    (sp.root(2, 5), "root(2, 5)"),
    (cbrt(4), "2^(2/3)"),
    ((-1) ** Rational(1, 3), "(-1)^(1/3)"),
    (pi**2 / 6 + pi - 1, "pi^2/6 + pi - 1"),
    (2 * pi * I, "2*pi*i"),
    (1 + 2 * I, "1 + 2*i"),
    (half + sqrt(3) * I / 2, "1/2 + sqrt(3)*i/2"),
    # functions of numbers
    (sin(2) * 3 / 2 + cos(2) / 2, "cos(2)/2 + 3*sin(2)/2"),
    (sin(2) * 3 / 2 - cos(2) / 2, "3*sin(2)/2 - cos(2)/2"),
    (-sin(2) * 3 / 2 - cos(2) / 2, "-cos(2)/2 - 3*sin(2)/2"),
    (sqrt(2) * cos(2) / 4, "sqrt(2)*cos(2)/4"),
    (cos(10) + cos(2) + sin(1), "cos(2) + cos(10) + sin(1)"),
    (2 * cos(1) ** 2 * sin(1), "2*cos(1)^2*sin(1)"),
    (log(2) + log(3), "ln(2) + ln(3)"),
    (sp.erf(sqrt(2) / 2) / 2 + half, "erf(sqrt(2)/2)/2 + 1/2"),
    (sp.atan(2) + sp.tanh(half), "atan(2) + tanh(1/2)"),
    # exponentials
    (E, "e"),
    (exp(2), "exp(2)"),
    (exp(-half), "exp(-1/2)"),
    (exp(half) / (1 + exp(half)), "exp(1/2)/(exp(1/2) + 1)"),
    (1 / (1 + E + exp(2) + exp(-1)), "1/(exp(2) + e + exp(-1) + 1)"),
    (exp(10) + exp(2) + exp(Rational(21, 2)), "exp(21/2) + exp(10) + exp(2)"),
    (exp(half) - exp(2) + 1, "exp(1/2) - exp(2) + 1"),
    (exp(sqrt(2) / 2) * (1 + 2 * E) / 3, "exp(sqrt(2)/2)*(2*e + 1)/3"),
    (3 * E * x * sin(x) * exp(x), "3*e*x*exp(x)*sin(x)"),
    # letters
    (1 - x, "1 - x"),
    (-x - y, "-x - y"),
    (x**2 - 2 * x + 1, "x^2 - 2*x + 1"),
    (-(x**2) + x, "x - x^2"),
    (x10 * 3 + x2, "x2 + 3*x10"),
    (y**3 + x * y**2 + x**2 * y + x**3 + x * y * z, "x^3 + x^2*y + x*y^2 + x*y*z + y^3"),
    (exp(x) + x + 1, "x + exp(x) + 1"),
    (exp(2 * x) + exp(x) + exp(-x) + exp(y), "exp(2*x) + exp(x) + exp(-x) + exp(y)"),
    (1 / x, "1/x"),
    (3 / (2 * x * y**2), "3/(2*x*y^2)"),
    (x ** Rational(-3, 2), "1/x^(3/2)"),
    (1 / sqrt(x), "1/sqrt(x)"),
    (sqrt(2) * x / sqrt(x + 3), "sqrt(2)*x/sqrt(x + 3)"),
    ((x + y) / (x - y), "(x + y)/(x - y)"),
    (-x / (x - y), "-x/(x - y)"),
    (2**x, "2^x"),
    (2 ** (-x), "2^(-x)"),
    (half**x, "(1/2)^x"),
    ((x + 1) ** (y + 1), "(x + 1)^(y + 1)"),
    (x ** (2 * y), "x^(2*y)"),
    (sp.Pow(sp.Pow(x, y, evaluate=False), z, evaluate=False), "(x^y)^z"),
    (exp(-(x**2) / 2), "exp(-x^2/2)"),
    (x * exp(-x) / 2, "x*exp(-x)/2"),
    (Max(0, x), "max(0, x)"),
    (Min(y, x, -3), "min(-3, x, y)"),
    (sp.Abs(x - 1) * sp.sign(y), "abs(x - 1)*sign(y)"),
    (sp.Heaviside(x), "sign(x)/2 + 1/2"),
    (sp.Indexed(sp.IndexedBase("s"), 2) + 1, "s[2] + 1"),
    (sp.MatrixSymbol("M", 2, 2)[0, 1] * 2, "2*M[0,1]"),
    (sp.Symbol("b1.h0.A[2,0]", real=True) / 2, "b1.h0.A[2,0]/2"),
    # trees that SymPy did not evaluate
    (sp.Mul(-1, x + 1, evaluate=False), "-(x + 1)"),
    (sp.Add(y, sp.Mul(-2, x + 1, evaluate=False), evaluate=False), "y - 2*(x + 1)"),
    (sp.Mul(2, 3, x, evaluate=False), "6*x"),
    (sp.Pow(-x, 2, evaluate=False), "(-x)^2"),
    (sp.Pow(sp.Pow(x, 2), 3, evaluate=False), "(x^2)^3"),
    (sp.Pow(E, x, evaluate=False), "exp(x)"),
    (sp.Pow(x, 1, evaluate=False) * 2, "2*x"),
    (sp.UnevaluatedExpr(x + 1) * 2, "2*(x + 1)"),
    (sp.Add(x, -oo, evaluate=False), "x - inf"),
]


@pytest.mark.parametrize(("expr", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_texts(expr: sp.Expr, text: str) -> None:
    assert plain(expr) == text


@pytest.mark.parametrize("text", [text for _, text in TEXTS if "." not in text])
def test_texts_read_back_and_print_again(text: str) -> None:
    """What the parser's own printer makes of a text is that text, cells' spaces aside."""
    tree = parse(text)
    assert show(tree).replace("[0, 1]", "[0,1]") == text
    again = plain(evaluate(tree, Symbolic()))
    assert parse(again) == parse(plain(evaluate(parse(again), Symbolic())))


@settings(max_examples=120)
@given(expressions, points)
def test_texts_have_the_value_of_their_expression(
    expr: sp.Expr, point: dict[str, Fraction]
) -> None:
    try:
        text = plain(expr)
    except UndefinedValue:
        return
    if len(text) > 2000:
        return
    with Balls(300):
        value = ball_of_expression(expr, point)
        assert not disjoint(value, ball_of_text(text, point)), text
        closed = evaluate(parse(text), Symbolic())
        assert not disjoint(value, ball_of_expression(closed, point)), text
    assert show(parse(text)) == text


def test_definitions_by_cases_have_their_value_on_every_side() -> None:
    for relation in (sp.Lt, sp.Le, sp.Eq, sp.Ne, sp.Ge, sp.Gt):
        expr = sp.Piecewise(
            (x + 5, relation(x, y)),
            (7, sp.Or(x < 1, sp.Not(sp.And(x > 0, y > 0)))),
            (x * y, True),
            evaluate=False,
        )
        text = plain(expr)
        for point in ((-1, 0), (0, 0), (1, 0), (0, 1), (2, 1)):
            at = dict(zip("xy", map(Fraction, point), strict=True))
            assert ball_of_expression(expr, at) == ball_of_text(text, at)


def test_a_letter_may_have_the_name_of_a_constant() -> None:
    e, i, p = (sp.Symbol(name, real=True) for name in ("e", "i", "pi"))
    assert plain(e * E + i * I + p * pi) == "e*exp(1) + acos(-1)*pi + sqrt(-1)*i"
    text = plain(e + E)
    f = Symbolic()
    assert evaluate(parse(text, names=["e"]), f, {"e": f.rational(2)}) == E + 2


@pytest.mark.parametrize(
    ("expr", "error"),
    [
        (sp.gamma(x), UnsupportedFunction),
        (sp.Function("f")(x), UnsupportedFunction),
        (sp.EulerGamma + 1, UnsupportedFunction),
        (sp.Piecewise((1, x > 0)), UnsupportedFunction),
        (sp.Piecewise((oo, x > 0), (1, True)), UnsupportedFunction),
        (sp.Float(2) * x, InexactNumber),
        (sp.nan, UndefinedValue),
        (sp.zoo, UndefinedValue),
    ],
)
def test_what_has_no_text(expr: sp.Expr, error: type[Exception]) -> None:
    with pytest.raises(error):
        plain(expr)


def test_long_numbers() -> None:
    assert plain(sp.Integer(10) ** 9_000 + 7) == "1" + "0" * 8_999 + "7"
    assert plain(x**10**9_000) == "x^1" + "0" * 9_000


def test_deep_expressions() -> None:
    deep: sp.Expr = x
    for k in range(2_000):
        deep = sp.exp(deep, evaluate=False) if k % 2 else sp.Add(deep, 1, evaluate=False)
    start = time.process_time_ns()
    assert plain(deep).startswith("exp(exp(exp(")
    assert time.process_time_ns() - start < 3_000_000_000
    for _ in range(60):  # as a text: 2^60 times as long
        deep = sp.Add(sp.exp(deep, evaluate=False), deep, evaluate=False)
    with pytest.raises(TooLarge):
        plain(deep)


SEEDED = """
import sympy as sp
from derive.exact.plain import plain
a, b, c, d = (sp.Symbol(name, real=True) for name in "abcd")
print(plain(sp.Max(a, b, c, d) + sp.Min(a * b, c, d) + (a + b + c + d) ** 2 + sp.cos(a)))
print(plain(sp.Piecewise((a, sp.Or(a > d, b > d)), (c, True))))
"""


def test_the_order_does_not_depend_on_the_hash_seed() -> None:
    """Symbols hash by their names, which Python seeds anew in every process."""
    environment = {**os.environ, "PYTHONHASHSEED": "5"}
    run = subprocess.run(
        [sys.executable, "-c", SEEDED], capture_output=True, text=True, check=True, env=environment
    )
    first, second = run.stdout.splitlines()
    a, b, c, d = (sp.Symbol(name, real=True) for name in "abcd")
    assert first == plain(Max(a, b, c, d) + Min(a * b, c, d) + (a + b + c + d) ** 2 + cos(a))
    assert second == plain(sp.Piecewise((a, sp.Or(a > d, b > d)), (c, True)))
    assert first == "cos(a) + max(a, b, c, d) + min(a*b, c, d) + (a + b + c + d)^2"

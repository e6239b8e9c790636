"""Identities that need a rule of their own, each with a false neighbour."""

from __future__ import annotations

import pytest

from derive.answers.equality import equality
from tests.exact.replay import replay_where_written

Row = tuple[str, str, list[str]]

ROOTS: list[Row] = [  # of what isn't negative, or isn't positive
    ("sqrt(4*x^2)", "2*x", ["x >= 0"]),
    ("sqrt(x^2*y)", "x*sqrt(y)", ["x >= 0"]),
    ("sqrt(x^2*y)", "-x*sqrt(y)", ["x <= 0"]),
    ("cbrt(8*x^3)", "2*x", ["x >= 0"]),
    ("cbrt(x^3*y)", "x*cbrt(y)", ["x >= 0", "y >= 0"]),
    ("root(x^4, 4)", "-x", ["x <= 0"]),
    ("abs(x*y)", "x*abs(y)", ["x >= 0"]),
    ("sqrt((x-y)^2)", "y-x", ["x <= y"]),
    ("sqrt(x^2-2*x*y+y^2)", "y-x", ["x <= y"]),
    ("max(x, y)", "y", ["x <= y"]),
    ("abs(x-y)", "x-y", ["x >= y+1"]),
    ("sqrt(x*(x+1))", "sqrt(x)*sqrt(x+1)", ["x >= 0"]),
]
ROOTS += [  # numbers' roots that are written with functions
    ("sqrt(7*x^2+7)/sqrt(x^2+1)", "sqrt(7)", []),
    ("sqrt(2+y+9/2+2*sqrt((2+y)*9/2))", "sqrt(2+y)+sqrt(9/2)", ["y > 0"]),
]
GIVEN: list[Row] = [  # equations that are assumed
    ("x^2+a", "x^2+2*b", ["a = 2*b"]),
    ("exp(a)", "exp(b)^2", ["a = 2*b"]),
    ("exp(a)", "sin(b)", ["a = ln(c)", "c = sin(b)"]),
    ("x*y", "1", ["x = 1/y"]),
    ("sin(x)^2+y", "2-cos(x)^2", ["y = 1"]),
    ("x^2+y^2", "1-2*x*y", ["x+y = 1"]),
    ("x^4", "4", ["x^2 = 2"]),
    ("(a+b)^2", "a^2+b^2", ["a*b = 0"]),
    ("x^3+x", "8*x", ["x^2 = 7"]),
    ("abs(x)", "1", ["x = -1"]),
    ("abs(x-y)", "2*b", ["x = y+2*b", "b >= 0"]),
]
POWERS: list[Row] = [  # with integer exponents
    ("(x*y)^n", "x^n*y^n", ["n integer"]),
    ("(x/y)^n", "x^n/y^n", ["n integer"]),
    ("x^(n+m)", "x^n*x^m", ["n integer", "m integer"]),
    ("x^(n+1)", "x*x^n", ["n integer"]),
    ("(x^2)^n", "x^(2*n)", ["n integer", "x != 0"]),
    ("(x^n)^m", "x^(n*m)", ["n integer", "m integer", "x > 0"]),
    ("(-x)^(2*n)", "x^(2*n)", ["n integer"]),
    ("(-x)^n", "(-1)^n*x^n", ["n integer"]),
    ("cos(2*pi*n)", "1", ["n integer"]),
    ("sin(pi*n)", "0", ["n integer"]),
    ("(-1)^(2*n)", "1", ["n integer"]),
    ("cos(x+2*pi*n)", "cos(x)", ["n integer"]),
]
LOGARITHMS: list[Row] = [
    ("ln(sqrt(x))", "ln(x)/2", ["x > 0"]),
    ("ln(x*y)", "ln(x)+ln(y)", ["x > 0", "y > 0"]),
    ("ln(x^2)", "2*ln(abs(x))", []),
    ("ln(x^y)", "y*ln(x)", ["x > 0"]),
    ("ln(8+3*sqrt(7))", "2*ln((3+sqrt(7))/sqrt(2))", []),
    ("ln(7+4*sqrt(3))", "4*ln((1+sqrt(3))/sqrt(2))", []),
    ("logsumexp([x, y])", "logsumexp([x-max(x, y), y-max(x, y)])+max(x, y)", []),
]
CHOICES: list[Row] = [
    ("max(exp(x), exp(y))", "exp(max(x, y))", []),
    ("max(x, y)+min(x, y)", "x+y", []),
    ("max(x, y)*min(x, y)", "x*y", []),
    ("min(max(x, 0), 1)", "max(min(x, 1), 0)", []),
]
ACTIVATIONS: list[Row] = [
    ("gelu(x)-gelu(-x)", "x", []),
    ("silu(x)-silu(-x)", "x", []),
    ("tanh(x)", "2*sigmoid(2*x)-1", []),
    ("sigmoid(-x)", "1-sigmoid(x)", []),
    ("relu(x)-relu(-x)", "x", []),
]
ANGLES: list[Row] = [  # inverse functions, and signs of sines and cosines between their zeros
    ("asin(sin(x))", "x", ["-pi/2 <= x <= pi/2"]),
    ("asin(sin(x))", "x", ["-157/100 < x < 157/100"]),
    ("asin(sin(x))", "pi-x", ["pi/2 <= x <= 3*pi/2"]),
    ("acos(cos(x))", "x", ["0 <= x <= pi"]),
    ("acos(cos(x))", "-x", ["-1 < x < 0"]),
    ("atan(tan(x))", "x", ["-1 < x < 1"]),
    ("sqrt(1-sin(x)^2)", "cos(x)", ["-1 < x < 1"]),
    ("sqrt(1-sin(x)^2)", "-cos(x)", ["2 < x < 4"]),
    ("abs(sin(x))", "sin(x)", ["0 <= x <= pi"]),
    ("abs(sin(2*x))", "2*abs(sin(x))*abs(cos(x))", []),
    ("abs(sin(x+y)*sin(x-y))", "abs(sin(x)^2-sin(y)^2)", []),
    ("sqrt(1-cos(x))", "sqrt(2)*abs(sin(x/2))", []),
    ("atan(x)+atan(y)", "atan((x+y)/(1-x*y))", ["x*y < 1"]),
    ("atan(x)+atan(y)", "atan((x+y)/(1-x*y))", ["-1 < x < 1", "-1 < y < 1"]),
    ("atan(x)-atan(y)", "atan((x-y)/(1+x*y))", ["x*y > -1"]),
    ("cos(2*acos(x))", "2*x^2-1", []),
    ("cos(3*acos(x))", "4*x^3-3*x", []),
    ("sin(2*asin(x))", "2*x*sqrt(1-x^2)", []),
    ("exp(i*acos(x))", "x+i*sqrt(1-x^2)", []),
    ("sin(asin(x)/2)^2", "(1-sqrt(1-x^2))/2", []),
]
FALSE: list[Row] = [
    ("asin(sin(x))", "x", ["-1571/1000 < x < 1571/1000"]),
    ("acos(cos(x))", "x", ["-1/10^40 < x < 1"]),
    ("atan(tan(x))", "x", ["-2 < x < 2"]),
    ("sqrt(1-sin(x)^2)", "cos(x)", ["0 < x < 2"]),
    ("abs(sin(x))", "sin(x)", ["0 <= x <= pi+1/10^50"]),
    ("abs(sin(x))", "-sin(x)", ["0 <= x <= pi"]),
    ("atan(x)+atan(y)", "atan((x+y)/(1-x*y))", ["x*y < 2"]),
    ("atan(x)+atan(y)", "atan((x+y)/(1-x*y))", ["-1 < x < 1", "-2 < y < 1"]),
    ("cos(3*acos(x))", "4*x^3-3*x+10^(-60)*(abs(x)-x)", []),
    ("sin(asin(x)/2)", "sqrt((1-sqrt(1-x^2))/2)", []),
    ("sqrt(4*x^2)", "2*x", []),
    ("sqrt(x^2*y)", "x*sqrt(y)", ["y >= 0"]),
    ("cbrt(8*x^3)", "2*x", []),
    ("sqrt((x-y)^2)", "y-x", ["x <= y+1"]),
    ("abs(x-y)", "x-y", ["x >= y-1"]),
    ("exp(a)", "exp(b)^2", ["a = 2*b+1/10^60"]),
    ("x^4", "4", ["x^2 = -2", "y > 0"]),
    ("x^3", "2*y", ["x^2 = 2", "y^2 = 2"]),
    ("x", "y", ["x^2 = y^2"]),
    ("abs(x)", "-1", ["x = -1"]),
    ("(x^n)^m", "x^(n*m)", ["m integer", "x != 0"]),
    ("(x*y)^a", "x^a*y^a", []),
    ("(x^2)^a", "x^(2*a)", ["x != 0"]),
    ("(-x)^n", "x^n", ["n integer"]),
    ("cos(pi*n)", "1", ["n integer"]),
    ("cos(2*pi*n*x)", "1", ["n integer"]),
    ("cos(2*pi*n/3)", "1", ["n integer"]),
    ("(-1)^(n*m)", "(-1)^(n+m)", ["n integer", "m integer"]),
    ("ln(x*y)", "ln(x)+ln(y)", []),
    ("ln(x^2)", "2*ln(x)", []),
    ("ln(x^y)", "y*ln(x)", []),
    ("ln(8+3*sqrt(7))", "2*ln((3+sqrt(7))/sqrt(3))", []),
    ("sqrt(7*x^2+7)/sqrt(x^2+1)", "-sqrt(7)", []),
    ("max(exp(-x), exp(-y))", "exp(-max(x, y))", []),
    ("max(x, y)-min(x, y)", "x-y", []),
    ("gelu(x)+gelu(-x)", "x", []),
    ("tanh(x)", "2*sigmoid(x)-1", []),
]


@pytest.mark.parametrize(
    ("left", "right", "assume"),
    [*ROOTS, *GIVEN, *POWERS, *LOGARITHMS, *CHOICES, *ACTIVATIONS, *ANGLES],
)
def test_true(left: str, right: str, assume: list[str]) -> None:
    for a, b in ((left, right), (right, left)):
        found = equality(a, b, assume)
        assert found.verdict == "equal"
        replay_where_written(found.decisive)


@pytest.mark.parametrize(("left", "right", "assume"), FALSE)
def test_false(left: str, right: str, assume: list[str]) -> None:
    for a, b in ((left, right), (right, left)):
        found = equality(a, b, assume)
        assert found.verdict != "equal"
        replay_where_written(found.decisive)

"""Signs, comparisons and ties are exact."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag
from derive.exact.sign import argmax, compare, sign

f = Dag()
q, x, y = f.rational, f.symbol("x"), f.symbol("y")
two, three = f.sqrt(q(2)), f.sqrt(q(3))
tie = f.sqrt(5 + 2 * f.sqrt(q(6)))  # sqrt 2 + sqrt 3


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (q(0), 0),
        (q(-3, 7), -1),
        (two - 1, 1),
        (two + three - tie, 0),
        (two + three - tie - q(1, 10**500), -1),
        (f.cos(q(1, 10**200)) - 1, -1),
        (f.log(1 + q(1, 10**20)), 1),
        (-f.log(1 / (f.exp(q(-60)) + 1)), 1),
        (f.log(q(640320**3 + 744)) - f.pi * f.sqrt(q(163)), 1),
        (f.exp(q(-(10**12))), 1),
        (-f.exp(f.exp(q(50))), -1),
        (f.sin(f.one) ** 2 + f.cos(f.one) ** 2 - 1, 0),
        (f.exp(two + three) - f.exp(tie), 0),
        (1 / (f.exp(q(-(10**12))) + 1) - 1, -1),  # saturated: no number of bits shows it
        (f.tanh(q(10**12)) - 1, -1),
        (1 - 1 / (f.exp(-(10**9) * f.cos(f.one) ** 2) + 1), 1),
        (f.infinity(-1), -1),
        (f.infinity(), 1),
        (f.i, None),
        (f.i * f.sqrt(q(-2)), -1),
        (f.exp(f.i * f.pi / 5) + f.exp(-f.i * f.pi / 5) - 2 * f.cos(f.pi / 5), 0),
        (1 / (two + three - tie), None),
        (f.log(two + three - tie), None),
    ],
)
def test_signs_of_numbers(node, expected) -> None:
    assert sign(node) == expected
    if expected is not None:
        assert sign(-node) == -expected


def test_signs_of_functions() -> None:
    assert sign(f.exp(x) + 1) == 1
    assert sign(-(x**2) - 1) == -1
    assert sign(f.sin(x) ** 2 + f.cos(x) ** 2 - 1) == 0
    assert sign(x) is None and sign(x**2) is None
    assert sign(x, [Assumption(x, ">")]) == 1
    assert sign(f.exp(x) - f.exp(y), [Assumption(x - y, ">")]) == 1
    assert sign(x * y + 1, [Assumption(x, ">"), Assumption(y, ">=")]) == 1


def test_sympy_expressions_bring_their_assumptions() -> None:
    p, r = sympy.Symbol("p", positive=True), sympy.Symbol("r", real=True)
    assert sign(p) == 1 and sign(r) is None and sign(sympy.sqrt(2) - 1) == 1
    assert compare(p + 1, sympy.Integer(1)) == 1 and argmax([p, 2 * p, p + p]) == [1, 2]


def test_comparisons() -> None:
    assert compare(two, q(3, 2)) == -1 and compare(q(3, 2), two) == 1
    assert compare(tie, two + three) == 0
    assert compare(f.infinity(-1), q(-(10**30))) == -1 and compare(q(5), f.infinity(-1)) == 1
    assert compare(f.infinity(-1), f.infinity(-1)) == 0
    assert compare(f.infinity(-1), f.infinity()) == -1
    assert compare(f.i, f.one) is None


def test_argmax_returns_all_exact_ties() -> None:
    hidden = f.infinity(-1)
    assert argmax([two + three, q(1), tie, hidden]) == [0, 2]
    assert argmax([tie - q(1, 10**400), two + three]) == [1]
    assert argmax([hidden, hidden]) == [0, 1]
    assert argmax([hidden, q(-5)]) == [1]
    assert argmax([q(2), q(2), q(1)]) == [0, 1]
    assert argmax([]) == []
    assert argmax([two, f.i]) is None
    logits = [f.exp(f.cos(q(1))), f.exp(q(2)) / f.exp(2 - f.cos(q(1))), f.erf(two)]
    assert argmax(logits) == [0, 1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9)), min_size=1, max_size=6))
def test_argmax_of_roots_against_integers(pairs) -> None:
    """a sqrt(b) are compared like sign(a) a^2 b."""
    keys = [(1 if a > 0 else -1) * a * a * b for a, b in pairs]
    best = [k for k, key in enumerate(keys) if key == max(keys)]
    assert argmax([a * f.sqrt(q(b)) for a, b in pairs]) == best

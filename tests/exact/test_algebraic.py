"""Algebraic numbers: identities with radicals are proved, near misses refuted."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.exact.algebraic import (
    NotAlgebraicError,
    coprime_base,
    is_zero,
    separation,
    separation_bound,
    turn,
)
from derive.exact.balls import Balls
from derive.exact.dag import Dag, Node

f = Dag()
i, pi, q = f.i, f.pi, f.rational


def s(x: Node | int) -> Node:
    return f.sqrt(f.node(x))


def r(x: Node | int, n: int) -> Node:
    return f.root(f.node(x), n)


A, B = s(s(2) / 4 + q(1, 2)), s(q(1, 2) - s(2) / 4)
cardano = r(s(2) - 1, 3) - r(s(2) + 1, 3)
minus = r(-1, 4) ** 3
outer = s(17 + 3 * s(17) - s(34 - 2 * s(17)) - 2 * s(34 + 2 * s(17)))
golden = (s(5) + 1) / 2

IDENTITIES = {
    "reciprocal of a nested root": (1 / (s(1 + s(2)) - s(2) * s(1 + s(2))) + 1, 1 - s(1 + s(2))),
    "17 + 12 sqrt 2": (s(12 * s(2) + 17) * 3 + 2 * s(2) * s(12 * s(2) + 17), 12 * s(2) + 17),
    "negative radicand": (s(-8 - s(63)), i * (3 * s(2) + s(14)) / 2),
    "complex radicand": (s(-2 + 2 * s(3) * i), 1 + s(3) * i),
    "product of nested roots": (
        A,
        s(5) * B * s(s(2) / 20 + B * A / 5 + q(1, 10)) / s(s(2) / 4 - q(1, 2) + B * A),
    ),
    "Cardano": (cardano**3 + 3 * cardano, q(-2)),
    "sage 38586": (
        q(-1, 8224)
        * r(2, 4)
        * (
            r(2, 4) ** 3 * (64 * minus - 7)
            + 17 * i * r(2, 4) * (minus - 4)
            - minus * s(193 * s(2) + 240 * i)
            + 16 * i * r(2, 4) ** 3
            + 60 * r(2, 4)
        ),
        q(1, 514),
    ),
    "Ramanujan, cube roots": (
        r(r(2, 3) - 1, 3),
        r(q(1, 9), 3) - r(q(2, 9), 3) + r(q(4, 9), 3),
    ),
    "Ramanujan, square root": (3 * s(r(5, 3) - r(4, 3)), r(2, 3) + r(20, 3) - r(25, 3)),
    "Ramanujan, sixth root": (r(7 * r(20, 3) - 19, 6), r(q(5, 3), 3) - r(q(2, 3), 3)),
    "Ramanujan, fourth root": (
        r((3 + 2 * r(5, 4)) / (3 - 2 * r(5, 4)), 4),
        (r(5, 4) + 1) / (r(5, 4) - 1),
    ),
    "Shanks": (
        s(5) + s(22 + 2 * s(5)),
        s(11 + 2 * s(29)) + s(16 - 2 * s(29) + 2 * s(55 - 10 * s(29))),
    ),
    "Gauss, 17 sides": (16 * f.cos(2 * pi / 17), s(17) - 1 + s(34 - 2 * s(17)) + 2 * outer),
    "product of cosines": (f.cos(pi / 7) * f.cos(2 * pi / 7) * f.cos(3 * pi / 7), q(1, 8)),
    "sum of cosines": (f.cos(pi / 7) - f.cos(2 * pi / 7) + f.cos(3 * pi / 7), q(1, 2)),
    "pentagon": (f.sin(pi / 5), s(10 - 2 * s(5)) / 4),
    "sixth root of unity": (f.exp(pi * i / 3), (1 + s(3) * i) / 2),
    "casus irreducibilis": (r(4 + 4 * s(3) * i, 3) + r(4 - 4 * s(3) * i, 3), 4 * f.cos(pi / 9)),
    "Pisot": ((1 + s(2)) ** 300, 1 / (s(2) - 1) ** 300),
    "golden": (golden**40, 102334155 * golden + 63245986),
    "tie in max": (f.max(s(2) + s(3), s(5 + 2 * s(6))), s(2) + s(3)),
    "absolute value": (f.abs(s(2) - s(3)), s(3) - s(2)),
    "a cut that rounding hides": (s(2 * r(-1, 3) ** 3), i * s(2)),
    "a real in complex clothes": (s(4 * f.exp(pi * i / 3) * f.exp(pi * i * q(2, 3))), 2 * i),
    "root of an exact zero": (s(s(2) + s(3) - s(5 + 2 * s(6))), q(0)),
    "high index": (r(2, 200) ** 200, q(2)),
    "Viete": (s(2 + s(2 + s(2 + s(2)))), 2 * f.cos(pi / 32)),
    "cubes": (r(26 + 15 * s(3), 3) - r(26 - 15 * s(3), 3), 2 * s(3)),
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities(name) -> None:
    a, b = IDENTITIES[name]
    assert is_zero(a - b) is True
    assert is_zero(b - a) is True


@pytest.mark.parametrize("name", IDENTITIES)
def test_near_misses_of_the_identities(name) -> None:
    a, b = IDENTITIES[name]
    assert is_zero(a - b - q(1, 10**90)) is False


def test_the_evidence_can_be_repeated() -> None:
    a, b = IDENTITIES["Shanks"]
    found = separation(a - b)
    assert found.zero
    value = Balls(found.bits).value(a - b)
    assert value.abs_upper() < arb(1) / arb(2) ** found.bound
    assert found.bound == separation_bound(a - b)


def test_pisot_with_a_small_addition() -> None:
    a = (1 + s(2)) ** 600 + (1 - s(2)) ** 600 + q(1, 10**240)
    assert is_zero(a - (1 + s(2)) ** 600 - (s(2) - 1) ** 600) is False


def test_sums_of_square_roots_that_nearly_agree() -> None:
    near = s(10) + s(11) - s(5) - s(18)  # about 1.6e-4, and closer ones below
    assert is_zero(near) is False
    assert is_zero(s(10**20 + 1) - 10**10 - q(1, 2 * 10**10)) is False
    assert is_zero(s(25) - 5) is True


@pytest.mark.parametrize(
    "node",
    [
        pi - 3,
        f.exp(f.one),
        f.sin(f.one) ** 2 + f.cos(f.one) ** 2 - 1,
        f.log(q(2)),
        f.symbol("x") - 1,
        f.infinity(-1),
        1 / (s(2) + s(3) - s(5 + 2 * s(6))),
        s(2) ** (10**9) - 1,
        r(2, 10**9) - 1,
    ],
)
def test_out_of_reach_is_none(node) -> None:
    assert is_zero(node) is None


def test_a_tower_of_high_degree_ends_at_once() -> None:
    x = q(3)
    for _ in range(40):
        x = s(x + 1) * s(x + 2)
    with pytest.raises(NotAlgebraicError, match="degree"):
        separation_bound(x)
    many = f.zero
    for k in range(300):
        many = f.max(many, s(k + 2))
    assert is_zero(many - s(301)) is True  # every comparison is exact


small = st.integers(1, 30)


@settings(max_examples=60, deadline=None)
@given(small, small, small, small)
def test_squares_denest(a, b, c, d) -> None:
    x, y = a * s(b), c * s(d)
    whole = a * a * b + c * c * d
    assert is_zero(s(whole + 2 * x * y) - (x + y)) is True
    assert is_zero(s(whole - 2 * x * y) - f.abs(x - y)) is True
    assert is_zero(s(whole + 2 * x * y) - (x + y) - q(1, 7**60)) is False


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), small), min_size=1, max_size=5))
def test_sums_of_square_roots_against_integers(terms) -> None:
    """Sum of a sqrt(b) is 0 exactly when the square-free parts cancel."""
    total = f.add(*(a * s(b) for a, b in terms))
    parts: dict[int, int] = {}
    for a, b in terms:
        square = max(k for k in range(1, isqrt(b) + 1) if b % (k * k) == 0)
        parts[b // square**2] = parts.get(b // square**2, 0) + a * square
    assert is_zero(total) is (not any(parts.values()))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(2, 40), st.integers(-3, 3))
def test_cosines_at_rational_turns(p, n, k) -> None:
    x = pi * q(p, n)
    assert is_zero(f.cos(x) ** 2 + f.sin(x) ** 2 - 1) is True
    assert is_zero(f.cos(x + k * pi) - (-1 if k % 2 else 1) * f.cos(x)) is True
    assert is_zero(f.exp(i * x) - f.cos(x) - i * f.sin(x)) is True


@settings(max_examples=30, deadline=None)
@given(
    st.sets(st.fractions(min_value=Fraction(1, 60), max_value=60, max_denominator=60), max_size=6)
)
def test_coprime_base(numbers) -> None:
    base = coprime_base(numbers)
    for x in numbers:
        for z in (x.numerator, x.denominator):
            for b in base:
                while z % b == 0:
                    z //= b
            assert z == 1


def test_turns() -> None:
    assert turn(pi * q(3, 4), imaginary=False) == Fraction(3, 4)
    assert turn(-i * pi, imaginary=True) == -1
    assert turn(i * pi, imaginary=False) is None and turn(pi * pi, imaginary=False) is None
    assert turn(f.one, imaginary=False) is None and turn(pi + 1, imaginary=False) is None

"""Refutation: the points satisfy the assumptions, and a witness really is a proof."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.exact.assumptions import Assumption
from derive.exact.balls import Balls, disjoint
from derive.exact.dag import Dag, Node
from derive.exact.points import exact, holds, points
from derive.exact.refute import Witness, refute

f = Dag()
x, y, z, m, n = map(f.symbol, "xyzmn")


def assume(*pairs: tuple[Node, str]) -> list[Assumption]:
    return [Assumption(node, relation) for node, relation in pairs]


def replay(a: Node, b: Node, witness: Witness | None) -> bool:
    """The independent part: the sides once more at the point, disjoint again."""
    assert witness is not None
    balls = Balls(witness.bits, dict(witness.point))
    return disjoint(balls.value(a), balls.value(b))


SYSTEMS = {
    "free": [],
    "positive": [(x, ">")],
    "not negative": [(x, ">="), (y, "!=")],
    "open interval": [(x + 1, ">"), (1 - x, ">")],
    "narrow interval": [(x + 1, ">"), (f.rational(-999_999, 1_000_000) - x, ">")],
    "closed interval": [(x - 3, ">="), (4 - x, ">=")],
    "a single point": [(x - 3, ">="), (3 - x, ">=")],
    "order": [(m, ">="), (n - m, ">="), (m, "integer"), (n, "integer")],
    "chain": [(x, ">"), (y - x, ">"), (z - y, ">"), (1 - z, ">")],
    "cosine": [(f.cos(8 * x), ">")],
    "circle": [(x**2 + y**2 - 1, "=")],
    "simplex": [(x + y + z - 1, "="), (x, ">"), (y, ">"), (z, ">")],
    "product": [(x * y - 1, ">")],
    "root": [(f.sqrt(x) - y, ">"), (y, ">")],
    "even": [(x / 2, "integer"), (x, ">")],
    "integers in an interval": [(x, "integer"), (x - 2, ">"), (5 - x, ">")],
    "order of exponentials": [(f.exp(x) - f.exp(y), ">"), (x, ">")],
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_points_satisfy_what_is_assumed(name) -> None:
    assumed = assume(*SYSTEMS[name])
    found = list(points(["x", "y"], assumed, 6))
    assert found and all(holds(a, p) for a in assumed for p in found)
    assert found == list(points(["x", "y"], assumed, 6)), "not deterministic"


def test_points_are_many_sided() -> None:
    found = list(points(["x", "y"], [], 16))
    values = [p["x"] for p in found]
    assert min(values) < 0 < max(values) and 0 in values
    assert any(0 < abs(v) < Fraction(1, 40) for v in values) and any(v > 10 for v in values)
    assert any(0 < abs(p["x"] - p["y"]) < Fraction(1, 20) for p in found)
    assert {(p["x"] > 0, p["y"] > 0) for p in found} >= {(True, False), (False, True)}


def test_contradictions_give_no_points() -> None:
    assert list(points(["x"], assume((x, ">"), (-x, ">")))) == []
    assert list(points(["x"], assume((x, ">"), (1 - x, ">"), (x, "integer")))) == []
    assert refute(x, x + 1, assume((x**2 + 1, "="))) is None


@given(st.integers(-20, 20), st.fractions(min_value=-5, max_value=5, max_denominator=30))
@settings(max_examples=60, deadline=None)
def test_linear_bounds_are_solved(k, bound) -> None:
    limit = f.rational(bound.numerator, bound.denominator)
    wanted = assume((x - limit - k, ">"), (limit + k + 1 - x, ">="))
    found = list(points(["x"], wanted, 4))
    assert len(found) >= 3 and all(bound + k < p["x"] <= bound + k + 1 for p in found)


def test_exact_values() -> None:
    point = {"x": Fraction(1, 3), "y": Fraction(2)}
    assert exact((x + y) ** -2 * 3 - 1, point) == Fraction(-22, 49)
    assert exact(f.sqrt(x), point) is None and exact(1 / (y - 2), point) is None


DIFFERENT = {
    "wrong sign of a root": (f.sqrt(x**2), x, []),
    "RMS scale without a sign": (
        z * x / f.sqrt((z * x) ** 2 + (z * y) ** 2),
        x / f.sqrt(x**2 + y**2),
        [],
    ),
    "maximum that needs z": (f.max(x, y, z), f.max(x, y), []),
    "maximum of many": (f.max(*map(f.symbol, "abcdefgh")), f.max(*map(f.symbol, "abcdefg")), []),
    "tiny": (x, x + f.rational(1, 10**60), []),
    "between bounds": (f.abs(x), x, [(x + 1, ">"), (f.rational(1, 10) - x, ">")]),
    "integers": (f.cos(f.pi * n), f.one, [(n, "integer")]),
    "order": (f.abs(n - m), m - n, [(m, ">="), (n - m, ">")]),
    "logarithm of a product": (f.log(x * y), f.log(x) + f.log(y), []),
    "leaky": (f.max(x, f.zero), f.max(x, x / 1000), []),
    "at zero": (f.select(x, f.one, f.zero, f.one), f.one, []),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_of_functions_are_found(name) -> None:
    a, b, assumed = DIFFERENT[name]
    assumptions = assume(*assumed)
    witness = refute(a, b, assumptions)
    assert replay(a, b, witness)
    assert all(holds(one, dict(witness.point)) for one in assumptions)
    assert replay(b, a, refute(b, a, assumptions))


CONSTANTS = {
    "cosine of 1e-200": (f.cos(f.rational(1, 10**200)), f.one),
    "Heegner": (f.log(f.rational(640320**3 + 744)), f.pi * f.sqrt(f.rational(163))),
    "Kahan": (f.cos(f.rational(6381956970095103 * 2**797)), f.zero),
    "GELU saturated": (25 * (f.erf(50 / f.sqrt(f.rational(2))) + 1), f.rational(50)),
    "sign of an imaginary root": (f.sqrt(f.rational(-2)), -f.i * f.sqrt(f.rational(2))),
    "confident token": (f.log(1 / (f.exp(f.rational(-60)) + 1)), f.zero),
    "minus infinity": (f.infinity(-1), f.rational(-(10**9))),
    "both infinities": (f.infinity(-1), f.infinity()),
    "huge": (f.exp(f.rational(10**12)), f.exp(f.rational(10**12 + 1))),
    "angle": (f.acos(f.rational(7823207, 7823209)), f.zero),
    "symengine": (f.i * f.exp(f.i * f.pi / -4), f.i),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_differences_of_numbers_are_found(name) -> None:
    a, b = CONSTANTS[name]
    witness = refute(a, b, bits_cap=1 << 14)
    assert replay(a, b, witness) and witness.point == ()


EQUAL = {
    "square": ((x + y) ** 2, x**2 + 2 * x * y + y**2, []),
    "softmax": (f.exp(x) / (f.exp(x) + f.exp(y)), 1 / (f.exp(y - x) + 1), []),
    "root": (f.sqrt(x**2), x, [(x, ">=")]),
    "absolute value": (f.sqrt(x**2), f.abs(x), []),
    "maximum": (f.max(x, y), (x + y + f.abs(x - y)) / 2, []),
    "integers": (f.cos(2 * f.pi * n), f.one, [(n, "integer")]),
    "logarithm": (f.log(x * y), f.log(x) + f.log(y), [(x, ">"), (y, ">")]),
    "circle": (x**2 + y**2, f.one, [(x**2 + y**2 - 1, "=")]),
    "where both are defined": (x / x, f.one, []),
    "numbers": (
        f.sqrt(5 + 2 * f.sqrt(f.rational(6))),
        f.sqrt(f.rational(2)) + f.sqrt(f.rational(3)),
        [],
    ),
    "undefined everywhere": (f.log(x - x * f.one + (f.sin(x) ** 2 + f.cos(x) ** 2 - 1)), f.one, []),
    "infinity": (f.infinity(-1), f.infinity(-1), []),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_things_are_never_refuted(name) -> None:
    a, b, assumed = EQUAL[name]
    assert refute(a, b, assume(*assumed), bits_cap=2048) is None


def test_the_box_is_exact_text_and_disjoint() -> None:
    witness = refute(f.sqrt(f.rational(2)), f.rational(3, 2))
    (low, high), (low2, high2) = witness.left[0], witness.right[0]

    def value(end: str) -> Fraction:
        mantissa, exponent = end.split("*2^")
        return int(mantissa) * Fraction(2) ** int(exponent)

    assert value(low) ** 2 < 2 < value(high) ** 2 < value(low2) ** 2
    assert value(low2) == value(high2) == Fraction(3, 2)
    assert refute(f.infinity(-1), f.zero).left == (("-inf", "-inf"),)
    assert len(refute(f.sqrt(f.rational(-2)), f.one).left) == 2

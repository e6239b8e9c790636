"""Decimals: correctly rounded, ties decided exactly, nothing through rounded numbers."""

from __future__ import annotations

import decimal
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.exact.dag import Dag, Node
from derive.exact.digits import digits, digits_of, enclosure, places, places_of
from derive.exact.rounding import (
    Rounded,
    decimal_text,
    fixed,
    integer_text,
    round_enclosure,
    rounded_digits,
    rounded_places,
)

f = Dag()
q = f.rational


def s(n: int) -> Node:
    return f.sqrt(q(n))


# zeros that no number of digits can recognise
radical = s(2) + s(3) - f.sqrt(5 + 2 * s(6))
angle = f.cos(f.one) - f.cos(q(2)) * f.cos(f.one) - f.sin(q(2)) * f.sin(f.one)
power = f.exp(s(2)) * f.exp(-s(2)) - 1
softmax = (
    f.exp(s(2)) / (f.exp(s(2)) + f.exp(f.cos(f.one))) + 1 / (f.exp(s(2) - f.cos(f.one)) + 1) - 1
)
zeros = pytest.mark.parametrize(
    "zero", [radical, angle, power, softmax], ids=["radical", "angle", "power", "softmax"]
)


@pytest.mark.parametrize(
    ("node", "n", "text"),
    [
        (s(2), 5, "1.4142"),
        (-s(2), 1, "-1"),
        (q(1), 5, "1"),
        (q(1, 2), 5, "0.5"),
        (q(-1, 4), 5, "-0.25"),
        (q(1, 3), 4, "0.3333"),
        (q(2, 3), 4, "0.6667"),
        (q(0), 5, "0"),
        (s(2) ** 2 / 16, 2, "0.12"),  # an exact tie: 0.125
        (q(3, 8), 2, "0.38"),
        (q(-3, 8), 2, "-0.38"),
        (q(25, 2), 2, "12"),
        (q(35, 2), 2, "18"),
        (q(123456), 3, "123000"),
        (q(1235), 3, "1240"),
        (q(1245), 3, "1240"),
        (q(9999), 3, "10000"),
        (q(99951, 1000), 3, "100"),
        (q(999, 1000), 2, "1.0"),
        (q(1000), 2, "1000"),
        (s(99999998), 4, "10000"),
        (f.pi * 10**20, 5, "3.1416e20"),
        (q(10**15), 9, "1e15"),
        (q(10**14), 9, "100000000000000"),
        (q(15, 10**8), 5, "1.5e-7"),
        (q(1, 10**6), 5, "0.000001"),
        (f.pi / 10**6, 3, "0.00000314"),
        (f.pi / 10**7, 3, "3.14e-7"),
        (f.infinity(-1), 4, "-inf"),
        (f.infinity(), 4, "inf"),
        (f.exp(q(10**12)), 10, "1.785778752e434294481903"),
        (f.exp(q(-(10**12))), 10, "5.599797842e-434294481904"),
        (f.cos(q(6381956970095103 * 2**797)), 20, "-4.6871659242546276111e-19"),
        (1 - f.cos(q(1, 10**200)), 8, "5.0000000e-401"),
        (f.log(q(640320**3 + 744)) - f.pi * s(163), 3, "2.86e-30"),
        (f.sqrt(q(-2)) * f.i, 5, "-1.4142"),
        (f.root(q(-1), 3) ** 3, 5, "-1"),
        (f.exp(f.i * f.pi / 3) + f.exp(-f.i * f.pi / 3), 5, "1"),
    ],
)
def test_significant_digits(node, n, text) -> None:
    assert digits(node, n) == text


@zeros
def test_exact_zero(zero) -> None:
    assert digits(zero, 12) == "0"
    assert places(zero, 3) == "0.000"
    assert enclosure(zero) == (0, 0)


@zeros
@pytest.mark.parametrize(
    ("base", "n", "text"),
    [
        (q(1), 6, "1"),
        (q(1, 8), 2, "0.12"),  # ties through a cancellation
        (q(3, 8), 2, "0.38"),
        (q(-3, 8), 2, "-0.38"),
        (q(1, 8), 3, "0.125"),
        (q(1999, 2), 3, "1000"),
        (q(999499999, 10**6), 3, "999"),
        (q(1000), 3, "1000"),
        (q(10), 1, "10"),
        (q(5 * 10**20 + 5), 20, "5.0000000000000000000e20"),
    ],
)
def test_exact_values_on_a_boundary(zero, base, n, text) -> None:
    assert digits(base + zero, n) == text


@zeros
def test_values_next_to_a_boundary(zero) -> None:
    tiny = q(1, 10**300)
    assert digits(q(1, 8) + zero + tiny, 2) == "0.13"
    assert digits(q(3, 8) + zero - tiny, 2) == "0.37"
    assert digits(1 + zero - tiny, 5) == "1.0000"
    assert digits(10 + zero - tiny, 3) == "10.0"
    assert digits(zero - tiny, 3) == "-1e-300"
    assert places(zero + q(1, 200) + tiny, 2) == "0.01"


@pytest.mark.parametrize(
    ("node", "dp", "text"),
    [
        (s(2), 3, "1.414"),
        (q(1, 2), 3, "0.500"),
        (q(-1, 10000), 2, "0.00"),
        (q(1, 200), 2, "0.00"),
        (q(3, 200), 2, "0.02"),
        (q(-3, 200), 2, "-0.02"),
        (q(12345), -2, "12300"),
        (q(50), -2, "0"),
        (q(7, 2), 0, "4"),
        (f.exp(q(-(10**12))), 3, "0.000"),
        (f.infinity(-1), 3, "-inf"),
        (f.exp(q(10**12)), 3, None),
    ],
)
def test_decimal_places(node, dp, text) -> None:
    assert places(node, dp) == text


def test_what_has_no_decimal() -> None:
    assert digits(f.sqrt(q(-2)), 5) is None
    assert digits(f.log(radical), 5) is None
    assert digits(f.exp(f.exp(f.exp(q(100)))), 5) is None
    assert enclosure(f.exp(q(10**12))) is None
    with pytest.raises(ValueError, match="contains x, y"):
        digits(f.symbol("x") + f.symbol("y"), 5)
    with pytest.raises(ValueError, match="0 significant"):
        digits(s(2), 0)


def test_without_an_answer_to_equality_nothing_is_guessed() -> None:
    def eighth(bits: int) -> arb:
        return arb(1) / 8 + arb(0, arb(2) ** -bits)

    assert digits_of(eighth, lambda _: None, 2) is None  # the tie
    assert digits_of(eighth, lambda _: None, 4) == "0.1250"  # right, but not known to be exact
    assert digits_of(eighth, lambda _: True, 4) == "0.125"
    assert digits_of(lambda bits: arb(0, arb(2) ** -bits), lambda _: None, 4) is None
    assert places_of(lambda bits: arb(0, arb(2) ** -bits), lambda _: None, 4) == "0.0000"


def test_equality_is_asked_only_when_bits_do_not_help() -> None:
    asked: list[Fraction] = []

    def equals(x: Fraction) -> bool:
        asked.append(x)
        return False

    assert digits_of(lambda bits: arb(2).sqrt(), equals, 30) == "1.41421356237309504880168872421"
    assert digits_of(lambda bits: arb(1) / 8 + arb(2) ** -60, equals, 2) == "0.13"
    assert not asked
    assert digits_of(lambda bits: arb(1) / 8 + arb(2) ** -900, equals, 2) == "0.13"
    assert asked == [Fraction(1, 8)]


def test_ties_and_exactness_are_reported() -> None:
    def half(bits: int) -> arb:
        return arb(5) / 2

    tie = rounded_places(half, lambda x: x == Fraction(5, 2), 0)
    assert tie == Rounded(2, 0, tie=True) and tie.value == 2
    exact = rounded_digits(half, lambda x: x == Fraction(5, 2), 4)
    assert exact.exact and exact.value == Fraction(5, 2) and decimal_text(exact) == "2.5"
    assert rounded_places(half, lambda x: False, -1).value == 0


@settings(max_examples=100, deadline=None)
@given(
    st.fractions(max_denominator=10**6).filter(bool),
    st.integers(1, 30),
    st.integers(-40, 40),
)
def test_rationals_against_the_decimal_module(x, n, shift) -> None:
    x *= Fraction(10) ** shift
    text = digits(q(x.numerator, x.denominator), n)
    with decimal.localcontext(prec=n, rounding=decimal.ROUND_HALF_EVEN):
        expected = decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)
        assert decimal.Decimal(text) == expected
    if Fraction(text) == x:
        assert len(text.strip("-").replace(".", "").split("e")[0].strip("0")) <= n
        assert not ("." in text and text.split("e")[0].endswith("0")), "padded"
    else:
        assert len(text.split("e")[0].strip("-").replace(".", "").lstrip("0")) >= n


@settings(max_examples=60, deadline=None)
@given(st.fractions(min_value=-30, max_value=30, max_denominator=50), st.integers(1, 60))
def test_exponentials_against_mpmath(x, n) -> None:
    with mpmath.workdps(n + 60):
        exact = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        near = decimal.Decimal(mpmath.nstr(exact, n + 40))
    with decimal.localcontext(prec=n, rounding=decimal.ROUND_HALF_EVEN):
        assert decimal.Decimal(digits(f.exp(q(x.numerator, x.denominator)), n)) == +near


@settings(max_examples=50, deadline=None)
@given(st.fractions(max_denominator=1000), st.fractions(max_denominator=1000), st.integers(-3, 6))
def test_rounding_of_enclosures(a, b, dp) -> None:
    low, high = min(a, b), max(a, b)
    m = round_enclosure(low, high, dp)
    unit = Fraction(10) ** -dp
    if m is not None:
        for x in (low, high, (low + high) / 2):
            assert abs(x - m * unit) <= unit / 2
    else:
        assert high > low


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 10**6), st.integers(1, 300))
def test_enclosures_are_exact_and_narrow(n, bits) -> None:
    low, high = enclosure(s(n), bits)
    assert low >= 0 and low**2 <= n <= high**2
    assert (high - low) * 2**bits <= high


def test_enclosures() -> None:
    assert enclosure(q(1, 3)) == (Fraction(1, 3), Fraction(1, 3))
    low, high = enclosure(f.exp(q(-(10**12))), 64)
    assert 0 <= low < high < Fraction(1, 10**1000)
    low, high = enclosure(1 - f.cos(q(1, 10**200)), 32)
    assert 0 < low <= Fraction(1, 2 * 10**400) and high < Fraction(1, 10**400)


def test_long_decimals() -> None:
    third = digits(q(1, 3), 5000)
    assert third == "0." + "3" * 5000
    assert integer_text(10**9000 + 7) == "1" + "0" * 8998 + "07"
    assert digits(q(10**9000 + 7), 3) == "1.00e9000"
    assert fixed(5, 3) == "0.005" and fixed(-1234, 0) == "-1234"


def test_text_reads_back() -> None:
    for text in ("1.4142", "5.0000000e-401", "1e15", "-0.25", "3.14e-7"):
        units = Fraction(text)
        found = rounded_digits(
            lambda bits, x=units: arb(x.numerator) / x.denominator, lambda y, x=units: x == y, 12
        )
        assert Fraction(decimal_text(found)) == units

"""Decimals and enclosures of constants, correctly rounded.

The rounding itself is in `rounding`; here it is asked for expressions, with the prover as
the judge of exact ties, exact decimals and exact zeros.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb

from derive.exact.balls import precision
from derive.exact.dag import Node, UndefinedValue
from derive.exact.points import symbols
from derive.exact.rounding import (
    At,
    Equals,
    decimal_text,
    first_bits,
    fixed,
    rounded_digits,
    rounded_places,
    scaled_ends,
)
from derive.exact.sign import is_zero, nodes_of, real_enclosures

INFINITE = {1: "inf", -1: "-inf"}
BITS_CAP = 1 << 15


def digits(x: object, n: int) -> str | None:
    """n significant digits, correctly rounded, of a constant; None when undecided.

    What is exactly a decimal of at most n digits isn't padded; exact ties go to the even
    digit; -inf is "-inf".  Raises ValueError for n < 1 and for an expression with letters.

    >>> from derive.exact.dag import Dag
    >>> f = Dag()
    >>> digits(f.sqrt(f.rational(2)), 5), digits(f.rational(-1, 4), 5)
    ('1.4142', '-0.25')
    """
    node = _constant(x)
    if node.op == "infinity":
        return INFINITE[int(str(node.data))]
    return digits_of(_enclosures(node), _equals(node), n)


def places(x: object, dp: int) -> str | None:
    """The constant rounded to dp decimal places, all of them written; None: undecided.

    >>> from derive.exact.dag import Dag
    >>> places(Dag().rational(1, 8), 2)
    '0.12'
    """
    node = _constant(x)
    if node.op == "infinity":
        return INFINITE[int(str(node.data))]
    return places_of(_enclosures(node), _equals(node), dp)


def enclosure(x: object, bits: int = 128) -> tuple[Fraction, Fraction] | None:
    """Exact rational ends around a real constant, their distance at most 2^-bits of it.

    Zero has the enclosure (0, 0).  None where the value isn't proved to be real, isn't
    finite, or needs numbers of more than some 10^5 bits.

    >>> from derive.exact.dag import Dag
    >>> low, high = enclosure(Dag().pi, 20)
    >>> low < Fraction(355, 113) < high or high - low < Fraction(1, 2**18)
    True
    """
    node = _constant(x)
    if node.number is not None:
        return Fraction(*node.number), Fraction(*node.number)
    at = _enclosures(node)
    work, asked = bits + 16, False
    while work <= max(BITS_CAP, 4 * bits):
        value = at(work)
        if value.is_finite() and value.rel_accuracy_bits() >= bits + 1:
            return scaled_ends(value, 0, work)
        if not asked and work > 2 * bits + 64 and value.is_finite() and value.contains(0):
            asked = True
            if is_zero(node):
                return Fraction(0), Fraction(0)
        work *= 2
    return None


def digits_of(at: At, equals: Equals, n: int, bits_cap: int = BITS_CAP) -> str | None:
    """n significant digits of the number that `at` encloses; None when undecided.

    `at(bits)` is a ball around it, computed with so many bits (flint's precision is set
    when it is called); `equals(q)` says whether it
    is exactly q (None: not known), and is asked only where no number of bits would help.

    >>> digits_of(lambda bits: arb(1) / 3, lambda q: q == Fraction(1, 3), 5)
    '0.33333'
    >>> digits_of(lambda bits: arb(1) / 8, lambda q: q == Fraction(1, 8), 2)
    '0.12'
    """
    at = _kept(at)
    if infinite := _infinite(at(first_bits(n))):
        return infinite
    found = rounded_digits(at, equals, n, bits_cap)
    return None if found is None else decimal_text(found)


def places_of(at: At, equals: Equals, dp: int, bits_cap: int = BITS_CAP) -> str | None:
    """The same with dp decimal places, all of them written.

    >>> places_of(lambda bits: arb(-1) / 8, lambda q: q == Fraction(-1, 8), 2)
    '-0.12'
    """
    at = _kept(at)
    if infinite := _infinite(at(first_bits(dp))):
        return infinite
    found = rounded_places(at, equals, dp, bits_cap)
    return None if found is None else fixed(found.units, found.places)


def _kept(at: At) -> At:
    """The same, each precision computed once."""

    @cache
    def kept(bits: int) -> arb:
        with precision(bits):
            return at(bits)

    return kept


def _infinite(x: arb) -> str | None:
    """What is exactly infinite: finite balls never become that."""
    if x.mid().is_finite():
        return None
    return "inf" if x > 0 else "-inf" if x < 0 else None


def _constant(x: object) -> Node:
    (node,) = nodes_of(x)
    if letters := symbols(node):
        raise ValueError(f"not a number: it contains {', '.join(letters)}")
    return node


def _enclosures(node: Node) -> At:
    at = real_enclosures(node)

    def safe(bits: int) -> arb:
        try:
            return at(bits)
        except UndefinedValue:
            return arb.nan()

    return safe


def _equals(node: Node) -> Equals:
    def equals(q: Fraction) -> bool | None:
        try:
            return is_zero(node - node.dag.rational(q.numerator, q.denominator))
        except UndefinedValue:
            return None

    return equals

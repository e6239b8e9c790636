"""Intervals with exact rational ends: the arithmetic in which rounded steps are followed.

Rational operations are exact; the others are rounded outwards, with hundreds of bits.  Where a
choice (ReLU, max, sign) could go either way, the result holds both, and `forks` counts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

from flint import arb, fmpq

from derive.exact.ball_arithmetic import precision
from derive.exact.dag import UndefinedValue

BITS = 256
LONGEST = 1_500  # bits of an end; longer ones are rounded outwards
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Span:
    """All numbers from low to high; or, with `infinite`, one of the infinities."""

    low: Fraction
    high: Fraction
    infinite: int = 0

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def __add__(self, other: Span | int) -> Span:
        y = _span(other)
        if self.infinite or y.infinite:
            if self.infinite * y.infinite < 0:
                raise UndefinedValue("infinity - infinity")
            return self if self.infinite else y
        return _short(self.low + y.low, self.high + y.high)

    def __neg__(self) -> Span:
        return Span(-self.high, -self.low, -self.infinite)

    def __sub__(self, other: Span | int) -> Span:
        return self + (-_span(other))

    def __rsub__(self, other: Span | int) -> Span:
        return _span(other) + (-self)

    def __mul__(self, other: Span | int) -> Span:
        y = _span(other)
        if self.infinite or y.infinite:
            a, b = _sign(self), _sign(y)
            if not a or not b:
                raise UndefinedValue("infinity times a value of unknown or zero sign")
            return Span(ZERO, ZERO, a * b)
        ends = [a * b for a in (self.low, self.high) for b in (y.low, y.high)]
        return _short(min(ends), max(ends))

    def __truediv__(self, other: Span | int) -> Span:
        return self * _span(other) ** -1

    def __rtruediv__(self, other: Span | int) -> Span:
        return _span(other) * self**-1

    def __pow__(self, n: int) -> Span:
        if self.infinite:
            if n <= 0:
                return point(ZERO if n else Fraction(1))
            return self if self.infinite > 0 or n % 2 else -self
        if n < 0:
            if self.low <= 0 <= self.high:
                raise UndefinedValue("a division by what may be rounded to 0")
            low, high = sorted((1 / self.low, 1 / self.high))
            return _short(low, high) ** -n
        ends = (self.low**n, self.high**n)
        if n % 2 == 0 and n and self.low <= 0 <= self.high:
            return _short(ZERO, max(ends))
        return _short(min(ends), max(ends))

    __radd__, __rmul__ = __add__, __mul__


def point(x: Fraction | int) -> Span:
    """One exact number."""
    return Span(Fraction(x), Fraction(x))


def hull(*spans: Span) -> Span:
    """The smallest interval that holds all."""
    if any(x.infinite for x in spans):
        if all(x == spans[0] for x in spans):
            return spans[0]
        raise UndefinedValue("a choice between a number and an infinity")
    return Span(min(x.low for x in spans), max(x.high for x in spans))


def _span(x: Span | int) -> Span:
    return point(x) if isinstance(x, int) else x


def _sign(x: Span) -> int:
    return x.infinite or (x.low > 0) - (x.high < 0)


def _short(low: Fraction, high: Fraction) -> Span:
    """The interval, long ends rounded outwards."""
    return Span(_outward(low, -1), _outward(high, 1))


def _outward(x: Fraction, way: int) -> Fraction:
    if x.denominator.bit_length() <= LONGEST and x.numerator.bit_length() <= LONGEST:
        return x
    shift = 2 * BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    scaled = x * 2**shift
    return Fraction(-(-scaled // 1) if way > 0 else scaled // 1, 2**shift)


class Spans:
    """The methods that operations use, on spans."""

    def __init__(self) -> None:
        self.zero, self.one = point(0), point(1)
        self.forks = 0  # choices that could go either way

    def rational(self, p: int, q: int = 1) -> Span:
        return point(Fraction(p, q))

    def symbol(self, name: str) -> Span:
        raise UndefinedValue(f"no value is given for {name}")

    def infinity(self, sign: int = 1) -> Span:
        return Span(ZERO, ZERO, 1 if sign > 0 else -1)

    @property
    def pi(self) -> Span:
        return _enclosed(lambda _: arb.pi(), ZERO, ZERO)

    @property
    def e(self) -> Span:
        return self.exp(self.one)

    def add(self, *terms: Span | int) -> Span:
        return reduce(add, map(_span, terms), self.zero)

    def mul(self, *factors: Span | int) -> Span:
        return reduce(mul, map(_span, factors), self.one)

    def power(self, x: Span, n: int) -> Span:
        return x**n

    def root(self, x: Span, n: int) -> Span:
        if x.infinite > 0:
            return x
        if x.infinite or x.high < 0:
            raise UndefinedValue("the root of a negative number")
        return _enclosed(lambda y: y.root(n), max(x.low, ZERO), x.high, least=ZERO)

    def sqrt(self, x: Span) -> Span:
        return self.root(x, 2)

    def general_power(self, x: Span, y: Span) -> Span:
        if y.exact and y.low.denominator == 1 and not y.infinite:
            return x ** int(y.low)
        return self.exp(y * self.log(x))

    def exp(self, x: Span) -> Span:
        if x.infinite:
            return self.zero if x.infinite < 0 else x
        return self.one if x == self.zero else _enclosed(arb.exp, x.low, x.high, least=ZERO)

    def log(self, x: Span) -> Span:
        if x.infinite > 0:
            return x
        if x.low <= 0:
            raise UndefinedValue("the logarithm of what may be rounded to 0")
        return self.zero if x == self.one else _enclosed(arb.log, x.low, x.high)

    def sin(self, x: Span) -> Span:
        return _wave(arb.sin, x)

    def cos(self, x: Span) -> Span:
        return self.one if x == self.zero else _wave(arb.cos, x)

    def tan(self, x: Span) -> Span:
        return self.sin(x) / self.cos(x)

    def atan(self, x: Span) -> Span:
        return _enclosed(arb.atan, x.low, x.high)

    def sinh(self, x: Span) -> Span:
        return _enclosed(arb.sinh, x.low, x.high)

    def cosh(self, x: Span) -> Span:
        y = self.abs(x)
        return _enclosed(arb.cosh, y.low, y.high)

    def tanh(self, x: Span) -> Span:
        return self.zero if x == self.zero else _enclosed(arb.tanh, x.low, x.high)

    def erf(self, x: Span) -> Span:
        return self.zero if x == self.zero else _enclosed(arb.erf, x.low, x.high)

    def sigmoid(self, x: Span) -> Span:
        if x.infinite:
            return self.zero if x.infinite < 0 else self.one
        return _enclosed(lambda y: 1 / ((-y).exp() + 1), x.low, x.high, least=ZERO)

    def select(self, x: Span, negative: Span, zero: Span, positive: Span) -> Span:
        """What may be chosen: all of it where the sign could be rounded either way."""
        if x.infinite:
            return positive if x.infinite > 0 else negative
        may = [
            *([negative] if x.low < 0 else []),
            *([zero] if x.low <= 0 <= x.high else []),
            *([positive] if x.high > 0 else []),
        ]
        self.forks += x.low < 0 < x.high
        return hull(*may)

    def abs(self, x: Span) -> Span:
        if x.infinite:
            return self.infinity()
        return self.select(x, -x, self.zero, x) if _sign(x) else Span(ZERO, max(-x.low, x.high))

    def sign(self, x: Span) -> Span:
        return self.select(x, point(-1), self.zero, self.one)

    def max(self, *values: Span | int) -> Span:
        spans = [_span(x) for x in values]
        finite = [x for x in spans if x.infinite >= 0]
        if any(x.infinite for x in finite) or not finite:
            return self.infinity(1 if finite else -1)
        low, high = max(x.low for x in finite), max(x.high for x in finite)
        self.forks += sum(x.high > low for x in finite) > 1
        return Span(low, high)

    def min(self, *values: Span | int) -> Span:
        return -self.max(*(-_span(x) for x in values))


def _enclosed(
    function: Callable[[Any], Any], low: Fraction, high: Fraction, least: Fraction | None = None
) -> Span:
    """An increasing function between two ends, rounded outwards."""
    with precision(BITS):
        first = function(arb(fmpq(low.numerator, low.denominator)))
        last = first if low == high else function(arb(fmpq(high.numerator, high.denominator)))
        ends = first.lower(), last.upper()
    if not (ends[0].is_finite() and ends[1].is_finite()):
        raise UndefinedValue("a step has no finite value")
    found = [_fraction(x) for x in ends]
    return Span(found[0] if least is None else max(found[0], least), found[1])


def _wave(function: Callable[[Any], Any], x: Span) -> Span:
    if x.infinite:
        raise UndefinedValue("the sine of an infinity")
    if x == point(0):
        return x
    with precision(BITS):
        ends = [arb(fmpq(y.numerator, y.denominator)) for y in (x.low, x.high)]
        y = function(ends[0] if x.exact else ends[0].union(ends[1]))
        return Span(_fraction(y.lower()), _fraction(y.upper()))


def _fraction(x: Any) -> Fraction:
    mantissa, exponent = (int(z) for z in x.man_exp())
    return mantissa * Fraction(2) ** exponent

"""Exact intervals with rational ends, open or closed: what signs can be read off from.

A range is a fact about every point that the assumptions allow.  x > 0 gives (0, inf),
-1 < x < 1 gives 1 - x^2 in (0, 1], a sum of squares and a positive number is positive.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from flint import arb, fmpq

End = fmpq | None  # None: no bound on this side
LONGEST = 400  # bits of numerator and denominator together
LARGEST_POWER = 40


@dataclass(frozen=True)
class Range:
    """All x with low <(=) x <(=) high, without 0 where nonzero is set."""

    low: End = None
    high: End = None
    low_in: bool = False  # the low end belongs to it
    high_in: bool = False
    nonzero: bool = False

    @property
    def positive(self) -> bool:
        return self.low is not None and (
            self.low > 0 or (self.low == 0 and (self.nonzero or not self.low_in))
        )

    @property
    def negative(self) -> bool:
        return (-self).positive

    @property
    def nonnegative(self) -> bool:
        return self.low is not None and self.low >= 0

    @property
    def signs(self) -> frozenset[int]:
        """The signs that a value may have."""
        out = {-1, 0, 1}
        if self.nonnegative:
            out.discard(-1)
        if (-self).nonnegative:
            out.discard(1)
        if self.nonzero or self.positive or self.negative:
            out.discard(0)
        return frozenset(out)

    def __neg__(self) -> Range:
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Range(low, high, self.high_in, self.low_in, self.nonzero)

    def __add__(self, other: Range) -> Range:
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        closed = self.low_in and other.low_in, self.high_in and other.high_in
        return Range(low, high, *closed).short()

    def short(self) -> Range:
        """The same or a slightly larger range, with ends of moderate length."""
        if all(x is None or _size(x) < LONGEST for x in (self.low, self.high)):
            return self
        low = None if self.low is None else _floor(self.low)
        high = None if self.high is None else -_floor(-self.high)
        nonzero = 0 not in self.signs
        return Range(low, high, self.low_in, self.high_in, nonzero)

    def __mul__(self, other: Range) -> Range:
        ends = [_times(a, b) for a in self._ends() for b in other._ends()]
        low = min(ends, key=lambda e: (e[0], e[1], not e[2]))
        high = max(ends, key=lambda e: (e[0], e[1], e[2]))
        return Range(
            low[1] if low[0] == 0 else None,
            high[1] if high[0] == 0 else None,
            low[2],
            high[2],
            0 not in self.signs and 0 not in other.signs,
        ).short()

    def _ends(self) -> tuple[tuple[int, fmpq, bool], tuple[int, fmpq, bool]]:
        low = (-1, fmpq(0), False) if self.low is None else (0, self.low, self.low_in)
        high = (1, fmpq(0), False) if self.high is None else (0, self.high, self.high_in)
        return low, high

    def __pow__(self, n: int) -> Range:
        if n < 0:
            return (self**-n).inverse()
        if n == 0:
            return exactly(1)
        if n > LARGEST_POWER:
            return self._roughly(n)
        low, high = _power(self.low, self.low_in, n), _power(self.high, self.high_in, n)
        if n % 2 == 0 and not self.nonnegative:
            if not (-self).nonnegative:
                return self._even(low, high)
            low, high = high, low
        return Range(low[0], high[0], low[1], high[1], self.nonzero)

    def _even(self, a: tuple[End, bool], b: tuple[End, bool]) -> Range:
        """An even power of a range around 0, whose ends have the powers a and b."""
        if a[0] is None or b[0] is None:
            return Range(fmpq(0), None, True, False, self.nonzero)
        high, inside = b if a[0] < b[0] or (a[0] == b[0] and b[1]) else a
        return Range(fmpq(0), high, True, inside, self.nonzero)

    def _roughly(self, n: int) -> Range:
        """A high power, of which only the sign is kept."""
        if n % 2 == 0 or self.nonnegative:
            return POSITIVE if 0 not in self.signs else NONNEGATIVE
        return -((-self)._roughly(n)) if (-self).nonnegative else Range(nonzero=self.nonzero)

    def root(self) -> Range:
        """Of the roots of a range that isn't negative: whether they are above or below 1."""
        above = self.low is not None and self.low >= 1
        below = self.high is not None and self.high <= 1
        low, low_in = (fmpq(1), self.low_in or self.low != 1) if above else (fmpq(0), True)
        high, high_in = (fmpq(1), self.high_in or self.high != 1) if below else (None, False)
        return Range(low, high, low_in, high_in, self.positive)

    def inverse(self) -> Range:
        """The range of 1/x."""
        if self.positive:
            high = 1 / self.low if self.low else None
            low = fmpq(0) if self.high is None else 1 / self.high
            return Range(low, high, self.high_in, self.low_in, True)
        if self.negative:
            return -((-self).inverse())
        return Range(nonzero=True)

    def meet(self, other: Range) -> Range:
        """What lies in both."""
        low, low_in = _higher((self.low, self.low_in), (other.low, other.low_in))
        x, y = -self, -other
        high, high_in = _higher((x.low, x.low_in), (y.low, y.low_in))
        high = None if high is None else -high
        return Range(low, high, low_in, high_in, self.nonzero or other.nonzero)


def _size(x: fmpq) -> int:
    return int(x.p.bit_length() + x.q.bit_length())


def _floor(x: fmpq) -> fmpq:
    """A number <= x with less than LONGEST bits, 0 where x > 0 is tiny."""
    shift = 64 - int(x.p.bit_length()) + int(x.q.bit_length())
    if shift > LONGEST // 4:
        return fmpq(0) if x > 0 else fmpq(-1, 1 << (LONGEST // 4))
    if shift >= 0:
        return fmpq((x.p << shift) // x.q, 1 << shift)
    return fmpq((x.p // (x.q << -shift)) << -shift)


def _higher(a: tuple[End, bool], b: tuple[End, bool]) -> tuple[End, bool]:
    """The stronger of two lower ends."""
    if a[0] is None or b[0] is None:
        return b if a[0] is None else a
    if a[0] == b[0]:
        return a[0], a[1] and b[1]
    return max(a, b, key=lambda end: end[0])  # type: ignore[arg-type,return-value]


def _times(a: tuple[int, fmpq, bool], b: tuple[int, fmpq, bool]) -> tuple[int, fmpq, bool]:
    """The product of two ends; infinite ends are (-1, 0) and (1, 0)."""
    if a[0] == 0 and b[0] == 0:
        inside = (a[2] and b[2]) or (a[2] and a[1] == 0) or (b[2] and b[1] == 0)
        return 0, a[1] * b[1], inside
    signs = [e[0] or (e[1] > 0) - (e[1] < 0) for e in (a, b)]
    sign = signs[0] * signs[1]
    if sign == 0:  # 0 times infinity: 0 belongs to it only where the zero end does
        zero = a if a[0] == 0 else b
        return 0, fmpq(0), zero[2]
    return sign, fmpq(0), False


def _power(x: End, inside: bool, n: int) -> tuple[End, bool]:
    return (None, False) if x is None else (x**n, inside)


def exactly(x: int | fmpq) -> Range:
    """The range of one number."""
    q = fmpq(x)
    return Range(q, q, True, True, bool(q != 0))


EVERYTHING = Range()
POSITIVE = Range(fmpq(0), None, False, False, True)
NONNEGATIVE = Range(fmpq(0), None, True, False)
BOUNDED = Range(fmpq(-1), fmpq(1), True, True)  # sines and cosines
INSIDE = Range(fmpq(-1), fmpq(1), False, False)  # values of erf


def of_ball(x: arb) -> Range:
    """The range of a real ball."""
    if not x.is_finite():
        return EVERYTHING
    low, high = _below(x.lower()), _below((-x).lower())
    nonzero = bool(x > 0 or x < 0)
    return Range(low, None if high is None else -high, True, True, nonzero)


def _below(x: arb) -> End:
    """A rational number <= x of moderate size, or None; x is exact."""
    mantissa, exponent = (int(z) for z in x.man_exp())
    if exponent > 4096:
        return fmpq(1) if mantissa > 0 else None
    if exponent < -4096:
        return fmpq(0) if mantissa >= 0 else fmpq(-1)
    return fmpq(mantissa) * fmpq(2) ** exponent


def total(ranges: Iterable[Range]) -> Range:
    """The range of a sum."""
    out = exactly(0)
    for r in ranges:
        out = out + r
    return out


def with_nonzero(r: Range) -> Range:
    """The same range without 0."""
    return replace(r, nonzero=True)

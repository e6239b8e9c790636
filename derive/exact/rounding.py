"""Correct rounding of a number that is known by enclosures alone.

More bits are taken until both ends of the enclosure round to the same decimal.  Where they
never do, the value lies on a boundary between two decimals or can't be told from it; then
the caller is asked whether it is exactly that boundary.  Exact ties go to the even digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from flint import arb

from derive.exact.balls import precision
from derive.text.show import integer_text

At = Callable[[int], arb]  # working bits -> enclosure of one fixed real number
Equals = Callable[[Fraction], bool | None]  # is it exactly this number? None: undecided

BITS_CAP = 1 << 15  # bits that are tried before the answer is "undecided"
UNSURE_CAP = 1 << 12  # the same where the question for equality got no answer
LARGEST_SCALE = 20_000  # decimals with more digits or zeros aren't built
HALF = Fraction(1, 2)
PLAIN = range(-6, 15)  # exponents of ten that are written without e


@dataclass(frozen=True)
class Rounded:
    """units / 10^places is the nearest such decimal to the value."""

    units: int
    places: int  # may be negative: units of 10, 100 …
    exact: bool = False  # the value is this decimal
    tie: bool = False  # the value lies exactly between two decimals; this is the even one

    @property
    def value(self) -> Fraction:
        """The decimal as an exact number."""
        return self.units * Fraction(10) ** -self.places


def round_enclosure(low: Fraction, high: Fraction, places: int) -> int | None:
    """The integer m for which every number between rounds to m/10^places, or None.

    >>> round_enclosure(Fraction(1234, 1000), Fraction(1236, 1000), 2)
    >>> round_enclosure(Fraction(1231, 1000), Fraction(1234, 1000), 2)
    123
    """
    scale = Fraction(10) ** places
    first, last = round(low * scale), round(high * scale)
    return first if first == last else None


def rounded_digits(at: At, equals: Equals, n: int, bits_cap: int = BITS_CAP) -> Rounded | None:
    """The nearest decimal of n significant digits; None: undecided, or not a finite number."""
    if n < 1:
        raise ValueError(f"{n} significant digits")
    return _Search(at, equals, bits_cap).run(first_bits(n), n, None)


def rounded_places(at: At, equals: Equals, places: int, bits_cap: int = BITS_CAP) -> Rounded | None:
    """The nearest multiple of 10^-places; None: undecided, or not a finite number."""
    return _Search(at, equals, bits_cap).run(first_bits(places), None, places)


def first_bits(digits: int) -> int:
    """The precision that is tried first for so many digits: nearly always enough."""
    return 64 + 4 * abs(digits)


class _Search:
    """Rising precision, and questions for equality that are asked once each."""

    def __init__(self, at: At, equals: Equals, bits_cap: int) -> None:
        self.at, self.bits_cap = at, bits_cap
        self._equals = equals
        self._answers: dict[Fraction, bool | None] = {}

    def run(self, bits: int, n: int | None, places: int | None) -> Rounded | None:
        """Either n significant digits or so many places."""
        ask = False
        self.bits_cap = max(self.bits_cap, 2 * bits)
        while bits <= self.bits_cap:
            with precision(bits):
                x = self.at(bits)
            found = self._try(x, bits, n, places, ask) if x.is_finite() else None
            if found is not None:
                return found
            bits *= 2
            ask = True  # what is settled by a few more bits needs no proof
        return None

    def _try(
        self, x: arb, bits: int, n: int | None, places: int | None, ask: bool
    ) -> Rounded | None:
        if x.is_zero():
            return Rounded(0, places or 0, exact=True)
        if places is None and n is not None:
            if x.contains(0):
                zero = ask and self.ask(Fraction(0))
                return Rounded(0, 0, exact=True) if zero else None
            places = n - 1 - _exponent(x, bits)
        ends = scaled_ends(x, places or 0, bits)
        if ends is None:
            return None
        found = self._nearest(*ends, places or 0, ask)
        return found if n is None or found is None else _normal(found, n)

    def _nearest(self, low: Fraction, high: Fraction, places: int, ask: bool) -> Rounded | None:
        """The decision between the candidates in one enclosure, in units of 10^-places."""
        first = round(low)
        half = ceil(low - HALF) + HALF  # the smallest boundary that isn't below
        if low == high:
            return Rounded(first, places, exact=low == first, tie=low == half)
        if half <= high:
            if half + 1 > high and ask and self.ask(_decimal(half, places)):
                return Rounded(round(half), places, tie=True)
            return None
        if not low <= first <= high:
            return Rounded(first, places)
        if not ask:
            return None
        return Rounded(first, places, exact=self.ask(_decimal(first, places)) is True)

    def ask(self, q: Fraction | None) -> bool | None:
        """The caller's answer; after an open question fewer bits are tried."""
        if q is None:
            return None
        if q not in self._answers:
            self._answers[q] = self._equals(q)
            if self._answers[q] is None:
                self.bits_cap = min(self.bits_cap, UNSURE_CAP)
        return self._answers[q]


def _normal(found: Rounded, n: int) -> Rounded | None:
    """Exactly n digits: 9.99 rounds up to 10.0; more than that is a too wide enclosure."""
    size = abs(found.units)
    if size == 10**n:
        return replace(found, units=found.units // 10, places=found.places - 1)
    return found if 10 ** (n - 1) <= size < 10**n else None


def _decimal(units: int | Fraction, places: int) -> Fraction | None:
    if abs(places) > LARGEST_SCALE:
        return None
    return units * Fraction(10) ** -places


def _exponent(x: arb, bits: int) -> int:
    """e with 10^e <= the lower end of |x| < 10^(e+1); x doesn't contain 0."""
    with precision(bits + 64):
        low = arb(x.abs_lower())
        e = int((low.log() / arb.const_log10()).floor().lower().ceil().unique_fmpz() or 0)
        while not arb(10) ** (e + 1) > low:
            e += 1
        while arb(10) ** e > low:
            e -= 1
    return e


def scaled_ends(x: arb, places: int, bits: int) -> tuple[Fraction, Fraction] | None:
    """Both ends of x * 10^places, rounded outwards where that needs fewer digits."""
    with precision(bits + 64):
        y = x * arb(10) ** places if places >= 0 else x / arb(10) ** -places
        low, high = y.lower(), y.upper()
        ends = _fraction(low), _fraction(-high)
    return None if ends[0] is None or ends[1] is None else (ends[0], -ends[1])


def _fraction(x: arb) -> Fraction | None:
    """The exact x, or a rational number just below it; None where it is too large."""
    mantissa, exponent = (int(z) for z in x.man_exp())
    if exponent > 4 * LARGEST_SCALE:
        return None
    if mantissa.bit_length() + exponent < -4 * LARGEST_SCALE:
        return Fraction(
            0 if mantissa >= 0 else -1, 1 if mantissa >= 0 else 2 ** (4 * LARGEST_SCALE)
        )
    return mantissa * Fraction(2) ** exponent


# text


def decimal_text(found: Rounded) -> str:
    """The decimal as the plain grammar has it: short when exact, 1.2e-9 when far from 1.

    >>> decimal_text(Rounded(500, 3, exact=True)), decimal_text(Rounded(500, 3))
    ('0.5', '0.500')
    >>> decimal_text(Rounded(-123, 12))
    '-1.23e-10'
    """
    units, places = abs(found.units), found.places
    if found.units == 0 or found.exact:
        while units % 10 == 0 and (places > 0 or units > 0):
            units, places = units // 10, places - 1
            if units == 0 and places <= 0:
                return "0"
    digits = integer_text(units)
    exponent = len(digits) - 1 - places
    sign = "-" if found.units < 0 else ""
    if exponent in PLAIN:
        return sign + fixed(units, places)
    mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
    return f"{sign}{mantissa}e{exponent}"


def fixed(units: int, places: int) -> str:
    """units / 10^places with all its places written.

    >>> fixed(-5, 2), fixed(0, 2), fixed(12, -2)
    ('-0.05', '0.00', '1200')
    """
    sign, digits = "-" if units < 0 else "", integer_text(abs(units))
    if places <= 0:
        return sign + digits + "0" * (-places if units else 0)
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"

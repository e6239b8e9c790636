"""The arithmetic of balls, function by function: certified enclosures of each.

Real values are `arb`, others `acb`, both of python-flint; a value that can't be enclosed is
not finite (`is_finite()` says so) and never a wrong interval.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from operator import add, mul

from flint import acb, arb, arb_mat, ctx, fmpq, fmpq_mat

from derive.exact.dag import UndefinedValue

Ball = arb | acb
LARGEST_INDEX = 1 << 62  # flint takes the index of a root as a machine word

_PRECISION = threading.RLock()  # flint has one working precision for all threads


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Flint works with this many bits inside; what stood before comes back after.

    Blocks may be nested; other threads wait at their own block, so that an enclosure
    doesn't depend on what runs beside it.
    """
    with _PRECISION:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


def hull(*values: Ball) -> Ball:
    """The smallest ball found that holds all the given ones."""
    reals = [x for x in values if isinstance(x, arb)]
    if len(reals) == len(values):
        return reduce(arb.union, reals)
    return reduce(acb.union, map(acb, values))


def disjoint(x: Ball, y: Ball) -> bool:
    """Whether no number lies in both: a proof that the two values differ."""
    if isinstance(x, arb) and isinstance(y, arb):
        return not x.overlaps(y)  # undefined overlaps everything; -inf no finite number
    x, y = acb(x), acb(y)
    return x.is_finite() and y.is_finite() and not x.overlaps(y)


def real(x: Ball) -> arb:
    """The value as a real number; not finite where it certainly isn't real."""
    if isinstance(x, arb):
        return x
    return x.real if x.imag.contains(0) else arb.nan()


class BallArithmetic:
    """The methods of `Dag` on balls, symbols read from an exact point.

    Nothing here sets flint's precision; `Balls` does.
    """

    def __init__(self, point: Mapping[str, Fraction | int] | None = None) -> None:
        self.point = point or {}
        self.zero, self.one = arb(0), arb(1)

    # leaves

    def rational(self, p: int, q: int = 1) -> arb:
        """The number p/q."""
        if q == 0:
            raise UndefinedValue("division by zero")
        return arb(p) if q == 1 else arb(fmpq(p, q))

    def symbol(self, name: str) -> arb:
        """The letter's value at the point; raises UndefinedValue where there is none."""
        if name not in self.point:
            raise UndefinedValue(f"no value is given for {name}")
        x = self.point[name]  # an int has a numerator, too
        return self.rational(x.numerator, x.denominator)

    @property
    def pi(self) -> arb:
        return arb.pi()

    @property
    def e(self) -> arb:
        return arb.const_e()

    @property
    def i(self) -> acb:
        return acb(0, 1)

    def infinity(self, sign: int = 1) -> arb:
        """+infinity or -infinity: exp of the latter is exactly 0."""
        return arb.pos_inf() if sign > 0 else arb.neg_inf()

    def matrix(self, rows: list[list[Ball]]) -> arb_mat | None:
        """Real balls as one matrix, whose products are far faster than loops over cells.

        None where an entry is complex or not finite.
        """
        real = [[x for x in row if isinstance(x, arb) and x.is_finite()] for row in rows]
        return arb_mat(real) if list(map(len, real)) == list(map(len, rows)) else None

    def exact_matrix(self, rows: Sequence[Sequence[tuple[int, int]]]) -> arb_mat:
        """Rationals p/q as one matrix, each rounded once."""
        entries = [fmpq(p, q) for row in rows for p, q in row]
        return arb_mat(fmpq_mat(len(rows), len(rows[0]), entries))

    # field operations

    def add(self, *terms: Ball | int) -> Ball:
        return reduce(add, map(_ball, terms), self.zero)

    def mul(self, *factors: Ball | int) -> Ball:
        return reduce(mul, map(_ball, factors), self.one)

    def power(self, x: Ball, n: int) -> Ball:
        """x to an integer power; even powers of real balls are never negative."""
        if n == 0:
            return self.one
        if not x.contains(0):
            return x**n
        if n < 0:
            return arb.nan()
        if isinstance(x, acb):
            r = _around(arb(x.abs_upper()) ** n)
            return acb(r, r)
        if n % 2:
            return hull(x.lower() ** n, x.upper() ** n)
        return self.zero.union(x.abs_upper() ** n).nonnegative_part()

    def root(self, x: Ball, n: int) -> Ball:
        """The principal n-th root; of a ball around 0 every root of its points."""
        if isinstance(x, arb) and x > 0 and n < LARGEST_INDEX:
            return x.sqrt() if n == 2 else x.root(n)
        if not x.contains(0):
            return self._root_off_zero(acb(x), n)
        if x.is_zero() or not x.is_finite():
            return x if x.is_zero() else arb.nan()
        size = arb(x.abs_upper())
        size = size.root(n) if n < LARGEST_INDEX else (size.log() / n).exp()
        length = self.zero.union(size).nonnegative_part()  # holds the real part, too
        if isinstance(x, acb):
            return acb(length, _around(size))
        return length if x >= 0 else acb(length, length)

    def _root_off_zero(self, x: acb, n: int) -> Ball:
        if n >= LARGEST_INDEX:
            return self.exp(self.log(x) / n)
        if x.real < 0 and x.imag.contains(0) and not x.imag.is_zero():
            root, turn = (-x).root(n), acb(arb(1) / n).exp_pi_i()
            return hull(root * turn, root / turn)  # from above and from below the cut
        return x.root(n)

    def sqrt(self, x: Ball) -> Ball:
        return self.root(x, 2)

    def general_power(self, x: Ball, y: Ball) -> Ball:
        """x^y, the principal value exp(y log x); exact integers y are powers of their own."""
        n = y.unique_fmpz() if y.is_exact() else None
        if n is not None and y == n:
            return self.power(x, int(n))
        return self.exp(self.log(x) * y)

    # functions

    def exp(self, x: Ball) -> Ball:
        return x.exp()

    def log(self, x: Ball) -> Ball:
        """The principal logarithm; undefined for a ball around 0."""
        if isinstance(x, arb):
            if x > 0:
                return x.log()
            return acb((-x).log(), arb.pi()) if x < 0 else arb.nan()
        return x.log()

    def sin(self, x: Ball) -> Ball:
        return x.sin() if x.is_finite() else arb.nan()

    def cos(self, x: Ball) -> Ball:
        return x.cos() if x.is_finite() else arb.nan()

    def tan(self, x: Ball) -> Ball:
        return x.tan() if x.is_finite() else arb.nan()

    def asin(self, x: Ball) -> Ball:
        y = x.asin()
        return y if y.is_finite() else acb(x).asin()

    def acos(self, x: Ball) -> Ball:
        y = x.acos()
        return y if y.is_finite() else acb(x).acos()

    def atan(self, x: Ball) -> Ball:
        return x.atan()

    def sinh(self, x: Ball) -> Ball:
        return x.sinh()

    def cosh(self, x: Ball) -> Ball:
        return x.cosh()

    def tanh(self, x: Ball) -> Ball:
        return x.tanh()

    def erf(self, x: Ball) -> Ball:
        return x.erf()

    def sigmoid(self, x: Ball) -> Ball:
        return 1 / (self.exp(-x) + 1)

    # choices; a ball around 0 gives the hull of what may be chosen

    def select(self, x: Ball, negative: Ball, zero: Ball, positive: Ball) -> Ball:
        """negative where x < 0, zero where x = 0, positive where x > 0; x is real."""
        x = real(x)
        if x > 0:
            return positive
        if x < 0:
            return negative
        if x.is_zero() or x.is_nan():
            return zero if x.is_zero() else arb.nan()
        below, above = not x >= 0, not x <= 0
        return hull(zero, *([negative] if below else []), *([positive] if above else []))

    def abs(self, x: Ball) -> Ball:
        return abs(real(x))

    def sign(self, x: Ball) -> Ball:
        return self.select(x, -self.one, self.zero, self.one)

    def max(self, *values: Ball | int) -> Ball:
        return reduce(lambda x, y: x.max(y), (real(_ball(x)) for x in values))

    def min(self, *values: Ball | int) -> Ball:
        return reduce(lambda x, y: x.min(y), (real(_ball(x)) for x in values))


def _around(size: arb) -> arb:
    return size.union(-size)


def _ball(x: Ball | int) -> Ball:
    return arb(x) if isinstance(x, int) else x

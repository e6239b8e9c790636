"""Products, powers and quotients of polynomials whose size is bounded before they are built."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import comb

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx
from flint.utils.flint_exceptions import DomainError

from derive.exact.budget import Budget, UndecidedError

Poly = fmpq_mpoly
ROOM = 1_000_000  # terms that may be there for a moment
OVERHEAD = 500  # steps that the smallest operation takes
LARGE = 10_000  # steps above which the length of the coefficients is looked at
WORD = 64


class Polynomials:
    """Arithmetic in one ring; raises UndecidedError where the budget doesn't allow a result."""

    def __init__(self, ring: fmpq_mpoly_ctx, budget: Budget) -> None:
        self.ring, self.budget = ring, budget
        self.zero, self.one = ring.constant(0), ring.constant(1)

    def product(self, a: Poly, b: Poly) -> Poly:
        """a b"""
        n, m = len(a), len(b)
        self._spend(n * m, a, b)
        if n * m <= ROOM:
            out = a * b
            self.budget.allow(len(out))
            return out
        if n < m:
            a, b, m = b, a, n
        total = self.zero
        for piece in self._pieces(a, max(ROOM // m, 1)):
            if len(piece) * m > ROOM:
                raise UndecidedError(f"a product of {n} by {m} terms is too large")
            total = total + piece * b
            self.budget.allow(len(total))
        return total

    def power(self, p: Poly, e: int) -> Poly:
        """p^e by squaring; e >= 0"""
        if len(p) <= 1:
            self._spend(1, p, p)
            return p**e
        out, base = self.one, p
        while e:
            if e & 1:
                out = self.product(out, base)
            e >>= 1
            if e:
                base = self.product(base, base)
        return out

    def remainder(self, p: Poly, modulus: Poly, index: int, degree: int) -> Poly:
        """p reduced by a modulus whose leading term is the variable to the degree."""
        times, length = int(p.degrees()[index]) // degree, len(modulus) - 1
        if times > 1 and length > 1:  # R^times is built
            if times > self.budget.terms:
                raise UndecidedError("a power of a root is too large")
            self.budget.allow(comb(times + length - 1, times))
        self._spend(len(p) * len(modulus) * times, p, modulus)
        if len(p) * len(modulus) <= ROOM:
            out = divmod(p, modulus)[1]
        else:
            out = self.zero
            for piece in self._pieces(p, max(ROOM // len(modulus), 1)):
                out = out + divmod(piece, modulus)[1]
                self.budget.allow(len(out))
        self.budget.allow(len(out))
        return out

    def quotient(self, p: Poly, factor: Poly) -> Poly | None:
        """p/factor, None where it isn't a polynomial or the search would be too long."""
        if len(factor) > 1 and max(p.degrees()) > self.budget.degree:
            return None
        self.budget.spend(len(p) + OVERHEAD)
        try:
            out = p / factor
        except DomainError:
            return None
        self._spend(len(out) * len(factor), out, factor)
        return out

    def common(self, a: Poly, b: Poly) -> Poly:
        """The greatest common divisor, with leading coefficient 1."""
        shared = [x > 0 and y > 0 for x, y in zip(a.degrees(), b.degrees(), strict=True)]
        if not any(shared):
            return self.one
        if max(*a.degrees(), *b.degrees()) > self.budget.degree:
            raise UndecidedError("a common divisor of polynomials of a large degree")
        self._spend(len(a) * len(b) * sum(shared), a, b)
        out = a.gcd(b)
        return out / out.leading_coefficient()

    def square_root(self, p: Poly) -> Poly | None:
        """A square root, None where there is none; raises UndecidedError for large degrees."""
        if len(p) > 1 and max(p.degrees()) > self.budget.degree:
            raise UndecidedError("the root of a polynomial of a large degree")
        self.budget.spend(len(p) + OVERHEAD)
        try:
            return p.sqrt()
        except DomainError:
            return None

    def _spend(self, steps: int, a: Poly, b: Poly) -> None:
        """Count a product; long coefficients take longer."""
        if steps > LARGE:
            steps *= (_length(a) + _length(b)) // (4 * WORD) + 1
        self.budget.spend(steps + OVERHEAD)

    def _pieces(self, p: Poly, size: int) -> Iterator[Poly]:
        """Polynomials of so many terms whose sum is p."""
        rows = iter(p.to_dict().items())
        while piece := dict(islice(rows, size)):
            yield self.ring.from_dict(piece)


def _length(p: Poly) -> int:
    """About how many bits a coefficient has."""
    if not len(p):
        return 0
    ends = (fmpq(p.leading_coefficient()), fmpq(p.coefficient(len(p) - 1)))
    return max(int(z.bit_length()) for c in ends for z in (c.p, c.q))

"""K -> F_p: values at points where every root exists, to refuse what can't be a square.

At such a point reduction mod p is a ring homomorphism, so a quadratic non-residue comes
from no square of K: a proof in microseconds where the exact test needs milliseconds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from flint import fmpq, fmpz

from derive.exact.field import Field, Poly, Relation

POINTS = 4  # points kept
TRIES = 50  # candidates looked at for each new root
MANY = 12  # roots above which points are too rare to be found


@cache
def primes(step: int) -> tuple[int, ...]:
    """Primes p = 1 mod 4 and 2 mod 3 (every number is a cube), or 1 mod the step."""
    found: list[int] = []
    n = (1 << 31) // (4 * step) * (4 * step) + 1
    while len(found) < 60:
        n += 4 * step
        if fmpz(n).is_prime() and (step > 1 or (n % 3 == 2 and n % 5 > 1 and n % 7 > 1)):
            found.append(n)
    return tuple(found)


def square_root(a: int, p: int) -> int | None:
    """A root of x^2 = a modulo p, or None (Tonelli and Shanks)."""
    if a == 0:
        return None  # a point where a root vanishes tells nothing
    if pow(a, (p - 1) // 2, p) != 1:
        return None
    q, s = p - 1, 0
    while q % 2 == 0:
        q, s = q // 2, s + 1
    z = next(z for z in range(2, 1000) if pow(z, (p - 1) // 2, p) == p - 1)
    c, r, t = pow(z, q, p), pow(a, (q + 1) // 2, p), pow(a, q, p)
    while t != 1:
        i, u = 0, t
        while u != 1:
            u, i = u * u % p, i + 1
        b = pow(c, 1 << (s - i - 1), p)
        s, c = i, b * b % p
        t, r = t * c % p, r * b % p
    return r


class Point:
    """A homomorphism to F_p, chosen variable by variable."""

    def __init__(self, prime: int, values: list[int]) -> None:
        self.prime, self.values = prime, values

    def value(self, p: Poly) -> int | None:
        """The polynomial at the point; None where a denominator is divisible by p."""
        if max(p.degrees(), default=0) > 200:
            return self._by_terms(p)
        q = fmpq(p(*self.values)) if len(p) else fmpq(0)
        if q.q % self.prime == 0:
            return None
        return int(q.p) * pow(int(q.q), -1, self.prime) % self.prime

    def _by_terms(self, p: Poly) -> int | None:
        total = 0
        for exponents, c in p.to_dict().items():
            q = fmpq(c)
            if q.q % self.prime == 0:
                return None
            term = int(q.p) * pow(int(q.q), -1, self.prime)
            for k, e in enumerate(exponents):
                if e:
                    term = term * pow(self.values[k], int(e), self.prime) % self.prime
            total += term
        return total % self.prime


class Filter:
    """Points of a field; they are looked for anew when a root has been adjoined."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.sizes: dict[int, Poly] = {}  # f for variables |f|
        self.unities: dict[int, int] = {}  # n for variables exp(2 pi i / n)
        self._points: list[Point] = []
        self._built = 0
        self._hopeless = False
        self._random = random.Random(7)

    def nonsquare(self, num: Poly, den: Poly) -> bool:
        """True proves that num/den is no square in K; False says nothing."""
        if len(num) + len(den) > 20000:
            return False
        for point in self.points():
            a, b = point.value(num), point.value(den)
            if a and b and pow(a * b, (point.prime - 1) // 2, point.prime) != 1:
                return True
        return False

    def points(self) -> list[Point]:
        """Points at which every root of the tower exists."""
        relations = self.field.relations
        if self._built != len(relations):
            new = relations[self._built :]
            self._built = len(relations)
            self._points = [x for x in self._points if self._extend(x, new)]
            if self.unities:
                self._points = []  # their primes may be of the wrong kind
            tries = TRIES if self._points or not self._hopeless else 0
            while len(self._points) < POINTS and tries:
                tries -= 1
                point = self._candidate()
                if self._extend(point, relations):
                    self._points.append(point)
            self._hopeless = not self._points and len(relations) > MANY
        return self._points

    def _candidate(self) -> Point:
        step = 1
        for n in self.unities.values():
            step *= n
        known = primes(step)
        prime = known[self._random.getrandbits(20) % len(known)]
        return Point(prime, [self._random.getrandbits(30) + 2 for _ in range(self.field.size)])

    def _extend(self, point: Point, relations: Sequence[Relation]) -> bool:
        """Choose the point's values of further roots; False when one doesn't exist."""
        for relation in relations:
            root = self._root(point, relation)
            if root is None:
                return False
            point.values[relation.index] = root
        return True

    def _root(self, point: Point, relation: Relation) -> int | None:
        index, degree = relation.index, relation.degree
        p = point.prime
        if index in self.unities:
            return _unity(self.unities[index], p)
        if index in self.sizes:
            return point.value(self.sizes[index])  # one of the two branches
        a = point.value(relation.radicand)
        if a is None:
            return None
        if degree == 2:
            return square_root(a, p)
        if fmpz(degree).gcd(fmpz(p - 1)) != 1 or a == 0:
            return None
        return pow(a, pow(degree, -1, p - 1), p)


def _unity(n: int, p: int) -> int | None:
    """An element of order n modulo p, where n divides p - 1."""
    for g in range(2, 200):
        z = pow(g, (p - 1) // n, p)
        if all(pow(z, n // int(q), p) != 1 for q, _ in fmpz(n).factor()):
            return z
    return None

"""The checker's arithmetic: fractions of polynomials modulo relations, and sets of signs."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

Poly = fmpq_mpoly
Signs = frozenset[int]  # those that a real number may have
ANY, NOT_NEGATIVE, POSITIVE = frozenset((-1, 0, 1)), frozenset((0, 1)), frozenset((1,))


class Rejected(Exception):
    """The evidence doesn't show what it claims; the message says where it fails."""


def need(holds: object, reason: str) -> None:
    """Go on only where it holds."""
    if not holds:
        raise Rejected(reason)


class Field:
    """Fractions of polynomials in some letters, modulo the relations of the letters."""

    def __init__(self, size: int) -> None:
        self.ring = fmpq_mpoly_ctx.get([f"v{k}" for k in range(size)], Ordering.lex)
        self.gens, self.one = self.ring.gens(), self.ring.constant(1)
        self.relations: dict[int, Poly] = {}  # letter: polynomial that is 0; oldest first

    def reduce(self, p: Poly) -> Poly:
        """The polynomial with low powers of the letters that have relations."""
        for k, modulus in reversed(self.relations.items()):
            if p.degrees()[k] >= modulus.degrees()[k]:
                p = divmod(p, modulus)[1]
        return p

    def norm(self, p: Poly, ks: Container[int]) -> Poly:
        """The product of the conjugates over some letters with relations: 0 where p is 0."""
        for k, modulus in reversed(self.relations.items()):
            if k in ks and p.degrees()[k] > 0:
                p = p.resultant(modulus, f"v{k}")
        return p

    def lift(self, x: Ratio | fmpq | int) -> Ratio:
        """A rational number as an element."""
        return x if isinstance(x, Ratio) else Ratio(self, self.ring.constant(x))

    def nonzero(self, p: Poly) -> None:
        """Asked of everything by which is divided."""
        raise NotImplementedError


class Ratio:
    """A fraction in lowest terms; `==` says whether two are equal modulo the relations."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, field: Field, num: Poly, den: Poly | None = None) -> None:
        num, den = field.reduce(num), field.one if den is None else field.reduce(den)
        need(not den.is_zero(), "a denominator is 0")
        common = field.one if den.is_constant() else num.gcd(den)
        lead = (den / common).leading_coefficient()
        self.field, self.num, self.den = field, num / common / lead, den / common / lead

    def __add__(self, other: Ratio | fmpq | int) -> Ratio:
        y = self.field.lift(other)
        common = self.den.gcd(y.den)
        num = self.num * (y.den / common) + y.num * (self.den / common)
        return Ratio(self.field, num, self.den * (y.den / common))

    def __sub__(self, other: Ratio | fmpq | int) -> Ratio:
        return self + self.field.lift(other) * -1

    def __mul__(self, other: Ratio | fmpq | int) -> Ratio:
        y = self.field.lift(other)
        return Ratio(self.field, self.num * y.num, self.den * y.den)

    def over(self, other: Ratio) -> Ratio:
        """The quotient, which times the other one is this wherever it has a value."""
        if not self.num or not other.num:
            return Ratio(self.field, self.num, other.num)  # 0, or rejected
        up, down = self.num.gcd(other.num), self.den.gcd(other.den)  # before they are reduced
        num = (self.num / up) * (other.den / down)
        return Ratio(self.field, num, (self.den / down) * (other.num / up))

    def __truediv__(self, other: Ratio) -> Ratio:
        self.field.nonzero(other.num)
        return self.over(other)

    def __pow__(self, n: int) -> Ratio:
        small = len(self.num) + len(self.den) == 2
        need(abs(n) < 1 << (24 if small else 14), "a power is too large")
        if n < 0:
            return (self.field.lift(1) / self) ** -n
        half = self if n < 2 else self ** (n // 2)
        return self.field.lift(1) if n == 0 else self if n == 1 else half * half * self ** (n % 2)

    def __eq__(self, other: object) -> bool:
        y = self.field.lift(other)  # type: ignore[arg-type]
        if self.den == y.den and self.num == y.num:
            return True
        return bool(self.field.reduce(self.num * y.den - y.num * self.den).is_zero())

    @property
    def rational(self) -> fmpq | None:
        """The number, if it is one."""
        if self.num.is_constant() and self.den.is_constant():
            return fmpq(self.num.leading_coefficient()) if self.num else fmpq(0)
        return None

    def multiple(self, other: Ratio) -> fmpq | None:
        """c with self = c other, where that is seen at once; 0 is no multiple."""
        if len(self.num) != len(other.num) or not self.num or self.den != other.den:
            return None
        c = fmpq(self.num.leading_coefficient()) / fmpq(other.num.leading_coefficient())
        return c if other.num * c == self.num else None


def used(*ps: Poly) -> list[int]:
    """The letters in polynomials."""
    columns = zip(*(p.degrees() for p in ps), strict=True)
    return [k for k, column in enumerate(columns) if max(column) > 0]


def sign(x: Any) -> int:
    """1, -1, or 0 where a number or ball is 0 or neither is sure."""
    return int(x > 0) - int(x < 0)


def times(a: Iterable[int], b: Iterable[int]) -> Signs:
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)


def plus(a: Signs, b: Signs) -> Signs:
    """The signs of a sum."""
    if {0} in (a, b):
        return b if a == {0} else a
    for s in (1, -1):
        if -s not in a | b:
            return frozenset((s,)) if 0 not in a & b else frozenset((0, s))
    return ANY


def raised(a: Signs, n: int) -> Signs:
    """The signs of a power."""
    return (frozenset(x**2 for x in a) if n % 2 == 0 else a) - ({0} if n < 0 else set())

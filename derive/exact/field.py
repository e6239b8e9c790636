"""The field K = Q(t)(s): fractions of polynomials, reduced by the relations of the roots.

t are variables that stand for symbols, pi, exponentials …; s are roots, s^n = R with R in
older variables.  Variables are ordered s before t and the newest root first, so in
lexicographic order the relations are a Groebner basis, and one division by each of them
gives the normal form: an element is zero in K exactly when its reduced numerator is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from derive.exact.budget import Budget, RestartError, UndecidedError
from derive.exact.polynomials import Polynomials

Poly = fmpq_mpoly
Scalar = int | fmpq


@dataclass(frozen=True)
class Relation:
    """s^degree = radicand, for the variable of that index."""

    index: int
    degree: int
    radicand: Poly
    modulus: Poly  # s^degree - radicand, or a cyclotomic polynomial


Parts = tuple[tuple[int, int], ...]  # (number of a factor, exponent > 0), sorted
Fraction = tuple[Parts, Poly]  # denominator and numerator


class Element:
    """A quotient of two polynomials; `==` is identity, equality in K is `x.equals(y)`.

    The denominator is kept as a product of powers of the field's factors: sums over one
    common denominator and cancelling then need no greatest common divisor.
    """

    __slots__ = ("_den", "field", "num", "parts")

    def __init__(self, field: Field, num: Poly, parts: Parts = ()) -> None:
        self.field, self.num, self.parts = field, num, parts
        self._den: Poly | None = None

    @property
    def den(self) -> Poly:
        """The denominator, multiplied out."""
        if self._den is None:
            self._den = self.field.expanded(self.parts)
        return self._den

    def __add__(self, other: Element | Scalar) -> Element:
        return self.field.sum((self, self.field.lift(other)))

    def __sub__(self, other: Element | Scalar) -> Element:
        return self.field.sum((self, -self.field.lift(other)))

    def __neg__(self) -> Element:
        return Element(self.field, -self.num, self.parts)

    def __mul__(self, other: Element | Scalar) -> Element:
        if isinstance(other, Element):
            return self.field.product(self, other)
        return Element(self.field, self.num * other, self.parts) if other else self.field.zero

    def __truediv__(self, other: Element | Scalar) -> Element:
        return self * self.field.inverse(self.field.lift(other))

    def __pow__(self, n: int) -> Element:
        return self.field.power(self, n)

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self) -> bool:
        return not self.num.is_zero()

    def equals(self, other: Element) -> bool:
        """The two are the same element of K."""
        if self.parts == other.parts:
            return bool(self.num == other.num)
        return bool(self.field.difference(self, other).is_zero())

    @property
    def rational(self) -> fmpq | None:
        """The number, when the element is one."""
        if not self.parts and self.num.is_constant():
            return fmpq(self.num.leading_coefficient()) if self else fmpq(0)
        return None

    def __repr__(self) -> str:
        return f"({self.num})/({self.den})"


class Field:
    """The arithmetic of K, with room for a fixed number of variables of both sorts."""

    def __init__(self, roots: int, others: int, budget: Budget) -> None:
        names = [f"s{roots - k}" for k in range(roots)] + [f"t{k}" for k in range(others)]
        self.ring = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self.gens: Sequence[Poly] = self.ring.gens()
        self.budget = budget
        self.polynomials = Polynomials(self.ring, budget)
        self.relations: list[Relation] = []  # oldest first
        self.roots, self.size = roots, roots + others
        self._next_root, self._next_other = roots - 1, roots
        self.p0, self.p1 = self.ring.constant(0), self.ring.constant(1)
        self.zero, self.one = Element(self, self.p0), Element(self, self.p1)
        self.factors: list[Poly] = []  # of denominators; each with leading coefficient 1
        self._needs: list[list[tuple[int, int]]] = []  # variables and degrees of each factor
        self._lengths: dict[int, list[int]] = {}  # terms -> numbers of the factors

    # variables

    def new_variable(self) -> int:
        """The index of a fresh transcendental variable."""
        if self._next_other == self.size:
            raise RestartError("room")
        self._next_other += 1
        return self._next_other - 1

    def new_root(self, degree: int, radicand: Poly, modulus: Poly | None = None) -> int:
        """The index of a fresh root s with s^degree = radicand (or modulus(s) = 0)."""
        if self._next_root < 0:
            raise RestartError("room")
        index = self._next_root
        self._next_root -= 1
        m = self.gens[index] ** degree - radicand if modulus is None else modulus
        self.relations.append(Relation(index, degree, radicand, m))
        return index

    @property
    def next_root(self) -> int:
        """The index that the next root will get."""
        if self._next_root < 0:
            raise RestartError("room")
        return self._next_root

    def variable(self, index: int) -> Element:
        return Element(self, self.gens[index])

    def lift(self, x: Element | Scalar) -> Element:
        """A number as an element; an element as it is."""
        return x if isinstance(x, Element) else self.number(x)

    def number(self, x: Scalar) -> Element:
        return Element(self, self.ring.constant(x))

    def polynomial(self, p: Poly) -> Element:
        return Element(self, self.reduce(p))

    # normal form

    def reduce(self, p: Poly) -> Poly:
        """The normal form of a polynomial modulo the relations."""
        if not self.relations or len(p) == 0:
            return p
        degrees = p.degrees()
        for relation in reversed(self.relations):
            if degrees[relation.index] >= relation.degree:
                p = self.polynomials.remainder(p, relation.modulus, relation.index, relation.degree)
                degrees = p.degrees()
        return p

    def times(self, a: Poly, b: Poly) -> Poly:
        """The reduced product."""
        return self.reduce(self.polynomials.product(a, b))

    # denominators

    def factor(self, p: Poly) -> int:
        """The number of a polynomial among the factors; it has leading coefficient 1."""
        numbers = self._lengths.setdefault(len(p), [])
        for k in numbers:
            if self.factors[k] == p:
                return k
        self.factors.append(p)
        self._needs.append([(k, int(e)) for k, e in enumerate(p.degrees()) if e > 0])
        numbers.append(len(self.factors) - 1)
        return len(self.factors) - 1

    def expanded(self, parts: Parts) -> Poly:
        """The product of the factors."""
        out = self.p1
        for k, e in parts:
            out = self.polynomials.product(out, self.polynomials.power(self.factors[k], e))
        return self.reduce(out)

    def split(self, p: Poly) -> tuple[Scalar, Parts]:
        """p as a number times powers of factors; known factors are divided out."""
        lead = p.leading_coefficient()
        content = p.term_content()
        parts = {
            self.factor(self.gens[k]): int(e) for k, e in enumerate(content.degrees()) if e > 0
        }
        p = p / (content / content.leading_coefficient() * lead)
        for k, factor in enumerate(self.factors):
            if 1 < len(factor) < len(p):
                p, e = self._divide(p, k)
                if e:
                    parts[k] = e
        if not p.is_constant():
            k = self.factor(p)
            parts[k] = parts.get(k, 0) + 1
        return lead, tuple(sorted(parts.items()))

    def _divide(self, p: Poly, k: int, most: int = 1 << 30) -> tuple[Poly, int]:
        """p without powers of factor k, and how many were taken out."""
        factor, needs = self.factors[k], self._needs[k]
        if len(factor) == 1:
            e = min(most, int(p.term_content().degrees()[needs[0][0]]))
            return (p / factor**e if e > 0 else p), max(e, 0)
        e = 0
        while e < most and len(p) >= len(factor) - 1:
            degrees = p.degrees()
            if any(degrees[k] < d for k, d in needs):
                break
            quotient = self.polynomials.quotient(p, factor)
            if quotient is None:
                break
            p = quotient
            e += 1
        return p, e

    def cancelled(self, n: Poly, parts: Parts) -> Element:
        """n over a product of factors, those that divide n taken out."""
        if n.is_zero():
            return self.zero
        kept = []
        for k, e in parts:
            n, taken = self._divide(n, k, e)
            if taken < e:
                kept.append((k, e - taken))
        return Element(self, n, tuple(kept))

    def lowest(self, n: Poly, d: Poly) -> Element:
        """n/d, cancelled."""
        if n.is_zero():
            return self.zero
        lead, parts = self.split(d)
        return self.cancelled(n / lead, parts)

    # arithmetic

    def over(self, x: Element, parts: Parts) -> Poly:
        """The numerator of x over a denominator that is a multiple of its own."""
        own = dict(x.parts)
        n = x.num
        for k, e in parts:
            missing = e - own.get(k, 0)
            if missing:
                n = self.polynomials.product(n, self.polynomials.power(self.factors[k], missing))
        return n

    def difference(self, x: Element, y: Element) -> Poly:
        """A polynomial that is zero exactly when x = y (the numerator of x - y)."""
        if x.parts == y.parts:
            return x.num - y.num
        parts = union(x.parts, y.parts)
        return self.reduce(self.over(x, parts) - self.over(y, parts))

    def sum(self, terms: Iterable[Element]) -> Element:
        """The sum, over one common denominator."""
        groups: dict[Parts, Poly] = {}
        for x in terms:
            known = groups.get(x.parts)
            groups[x.parts] = x.num if known is None else known + x.num
        if not groups:
            return self.zero
        sums = list(groups.items())
        if len(sums) == 1:
            return self.cancelled(sums[0][1], sums[0][0])
        while len(sums) > 1:  # in pairs, and pairs of pairs: the large ones meet last
            pairs = [self._added(a, b) for a, b in zip(sums[::2], sums[1::2], strict=False)]
            sums = pairs + sums[2 * len(pairs) :]
        return self.cancelled(self.reduce(sums[0][1]), sums[0][0])

    def _added(self, a: Fraction, b: Fraction) -> Fraction:
        """The sum of two numerators with their denominators, not cancelled."""
        parts = union(a[0], b[0])
        n, m = (self.over(Element(self, num, own), parts) for own, num in (a, b))
        return parts, n + m

    def product(self, x: Element, y: Element) -> Element:
        """The product, common factors taken out first."""
        if not x or not y:
            return self.zero
        for a, b in ((x, y), (y, x)):
            if not a.parts and a.num.is_constant():
                return Element(self, b.num * a.num.leading_coefficient(), b.parts)
        if not x.parts and not y.parts:
            return Element(self, self.times(x.num, y.num))
        a, b = self.cancelled(x.num, y.parts), self.cancelled(y.num, x.parts)
        return self._checked(self.times(a.num, b.num), _joined(a.parts, b.parts))

    def _checked(self, n: Poly, parts: Parts) -> Element:
        """After a reduction further factors may divide."""
        return self.cancelled(n, parts) if self.relations else Element(self, n, parts)

    def inverse(self, x: Element) -> Element:
        """1/x for an x that is not zero in K."""
        if not x:
            raise ZeroDivisionError("the denominator is zero")
        lead, parts = self.split(x.num)
        return self.cancelled(x.den / lead, parts)

    def power(self, x: Element, n: int) -> Element:
        """x to an integer power, by squaring; sizes are bounded before they are built."""
        if n < 0:
            return self.power(self.inverse(x), -n)
        if n == 0:
            return self.one
        self._allow_power(x.num, n)
        num, base, left = self.p1, x.num, n
        if len(base) == 1:
            num = self.reduce(self.polynomials.power(base, n))
        else:
            while left:
                if left & 1:
                    num = self.times(num, base)
                left >>= 1
                if left:
                    base = self.times(base, base)
        parts = tuple((k, e * n) for k, e in x.parts)
        if any(e > self.budget.exponent for _, e in parts):
            raise UndecidedError("an exponent is too large")
        if num.is_zero():
            return self.zero
        return self._checked(num, parts) if parts else Element(self, num)

    def _allow_power(self, p: Poly, n: int) -> None:
        if n < 8 or p.is_zero():
            return
        if max(p.degrees(), default=0) * n > self.budget.exponent:
            raise UndecidedError("an exponent is too large")
        if len(p) == 1 and abs(fmpq(p.leading_coefficient())) == 1:
            return
        size = max(max(fmpq(c).p.bit_length(), fmpq(c).q.bit_length()) for c in p.coeffs())
        if size * n > self.budget.bits or n > self.budget.bits:
            raise UndecidedError("a power with too many digits")


def union(*all_parts: Parts) -> Parts:
    """The least common multiple."""
    out: dict[int, int] = {}
    for parts in all_parts:
        for k, e in parts:
            out[k] = max(e, out.get(k, 0))
    return tuple(sorted(out.items()))


def _joined(a: Parts, b: Parts) -> Parts:
    """The product."""
    out = dict(a)
    for k, e in b:
        out[k] = out.get(k, 0) + e
    return tuple(sorted(out.items()))

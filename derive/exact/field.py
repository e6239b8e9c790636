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

Poly = fmpq_mpoly
Scalar = int | fmpq


@dataclass(frozen=True)
class Relation:
    """s^degree = radicand, for the variable of that index."""

    index: int
    degree: int
    radicand: Poly
    modulus: Poly  # s^degree - radicand, or a cyclotomic polynomial


class Element:
    """A quotient of two polynomials; `==` is identity, equality in K is `x.equals(y)`."""

    __slots__ = ("den", "field", "num")

    def __init__(self, field: Field, num: Poly, den: Poly) -> None:
        self.field, self.num, self.den = field, num, den

    def __add__(self, other: Element | Scalar) -> Element:
        return self.field.sum((self, self.field.lift(other)))

    def __sub__(self, other: Element | Scalar) -> Element:
        return self.field.sum((self, -self.field.lift(other)))

    def __neg__(self) -> Element:
        return Element(self.field, -self.num, self.den)

    def __mul__(self, other: Element | Scalar) -> Element:
        if isinstance(other, Element):
            return self.field.product(self, other)
        return Element(self.field, self.num * other, self.den) if other else self.field.zero

    def __truediv__(self, other: Element | Scalar) -> Element:
        return self * self.field.inverse(self.field.lift(other))

    def __pow__(self, n: int) -> Element:
        return self.field.power(self, n)

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self) -> bool:
        return not self.num.is_zero()

    def equals(self, other: Element) -> bool:
        """The two are the same element of K."""
        if self.den == other.den:
            return bool(self.num == other.num)
        return not self.field.difference(self, other)

    @property
    def rational(self) -> fmpq | None:
        """The number, when the element is one."""
        if self.num.is_constant() and self.den.is_constant():
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
        self.relations: list[Relation] = []  # oldest first
        self.roots, self.size = roots, roots + others
        self._next_root, self._next_other = roots - 1, roots
        self.p0, self.p1 = self.ring.constant(0), self.ring.constant(1)
        self.zero, self.one = Element(self, self.p0, self.p1), Element(self, self.p1, self.p1)

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
        return Element(self, self.gens[index], self.p1)

    def lift(self, x: Element | Scalar) -> Element:
        """A number as an element; an element as it is."""
        return x if isinstance(x, Element) else self.number(x)

    def number(self, x: Scalar) -> Element:
        return Element(self, self.ring.constant(x), self.p1)

    def polynomial(self, p: Poly) -> Element:
        return Element(self, self.reduce(p), self.p1)

    # normal form

    def reduce(self, p: Poly) -> Poly:
        """The normal form of a polynomial modulo the relations."""
        if not self.relations or len(p) == 0:
            return p
        degrees = p.degrees()
        for relation in reversed(self.relations):
            if degrees[relation.index] >= relation.degree:
                self.budget.spend(len(p) * len(relation.modulus))
                p = divmod(p, relation.modulus)[1]
                if len(p) > self.budget.terms:
                    raise UndecidedError(f"a polynomial of {len(p)} terms is too large")
                degrees = p.degrees()
        return p

    def times(self, a: Poly, b: Poly) -> Poly:
        """The reduced product."""
        self.budget.product(len(a), len(b))
        return self.reduce(a * b)

    def lowest(self, n: Poly, d: Poly) -> Element:
        """n/d without the common factor, the denominator with leading coefficient 1."""
        if n.is_zero():
            return self.zero
        if not d.is_constant():
            self.budget.spend(4 * (len(n) + len(d)))
            common = n.gcd(d)
            if not common.is_constant():
                n, d = n / common, d / common
        lead = d.leading_coefficient()
        return Element(self, n, d) if lead == 1 else Element(self, n / lead, d / lead)

    # arithmetic

    def difference(self, x: Element, y: Element) -> Poly:
        """A polynomial that is zero exactly when x = y (the numerator of x - y)."""
        if x.den == y.den:
            return x.num - y.num
        common = x.den.gcd(y.den)
        a, b = x.den / common, y.den / common
        self.budget.product(len(x.num), len(b))
        self.budget.product(len(y.num), len(a))
        return self.reduce(x.num * b - y.num * a)

    def sum(self, terms: Iterable[Element]) -> Element:
        """The sum, over one common denominator."""
        nums: list[Poly] = []
        dens: list[Poly] = []
        for x in terms:
            for k, den in enumerate(dens):
                if den == x.den:
                    nums[k] = nums[k] + x.num
                    break
            else:
                nums.append(x.num)
                dens.append(x.den)
        if not dens:
            return self.zero
        if len(dens) == 1:
            return self.lowest(nums[0], dens[0])
        return self._over_common(nums, dens)

    def _over_common(self, nums: list[Poly], dens: list[Poly]) -> Element:
        order = sorted(range(len(dens)), key=lambda k: len(dens[k]))
        common = dens[order[0]]
        for k in order[1:]:
            extra = dens[k] / common.gcd(dens[k])
            self.budget.product(len(common), len(extra))
            common = common * extra
        total = self.p0
        for n, d in zip(nums, dens, strict=True):
            factor = common / d
            self.budget.product(len(n), len(factor))
            total = total + n * factor
        return self.lowest(self.reduce(total), self.reduce(common))

    def product(self, x: Element, y: Element) -> Element:
        """The product, common factors taken out first."""
        if not x or not y:
            return self.zero
        if x.den.is_one() and y.den.is_one():
            return Element(self, self.times(x.num, y.num), self.p1)
        for a, b in ((x, y), (y, x)):
            if a.num.is_constant() and a.den.is_one():
                return Element(self, b.num * a.num.leading_coefficient(), b.den)
        a, b = self.lowest(x.num, y.den), self.lowest(y.num, x.den)
        den = self.times(a.den, b.den)
        if den.is_constant():
            return Element(self, self.times(a.num, b.num) / den.leading_coefficient(), self.p1)
        return self.lowest(self.times(a.num, b.num), den)

    def inverse(self, x: Element) -> Element:
        """1/x for an x that is not zero in K."""
        if not x:
            raise ZeroDivisionError("the denominator is zero")
        lead = x.num.leading_coefficient()
        return Element(self, x.den / lead, x.num / lead)

    def power(self, x: Element, n: int) -> Element:
        """x to an integer power, by squaring; sizes are bounded before they are built."""
        if n < 0:
            return self.power(self.inverse(x), -n)
        if n == 0:
            return self.one
        self._allow_power(x.num, n)
        self._allow_power(x.den, n)
        if len(x.num) == 1 and x.den.is_one():
            return Element(self, self.reduce(x.num**n), self.p1)
        out: Element | None = None
        while n:
            if n & 1:
                out = x if out is None else self.product(out, x)
            n >>= 1
            if n:
                x = self.product(x, x)
        assert out is not None
        return out

    def _allow_power(self, p: Poly, n: int) -> None:
        if n < 8:
            return
        if max(p.degrees(), default=0) * n > self.budget.exponent:
            raise UndecidedError("an exponent is too large")
        size = max(
            (max(fmpq(c).p.bit_length(), fmpq(c).q.bit_length()) for c in p.coeffs()), default=1
        )
        if size * n > self.budget.bits or (len(p) > 1 and n > self.budget.bits):
            raise UndecidedError("a power with too many digits")

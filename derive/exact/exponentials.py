"""Exponentials: a basis of the exponents over Q, so that exp(a + b) = exp(a) exp(b) is seen.

An exponent is written in the basis by exact linear algebra; if it can't be, it joins the
basis with a new variable.  If it can be with a fraction, the basis element is cut into
parts and the tower is built again.  Logarithms, i pi and i arg(z) are basis elements, too:
their exponentials are known elements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpq

from derive.exact.budget import RestartError
from derive.exact.field import Element, Parts, Poly, union
from derive.exact.generators import COMPLEX, REAL, UNIT
from derive.exact.ground import Ground
from derive.exact.ranges import EVERYTHING, POSITIVE, Range
from derive.exact.roots import Roots
from derive.exact.roots_of_unity import unity
from derive.exact.signs import SignFinder

SIGN = Range(fmpq(-1), fmpq(1), True, True, True)


@dataclass(frozen=True)
class Entry:
    """exp(q * exponent) is power(q)."""

    exponent: Element
    power: Callable[[fmpq], Element]
    kind: str  # exp, log, pi or arg
    basis: int = -1  # the number among those of kind exp


class Span:
    """A Q-vector space of elements with a basis; coordinates by elimination.

    Everything is multiplied by one common denominator; then elements are polynomials in
    normal form, and polynomials with different leading monomials are a triangular system.
    """

    def __init__(self, ground: Ground) -> None:
        self.field = ground.field
        self.members: list[Element] = []
        self._common: Parts = ()
        self._rows: list[tuple[tuple[int, ...], Poly, dict[int, fmpq]]] = []

    def coordinates(self, x: Element) -> dict[int, fmpq] | None:
        """x as a combination of the members, or None."""
        rest, used = self._eliminate(x)
        return {k: -q for k, q in used.items() if q} if rest.is_zero() else None

    def join(self, x: Element) -> None:
        """A further member, which must be independent of the others."""
        self._scaled(x)  # may build the rows again, without x
        self.members.append(x)
        self._insert(len(self.members) - 1)

    def _insert(self, k: int) -> None:
        rest, used = self._eliminate(self.members[k])
        used[k] = fmpq(1)
        lead = fmpq(rest.leading_coefficient())
        row = rest / lead
        self._rows.append((row.monomial(0), row, {j: q / lead for j, q in used.items()}))

    def _eliminate(self, x: Element) -> tuple[Poly, dict[int, fmpq]]:
        """What is left of common * x, and which members were added to get there."""
        rest = self._scaled(x)
        used: dict[int, fmpq] = {}
        for monomial, row, combination in self._rows:
            c = fmpq(rest[monomial])
            if c:
                self.field.budget.spend(len(rest) + len(row))
                rest = rest - row * c
                for k, q in combination.items():
                    used[k] = used.get(k, fmpq(0)) - c * q
        return rest, used

    def _scaled(self, x: Element) -> Poly:
        field = self.field
        common = union(self._common, x.parts)
        if common != self._common:
            self._common = common
            self._rows = []
            for k in range(len(self.members)):
                self._insert(k)
        return field.reduce(field.over(x, common)) if common else x.num


class Exponentials:
    """Exponentials over one tower."""

    def __init__(self, ground: Ground, signs: SignFinder, roots: Roots, far: int) -> None:
        self.ground, self.signs, self.roots = ground, signs, roots
        self.far = far  # larger multiples of a basis element get a variable of their own
        self.loosened = False
        self.entries: list[Entry] = []
        self._span = Span(ground)
        self._loose: list[Entry] = []  # kept out of the basis
        self._count = 0
        self._pi_tied = False
        self.integers: set[int] = set()  # variables of symbols that are integers
        self._parities: dict[tuple[int, ...], Element] = {}
        ground.generators.exp_range = self._compared_with_one

    def tie(self, exponent: Element, power: Callable[[fmpq], Element], kind: str) -> None:
        """Make known that exp(q * exponent) is power(q)."""
        self._span.join(exponent)
        self.entries.append(Entry(exponent, power, kind))

    def exp(self, x: Element, nature: str | None = None) -> Element:
        """exp(x); nature REAL for a real x, UNIT for i times a real, None for not known."""
        field = self.ground.field
        if not x:
            return field.one
        if self.integers and self.ground.has("pi"):
            x, sign = self._whole_turns(x)
            if sign is not None:
                return self.exp(x, nature) * sign
        self._tie_pi()
        coordinates = self._span.coordinates(x)
        if coordinates is None:
            return self._new(x, nature)
        if any(self._far(self.entries[k], q) for k, q in coordinates.items()):
            return self._far_exp(x, nature)
        out = field.one
        terms = []
        for k, q in sorted(coordinates.items()):
            entry = self.entries[k]
            if entry.kind == "exp" and q.q > 1:
                self.ground.cut(entry.basis, int(q.q))
                raise RestartError("basis")
            power = entry.power(q)
            terms.append((entry.exponent, q, power))
            out = out * power
        self.ground.note("exp", x=x, value=out, terms=terms)
        return out

    def _whole_turns(self, x: Element) -> tuple[Element, Element | None]:
        """x without i pi n for integers n, and (-1)^n; None where there is nothing to do."""
        field, ground = self.ground.field, self.ground
        turn = (ground.i * ground.pi).num
        if not x.den.is_constant():
            return x, None
        i, pi = ground.generators.used(turn)
        sign: Element | None = None
        for exponents, coefficient in x.num.to_dict().items():
            c = fmpq(coefficient)
            letters = [k for k, e in enumerate(exponents) if e and k not in (i, pi)]
            whole = exponents[i] == exponents[pi] == 1 and set(letters) <= self.integers
            if not (whole and letters and c.q == 1):
                continue
            term = field.ring.from_dict({exponents: coefficient})
            x = field.lowest(x.num - term, field.p1)
            sign = (sign or field.one) * (self._parity(tuple(letters)) if c.p % 2 else field.one)
        return x, sign

    def _parity(self, letters: tuple[int, ...]) -> Element:
        """(-1)^(product of the letters), which are integers; its square is 1."""
        field = self.ground.field
        if letters not in self._parities:
            product = field.one
            for k in letters:
                product = product * field.variable(k)
            index = field.next_root
            self.ground.filter.sizes[index] = field.p1
            self._parities[letters] = self.ground.root(
                "parity", 2, field.p1, argument=product, number=False, range=SIGN
            )
        return self._parities[letters]

    def terms(self, x: Element) -> list[tuple[Element, fmpq]] | None:
        """x as a rational combination of exponents whose exponentials are known."""
        self._tie_pi()
        coordinates = self._span.coordinates(x)
        if coordinates is None:
            return None
        return [(self.entries[k].exponent, q) for k, q in sorted(coordinates.items())]

    def _far(self, entry: Entry, q: fmpq) -> bool:
        if entry.kind != "exp":
            return False
        parts = self.ground.scale.get(entry.basis, 1)
        return abs(int(q.p)) > self.far or (q.q > 1 and parts * int(q.q) > self.far)

    def _far_exp(self, x: Element, nature: str | None) -> Element:
        """Too large a multiple for a power: a variable without relation to the basis."""
        self.loosened = True
        for entry in self._loose:
            q = (x / entry.exponent).rational
            if q is not None and not self._far(entry, q):
                if q.q > 1:
                    self.ground.cut(entry.basis, int(q.q))
                    raise RestartError("basis")
                return entry.power(q)
        self.ground.doubts.append("exponents in a ratio of large numbers")
        entry, value = self._entry(x, nature or self._nature(x) or COMPLEX)
        self._loose.append(entry)
        return value

    def _entry(self, x: Element, nature: str) -> tuple[Entry, Element]:
        """A new variable of which exp(x) is a power."""
        basis = self._count
        self._count += 1
        parts = self.ground.scale.get(basis, 1)
        exponent = x * fmpq(1, parts)
        value = self._variable(exponent, nature, basis)
        return Entry(exponent, lambda q: value ** int(q.p), "exp", basis), value**parts

    def _nature(self, x: Element) -> str | None:
        if self.ground.real(x):
            return REAL
        mirror = self.ground.conjugate(x)
        if mirror is None:
            return COMPLEX
        return UNIT if mirror.equals(-x) else None

    def _new(self, x: Element, nature: str | None) -> Element:
        nature = nature or self._nature(x)
        if nature is None:  # a real and an imaginary part
            mirror = self.ground.conjugate(x)
            assert mirror is not None
            half = fmpq(1, 2)
            return self.exp((x + mirror) * half, REAL) * self.exp((x - mirror) * half, UNIT)
        entry, value = self._entry(x, nature)
        self._span.join(entry.exponent)
        self.entries.append(entry)
        return value

    def _variable(self, exponent: Element, nature: str, basis: int) -> Element:
        if nature != REAL:
            _ = self.ground.i  # so that no root of -1 is adjoined under another name
        number = self.ground.generators.number(exponent)
        known = POSITIVE if nature == REAL else EVERYTHING
        value = self.ground.variable(
            "exp", argument=exponent, nature=nature, number=number, degree=basis, range=known
        )
        return value

    def _compared_with_one(self, exponent: Element) -> Range:
        """The range of exp of a function: above or below 1 where the exponent has a sign."""
        sign, one = self.signs.sign(exponent), fmpq(1)
        if not sign:
            return POSITIVE
        return Range(one, None) if sign > 0 else Range(fmpq(0), one, nonzero=True)

    def _tie_pi(self) -> None:
        """exp(i pi q) is a root of unity, once pi has been met."""
        if self._pi_tied or not self.ground.has("pi"):
            return
        self._pi_tied = True

        def power(q: fmpq) -> Element:
            return unity(self.roots, int(q.p), 2 * int(q.q))

        self.tie(self.ground.pi * self.ground.i, power, "pi")

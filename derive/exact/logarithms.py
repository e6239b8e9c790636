"""Logarithms: log|x| factor by factor, and the relations between them.

log|x| is the sum of the logarithms of its factors, of primes and of exponents.  Where
roots occur factors aren't unique, so a relation is proposed by LLL and verified in K:
|x^a y^b ...| = 1.  The imaginary part of a complex logarithm is an angle (angles.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import acb, arb, fmpq

from derive.exact.angles import Angles
from derive.exact.balls import precision
from derive.exact.exponentials import Exponentials
from derive.exact.field import Element, Poly
from derive.exact.generators import REAL
from derive.exact.ground import Table
from derive.exact.opaque import Opaque
from derive.exact.ranges import EVERYTHING, POSITIVE, Range
from derive.exact.relations import integer_relation
from derive.exact.roots import Roots, integer_factors
from derive.exact.signs import Factor

LARGEST = 64  # coefficients of a relation
CANDIDATES = 12  # members of a relation that is looked for
MEMBERS = 4  # logarithms whose norms are looked at


@dataclass(frozen=True)
class Log:
    """variable = log|argument|"""

    variable: Element
    argument: Element


class Logarithms:
    """Logarithms over one tower."""

    def __init__(
        self, roots: Roots, exponentials: Exponentials, angles: Angles, opaque: Opaque
    ) -> None:
        self.ground, self.signs, self.roots = roots.ground, roots.signs, roots
        self.exponentials, self.angles, self.opaque = exponentials, angles, opaque
        self.field = self.ground.field
        self._logs: Table[Element] = Table()  # factor -> log|factor|
        self._made: list[Log] = []

    def log(self, x: Element, positive: bool = False) -> Element:
        """The principal logarithm; `positive` where x is known to be real and > 0."""
        ground = self.ground
        if not x:
            raise ZeroDivisionError("the logarithm of 0")
        number = ground.generators.number(x)
        sign = 1 if positive else None
        if not positive and ground.real(x):
            signs = self.signs.signs(x)
            sign = 1 if -1 not in signs else -1 if 1 not in signs else None  # log 0 is undefined
        if sign == 1:
            return self.log_size(x)
        if sign == -1:
            return self.log_size(-x) + ground.pi * ground.i
        mirror = ground.conjugate(x) if number else None
        if mirror is None:
            return self.opaque.value("log", x)
        return self.log_size(x * mirror) * fmpq(1, 2) + self.angles.angle(x, mirror) * ground.i

    def log_size(self, x: Element) -> Element:
        """log|x| of a real x that isn't 0."""
        value = self._log_size(x)
        self.ground.note("log", x=x, value=value)
        return value

    def _log_size(self, x: Element) -> Element:
        split = self.signs.factors(x)
        if split is None:
            factor = Factor(x, x.num, Element(self.field, x.den))
            return self._log_factor(factor, whole=True)
        c, factors = split
        terms = self._log_rational(c)
        for factor, e in factors:
            terms.append(self._log_factor(factor) * e)
        return self.field.sum(terms)

    def _log_rational(self, c: fmpq) -> list[Element]:
        out = []
        for z, side in ((c.p, 1), (c.q, -1)):
            for p, e in integer_factors(z):
                if p > 1:
                    out.append(self._log_prime(p) * (e * side))
        return out

    def _log_prime(self, p: int) -> Element:
        constant = self.field.ring.constant(p)
        known = self._logs.get(constant)
        if known is None:
            known = self._new_log(Element(self.field, constant))
            self._logs.put(constant, known)
        return known

    def _log_factor(self, factor: Factor, whole: bool = False) -> Element:
        """log|factor| of something irreducible."""
        p = factor.poly
        if not whole and len(p) == 1:
            easy = self._log_variable(self.ground.generators.used(p)[0])
            if easy is not None:
                return easy
        known = None if whole else self._logs.get(p)
        if known is None:
            known = self._related_log(factor.value)
            if known is None:
                known = self._new_log(factor.value)
            if not whole:
                self._logs.put(p, known)
        return known

    def _log_variable(self, index: int) -> Element | None:
        g = self.ground.generators.table[index]
        if g.kind == "exp" and g.nature == REAL:
            return g.argument
        if g.kind == "abs" and g.argument is not None:
            return self.log_size(g.argument)
        if g.kind == "root" and g.nature == REAL:
            relation = next(r for r in self.field.relations if r.index == index)
            radicand = Element(self.field, relation.radicand)
            return self.log_size(radicand) * fmpq(1, g.degree)
        return None

    def _new_log(self, x: Element) -> Element:
        number = self.ground.generators.number(x)
        value = self.ground.variable("log", argument=x, number=number, range=self._log_range(x))
        self._made.append(Log(value, x))

        def power(q: fmpq) -> Element:
            size = self.roots.size(x)
            n = int(q.q)
            return (self.roots.root(size, n, frozenset((1,))) if n > 1 else size) ** int(q.p)

        self.exponentials.tie(value, power, "log")
        return value

    def _log_range(self, x: Element) -> Range:
        """log x > 0 where x > 1."""
        generators = self.ground.generators
        if generators.range(x.num).positive and generators.range(x.den).positive:
            above = generators.range(x.num - x.den)
            if above.positive or above.negative:
                return POSITIVE if above.positive else -POSITIVE
        return EVERYTHING

    def _related_log(self, x: Element) -> Element | None:
        """log|x| by the logarithms that are known, when roots make that possible."""
        if not self._has_roots(x.num):
            return None
        pool = [log for log in self._made if self._has_roots(log.argument.num)]
        terms = [(log.variable, log.argument) for log in pool]
        for y in (*(log.argument for log in pool[-MEMBERS:]), x):
            for term in self._norm_factors(y.num):
                if not any(term[0].equals(known) for known, _ in terms):
                    terms.append(term)
        terms = terms[-CANDIDATES:]
        if not terms:
            return None
        arguments = [x, *(argument for _, argument in terms)]
        n = integer_relation(lambda bits: self._log_balls(arguments, bits))
        if n is None or max(map(abs, n)) > LARGEST:
            return None
        product = self.field.one
        for argument, e in zip(arguments, n, strict=True):
            product = product * argument**e
        if not (product * product).equals(self.field.one):
            return None
        return self.field.sum(
            variable * fmpq(-e, n[0]) for (variable, _), e in zip(terms, n[1:], strict=True)
        )

    def _has_roots(self, p: Poly) -> bool:
        table = self.ground.generators.table
        used = self.ground.generators.used(p)
        return any(k < self.field.roots and table[k].kind == "root" for k in used)

    def _norm_factors(self, p: Poly) -> list[tuple[Element, Element]]:
        """Logarithms of the factors of p's norm, with their arguments."""
        for relation in reversed(self.field.relations):
            if p.degrees()[relation.index] == 0:
                continue
            if relation.degree != 2 or len(p) > 40:
                return []
            b = p.derivative(relation.index)
            a = p - b * self.field.gens[relation.index]
            square = self.field.times(b, b)
            p = self.field.times(a, a) - self.field.times(square, relation.radicand)
        lead, parts = self.signs.split(p)
        out = []
        for z in (lead.p, lead.q):
            for q, _ in integer_factors(z):
                if q > 1:
                    out.append((self._log_prime(q), self.field.number(q)))
        for f, _ in parts:
            factor = self.signs.real_factor(f)
            if factor is not None and len(f) > 1:
                out.append((self._log_factor(factor), factor.value))
        return out

    def _log_balls(self, arguments: Sequence[Element], bits: int) -> list[arb]:
        with precision(bits):
            return [abs(acb(self.ground.generators.ball(x, bits)).real).log() for x in arguments]

"""Logarithms and angles: log|x| factor by factor, arg z, and the relations between them.

log|x| is the sum of the logarithms of its factors, of primes and of exponents.  Where
roots occur factors aren't unique, so a relation is proposed by LLL and verified in K:
|x^a y^b ...| = 1.  arg z is a variable A with exp(2 i A) = z / conj(z); a relation
between angles is verified in the same way up to a multiple of pi, which balls fix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import acb, arb, fmpq

from derive.exact.balls import precision
from derive.exact.budget import UndecidedError
from derive.exact.exponentials import Exponentials
from derive.exact.field import Element, Poly
from derive.exact.generators import COMPLEX, REAL
from derive.exact.ground import Ground, Table
from derive.exact.ranges import EVERYTHING, POSITIVE, Range
from derive.exact.relations import integer_relation
from derive.exact.roots import Roots, integer_factors
from derive.exact.signs import Factor, SignFinder

CANDIDATES = 12  # members of a relation that is looked for


@dataclass(frozen=True)
class Log:
    """variable = log|argument|"""

    variable: Element
    argument: Element


@dataclass(frozen=True)
class Angle:
    """variable = arg z, continuous where smooth; turn = z / conj(z)"""

    variable: Element
    turn: Element
    smooth: bool


class Logarithms:
    """Logarithms and angles over one tower; `convex` says that the domain is convex."""

    def __init__(
        self, ground: Ground, signs: SignFinder, roots: Roots, exponentials: Exponentials
    ) -> None:
        self.ground, self.signs, self.roots = ground, signs, roots
        self.exponentials = exponentials
        self.field = ground.field
        self.convex = False
        self._logs: Table[Element] = Table()  # factor -> log|factor|
        self._made: list[Log] = []
        self._angles: list[Angle] = []
        self._opaque: list[tuple[str, Element, Element]] = []

    # logarithms

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
            return self.opaque("log", x)
        return self.log_size(x * mirror) * fmpq(1, 2) + self.angle(x, mirror) * ground.i

    def opaque(
        self, name: str, x: Element, odd: bool = False, known: Range | None = None
    ) -> Element:
        """A function of which only this is used: equal arguments give equal values.

        `known` is the range of its values, where they are real.
        """
        if odd and not x:
            return x
        for other, y, value in self._opaque:
            if other == name and y.equals(x):
                return value
            if other == name and odd and y.equals(-x):
                return -value
        self.ground.doubts.append(f"{name} is opaque")
        number = self.ground.generators.number(x)
        value = self.ground.variable(
            "erf" if name == "erf" and known else "opaque", name=name, argument=x, number=number,
            nature=REAL if known else COMPLEX, range=known or EVERYTHING,
        )  # fmt: skip
        if known and number:
            self.roots.place(value)
        self._opaque.append((name, x, value))
        return value

    def log_size(self, x: Element) -> Element:
        """log|x| of a real x that isn't 0."""
        value = self._log_size(x)
        self.ground.note("log", x=x, value=value)
        return value

    def _log_size(self, x: Element) -> Element:
        split = self.signs.factors(x)
        if split is None:
            factor = Factor(x, x.num, Element(self.field, x.den, self.field.p1))
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
            known = self._new_log(Element(self.field, constant, self.field.p1))
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
            radicand = Element(self.field, relation.radicand, self.field.p1)
            return self.log_size(radicand) * fmpq(1, g.degree)
        return None

    def _new_log(self, x: Element) -> Element:
        number = self.ground.generators.number(x)
        value = self.ground.variable("log", argument=x, number=number, range=self._log_range(x))
        if number:
            self.roots.place(value)
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
        terms = [*((log.variable, log.argument) for log in pool), *self._norm_factors(x.num)]
        terms = terms[-CANDIDATES:]
        if not terms:
            return None
        arguments = [x, *(argument for _, argument in terms)]
        n = integer_relation(lambda bits: self._log_balls(arguments, bits))
        if n is None or max(map(abs, n)) > 64:
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

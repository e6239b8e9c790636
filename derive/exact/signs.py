"""Signs of real elements: exact for numbers, from the assumptions for functions.

A function is split into real factors.  A factor's sign comes from its range, from an
assumption (itself, a multiple of it, or it plus something of one sign), or because it is
a difference of two exponentials whose exponents are in a known order.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flint import fmpq
from flint.utils.flint_exceptions import DomainError

from derive.exact.budget import RestartError, UndecidedError
from derive.exact.field import Element, Poly
from derive.exact.generators import REAL, UNIT
from derive.exact.ground import Ground, Table

Signs = frozenset[int]
ANY: Signs = frozenset((-1, 0, 1))
FACTOR_LETTERS = 8
FACTOR_TERMS = 120  # polynomials up to this length are factored completely
LINEAR_TERMS = 12  # sums up to this length are compared with assumptions
SEARCH_DEPTH = 5  # assumptions added up
WEAK, STRICT = 1, 2
SPLIT_TERMS = 3000  # and up to this one into square-free parts


@dataclass(frozen=True)
class Factor:
    """A real factor value = poly / unit, with poly a polynomial and |unit| = 1."""

    value: Element
    poly: Poly
    unit: Element


def times(a: Signs, b: Signs) -> Signs:
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)


class ContradictionError(Exception):
    """The assumptions exclude each other."""


class SignFinder:
    """Signs over one tower; `facts` are elements with the signs that they may have."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.facts: list[tuple[Element, Signs]] = []
        self._bounds: list[tuple[Poly, int]] = []  # p >= 0 or p > 0
        self._known: Table[Signs] = Table()
        self._splits: Table[tuple[fmpq, list[tuple[Poly, int]]]] = Table()

    def learn(self, x: Element, signs: Signs) -> None:
        """Take note of an assumption about an element."""
        self.facts.append((x, signs))
        self._known = Table()
        if not x.parts:
            for sign in (1, -1):
                if -sign not in signs:
                    self._bounds.append((x.num * sign, WEAK if 0 in signs else STRICT))

    @contextmanager
    def supposing(self, x: Element, signs: Signs) -> Iterator[None]:
        """Inside, the assumption holds."""
        before = len(self.facts), len(self._bounds)
        self.learn(x, signs)
        try:
            yield
        finally:
            del self.facts[before[0] :], self._bounds[before[1] :]
            self._known = Table()

    def signs(self, x: Element) -> Signs:
        """The signs that a real element may have."""
        signs = self._signs(x)
        if signs != ANY:
            self.ground.note("sign", x=x, signs=signs)
        return signs

    def _signs(self, x: Element) -> Signs:
        ground = self.ground
        if not x:
            return frozenset((0,))
        if ground.generators.number(x):
            return frozenset((ground.sign(x),))
        whole = self._direct(x)
        if len(whole) == 1:
            return whole
        split = self.factors(x)
        if split is None:
            return whole
        c, factors = split
        out: Signs = frozenset((1 if c > 0 else -1,))
        for factor, e in factors:
            one = self._factor(factor)
            out = times(out, frozenset(s**2 for s in one) if e % 2 == 0 else one)
        return out & whole

    def sign(self, x: Element) -> int | None:
        """The sign when only one is possible."""
        signs = self.signs(x)
        return next(iter(signs)) if len(signs) == 1 else None

    def side(self, x: Element) -> int | None:
        """1 where x is never negative, so |x| = x; -1 where it is never positive."""
        signs = self.signs(x)
        if not signs:
            raise ContradictionError
        return 1 if -1 not in signs else -1 if 1 not in signs else None

    def _factor(self, factor: Factor) -> Signs:
        known = self._known.get(factor.poly)
        if known is None:
            x = factor.value
            if self.ground.generators.number(x):
                known = frozenset((self.ground.sign(x),))
            else:
                known = self._direct(x) & self._exponential_order(factor.poly)
            self._known.put(factor.poly, known)
        return known

    # ways to know a sign

    def _direct(self, x: Element) -> Signs:
        num = self.ground.generators.range(x.num).signs
        den = self.ground.generators.range(x.den).signs
        out = times(num, den - {0}) if num != ANY and den - {0} != {-1, 1} else ANY
        for fact, signs in self.facts:
            if len(out) > 1 and fact.den == x.den and len(fact.num) == len(x.num):
                c = fmpq(x.num.leading_coefficient()) / fmpq(fact.num.leading_coefficient())
                if fact.num * c == x.num:
                    out &= times(signs, frozenset((1 if c > 0 else -1,)))
        if len(out) > 1 and self._bounds and len(x.num) <= LINEAR_TERMS and len(den) == 1:
            side = next(iter(den))
            for sign in (1, -1):
                strength = self._follows(x.num * (sign * side), 0, SEARCH_DEPTH)
                if strength:
                    out &= frozenset((sign,)) if strength == STRICT else frozenset((0, sign))
        return out

    def _follows(self, p: Poly, used: int, depth: int) -> int:
        """STRICT when p > 0, WEAK when p >= 0 follows by adding multiples of what is known."""
        if p.is_zero():
            return WEAK
        r = self.ground.generators.range(p)
        if r.nonnegative:
            return STRICT if r.positive else WEAK
        if depth == 0:
            return 0
        monomial, c = p.monomial(0), fmpq(p.leading_coefficient())
        for k, (bound, strength) in enumerate(self._bounds):
            if used >> k & 1:
                continue
            ratio = fmpq(bound[monomial])
            if ratio and ratio * c > 0:
                rest = self._follows(p - bound * (c / ratio), used | 1 << k, depth - 1)
                if rest:
                    return max(rest, strength)
        return 0

    def _exponential_order(self, p: Poly) -> Signs:
        """a exp(B) - b exp(C) with a >= b > 0 is positive when B > C."""
        if len(p) != 2:
            return ANY
        (m, a), (n, b) = ((e, fmpq(c)) for e, c in p.terms())
        if (a > 0) == (b > 0):
            return ANY
        table = self.ground.generators.table
        field = self.ground.field
        order = field.zero
        for k, (e, f) in enumerate(zip(m, n, strict=True)):
            g = table.get(k)
            if e != f:
                if g is None or g.kind != "exp" or g.nature != REAL or g.argument is None:
                    return ANY
                order = order + g.argument * (int(e) - int(f))
            elif e and (
                g is None or g.nature != REAL or not self.ground.generators.place(k).positive
            ):
                return ANY
        s = self.sign(order)  # of B - C; the two terms are a exp(B) and b exp(C)
        first, second = (1 if a > 0 else -1), (1 if b > 0 else -1)
        if s == 1 and abs(a) >= abs(b):
            return frozenset((first,))
        if s == -1 and abs(a) <= abs(b):
            return frozenset((second,))
        if s == 0 and a == -b:
            return frozenset((0,))
        return ANY

    # real factors

    def factors(self, x: Element) -> tuple[fmpq, list[tuple[Factor, int]]] | None:
        """x = c * product of factor^e for a real x, or None where the factors aren't real."""
        c = fmpq(1)
        unit = self.ground.field.one
        out: list[tuple[Factor, int]] = []
        for p, side in ((x.num, 1), (x.den, -1)):
            lead, parts = self.split(p)
            c = c * lead if side > 0 else c / lead
            for f, e in self._paired(parts):
                factor = self.real_factor(f)
                if factor is None:
                    return None
                if factor.poly.is_constant():
                    raise UndecidedError(
                        "a constant factor"
                    )  # never happens: parts are not constant
                unit = unit * factor.unit ** (side * e)
                if not (len(f) == 1 and self._is_unit(f)):
                    out.append((factor, side * e))
        q = unit.rational
        return None if q is None else (c * q, out)

    def _is_unit(self, f: Poly) -> bool:
        table = self.ground.generators.table
        return all(table[k].nature == UNIT for k in self.ground.generators.used(f))

    def split(self, p: Poly) -> tuple[fmpq, list[tuple[Poly, int]]]:
        """Coefficient and factors of a polynomial, as far as its length allows."""
        if p.is_constant():
            return fmpq(p.leading_coefficient()), []
        known = self._splits.get(p)
        if known is None:
            known = self._split(p)
            self._splits.put(p, known)
        return known

    def _split(self, p: Poly) -> tuple[fmpq, list[tuple[Poly, int]]]:
        self.ground.budget.spend(200 * len(p))
        content = p.term_content()
        gens = self.ground.field.gens
        parts = [(gens[k], e) for k, e in enumerate(content.degrees()) if e]
        c, p = fmpq(content.leading_coefficient()), p / content
        if p.is_constant():
            return c * fmpq(p.leading_coefficient()), parts
        degree, letters = p.total_degree(), len(self.ground.generators.used(p))
        if len(p) <= FACTOR_TERMS and degree <= 60 and letters <= FACTOR_LETTERS:
            lead, more = p.factor()
        elif len(p) <= SPLIT_TERMS and degree <= 200:
            lead, more = p.factor_squarefree()
        else:
            lead, more = fmpq(1), [(p, 1)]
        return c * fmpq(lead), [*parts, *((f, int(e)) for f, e in more)]

    def real_factor(self, f: Poly) -> Factor | None:
        """f = unit * value with a real value, for one factor of a polynomial."""
        ground, field = self.ground, self.ground.field
        table = ground.generators.table
        turned = [k for k in ground.generators.used(f) if table[k].nature != REAL]
        if not turned:
            return Factor(Element(field, f), f, field.one)
        if self._is_unit(f) and len(f) == 1:
            return Factor(field.one, f, Element(field, f))
        turn = self._turn(f)
        if turn is None:
            return None
        side, powers = turn
        value, unit = Element(field, f), field.one
        for k, e in powers.items():
            if e % 2 and not self.refine(k, 2):
                return None
            unit = unit * field.variable(k) ** (e // 2)
        value = value / unit
        if side < 0:
            value, unit = value * ground.i * -1, unit * ground.i
        return Factor(value, f, unit)

    def _turn(self, f: Poly) -> tuple[int, dict[int, int]] | None:
        """f / conj(f) as a sign and powers of variables, where it is that."""
        mirror = self.ground.conjugate(Element(self.ground.field, f))
        if mirror is None:
            return None
        try:
            ratio = mirror.num / f
        except DomainError:
            return None
        if len(ratio) != 1 or abs(fmpq(ratio.leading_coefficient())) != 1:
            return None
        both = zip(mirror.den.degrees(), ratio.degrees(), strict=True)
        powers = {k: int(a) - int(b) for k, (a, b) in enumerate(both) if a != b}
        return (1 if fmpq(ratio.leading_coefficient()) > 0 else -1), powers

    def _paired(self, parts: list[tuple[Poly, int]]) -> list[tuple[Poly, int]]:
        """w - 1 and w + 1, which are real only times a root of w, as their product w^2 - 1."""
        out: list[tuple[Poly, int]] = []
        for f, e in parts:
            k = self._odd(f)
            flipped = None if k is None else _flipped(f, k)
            for place, (g, n) in enumerate(out):
                if n == e and flipped is not None and flipped in (g, -g):
                    out[place] = (f * g, e)
                    break
            else:
                out.append((f, e))
        return out

    def _odd(self, f: Poly) -> int | None:
        """A variable by whose root f has to be divided to be real."""
        table = self.ground.generators.table
        turned = any(table[k].nature == UNIT for k in self.ground.generators.used(f))
        turn = self._turn(f) if turned and len(f) > 1 else None
        return None if turn is None else next((k for k, e in turn[1].items() if e % 2), None)

    def refine(self, index: int, parts: int) -> bool:
        """Cut an exponential's exponent into parts, or take a symbol's root, and begin again."""
        g = self.ground.generators.table[index]
        if g.kind == "exp":
            self.ground.cut(g.degree, parts)
        elif g.kind == "symbol" and g.range.nonnegative:
            self.ground.cut(g.name, parts)
        else:
            return False
        raise RestartError("basis")


def _flipped(f: Poly, k: int) -> Poly:
    """f with -v for the variable v of that number."""
    rows = {m: -c if m[k] % 2 else c for m, c in f.to_dict().items()}
    return f.context().from_dict(rows)

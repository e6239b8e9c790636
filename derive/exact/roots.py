"""Roots of elements: extract powers, find the root in K, or adjoin it.

A number's root is adjoined as "the principal root of x divided by what was extracted", so
it needs no sign; a root that is found in K gets its sign or branch from balls.  A
function's root extracts |f| for every factor f^2.  s^n = R holds in any case, so a zero
normal form is a proof; where a root is not proved to be new, `doubts` says so.
"""

from __future__ import annotations

from flint import acb, arb, fmpq, fmpz

from derive.exact.balls import Ball, Balls, disjoint, precision
from derive.exact.budget import UndecidedError
from derive.exact.field import Element, Poly
from derive.exact.generators import COMPLEX, REAL, SIGN_BITS, UNIT
from derive.exact.ground import Ground, Table
from derive.exact.ranges import EVERYTHING, NONNEGATIVE, POSITIVE, Range
from derive.exact.relations import integer_relation
from derive.exact.roots_of_unity import unity
from derive.exact.signs import ANY, Factor, SignFinder, Signs
from derive.exact.squares import Squares

LARGEST_FIELD = 18  # degree of a field in which roots of odd degree are looked for
FACTORED_BITS = 160  # integers up to this size are factored completely


class Roots:
    """Roots over one tower."""

    def __init__(self, ground: Ground, signs: SignFinder) -> None:
        self.ground, self.signs = ground, signs
        self.field = ground.field
        self.squares = Squares(ground)
        self._square_roots: Table[Element] = Table()  # core -> root
        self._absolute: Table[Element] = Table()
        self._opaque: list[tuple[Element, int, Element]] = []
        self._nested = False  # a root of odd degree of an irrational number was adjoined
        self.unities: dict[tuple[int, int], Element] = {}  # roots_of_unity.py

    # the entry

    def root(self, x: Element, n: int, signs: Signs | None = None) -> Element:
        """The principal n-th root; `signs` of x where it is known to be real."""
        if n.bit_length() > 20:
            raise UndecidedError(f"a root of degree {n}")
        if not x:
            return x
        if signs is None and self.ground.real(x):
            signs = ANY
        if signs is not None and len(signs) > 1:
            signs = signs & self.signs.signs(x)
        if signs is not None and signs == frozenset((-1,)):
            return self.root(-x, n, frozenset((1,))) * unity(self, 1, 2 * n)
        value, sure = x, signs
        for p, e in fmpz(n).factor():
            for _ in range(int(e)):
                value = self._prime(value, int(p), sure)
                if sure is None or -1 in sure:
                    sure = None  # what follows is a complex number
        self.ground.note("root", x=x, degree=n, value=value, signs=signs)
        return value

    def _prime(self, x: Element, p: int, signs: Signs | None) -> Element:
        number = self.ground.generators.number(x)
        positive = signs is not None and -1 not in signs
        if number and p == 2:
            return self._number_sqrt(x, positive)
        if p == 2 and signs is not None:
            found = self._function_sqrt(x, positive)
            if found is not None:
                return found
        if p > 2 and positive:
            return self._odd_root(x, p, number)
        return self.plain(x, p, number, positive)

    # square roots of numbers

    def _number_sqrt(self, x: Element, real: bool) -> Element:
        if not real:
            _ = self.ground.i  # complex roots stand above i
        out, core = self._square_parts(x)
        found = self._square_roots.get(core)
        if found is None:
            found = self.squares.root(core)
            exact = self.squares.exact
            if found is None:
                return self._adjoin(core, x, out, real, exact) * out
        return self._with_branch(found * out, x, 2, real)

    def _square_parts(self, x: Element) -> tuple[Element, Poly]:
        """x = out^2 * core with a square-free polynomial core."""
        field = self.field
        out, core = field.one, field.p1
        c = fmpq(1)
        for p, side in ((x.num, 1), (x.den, -1)):
            lead, parts = self.signs.split(p)
            c = c * lead if side > 0 else c / lead
            for f, e in parts:
                half = e // 2 if side > 0 else -((e + 1) // 2)
                if half:
                    out = out * Element(field, f) ** half
                if e % 2:
                    core = field.times(core, f)
        a, c = _square_part(c)
        return out * a, field.reduce(core * c)

    def _adjoin(self, core: Poly, x: Element, out: Element, real: bool, exact: bool) -> Element:
        """A new square root s = sqrt(x)/out of a number x; s^2 = core."""
        ground = self.ground
        nature = REAL if real and ground.real(out) else COMPLEX
        if nature == COMPLEX and out.rational == 1:
            mirror = ground.conjugate(x)
            if mirror is not None and (mirror * x).equals(self.field.one):
                nature = UNIT
        if not exact:
            ground.doubts.append("a square root that may not be new")
        s = ground.root(
            "root", 2, core, argument=x, part=out, nature=nature, name="real" if real else ""
        )
        self._square_roots.put(core, s)
        return s

    def _narrow(self, s: Element, known: Range) -> None:
        self.ground.generators.narrow(self.ground.generators.used(s.num)[0], known)

    def _with_branch(self, r: Element, x: Element, n: int, real: bool) -> Element:
        """r or -r or another root of unity times r: the one that is the principal root."""
        ground = self.ground
        if not ground.generators.number(r):  # seen at the sample point, it would hold only there
            side = self.signs.side(r) if n == 2 and real and ground.real(r) else None
            if side is None:
                raise UndecidedError("the root of a number was found as a function")
            return r * side
        candidates = [r, -r] if n == 2 else [r * unity(self, k, n) for k in range(n)]
        for bits in SIGN_BITS:
            with precision(bits):
                value: Ball = ground.generators.ball(x, bits)
                target = Balls(bits).root(acb(value).real if real else value, n)
                near = [
                    c for c in candidates if not disjoint(ground.generators.ball(c, bits), target)
                ]
            if len(near) == 1 and acb(target).is_finite():
                return near[0]
        raise UndecidedError("the branch of a root can't be seen")

    # square roots of functions

    def _function_sqrt(self, x: Element, positive: bool) -> Element | None:
        """sqrt of a real function, |f| taken out for every factor f^2; None: try otherwise."""
        split = self.signs.factors(x)
        if split is None:
            return None
        c, factors = split
        field = self.field
        out, core, unit = field.one, field.p1, field.one
        for factor, e in factors:
            half = e // 2
            if half:
                out = out * self.absolute(factor) ** half
            if e % 2:
                core = field.times(core, factor.poly)
                unit = unit * factor.unit
        a, c = _square_part(c)
        core = field.reduce(core * c)
        self._cut_exponentials(core)
        return self._core_sqrt(core, unit, positive) * out * a

    def _cut_exponentials(self, core: Poly) -> None:
        """Real exponentials and symbols leave the root: they are refined until they can."""
        table = self.ground.generators.table
        for k, e in enumerate(core.term_content().degrees()):
            if e % 2 and table[k].kind in ("exp", "symbol") and table[k].nature == REAL:
                self.signs.refine(k, 2)

    def _core_sqrt(self, core: Poly, unit: Element, positive: bool) -> Element:
        """sqrt(x) of the real x = core / unit, by s = unit * sqrt(x), s^2 = core * unit."""
        field, ground = self.field, self.ground
        x = Element(field, core) / unit
        if ground.generators.number(x):  # its branch is seen with balls
            return self._number_sqrt(x, positive)
        square = Element(field, core) * unit
        if not square.den.is_constant():
            raise UndecidedError("an angle in a denominator")
        known = self._square_roots.get(square.num)
        if known is not None:
            return known / unit
        found = self.squares.root(square.num)
        size = self._safe_size(found / unit) if found is not None else None
        if size is not None:
            return size
        real = positive
        plain = real and unit.rational is not None
        ground.doubts.append("a square root of a function")
        s = ground.root(
            "root", 2, square.num, argument=x, part=field.inverse(unit), number=False,
            nature=REAL if plain else COMPLEX, name="real" if real else "",
            range=NONNEGATIVE if plain else EVERYTHING,
        )  # fmt: skip
        if plain and 0 not in self.signs.signs(x):
            self._narrow(s, POSITIVE)
        self._square_roots.put(square.num, s)
        return s / unit

    def _safe_size(self, x: Element) -> Element | None:
        """|x| of a function, None where it isn't real or may have poles of its own."""
        table = self.ground.generators.table
        if any(table[k].kind == "abs" for k in self.ground.generators.used(x.den)):
            return None
        return self.size(x) if self.ground.real(x) else None

    def size(self, x: Element) -> Element:
        """|x| of a real x."""
        side = self.signs.side(x)
        if side is not None:
            return x * side
        split = self.signs.factors(x)
        if split is None:  # as a whole
            lead = fmpq(x.num.leading_coefficient())
            den = Element(self.field, x.den)
            return self.absolute(Factor(x * (1 / lead), x.num / lead, den)) * abs(lead)
        value = self.field.number(abs(split[0]))
        for factor, e in split[1]:
            value = value * self.absolute(factor) ** e
        return value

    def absolute(self, factor: Factor) -> Element:
        """|f| of a real factor: f or -f where one of the signs can't be, else a variable."""
        side = self.signs.side(factor.value)
        if side is not None:
            return factor.value * side
        known = self._absolute.get(factor.poly)
        if known is None:
            square = self.field.times(factor.poly, factor.poly)
            plain = factor.unit.rational is not None
            known = self.ground.root(
                "abs", 2, square, argument=factor.value, part=factor.unit, number=False,
                nature=REAL if plain else COMPLEX, range=NONNEGATIVE if plain else EVERYTHING,
            )  # fmt: skip
            self.ground.filter.sizes[self.ground.generators.used(known.num)[0]] = factor.poly
            if plain and 0 not in self.signs.signs(factor.value):
                self._narrow(known, POSITIVE)
            self._absolute.put(factor.poly, known)
        return known / factor.unit

    # roots of odd prime degree of what is not negative

    def _odd_root(self, x: Element, q: int, number: bool) -> Element:
        split = self.signs.factors(x)
        if split is None:
            return self.plain(x, q, number, True)
        c, factors = split
        out = self._rational_root(abs(c), q)
        for factor, e in factors:
            side = self.signs.side(factor.value)
            if side is None:
                return self.plain(x, q, number, True)
            whole, rest = divmod(e, q)
            size = factor.value * side
            out = out * size**whole
            if rest:
                out = out * self._factor_root(size, q) ** rest
        return out

    def _rational_root(self, c: fmpq, q: int) -> Element:
        out = self.field.one
        for z, side in ((c.p, 1), (c.q, -1)):
            for p, e in integer_factors(z):
                whole, rest = divmod(e * side, q)
                out = out * fmpq(p) ** whole
                if rest:
                    out = out * self._new_root(self.field.number(fmpq(p)), q) ** rest
        return out

    def _factor_root(self, x: Element, q: int) -> Element:
        """The q-th root of an irreducible element that is not negative."""
        table = self.ground.generators.table
        used = self.ground.generators.used(x.num)
        if len(x.num) == 1 and len(used) == 1 and table[used[0]].kind in ("exp", "symbol"):
            self.signs.refine(used[0], q)
        return self._new_root(x, q)

    def _new_root(self, x: Element, q: int) -> Element:
        for y, n, s in self._opaque:
            if n == q:
                if y.equals(x):
                    return s
                product = (x * y).rational
                if product is not None and product > 0 and x.rational is None:
                    return self._rational_root(product, q) / s
        found = self._denested(x, q)
        if found is not None:
            return found
        return self.plain(x, q, self.ground.generators.number(x), True)

    def _denested(self, x: Element, q: int) -> Element | None:
        """The q-th root of a positive algebraic number, if it is in the field already."""
        generators = self.ground.generators
        if not generators.algebraic(x) or (x.rational is not None and not self._nested):
            return None
        basis = self._real_monomials()
        if not 2 <= len(basis) <= LARGEST_FIELD:
            return None

        def values(bits: int) -> list[arb]:
            with precision(bits):
                first = acb(generators.ball(x, bits)).real.root(q)
                return [first, *(acb(generators.ball(m, bits)).real for m in basis)]

        n = integer_relation(values)
        if n is not None:
            pairs = zip(basis, n[1:], strict=True)
            root = self.field.sum(m * fmpq(-c, n[0]) for m, c in pairs)
            if (root**q).equals(x):
                return root  # the only real one
        self._nested = self._nested or x.rational is None
        return None

    def _real_monomials(self) -> list[Element]:
        """A basis over Q of the field of real algebraic numbers that has been built."""
        out = [self.field.one]
        for relation in self.field.relations:
            g = self.ground.generators.table[relation.index]
            s = self.field.variable(relation.index)
            if g.kind == "root" and g.nature == REAL and self.ground.generators.algebraic(s):
                out = [m * s**e for m in out for e in range(relation.degree)]
            if len(out) > LARGEST_FIELD:
                break
        return out

    # the rest

    def plain(self, x: Element, q: int, number: bool, positive: bool) -> Element:
        """A root about which nothing more is known than that its power is x."""
        for y, n, s in self._opaque:
            if n == q and y.equals(x):
                return s
        field, ground = self.field, self.ground
        radicand = field.times(x.num, field.power(Element(field, x.den), q - 1).num)
        part = Element(field, x.den)
        ground.doubts.append(f"a root of degree {q}")
        real = positive and ground.real(part)
        s = ground.root(
            "root", q, radicand, argument=x, part=field.inverse(part), number=number,
            nature=REAL if real else COMPLEX, name="real" if positive else "",
        )  # fmt: skip
        if real:
            self._narrow(s, NONNEGATIVE if self.signs.signs(part) == {1} else EVERYTHING)
        value = s / part
        self._opaque.append((x, q, value))
        return value


def _square_part(c: fmpq) -> tuple[fmpq, fmpq]:
    """c = a^2 * core with an integer core, square-free as far as that is cheap."""
    a, core = fmpq(1), fmpq(1 if c > 0 else -1)
    for z, side in ((c.p, 1), (c.q, -1)):
        for p, e in integer_factors(z):
            whole, rest = divmod(e * side, 2)
            a = a * fmpq(p) ** whole
            core = core * (p if rest else 1)
    return a, core


def integer_factors(z: fmpz) -> list[tuple[int, int]]:
    """The factors of |z|; of a large integer only the small primes and perfect powers."""
    z = abs(z)
    if z.bit_length() <= FACTORED_BITS:
        return [(int(p), int(e)) for p, e in z.factor()]
    out = []
    for p, e in z.factor(trial_limit=400):
        root = p.isqrt()
        out.append((int(root), 2 * int(e)) if root * root == p else (int(p), int(e)))
    return out

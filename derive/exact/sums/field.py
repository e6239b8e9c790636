"""The field of sums: quotients of polynomials in generators, reduced to one form.

A generator is a key (keys.py).  Roots keep their square as a relation; [a = 0] and [a >= 0] are
their own squares.  Substitution never edits a key: it is evaluated again from its leaves.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from derive.exact.budget import Budget, RestartError, UndecidedError
from derive.exact.sums.affine import Affine, constant, is_bound, minus, order, plus, variable
from derive.exact.sums.facts import Facts, Order
from derive.exact.sums.keys import ONE, Key, Mono, PolyKey, free, monomial, primitive

Poly = Any  # fmpq_mpoly
Element = tuple[Poly, Poly]  # numerator, denominator
NEAR = 6  # [v <= u + c] is split into single cases for |c| below
LARGEST_PRODUCT = 50  # times the terms that one polynomial may have


class Room:
    """How many generators of each kind the polynomial ring has, and the roots of exponentials."""

    def __init__(self) -> None:
        self.roots, self.others = 6, 40
        self.scale: dict[Mono, int] = {}

    def grow(self) -> None:
        """Twice as many."""
        self.roots, self.others = 2 * self.roots, 2 * self.others
        if self.others > 700:
            raise UndecidedError("more than 700 generators")


class Field:
    """Arithmetic on elements, and the generators that have no rule but their square."""

    def __init__(self, facts: Facts, room: Room, budget: Budget) -> None:
        self.facts, self.room, self.budget = facts, room, budget
        names = [f"x{n}" for n in range(room.roots + room.others)]
        self.ring = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self.x, self.count = self.ring.gens(), len(names)
        self.unit = self.ring.from_dict({(0,) * self.count: fmpq(1)})
        self.nought = self.unit - self.unit
        self.one, self.zero = self.number(1), self.number(0)
        self.key: dict[int, Key] = {}
        self.place: dict[Key, int] = {}
        self.squares: list[tuple[int, Poly]] = []  # (generator, its square), last made first
        self.idempotent: list[int] = []
        self.given: dict[Key, Element] = {}
        self.open_questions: list[Affine] = []  # orders that were asked for and not known
        self.next_root, self.next_other = room.roots - 1, self.count - 1
        self.order = Order(facts)

    # arithmetic

    def number(self, q: Any) -> Element:
        """A rational number."""
        return (self.unit * q, self.unit)

    def generator(self, key: Key, square: Poly | None = None) -> Element:
        """The element of a key."""
        if key in self.given:
            return self.given[key]
        if key not in self.place:
            index = self.next_other if square is None else self.next_root
            if square is None:
                self.next_other -= 1
            else:
                self.next_root -= 1
                self.squares.append((index, square))
            if self.next_root < -1 or self.next_other < self.room.roots:
                raise RestartError("room")
            self.place[key], self.key[index] = index, key
            if key[0] in ("delta", "mask"):
                self.idempotent.append(index)
        return (self.x[self.place[key]], self.unit)

    def reduced(self, p: Poly) -> Poly:
        """Squares of roots, deltas and masks put in."""
        for index, square in reversed(self.squares):
            if p.degrees()[index] >= 2:
                p = divmod(p, self.x[index] ** 2 - square)[1]
        degrees = p.degrees()
        if any(degrees[i] > 1 for i in self.idempotent):
            out: dict[tuple[int, ...], Any] = {}
            for m, c in p.to_dict().items():
                low = tuple(min(e, 1) if j in self.idempotent else e for j, e in enumerate(m))
                out[low] = out.get(low, 0) + c
            p = self.ring.from_dict(out)
        return p

    def quotient(self, num: Poly, den: Poly) -> Element:
        """num/den with no root, delta or mask in the denominator and no common factor."""
        if den == self.nought:
            raise UndecidedError("division by an exact zero")
        for index, _ in reversed(self.squares):
            if den.degrees()[index]:
                slope = den.derivative(index)
                conjugate = den - slope * self.x[index] * 2
                if (new := self.reduced(den * conjugate)) == self.nought:
                    raise UndecidedError("a divisor of zero in a denominator")
                num, den = self.reduced(num * conjugate), new
        for index in self.idempotent:
            if den.degrees()[index]:
                slope = den.derivative(index)
                off = den - slope * self.x[index]
                if off != self.nought and off + slope != self.nought:
                    num = self.reduced(num * (off + slope - slope * self.x[index]))
                    den = self.reduced(off * (off + slope))
        if num == self.nought:
            return (num, self.unit)
        self.budget.spend(len(num) * len(den))
        common = num.gcd(den)
        num, den = num / common, den / common
        leading = den.leading_coefficient()
        return (num / leading, den / leading)

    def _product(self, a: int, b: int) -> None:
        """Allow the product of polynomials of a and b terms, or raise UndecidedError."""
        self.budget.spend(a * b + 50)
        if a * b > LARGEST_PRODUCT * self.budget.terms:
            raise UndecidedError(f"a product of {a} by {b} terms is too large")

    def add(self, x: Element, y: Element) -> Element:
        """x + y."""
        self._product(len(x[0]), len(y[1]))
        self._product(len(y[0]), len(x[1]))
        return self.quotient(self.reduced(x[0] * y[1] + y[0] * x[1]), self.reduced(x[1] * y[1]))

    def neg(self, x: Element) -> Element:
        """-x."""
        return (-x[0], x[1])

    def sub(self, x: Element, y: Element) -> Element:
        """x - y."""
        return self.add(x, self.neg(y))

    def mul(self, x: Element, y: Element) -> Element:
        """x y."""
        self._product(len(x[0]), len(y[0]))
        self._product(len(x[1]), len(y[1]))
        return self.quotient(self.reduced(x[0] * y[0]), self.reduced(x[1] * y[1]))

    def inv(self, x: Element) -> Element:
        """1/x."""
        return self.quotient(x[1], x[0])

    def over(self, x: Element, y: Element) -> Element:
        """x/y."""
        return self.mul(x, self.inv(y))

    def power(self, x: Element, n: int) -> Element:
        """x^n for a whole number n."""
        if abs(n) > 64:
            raise UndecidedError("a power above 64")
        out, base = self.one, self.inv(x) if n < 0 else x
        for _ in range(abs(n)):
            out = self.mul(out, base)
        return out

    def total(self, xs: Iterable[Element]) -> Element:
        """The sum of several elements."""
        out = self.zero
        for x in xs:
            out = self.add(out, x)
        return out

    def product(self, xs: Iterable[Element]) -> Element:
        """The product of several elements."""
        out = self.one
        for x in xs:
            out = self.mul(out, x)
        return out

    # deltas and masks

    def delta(self, a: Affine) -> Element:
        """[a = 0]."""
        a = self._unmapped(a)
        if not a:
            return self.one
        if self.order.nonnegative(plus(a, constant(-1))) or self.order.nonnegative(
            plus(minus(a), constant(-1))
        ):
            return self.zero
        return self.generator(("delta", a if a[0][1] > 0 else minus(a)))

    def _unmapped(self, a: Affine) -> Affine:
        """p(x) = p(y) exactly where x = y, for a permutation p."""
        bases = [b for b, _ in a]
        if len(a) == 2 and all(isinstance(b, tuple) and b[0] == "at" for b in bases):
            (f, x), (g, y) = (b[1:] for b in bases)
            if f == g and f in self.order.size_of and a[0][1] == -a[1][1] in (1, -1):
                return self._unmapped(plus(x, y, -1))
        return a

    def mask(self, a: Affine) -> Element:
        """[a >= 0]."""
        if self.order.nonnegative(a):
            return self.one
        if self.order.negative(a):
            return self.zero
        parts = dict(a)
        c = parts.pop("1", 0)
        if sorted(parts.values()) == [-1, 1] and abs(c) < NEAR and c != -1:
            return self._near(a, parts, c)
        inner = [b for b in parts if isinstance(b, str) and is_bound(b)]
        if c or len(inner) < len(parts):
            first = min(parts, key=lambda b: (b not in inner, order(b)))
            if parts[first] < 0:  # one orientation: [x >= 0] = 1 - [-x - 1 >= 0]
                other = plus(constant(-1), a, -1)
                turned = self.generator(("mask", other)) if len(parts) != 2 else self.mask(other)
                return self.sub(self.one, turned)
        self.open_questions.append(a)
        return self.generator(("mask", a))

    def _near(self, a: Affine, parts: dict[Any, int], c: int) -> Element:
        """[v <= u + c] = [v < u] and single cases."""
        from derive.exact.sums.affine import affine

        out = self.mask(plus(a, constant(-1 - c)))
        for t in range(c + 1):
            out = self.add(out, self.delta(plus(affine(parts), constant(t))))
        for t in range(1, -c):
            out = self.sub(out, self.delta(plus(affine(parts), constant(-t))))
        return out

    # elements and keys

    def poly_key(self, p: Poly) -> tuple[fmpq, PolyKey]:
        """A polynomial as (scale, key)."""
        if p.is_constant():
            return fmpq(p.leading_coefficient()), ONE
        return primitive(
            (
                monomial((self.key[j], int(e)) for j, e in enumerate(m) if e),
                (int(c.p), int(c.q)),
            )
            for m, c in p.to_dict().items()
        )

    def terms(self, x: Element, names: set[str] | None = None) -> list[tuple[Element, Mono]]:
        """x as a sum of coefficient * monomial, the coefficients free of the names.

        With None the coefficients are rational.  Denominators with a name become a key each;
        the numerator is reduced modulo each of them (partial fractions).
        """
        num, den = x
        dependent = {j for j, k in self.key.items() if names is None or free(k) & names}
        factor, below_line = self._denominator(den, dependent)
        for key, _ in below_line:
            if key[0] == "poly":
                divisor = self.of_poly(key[1], {})[0]
                whole, rest = divmod(num, divisor)
                if whole != self.nought:
                    out = self.terms(self.quotient(whole, den / divisor), names)
                    if rest != self.nought:
                        out = out + self.terms(self.quotient(rest, den), names)
                    return out
        found: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for m, c in num.to_dict().items():
            inner = tuple(e if j in dependent else 0 for j, e in enumerate(m))
            outer = tuple(0 if j in dependent else e for j, e in enumerate(m))
            found.setdefault(inner, {})[outer] = c
        return [
            (
                self.quotient(self.ring.from_dict(c), factor),
                monomial([*((self.key[j], int(e)) for j, e in enumerate(m) if e), *below_line]),
            )
            for m, c in found.items()
        ]

    def _denominator(self, den: Poly, dependent: set[int]) -> tuple[Poly, list[tuple[Key, int]]]:
        """(what is free of the names, the other factors as keys with negative exponents)."""
        factor = self.unit
        keys: list[tuple[Key, int]] = []
        if den.is_constant():
            return factor * den.leading_coefficient(), keys
        scale, parts = den.factor()
        for f, e in parts:
            degrees = f.degrees()
            if not any(degrees[j] for j in dependent):
                factor = factor * f ** int(e)
            elif len(f) == 1:
                index = next(j for j in range(self.count) if degrees[j])
                keys.append((self.key[index], -int(e)))
                factor = factor * f.leading_coefficient() ** int(e)
            else:
                s, key = self.poly_key(f)
                factor = factor * s ** int(e)
                keys.append((("poly", key), -int(e)))
        return factor * scale, keys

    def of_poly(self, p: PolyKey, by: dict[str, Affine]) -> Element:
        """The element of a polynomial key, names replaced."""
        raise NotImplementedError

    def fresh(self, low: Affine, high: Affine, used: Iterable[str]) -> str:
        """A name for a running index that carries its range, and isn't used."""
        taken = set(used)
        n = 0
        while (name := f"k{n}@{order(low)}{order(high)}") in taken:
            n += 1
        self.order.range(name, low, high)
        return name

    def refine(self, mono: Mono, denominator: int) -> None:
        """exp(mono/L) needs a finer L: start again."""
        self.room.scale[mono] = lcm(self.room.scale.get(mono, 1), denominator)
        raise RestartError("scale")

    def integer(self, a: Affine) -> Element:
        """An index expression as a number."""
        return self.total(self.mul(self.number(c), self._base(b)) for b, c in a)

    def _base(self, base: Any) -> Element:
        if base == "1":
            return self.one
        if isinstance(base, str):
            return self.generator(("var", base))
        if base[0] == "at":
            return self.generator(("family", base[1], (base[2],)))
        return self.mul(self._base(base[1]), self._base(base[2]))


__all__ = ["Element", "Field", "Poly", "Room", "variable"]

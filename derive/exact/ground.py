"""What all parts of the tower share: the field, its variables, conjugation, exact signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

from flint import acb, fmpq

from derive.exact.balls import precision
from derive.exact.budget import Budget, UndecidedError
from derive.exact.field import Element, Field, Poly
from derive.exact.generators import COMPLEX, REAL, SIGN_BITS, UNIT, Generator, Generators
from derive.exact.modular import Filter
from derive.exact.ranges import POSITIVE

T = TypeVar("T")


class Table(Generic[T]):
    """Values kept by polynomial (flint's polynomials have no hash)."""

    def __init__(self) -> None:
        self._rows: dict[object, list[tuple[Poly, T]]] = {}

    def get(self, p: Poly) -> T | None:
        return next((value for q, value in self._rows.get(_key(p), ()) if q == p), None)

    def put(self, p: Poly, value: T) -> None:
        self._rows.setdefault(_key(p), []).append((p, value))

    def items(self) -> Iterator[tuple[Poly, T]]:
        for rows in self._rows.values():
            yield from rows


def _key(p: Poly) -> object:
    if len(p) == 0:
        return 0
    c = fmpq(p.leading_coefficient())
    return len(p), p.degrees(), int(c.p), int(c.q)


class Ground:
    """The field under construction.

    `scale` says into how many parts the basis exponent of that number is cut, and of which
    degree the root of a symbol is; it outlives a RestartError.  `doubts` collects why a
    non-zero normal form would prove nothing.
    """

    def __init__(
        self,
        room: tuple[int, int],
        scale: dict[int | str, int],
        budget: Budget,
        point: Mapping[str, Fraction] | None = None,
    ) -> None:
        self.budget = budget
        self.field = Field(*room, budget)
        self.generators = Generators(self.field, point)
        self.filter = Filter(self.field)
        self.scale = scale
        self.doubts: list[str] = []
        self.trace: list[tuple[str, dict[str, object]]] = []  # facts for the evidence
        self._single: dict[str, Element] = {}

    def note(self, fact: str, **data: object) -> None:
        """Take note of a fact that the proof uses; evidence.py says what each holds."""
        self.trace.append((fact, data))

    # variables

    def variable(self, kind: str, **facts: object) -> Element:
        """A fresh transcendental variable."""
        g = Generator(self.field.new_variable(), kind, **facts)  # type: ignore[arg-type]
        return self.generators.add(g)

    def root(
        self, kind: str, degree: int, radicand: Poly, modulus: Poly | None = None, **facts: object
    ) -> Element:
        """A fresh algebraic variable."""
        index = self.field.new_root(degree, radicand, modulus)
        return self.generators.add(Generator(index, kind, degree=degree, **facts))  # type: ignore[arg-type]

    def cut(self, basis: int | str, parts: int) -> None:
        """A basis exponent, or a symbol's root, is needed in smaller parts; then restart."""
        self.scale[basis] = self.scale.get(basis, 1) * parts

    @property
    def i(self) -> Element:
        """The imaginary unit."""
        return self._once("i", lambda: self.root("i", 2, -self.field.p1, nature=UNIT))

    @property
    def pi(self) -> Element:
        return self._once("pi", lambda: self.variable("pi", range=POSITIVE))

    def _once(self, name: str, build: Callable[[], Element]) -> Element:
        if name not in self._single:
            self._single[name] = build()
        return self._single[name]

    def has(self, name: str) -> bool:
        """i or pi has been used."""
        return name in self._single

    # conjugation

    def conjugate(self, x: Element) -> Element | None:
        """The complex conjugate, where every variable's is known."""
        a, b = self._conjugate(x.num), self._conjugate(x.den)
        return None if a is None or b is None else a / b

    def _conjugate(self, p: Poly) -> Element | None:
        degrees = p.degrees()
        table = self.generators.table
        used = [k for k, e in enumerate(degrees) if e]
        if any(table[k].nature == COMPLEX for k in used):
            return None
        turned = [k for k in used if table[k].nature == UNIT]
        if not turned:
            return Element(self.field, p)
        flipped = {}
        for exponents, c in p.to_dict().items():
            e = list(exponents)
            for k in turned:
                e[k] = degrees[k] - e[k]
            flipped[tuple(e)] = c
        num = self.field.ring.from_dict(flipped)
        den = self.field.p1
        for k in turned:
            den = den * self.field.gens[k] ** int(degrees[k])
        return self.field.polynomial(num) / self.field.polynomial(den)

    def real(self, x: Element) -> bool:
        """The element is proved real."""
        table = self.generators.table
        if all(table[k].nature == REAL for p in (x.num, x.den) for k in self.generators.used(p)):
            return True
        mirror = self.conjugate(x)
        return mirror is not None and mirror.equals(x)

    # numbers

    def sign(self, x: Element) -> int:
        """The sign of a real number: -1, 0 or 1; raises UndecidedError."""
        if not x:
            return 0
        q = x.rational
        if q is not None:
            return 1 if q > 0 else -1
        for bits in SIGN_BITS:
            value = acb(self.generators.ball(x, bits)).real
            if value > 0:
                return 1
            if value < 0:
                return -1
        raise UndecidedError("the sign of a number is too close to call")

    def nearest(self, x: Element) -> int:
        """An integer near a real element, of a function at the sample point; a guess."""
        with precision(64):
            middle = acb(self.generators.ball(x, 64)).real.mid()
            whole = (middle + fmpq(1, 2)).floor().unique_fmpz() if middle.is_finite() else None
        return int(whole or 0)

    def nonzero(self, x: Element) -> bool:
        """The number (or the function, at the sample point) is certainly not 0."""
        if not x:
            return False
        if x.rational is not None:
            return True
        for bits in SIGN_BITS:
            value = acb(self.generators.ball(x, bits))
            if value.is_finite() and not value.contains(0):
                return True
        return False

"""Is an element of K a square?  Complete for towers of square roots, by norm descent.

x = a + b s with s^2 = R is a square exactly when a^2 - b^2 R = d^2 in the field below and
(a + d)/2 or (a - d)/2 is a square there; an element without s is a square when it or its
product with R is one below.  At the bottom stands the square root of a polynomial.
"""

from __future__ import annotations

from flint.utils.flint_exceptions import DomainError

from derive.exact.field import Element, Field, Poly
from derive.exact.ground import Ground


class Squares:
    """Square roots in K; `exact` is False after a search that was not complete."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.field: Field = ground.field
        self.exact = True

    def root(self, p: Poly) -> Element | None:
        """A square root in K of a reduced polynomial, or None."""
        self.exact = True
        return self._below(p, len(self.field.relations))

    def _below(self, p: Poly, level: int) -> Element | None:
        """A root in the field of the first `level` relations."""
        field = self.field
        if p.is_zero():
            return field.zero
        if level and self.ground.filter.nonsquare(p, field.p1):
            return None
        if level == 0:
            try:
                return Element(field, p.sqrt())
            except DomainError:
                return None
        relation = field.relations[level - 1]
        involved = p.degrees()[relation.index] > 0
        if (
            self.ground.generators.table[relation.index].kind in ("abs", "parity")
            or relation.degree > 2
        ):
            if involved or relation.degree % 2 == 0:
                self.exact = False
            return None if involved else self._below(p, level - 1)
        if not involved:
            return self._without(p, level)
        return self._with(p, level)

    def _without(self, p: Poly, level: int) -> Element | None:
        field, relation = self.field, self.field.relations[level - 1]
        found = self._below(p, level - 1)
        if found is None:
            below = self._below(field.times(p, relation.radicand), level - 1)
            if below is not None:
                s = field.gens[relation.index]
                found = below * field.lowest(s, relation.radicand)
        return found

    def _with(self, p: Poly, level: int) -> Element | None:
        field, relation = self.field, self.field.relations[level - 1]
        s = field.gens[relation.index]
        b = p.derivative(relation.index)
        a = p - b * s
        norm = field.times(a, a) - field.times(field.times(b, b), relation.radicand)
        d = self._below(field.reduce(norm), level - 1)
        if d is None:
            return None
        low = Element(field, a)
        for part in (low + d, low - d):  # x^2 = (a + d)/2
            half = part * 2
            x = self._below(field.times(half.num, half.den), level - 1)
            if x is not None and x:
                x = x * field.lowest(field.p1, half.den * 2)
                y = Element(field, b) / (x * 2)
                return x + y * field.variable(relation.index)
        return None

"""Is an element of K a square?  Complete for towers of square roots, by norm descent.

x = a + b s with s^2 = R is a square exactly when a^2 - b^2 R = d^2 in the field below and
(a + d)/2 or (a - d)/2 is a square there; an element without s is a square when it or its
product with R is one below.  Roots of an R without roots stand below all others; what has
no roots is a square over them or not by linear algebra (square_classes.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from derive.exact.budget import UndecidedError
from derive.exact.field import Element, Field, Poly, Relation
from derive.exact.ground import Ground
from derive.exact.polynomials import OVERHEAD
from derive.exact.square_classes import SquareClasses

SEARCH = 2_000_000  # steps of one search


class Squares:
    """Square roots in K; `exact` is False after a search that was not complete."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.field: Field = ground.field
        self.exact = True
        self._classes = SquareClasses(self.field.polynomials)
        self._order: list[Relation] = []  # those of the classes first
        self._flat = 0  # the number of these

    def root(self, p: Poly) -> Element | None:
        """A square root in K of a reduced polynomial, or None."""
        self.exact = True
        try:
            with self.field.budget.part(SEARCH):
                self._arrange()
                return self._below(p, len(self._order))
        except UndecidedError:
            self.exact = False
            return None

    def _arrange(self) -> None:
        """The relations, roots of what has no roots first: their order is a free choice."""
        relations = self.field.relations
        if len(relations) == len(self._order):
            return
        flat = [r for r in relations if self._plain(r) and not self._has_roots(r.radicand)]
        below = {r.index for r in flat}
        self._flat = len(flat)
        self._order = [*flat, *(r for r in relations if r.index not in below)]
        self._classes.extend([r.radicand for r in flat])

    def _plain(self, relation: Relation) -> bool:
        kind = self.ground.generators.table[relation.index].kind
        return kind not in ("abs", "parity") and relation.degree == 2

    def _has_roots(self, p: Poly) -> bool:
        return any(e for e in p.degrees()[: self.field.roots])

    def _below(self, p: Poly, level: int) -> Element | None:
        """A root in the field of the first `level` relations."""
        field = self.field
        if p.is_zero():
            return field.zero
        field.budget.spend(len(p) + OVERHEAD)
        if level and self.ground.filter.nonsquare(p, field.p1):
            return None
        if level <= self._flat and not self._has_roots(p):
            return self._by_classes(p, level)
        relation = self._order[level - 1]
        involved = p.degrees()[relation.index] > 0
        if not self._plain(relation):
            if involved or relation.degree % 2 == 0:
                self.exact = False
            return None if involved else self._below(p, level - 1)
        if not involved:
            return self._without(p, level)
        return self._with(p, level)

    def _by_classes(self, p: Poly, level: int) -> Element | None:
        """A root over the roots of what has no roots, of what has none either."""
        field = self.field
        members: Sequence[int] | None = []
        if level:
            members = self._classes.dependent(p)
        if members is None or any(k >= level for k in members):
            return None
        for k in members:
            p = field.polynomials.product(p, self._order[k].radicand)
        root = field.polynomials.square_root(p)
        if root is None:
            return None
        out = Element(field, root)
        for k in members:
            relation = self._order[k]
            out = out * field.lowest(field.gens[relation.index], relation.radicand)
        return out

    def _without(self, p: Poly, level: int) -> Element | None:
        field, relation = self.field, self._order[level - 1]
        found = self._below(p, level - 1)
        if found is None:
            below = self._below(field.times(p, relation.radicand), level - 1)
            if below is not None:
                s = field.gens[relation.index]
                found = below * field.lowest(s, relation.radicand)
        return found

    def _with(self, p: Poly, level: int) -> Element | None:
        field, relation = self.field, self._order[level - 1]
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

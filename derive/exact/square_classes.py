"""Square roots over Q(t) as a vector space over F_2.

A polynomial without roots in it is a square in Q(t, sqrt R, sqrt R', …), the R without roots
either, exactly when it times a product of some R is a square in Q(t).  Up to squares a
polynomial is a product of coprime parts none of which is a square: a vector of 0 and 1.  The
parts come from greatest common divisors alone, nothing has to be factored.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, isqrt

from flint import fmpq

from derive.exact.polynomials import Poly, Polynomials

Vector = frozenset[int]
SIGN = 0  # the coordinate of -1; parts have their number + 1


class SquareClasses:
    """The classes of some polynomials R, and which products of them are squares."""

    def __init__(self, polynomials: Polynomials) -> None:
        self.polynomials = polynomials
        self.parts: list[int | Poly] = []
        self.members: list[Poly] = []
        self._rows: list[tuple[int, Vector, Vector]] = []  # pivot, vector, members in it

    def extend(self, radicands: Sequence[Poly]) -> None:
        """Take note of further R, in order; those known already are the first ones."""
        for p in radicands[len(self.members) :]:
            self.members.append(p)
            self._insert(len(self.members) - 1)

    def dependent(self, p: Poly) -> list[int] | None:
        """The numbers of the R whose product with p is a square in Q(t), or None."""
        rest, used = self._eliminate(self._vector(p))
        return None if rest else sorted(used)

    def _insert(self, k: int) -> None:
        rest, used = self._eliminate(self._vector(self.members[k]))
        if rest:
            self._rows.append((min(rest), rest, used ^ {k}))

    def _eliminate(self, vector: Vector) -> tuple[Vector, Vector]:
        used: Vector = frozenset()
        for pivot, row, members in self._rows:
            if pivot in vector:
                vector, used = vector ^ row, used ^ members
        return vector, used

    def _vector(self, p: Poly) -> Vector:
        """The parts that occur an odd number of times; new parts may join."""
        lead = fmpq(p.leading_coefficient())
        out = {SIGN} if lead < 0 else set()
        for x in (abs(int(lead.p)) * int(lead.q), p / lead):
            odd = self._odd(x)
            if odd is None:  # a part was divided: all vectors change
                members, self.members, self._rows = self.members, [], []
                self.extend(members)
                return self._vector(p)
            out |= odd
        return frozenset(out)

    def _odd(self, x: int | Poly) -> set[int] | None:
        """The parts of which x has an odd power; None where a part had to be divided."""
        out: set[int] = set()
        for k, part in enumerate(self.parts):
            if isinstance(part, int) != isinstance(x, int):
                continue
            e = 0
            while (quotient := self._divided(x, part)) is not None:
                x, e = quotient, e + 1
            if e % 2:
                out.add(k + 1)
            if not _constant(self._common(x, part)):
                self._refine([*self.parts, x])
                return None
        if not _constant(x) and self._root(x) is None:
            self.parts.append(x)
            out.add(len(self.parts))
        return out

    def _refine(self, pieces: list[int | Poly]) -> None:
        """Parts that are coprime and no squares, of which all pieces are products."""
        self.parts = []
        while pieces:
            x = pieces.pop()
            if _constant(x):
                continue
            for k, part in enumerate(self.parts):
                if isinstance(part, int) != isinstance(x, int):
                    continue
                common = self._common(x, part)
                if not _constant(common):
                    del self.parts[k]
                    rest = (self._divided(y, common) for y in (x, part))
                    pieces += [common, *(y for y in rest if y is not None)]
                    break
            else:
                root = self._root(x)
                (self.parts if root is None else pieces).append(x if root is None else root)

    def _divided(self, x: int | Poly, part: int | Poly) -> int | Poly | None:
        if isinstance(x, int) and isinstance(part, int):
            return x // part if x % part == 0 else None
        if _constant(x):
            return None
        return self.polynomials.quotient(x, part)  # type: ignore[arg-type]

    def _common(self, x: int | Poly, part: int | Poly) -> int | Poly:
        if isinstance(x, int) and isinstance(part, int):
            return gcd(x, part)
        return self.polynomials.common(x, part)  # type: ignore[arg-type]

    def _root(self, x: int | Poly) -> int | Poly | None:
        if isinstance(x, int):
            root = isqrt(x)
            return root if root * root == x else None
        return self.polynomials.square_root(x)


def _constant(x: int | Poly) -> bool:
    return x == 1 if isinstance(x, int) else bool(x.is_constant())

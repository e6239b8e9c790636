"""Angles: arg z, by which atan, asin, acos and complex logarithms are written.

arg z is a variable A with exp(2 i A) = z / conj(z).  A relation between angles (Machin's,
or arg of exp(5 i)) is proposed by LLL and verified in K: then it holds up to a multiple
of pi, which balls fix.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb, fmpq

from derive.exact.balls import precision
from derive.exact.exponentials import Exponentials
from derive.exact.field import Element
from derive.exact.relations import integer_relation
from derive.exact.roots import Roots

CANDIDATES = 12  # members of a relation that is looked for
LARGEST = 64  # coefficients of a relation


@dataclass(frozen=True)
class Angle:
    """variable = arg z, continuous where smooth; turn = z / mirror, mirror = conj(z)"""

    variable: Element
    turn: Element
    smooth: bool
    z: Element
    mirror: Element


class Angles:
    """Angles over one tower; `convex` says that the domain is convex."""

    def __init__(self, roots: Roots, exponentials: Exponentials, convex: bool) -> None:
        self.ground, self.roots, self.exponentials = roots.ground, roots, exponentials
        self.field, self.convex = self.ground.field, convex
        self._angles: list[Angle] = []

    def angle(self, z: Element, mirror: Element, smooth: bool = True) -> Element:
        """arg z, with the conjugate of z given; of a function only where Re z >= 0.

        `smooth`: z is continuous on the whole domain.
        """
        value = self._angle(z, mirror, smooth)
        self.ground.note("angle", z=z, mirror=mirror, value=value, smooth=smooth)
        return value

    def _angle(self, z: Element, mirror: Element, smooth: bool) -> Element:
        ground = self.ground
        number = ground.generators.number(z)
        if number and mirror.equals(z):
            return ground.pi if ground.sign(z) < 0 else self.field.zero
        turn = z / mirror
        for known in self._angles:
            if number != ground.generators.number(known.variable):
                continue
            if known.turn.equals(turn) and (not number or self._near(known, z)):
                return known.variable
            if (known.turn * turn).equals(self.field.one) and not number:
                return -known.variable
        related = self._related_angle(z, turn) if number or (smooth and self.convex) else None
        if related is None and not number:
            related = self._sum_of_two(z, turn)
        if related is not None:
            return related
        value = ground.variable("arg", argument=z, number=number)
        self._angles.append(Angle(value, turn, smooth, z, mirror))

        def power(q: fmpq) -> Element:
            if q.q == 1 and q.p % 2 == 0:
                return turn ** int(q.p // 2)
            size = self.roots.root(z * mirror, 2, frozenset((1,)))
            unit = z / size
            n = int(q.q)
            return (self.roots.root(unit, n) if n > 1 else unit) ** int(q.p)

        self.exponentials.tie(value * ground.i, power, "arg")
        return value

    def _sum_of_two(self, z: Element, turn: Element) -> Element | None:
        """arg z = arg u + arg v for a positive multiple z of u v, the real parts being positive.

        Each angle lies between -pi/2 and pi/2, so the sum is no further from 0 than pi.
        """
        if self.ground.generators.point is None:
            return None
        known = self._angles[-CANDIDATES:]
        balls = [self._ball(x) for x in (z, *(a.z for a in known))]
        ends = [
            (a, side, ball * side)
            for a, ball in zip(known, balls[1:], strict=True)
            for side in (1, -1)
        ]
        for n, (a, s, x) in enumerate(ends):
            for b, t, y in ends[:n]:
                if b is a or not (x + y - balls[0]).contains(0):  # at the sample point
                    continue
                first = a.turn if s > 0 else self.field.one / a.turn
                second = b.turn if t > 0 else self.field.one / b.turn
                if not (first * second).equals(turn):
                    continue
                size = z * (a.mirror if s > 0 else a.z) * (b.mirror if t > 0 else b.z)
                if all(map(self._positive, (size, a.z + a.mirror, b.z + b.mirror))):
                    return a.variable * s + b.variable * t
        return None

    def _ball(self, z: Element) -> arb:
        with precision(128):
            return acb(self.ground.generators.ball(z, 128)).arg()

    def _positive(self, x: Element) -> bool:
        return self.ground.real(x) and self.roots.signs.sign(x) == 1

    def _near(self, known: Angle, z: Element) -> bool:
        with precision(128):
            index = self.ground.generators.used(known.variable.num)[0]
            a = self.ground.generators.variable_ball(index, 128)
            b = acb(self.ground.generators.ball(z, 128)).arg()
            return bool(abs(acb(a).real - b) < 1)

    def _related_angle(self, z: Element, turn: Element) -> Element | None:
        """arg z by pi, known angles and exponents of the form i theta."""
        ground, field = self.ground, self.field
        # what is seen at the sample point holds everywhere only on a connected domain
        whole, numbers = self.convex, ground.generators.number
        terms = [
            (known.variable, known.turn)
            for known in self._angles
            if known.smooth and (whole or numbers(known.variable))
        ]
        table = ground.generators.table
        for k in ground.generators.used(turn.num * turn.den):
            g = table[k]
            if g.kind == "exp" and g.argument is not None:
                theta = g.argument / ground.i
                if ground.real(theta) and (whole or numbers(theta)):
                    terms.append((theta, field.variable(k) ** 2))
        terms = terms[-CANDIDATES:]
        terms.append((ground.pi, field.one))

        def values(bits: int) -> list[arb]:
            with precision(bits):
                first = acb(ground.generators.ball(z, bits)).arg()
                rest = [acb(ground.generators.ball(x, bits)).real for x, _ in terms]
            return [first, *rest]

        n = integer_relation(values)
        if n is None or max(map(abs, n[:-1])) > LARGEST:
            return None
        product = turn ** n[0]
        for (_, w), e in zip(terms, n[1:], strict=True):
            product = product * w**e
        if not product.equals(field.one):
            return None
        with precision(256):
            off = sum((x * e for x, e in zip(values(256), n, strict=True)), arb(0))
            if not abs(off) < 1:  # the sum is a multiple of pi
                return None
        return field.sum(x * fmpq(-e, n[0]) for (x, _), e in zip(terms, n[1:], strict=True))

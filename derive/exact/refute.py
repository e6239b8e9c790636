"""Refutation: one exact point at which certified enclosures of the two sides are disjoint.

That is a proof of difference which anybody can repeat with any interval arithmetic.  It
never proves equality: what is found nowhere to differ is left to the normal form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from derive.exact.assumptions import Assumption, known
from derive.exact.balls import Ball, Balls, disjoint, precision
from derive.exact.dag import Node
from derive.exact.points import Point, points, reach, symbols

START = 64  # bits of the first try
USEFUL = {256: 8, 1024: 3}  # bits: number of points tried again; RARE where not given
RARE = 2

Interval = tuple[str, str]  # exact ends in the plain grammar: "-3*2^-5", "-inf"
Box = tuple[Interval, ...]  # one interval: a real number; two: real and imaginary part


@dataclass(frozen=True)
class Witness:
    """A point (exact values of the symbols) at which the two sides certainly differ."""

    point: tuple[tuple[str, Fraction], ...]  # sorted by name; empty for constants
    bits: int  # working precision at which the enclosures are disjoint
    left: Box
    right: Box


def refute(
    a: Node, b: Node, assumptions: Sequence[Assumption] = (), bits_cap: int = 4096
) -> Witness | None:
    """A proof that a and b are not equal, or None when none was found.

    >>> from derive.exact.dag import Dag
    >>> f = Dag()
    >>> x = f.symbol("x")
    >>> dict(refute(f.sqrt(x**2), x).point)["x"] < 0
    True
    >>> refute((x + 1) ** 2, x**2 + 2 * x + 1) is None
    True
    """
    assumptions = known(a.dag, assumptions)
    sides = _Sides(a, b)
    if not sides.names:
        return sides.rising({}, START, bits_cap)
    useful: list[Point] = []
    for point in points(sides.names, assumptions, sides.count):
        for bits in (START, 8 * START):
            witness, defined = sides.look(point, bits)
            if witness:
                return witness
            if defined:
                useful.append(point)
                break
    bits = 4 * START
    while bits <= bits_cap:
        for point in useful[: USEFUL.get(bits, RARE)]:
            witness, _ = sides.look(point, bits)
            if witness:
                return witness
        bits *= 4
    return None


class _Sides:
    """Both sides as one list of nodes; what has no letters is evaluated once for all points."""

    def __init__(self, a: Node, b: Node) -> None:
        self.a, self.b = a, b
        self.names = symbols(a, b)
        free: set[Node] = set()
        nodes = reach(a, b)
        for x in nodes:
            if x.op == "symbol" or not free.isdisjoint(x.args):
                free.add(x)
        self.constant = [x for x in nodes if x not in free]
        self.free = [x for x in nodes if x in free]
        self._base: dict[int, Balls] = {}
        # More points where the sides choose cases or branches, each of which should be met.
        ops = {x.op for x in self.free}
        self.count = 8 + 12 * ("select" in ops) + 6 * ("root" in ops) + 4 * ("log" in ops)

    def look(self, point: Point, bits: int) -> tuple[Witness | None, bool]:
        """The witness at this point if there is one; whether both sides have a value there."""
        if bits not in self._base:
            self._base[bits] = Balls(bits)
            self._base[bits].run(self.constant)
        balls = self._base[bits].at(point)
        balls.run(self.free)
        left, right = balls.value(self.a), balls.value(self.b)
        if disjoint(left, right):
            where = tuple(sorted(point.items()))
            return Witness(where, bits, box(left, bits), box(right, bits)), True
        return None, bool(left.is_finite() and right.is_finite())

    def rising(self, point: Point, bits: int, bits_cap: int) -> Witness | None:
        """One point with more and more bits."""
        while bits <= bits_cap:
            witness, _ = self.look(point, bits)
            if witness:
                return witness
            bits *= 2
        return None


def box(x: Ball, bits: int) -> Box:
    """The exact ends of an enclosure, as text in the plain grammar.

    >>> box(arb(3) / 4, 64)
    (('3*2^-2', '3*2^-2'),)
    """
    parts = (x,) if isinstance(x, arb) else (x.real, x.imag)
    with precision(bits + 64):
        return tuple((_end(part.lower()), _end(part.upper())) for part in parts)


def _end(x: arb) -> str:
    if not x.is_finite():
        return "inf" if x > 0 else "-inf"
    mantissa, exponent = x.man_exp()
    return f"{mantissa}*2^{exponent}"

"""Zero test for algebraic numbers: a non-zero one can't be arbitrarily small.

Numbers built from rationals, i, roots of any degree, and exp, cos, sin of rational
multiples of pi (times i for exp).  Each is written U/(q L) with algebraic integers U and L
and a positive integer q; u and l bound all conjugates of U and L.  If the roots generate a
field of degree at most D, then U is 0 or its norm is at least 1, so

    E = 0   or   |E| >= 1 / (u^(D-1) l q).

Enclosures below that bound prove E = 0, without any conjecture.  The rules are those of
Burnikel, Fleischer, Mehlhorn, Schirra, Schmitt, "A strong and easily computable separation
bound for arithmetic expressions involving radicals", Algorithmica 27 (2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm, prod

from flint import acb, arb, fmpz

from derive.exact.balls import Ball, Balls, precision, real, rebuild
from derive.exact.dag import Node, UndefinedValue
from derive.exact.points import reach

BITS_CAP = 1 << 18  # bits of the bound that are affordable
LARGEST_ORDER = 1 << 20  # of a root of unity, and index of a root
_PRECISION = 64  # bits of the bounds u and l, which are themselves balls


@dataclass(frozen=True)
class Separation:
    """A decided zero test: what a checker needs to repeat it."""

    zero: bool
    bound: int  # a non-zero value has an absolute value above 2^-bound
    bits: int  # the precision at which the enclosure decides


class NotAlgebraicError(Exception):
    """The number isn't of the kinds named above, or its bound is out of reach."""


def is_zero(node: Node, bits_cap: int = BITS_CAP) -> bool | None:
    """Whether the algebraic number is 0; None: not algebraic, undefined, or too costly.

    >>> from derive.exact.dag import Dag
    >>> f = Dag()
    >>> two, three, six = (f.sqrt(f.rational(n)) for n in (2, 3, 6))
    >>> is_zero(f.sqrt(2 * six + 5) - two - three)
    True
    >>> is_zero(f.pi) is None
    True
    """
    found = separation(node, bits_cap)
    return None if found is None else found.zero


def separation(node: Node, bits_cap: int = BITS_CAP) -> Separation | None:
    """The zero test with the bound and the precision that decided it, or None."""
    try:
        node = _chosen(node, bits_cap)
        bound = separation_bound(node, bits_cap)
    except (NotAlgebraicError, UndefinedValue):
        return None
    reals: set[Node] = set()
    bits = 64
    while bits <= 4 * bound + 1024:  # roots of an exact 0 need more bits than the bound
        value = Balls(bits, reals=reals).value(node)
        if value.is_finite():
            if not value.contains(0):
                return Separation(False, bound, bits)
            if _below(value, bound):
                return Separation(True, bound, bits)
        if bits == 256:
            reals = _reals(node, bits_cap)
        bits *= 2
    return None


def _chosen(node: Node, bits_cap: int) -> Node:
    """The same number without select: every case that can be decided is."""
    new: dict[Node, Node] = {}
    for x in reach(node):
        args = [new[a] for a in x.args]
        sign = _sign(args[0], bits_cap) if x.op == "select" else None
        if sign is not None:
            new[x] = args[sign + 2]
        else:
            new[x] = x if args == list(x.args) else rebuild(x, args)
    return new[node]


def _sign(x: Node, bits_cap: int) -> int | None:
    found = separation(x, bits_cap)
    if found is None or found.zero:
        return None if found is None else 0
    value = real(Balls(found.bits).value(x))
    return 1 if value > 0 else -1 if value < 0 else None


def _reals(node: Node, bits_cap: int) -> set[Node]:
    """Radicands that are real, though rounding leaves them near a branch cut."""
    out: set[Node] = set()
    for x in reach(node):
        if x.op != "root":
            continue
        balls = Balls(256, reals=out)
        value, mirror = acb(balls.value(x.args[0])), balls.conjugate(x.args[0])
        near = value.imag.contains(0) and not value.imag.is_zero() and not value.real > 0
        if near and mirror is not None and is_zero(x.args[0] - mirror, bits_cap):
            out.add(x.args[0])
    return out


def separation_bound(node: Node, bits_cap: int = BITS_CAP) -> int:
    """b with |E| > 2^-b or E = 0; raises NotAlgebraicError."""
    with precision(_PRECISION):
        rules = _Rules(bits_cap)
        size = rules.size(node)
        degree = rules.degree(node)
        if degree.bit_length() > bits_cap.bit_length():
            raise NotAlgebraicError(f"the roots generate a field of degree up to {degree}")
        bits = (size.u.log() * (degree - 1) + (size.l * arb(size.q)).log()) / arb(2).log()
        bound = max(0, int(bits.upper().ceil().unique_fmpz() or 0)) + 1
    if bound > bits_cap:
        raise NotAlgebraicError(f"{bound} bits would be needed")
    return bound


def _below(value: Ball, bound: int) -> bool:
    small = arb(1) * arb((1, -bound))
    return bool(value.abs_upper() < small)


def turn(x: Node, imaginary: bool) -> Fraction | None:
    """r where the node is r pi (or r pi i), else None.

    >>> from derive.exact.dag import Dag
    >>> f = Dag()
    >>> turn(f.pi * 3 / 4, imaginary=False)
    Fraction(3, 4)
    """
    parts = x.args if x.op == "mul" else (x,)
    r = Fraction(1)
    others = []
    for part in parts:
        if part.number is not None:
            r *= Fraction(*part.number)
        else:
            others.append(part.op)
    return r if sorted(others) == (["i", "pi"] if imaginary else ["pi"]) else None


@dataclass(frozen=True)
class _Size:
    """E = U/(q L): u and l at least 1 bound the conjugates of the algebraic integers U, L."""

    u: arb
    l: arb  # noqa: E741  (u and l are the paper's letters)
    q: int


class _Rules:
    """The bounds of all nodes of one expression."""

    def __init__(self, bits_cap: int) -> None:
        self.bits_cap = bits_cap
        self.known: dict[Node, _Size] = {}
        self.roots: dict[Node, int] = {}  # root -> its index, beyond those of rationals
        self.radicals: dict[int, set[Fraction]] = {}  # index -> rational radicands
        self.order = 1  # all roots of unity have an order that divides this

    def size(self, node: Node) -> _Size:
        """The bounds of a node; raises NotAlgebraicError."""
        wanted = self._needed(node)
        for x in wanted:
            self.known[x] = self._rule(x)
        return self.known[node]

    def _needed(self, node: Node) -> list[Node]:
        """Nodes to be bounded, arguments first: below cos, sin, exp there are none."""
        seen: set[Node] = set()
        stack = [node]
        while stack:
            x = stack.pop()
            if x not in seen:
                seen.add(x)
                stack.extend(() if x.op in ("exp", "cos", "sin") else x.args)
        return sorted(seen, key=lambda x: x.index)

    def _rule(self, x: Node) -> _Size:
        args = [self.known[a] for a in x.args if a in self.known]
        if x.number is not None:
            p, q = x.number
            return _Size(arb(max(1, abs(p))), arb(1), q)
        if x.op == "i":
            self.order = lcm(self.order, 4)
            return _Size(arb(1), arb(1), 1)
        if x.op in ("exp", "cos", "sin"):
            return self._circle(x)
        if x.op == "add":
            return self._sum(args)
        if x.op == "mul":
            return self._checked(reduce(_product, args))
        if x.op == "power":
            return self._power(args[0], int(str(x.data)))
        if x.op == "root":
            return self._root(x, args[0], int(str(x.data)))
        raise NotAlgebraicError(f"{x.op} is not algebraic here")

    def _circle(self, x: Node) -> _Size:
        r = turn(x.args[0], imaginary=x.op == "exp")
        if r is None:
            raise NotAlgebraicError(f"{x.op} of something else than a rational multiple of pi")
        self._unity(2 * r.denominator if r.numerator % 2 else r.denominator)
        if x.op == "sin":
            self._unity(4)
        return _Size(arb(1), arb(1), 1) if x.op == "exp" else _Size(arb(2), arb(1), 2)

    def _unity(self, order: int) -> None:
        self.order = lcm(self.order, order)
        if self.order > LARGEST_ORDER:
            raise NotAlgebraicError(f"roots of unity of order {self.order}")

    def _sum(self, args: list[_Size]) -> _Size:
        q = reduce(lcm, (x.q for x in args))
        l = prod((x.l for x in args), start=arb(1))  # noqa: E741
        u = sum((x.u * (q // x.q) * (l / x.l) for x in args), arb(0))
        return self._checked(_Size(u, l, q))

    def _power(self, x: _Size, n: int) -> _Size:
        if abs(n) > 64 * self.bits_cap or x.q.bit_length() * abs(n) > 64 * self.bits_cap:
            raise NotAlgebraicError(f"a power {n}")
        if n < 0:  # 1/(U/(q L)) = q L / U
            x, n = _Size(x.l * x.q, x.u, 1), -n
        return self._checked(_Size(x.u**n, x.l**n, x.q**n))

    def _root(self, x: Node, size: _Size, n: int) -> _Size:
        if n > LARGEST_ORDER:
            raise NotAlgebraicError(f"a root of index {n}")
        number = x.args[0].number
        if number == (-1, 1):
            self._unity(2 * n)
            return _Size(arb(1), arb(1), 1)
        if number is not None and number[0] > 0:
            self.radicals.setdefault(n, set()).add(Fraction(*number))
        else:
            self.roots[x] = n
        # (U/(q L))^(1/n): the integer q leaves the root when U q^(n-1) L^(n-1) goes under it.
        u, l, q = size.u, size.l, size.q  # noqa: E741
        if bool(u >= l) or l == 1:
            return self._checked(_Size((u * (l * q) ** (n - 1)).root(n), l, q))
        # u < l: U / (U^(n-1) q L)^(1/n)
        return self._checked(_Size(u, (u ** (n - 1) * l * q).root(n), 1))

    def _checked(self, x: _Size) -> _Size:
        limit = arb((1, self.bits_cap))
        if not (x.u < limit and x.l < limit) or x.q.bit_length() > self.bits_cap:
            raise NotAlgebraicError("the bounds of the conjugates are too large")
        return x

    def degree(self, node: Node) -> int:
        """At least the degree over Q of the field that holds U and L of the node."""
        unity = int(fmpz(self.order).euler_phi())
        indices = list(self.roots.values())
        for n, radicands in self.radicals.items():
            rank = min(len(radicands), len(coprime_base(radicands)))
            indices += [n] * rank
        return unity * prod(indices)


def _product(x: _Size, y: _Size) -> _Size:
    return _Size(x.u * y.u, x.l * y.l, x.q * y.q)


def coprime_base(numbers: set[Fraction]) -> set[int]:
    """Integers > 1 without common divisors, of which all given numbers are products.

    >>> sorted(coprime_base({Fraction(12), Fraction(2, 3)}))
    [2, 3]
    """
    base: set[int] = set()
    stack = [n for x in sorted(numbers) for n in (x.numerator, x.denominator)]
    while stack:
        n = stack.pop()
        if n < 2 or n in base:
            continue
        other = next((b for b in base if gcd(b, n) > 1), None)
        if other is None:
            base.add(n)
            continue
        base.discard(other)
        common = gcd(n, other)
        stack += [common, n // common, other // common]
    return base

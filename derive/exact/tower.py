"""From shared expressions to elements of K, node by node, arguments first.

add mul power     the arithmetic of K
exp sin cos       exponentials.py, sines by exp(i x)
root              roots.py
log atan asin acos by logarithms and angles, logarithms.py
erf               a variable for each argument, odd
select            the case that holds, or a polynomial in |x|, or a question (SplitError)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import gcd
from operator import mul

from flint import fmpq

from derive.exact.angles import Angles
from derive.exact.assumptions import Assumption
from derive.exact.budget import Budget, UndecidedError
from derive.exact.dag import Node, UndefinedValue
from derive.exact.exponentials import Exponentials
from derive.exact.field import Element, Poly
from derive.exact.generators import REAL, UNIT
from derive.exact.ground import Ground
from derive.exact.logarithms import Logarithms
from derive.exact.nodes import SIGNS_OF, NodeFacts, linear, straight
from derive.exact.opaque import Opaque
from derive.exact.points import points, reach, subject, symbols
from derive.exact.ranges import EVERYTHING, INSIDE
from derive.exact.roots import Roots
from derive.exact.signs import ANY, ContradictionError, SignFinder, Signs

HALF = fmpq(1, 2)
SMOOTH = ("symbol", "exp", "i", "root", "abs", "pi", "erf")  # kinds that are continuous functions


class SplitError(Exception):
    """The expression has cases, and this node's sign tells which of them holds."""

    def __init__(self, tower: Tower, node: Node) -> None:
        super().__init__("an expression whose sign decides the case")
        self.tower, self.node = tower, node


@dataclass
class Limits:
    """What outlives a restart: room for variables, and how finely exponents are cut."""

    room: tuple[int, int]
    scale: dict[int | str, int] = field(default_factory=dict)
    far: int = 64  # multiples of a basis exponent up to this one are powers of its variable


class Domain:
    """Where the equality is claimed: symbols, what is assumed, a point that satisfies it."""

    def __init__(self, names: Sequence[str], assumptions: Sequence[Assumption]) -> None:
        self.assumptions = assumptions
        self.names = sorted({*names, *symbols(*(subject(a) for a in assumptions))})
        self.point = next(points(self.names, assumptions, 1), None) if self.names else None
        self.facts = NodeFacts(assumptions)
        self.convex = self.point is not None and all(
            a.relation in (">", ">=", "=") and linear(subject(a)) for a in assumptions
        )


class Tower:
    """K for nodes of one Dag under assumptions; `element(node)` is the node in K."""

    def __init__(self, domain: Domain, limits: Limits, budget: Budget) -> None:
        self.assumptions, self.names = domain.assumptions, domain.names
        self.facts, point = domain.facts, domain.point
        self.ground = Ground(limits.room, limits.scale, budget, point)
        self.signs = SignFinder(self.ground)
        self.roots = Roots(self.ground, self.signs)
        self.exponentials = Exponentials(self.ground, self.signs, self.roots, limits.far)
        self.opaque = Opaque(self.roots)
        self.angles = Angles(self.roots, self.exponentials, domain.convex)
        self.logarithms = Logarithms(self.roots, self.exponentials, self.angles, self.opaque)
        self.waves: dict[int, tuple[Element, Element]] = {}
        self.known: dict[int, Element] = {}
        self.divided = False  # by a function
        self._waiting: list[Node] = []  # angles, of whose sines and cosines signs may be known
        self._pi_assumed = any(y.op == "pi" for a in self.assumptions for y in reach(subject(a)))
        self.sized: list[Node] = []  # conditions x that were written with |x|
        self._letters = {name: self._letter(name) for name in self.names}
        self.exponentials.integers = {
            self.ground.generators.used(self._letters[str(subject(a).data)].num)[0]
            for a in self.assumptions
            if a.relation == "integer"
            and subject(a).op == "symbol"
            and self.ground.scale.get(str(subject(a).data), 1) == 1
        }
        for a in self.assumptions:
            if a.relation in SIGNS_OF and straight(subject(a)) is None:
                self._assume(self.element(subject(a)), SIGNS_OF[a.relation])

    def _assume(self, x: Element, signs: Signs) -> None:
        if self.ground.real(x) and not self.signs.signs(x) & signs:
            raise ContradictionError
        self.signs.learn(x, signs)

    def _letter(self, name: str) -> Element:
        """A symbol; one that isn't negative as a power of its own root, where roots occur."""
        known, parts = self.facts.bounds.get(name, EVERYTHING), self.ground.scale.get(name, 1)
        known = known.root() if parts > 1 else known
        root = self.ground.variable("symbol", name=name, number=False, range=known, degree=parts)
        return root**parts

    def element(self, node: Node) -> Element:
        """The node as an element of K.

        Raises UndefinedValue, UndecidedError, SplitError, ContradictionError, or RestartError.
        """
        if node.index not in self.known:
            for x in reach(node):
                if x.index not in self.known:
                    self.known[x.index] = self._convert(x)
        return self.known[node.index]

    def _convert(self, x: Node) -> Element:
        self.facts.note(x)
        rule = getattr(self, "on_" + x.op)
        try:
            element: Element = rule(x, *(self.known[a.index] for a in x.args))
        except ZeroDivisionError:
            raise UndefinedValue("division by zero") from None
        return element

    # leaves

    def on_rational(self, x: Node) -> Element:
        assert x.number is not None
        if max(z.bit_length() for z in x.number) > self.ground.budget.bits:
            raise UndecidedError("a number with too many digits")
        return self.ground.field.number(fmpq(*x.number))

    def on_symbol(self, x: Node) -> Element:
        return self._letters[str(x.data)]

    def on_pi(self, x: Node) -> Element:
        return self.ground.pi

    def on_i(self, x: Node) -> Element:
        return self.ground.i

    def on_infinity(self, x: Node) -> Element:
        raise UndecidedError("infinity inside an expression")

    # the field

    def on_add(self, x: Node, *args: Element) -> Element:
        return self.ground.field.sum(args)

    def on_mul(self, x: Node, *args: Element) -> Element:
        out: Element = reduce(mul, args)
        return out

    def on_power(self, x: Node, a: Element) -> Element:
        n = int(x.data)  # type: ignore[call-overload]
        if n < 0 and not self._nonzero(x.args[0], a):
            raise UndecidedError("a denominator that is not known to differ from 0")
        self.divided |= n < 0 and self.facts.free[x.index]
        power: Element = a**n
        return power

    def _nonzero(self, node: Node, a: Element) -> bool:
        """What is divided by: for numbers a proof, for functions that it isn't 0 in K."""
        if not a:
            raise UndefinedValue("division by zero")
        if self.facts.free[node.index] or a.rational is not None or self.unit(a.num):
            return True
        return self.facts.nonzero(node) or self.ground.nonzero(a)

    def unit(self, p: Poly) -> bool:
        """The polynomial is a product of exponentials: never 0."""
        table = self.ground.generators.table
        return len(p) == 1 and all(table[k].kind == "exp" for k in self.ground.generators.used(p))

    # functions

    def on_root(self, x: Node, a: Element) -> Element:
        self._learn_waves()
        n = int(x.data)  # type: ignore[call-overload]
        node = x.args[0]
        shorter = self._root_of_power(node, n) if node.op == "power" else None
        if shorter is not None:
            return shorter
        real = self.facts.real[node.index] or self.ground.real(a)
        return self.roots.root(a, n, self.facts.signs(node) if real else None)

    def _root_of_power(self, node: Node, n: int) -> Element | None:
        """The n-th root of y^m for a y of known sign, without building y^m's factors."""
        base, m = node.args[0], int(node.data)  # type: ignore[call-overload]
        common = gcd(m, n)
        if common == 1 or not self.facts.real[base.index]:
            return None
        y, signs = self.known[base.index], self.facts.signs(base)
        if 1 not in signs and m % 2 == 0:
            y, signs = -y, frozenset(-s for s in signs)
        if -1 in signs:
            return None
        y = y ** (m // common)
        return self.roots.root(y, n // common, signs) if n > common else y

    def on_exp(self, x: Node, a: Element) -> Element:
        return self.exponentials.exp(a, REAL if self.facts.real[x.args[0].index] else None)

    def _wave(self, x: Node, a: Element) -> tuple[Element, Element]:
        """exp(i x) and exp(-i x)."""
        angle = x.args[0].index
        if angle not in self.waves:
            nature = UNIT if self.facts.real[angle] else None
            forward = self.exponentials.exp(a * self.ground.i, nature)
            self.waves[angle] = forward, self.ground.field.inverse(forward)
            if self._between_zeros(x.args[0]):
                self._waiting.append(x.args[0])
        return self.waves[angle]

    def on_cos(self, x: Node, a: Element) -> Element:
        forward, back = self._wave(x, a)
        return (forward + back) * HALF

    def on_sin(self, x: Node, a: Element) -> Element:
        forward, back = self._wave(x, a)
        return (back - forward) * self.ground.i * HALF

    def _between_zeros(self, angle: Node) -> bool:
        """The angle may stay between two zeros of its sine or cosine."""
        if not (self.facts.free[angle.index] and self.facts.real[angle.index]):
            return False
        where = self.facts.range(angle)
        return self._pi_assumed or (where.low is not None and where.high is not None)

    def _learn_waves(self) -> None:
        """The signs of sines and cosines, when something asks for signs."""
        while self._waiting:
            angle = self._waiting.pop()
            forward, back = self.waves[angle.index]
            u, quarter = self.known[angle.index], self.ground.pi * HALF
            waves = (forward + back, u), ((back - forward) * self.ground.i, u - quarter)
            for wave, v in waves:
                signs = self._cosine_signs(v)
                if signs != ANY:
                    self.signs.learn(wave * HALF, signs)

    def _cosine_signs(self, v: Element) -> Signs:
        """cos v has the sign (-1)^k for k pi - pi/2 < v < k pi + pi/2."""
        ground = self.ground
        if ground.generators.point is None or not ground.real(v):
            return ANY
        k = ground.nearest(v / ground.pi)
        v = v - ground.pi * k
        ends = self.signs.signs(ground.pi * HALF - v) | self.signs.signs(ground.pi * HALF + v)
        side = -1 if k % 2 else 1
        return ANY if -1 in ends else frozenset(s * side for s in ends)

    def on_log(self, x: Node, a: Element) -> Element:
        self._learn_waves()
        node = x.args[0]
        positive = self.facts.real[node.index] and -1 not in self.facts.signs(node)
        return self.logarithms.log(a, positive)

    def on_atan(self, x: Node, a: Element) -> Element:
        self._learn_waves()
        i, one = self.ground.i, self.ground.field.one
        if self.facts.real[x.args[0].index] or self.ground.real(a):
            smooth = self._continuous(x.args[0], a)
            return self.angles.angle(one + a * i, one - a * i, smooth)
        if self.facts.free[x.index]:
            return self.opaque.value("atan", a, odd=True)
        log = self.logarithms.log
        return (log(one - a * i) - log(one + a * i)) * i * HALF

    def on_asin(self, x: Node, a: Element) -> Element:
        self._learn_waves()
        i, one = self.ground.i, self.ground.field.one
        real = self.facts.real[x.args[0].index] or self.ground.real(a)
        inside = self.signs.signs(one - a * a) if real else ANY
        if real and not (one - a * a):
            return a * self.ground.pi * HALF
        if -1 not in inside or self.facts.real[x.index]:
            side = self.roots.root(one - a * a, 2, inside - {-1})
            smooth = self._continuous(x.args[0], a)
            return self.angles.angle(side + a * i, side - a * i, smooth)
        side = self.roots.root(one - a * a, 2)
        if self.facts.free[x.index]:
            value = self.opaque.value("asin", a, odd=True)
            self._tie(value * i, side + a * i)
            return value
        return self.logarithms.log(side + a * i) * self.ground.i * -1

    def _tie(self, exponent: Element, value: Element) -> None:
        """exp of the principal logarithm of a value: its powers are principal roots."""

        def power(q: fmpq) -> Element:
            n = int(q.q)
            return (self.roots.root(value, n) if n > 1 else value) ** int(q.p)

        if self.exponentials.terms(exponent) is None:
            self.exponentials.tie(exponent, power, "log")

    def on_acos(self, x: Node, a: Element) -> Element:
        return self.ground.pi * HALF - self.on_asin(x, a)

    def _continuous(self, node: Node, a: Element) -> bool:
        """Of a real a: for functions continuous on the whole domain."""
        if not self.facts.free[node.index]:
            return True
        generators = self.ground.generators
        used = {k for p in (a.num, a.den) for k in generators.used(p)}
        if not all(generators.table[k].kind in SMOOTH for k in used):
            return False
        return self._regular(a)

    def on_erf(self, x: Node, a: Element) -> Element:
        real = self.facts.real[x.args[0].index]
        return self.opaque.value("erf", a, odd=True, known=INSIDE if real else None)

    # choices

    def on_select(self, x: Node, c: Element, neg: Element, zero: Element, pos: Element) -> Element:
        self._learn_waves()
        node = x.args[0]
        if not self.facts.real[node.index] and not self.ground.real(c):
            raise UndecidedError("the sign of an expression that may be complex")
        signs = self.facts.signs(node)
        signs = signs if len(signs) == 1 else signs & self.signs.signs(c)
        if not signs:
            raise ContradictionError
        self.ground.note("select", x=c, signs=signs)
        if len(signs) == 1:
            return {-1: neg, 0: zero, 1: pos}[next(iter(signs))]
        self.sized.append(node)
        if 0 not in signs:
            return (neg + pos) * HALF + (pos - neg) * HALF * self.roots.size(c) / c
        side = neg if -1 in signs else pos
        if not self._meets(zero, side, c):
            raise SplitError(self, node)
        if len(signs) == 2:
            return side
        ratio = (pos - neg) / c
        if not self._regular(ratio):
            raise SplitError(self, node)
        return (neg + pos) * HALF + ratio * HALF * self.roots.size(c)

    def _meets(self, a: Element, b: Element, c: Element) -> bool:
        """a = b wherever c = 0."""
        return a.equals(b) or self._regular((a - b) / c)

    def _regular(self, x: Element) -> bool:
        """The quotient has no zero in its denominator."""
        if not x.parts:
            return True
        den = Element(x.field, x.den)
        if self.ground.real(den):
            return 0 not in self.signs.signs(den)
        split = self.signs.factors(x)
        return split is not None and all(
            0 not in self.signs.signs(factor.value) for factor, e in split[1] if e < 0
        )

"""Exact rational points at which given assumptions certainly hold.

A statement about symbols is refuted at one point, so the points should be many-sided:
small, large, negative, zero, nearly equal.  Bounds of one symbol are solved, what links
several symbols (order, sums) is repaired by solving for one of them, and whatever else is
assumed (cos(8x) > 0) is checked by balls; a point that isn't certain is not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from random import Random

from derive.exact.assumptions import Assumption
from derive.exact.balls import Balls, real
from derive.exact.dag import Node

Point = dict[str, Fraction]  # symbol -> its exact value
ROUNDS = 40  # repairs of one point before it is given up
LARGEST_POWER = 1000  # powers above aren't computed exactly here
CHECK_BITS = (64, 256, 1024)
PATIENCE = 6  # points in a row that can't be repaired: the assumptions are taken to exclude all
ORDER = (">", ">=", "<", "<=")

SMALL = [Fraction(n, d) for d in (1, 2, 3, 5) for n in (1, 2, 3, 4, 7)]
WIDE = [Fraction(n, 7) for n in (77, 78, 126, 127, 175, 281)]
GENERIC = [n + Fraction(k, 61) for n in (0, 1, 2, 3) for k in range(1, 61)]
TINY = [Fraction(1, n) for n in (50, 99, 1000, 10**6)]
CIRCLE = [Fraction(n, d) for n, d in ((3, 5), (4, 5), (5, 13), (12, 13), (8, 17), (15, 17))]
POOLS = {"small": SMALL, "wide": WIDE, "circle": CIRCLE, "tiny": TINY}
STYLES = ("positive", "signs", "negative", "near", "wide", "zeros", "circle", "tiny")
ZERO, ONE = Fraction(0), Fraction(1)
PARTS = [Fraction(n, d) for n, d in ((1, 2), (1, 3), (6, 7), (1, 50), (999, 1000))]


def subject(assumption: Assumption) -> Node:
    """What is assumed to be > 0, = 0 …; SymPy expressions must have been converted."""
    if not isinstance(assumption.expr, Node):
        raise TypeError(f"{assumption} is not about a node")
    return assumption.expr


def symbols(*nodes: Node) -> list[str]:
    """The names of all letters in the expressions, sorted."""
    return sorted({str(x.data) for x in reach(*nodes) if x.op == "symbol"})


def reach(*nodes: Node) -> list[Node]:
    """All nodes that the given ones need, arguments first."""
    seen: set[Node] = set()
    stack = list(nodes)
    while stack:
        x = stack.pop()
        if x not in seen:
            seen.add(x)
            stack.extend(x.args)
    return sorted(seen, key=lambda x: x.index)


def exact(node: Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """The value of a rational expression, None for what isn't one or is undefined."""
    known: dict[Node, Fraction] = {}
    for x in reach(node):
        if x.number is not None:
            value = Fraction(*x.number)
        elif x.op == "symbol":
            value = point[str(x.data)]
        elif x.op == "add":
            value = sum((known[a] for a in x.args), Fraction(0))
        elif x.op == "mul":
            value = Fraction(1)
            for a in x.args:
                value *= known[a]
        elif x.op == "power" and abs(n := int(str(x.data))) <= LARGEST_POWER:
            if n < 0 and known[x.args[0]] == 0:
                return None
            value = known[x.args[0]] ** n
        else:
            return None
        known[x] = value
    return known[node]


def compare_zero(value: Fraction, relation: str) -> bool:
    """Whether the number stands in the relation to 0."""
    return {
        ">": value > 0,
        ">=": value >= 0,
        "<": value < 0,
        "<=": value <= 0,
        "!=": value != 0,
        "=": value == 0,
        "integer": value.denominator == 1,
    }[relation]


def holds(assumption: Assumption, point: Mapping[str, Fraction]) -> bool:
    """Whether the assumption certainly holds at the point."""
    value = exact(subject(assumption), point)
    if value is not None:
        return compare_zero(value, assumption.relation)
    if assumption.relation in ("=", "integer"):
        return False  # balls never prove these
    for bits in CHECK_BITS:
        x = Balls(bits, point).value(subject(assumption))
        if x.is_finite() and not x.contains(0):
            sign = 1 if real(x) > 0 else -1 if real(x) < 0 else 0
            return compare_zero(Fraction(sign), assumption.relation) if sign else False
    return False


def points(
    names: Sequence[str], assumptions: Sequence[Assumption] = (), count: int = 8, seed: int = 0
) -> Iterator[Point]:
    """Up to `count` different points where all assumptions hold, always the same ones.

    >>> from derive.exact.dag import Dag
    >>> f = Dag()
    >>> m, n = f.symbol("m"), f.symbol("n")
    >>> order = Assumption(n - m, ">=")
    >>> all(p["m"] <= p["n"] for p in points(["m", "n"], [order]))
    True
    """
    assumed = {name for a in assumptions for name in symbols(subject(a))}
    finder = _Finder(sorted({*names, *assumed}), assumptions, Random(seed))
    seen: set[tuple[Fraction, ...]] = set()
    failures = 0
    for k in range(12 * count):
        point = finder.point(k)
        failures += point is None
        if len(seen) >= count or failures > PATIENCE + len(seen):
            return
        if point is not None and tuple(point.values()) not in seen:
            seen.add(tuple(point.values()))
            yield point


class _Finder:
    def __init__(
        self, names: Sequence[str], assumptions: Sequence[Assumption], rng: Random
    ) -> None:
        self.names, self.rng = names, rng
        letters = {id(a): symbols(subject(a)) for a in assumptions}
        self.letters = letters
        self.assumptions = sorted(assumptions, key=lambda a: len(letters[id(a)]))
        self.about = {n: [a for a in assumptions if n in letters[id(a)]] for n in names}
        self.integers = {
            str(subject(a).data)
            for a in assumptions
            if a.relation == "integer" and subject(a).op == "symbol"
        }

    def point(self, k: int) -> Point | None:
        """The k-th proposal, repaired until every assumption holds, or None."""
        style = STYLES[k % len(STYLES)]
        base = self.rng.choice(SMALL)
        point: Point = {}
        for name in self.names:
            point[name] = self._integral(name, self._propose(style, base))
        for _ in range(ROUNDS):
            broken = next((a for a in self.assumptions if not holds(a, point)), None)
            if broken is None:
                return point
            self._repair(broken, point)
        return None

    def _propose(self, style: str, base: Fraction) -> Fraction:
        pick, sign = self.rng.choice, self.rng.choice((1, -1))
        if style == "near":
            return base + sign * pick(TINY)
        if style == "zeros":
            return pick((ZERO, ZERO, ONE, sign * pick(SMALL)))
        value = pick(POOLS.get(style, GENERIC))
        return value if {"positive": 1, "negative": -1}.get(style, sign) > 0 else -value

    def _integral(self, name: str, value: Fraction) -> Fraction:
        if name not in self.integers or value.denominator == 1:
            return value
        return Fraction(self.rng.choice((floor(value), ceil(value))))

    def _repair(self, broken: Assumption, point: Point) -> None:
        """Change one symbol so that the assumption holds, if that can be solved."""
        names = list(self.letters[id(broken)])
        self.rng.shuffle(names)
        for name in names:
            values = self._between(name, point) if broken.relation in ORDER else []
            values = values or self._solve(broken, name, point)
            if values:
                point[name] = self._round(broken, name, self.rng.choice(values), point)
                return
        for name in names:  # nothing that can be solved: another try
            style = self.rng.choice(("small", "signs", "circle", "tiny", "zeros", "wide"))
            point[name] = self._integral(name, self._propose(style, Fraction(1)))

    def _round(self, broken: Assumption, name: str, value: Fraction, point: Point) -> Fraction:
        if name not in self.integers:
            return value
        for n in (floor(value), ceil(value)):
            if holds(broken, {**point, name: Fraction(n)}):
                return Fraction(n)
        return Fraction(floor(value))

    def _parabola(self, a: Assumption, name: str, point: Point) -> tuple[Fraction, ...] | None:
        """c, b, a of c + b x + a x^2 through the values at x = 0, 1, -1 of one symbol."""
        zero, one, minus = (exact(subject(a), {**point, name: Fraction(x)}) for x in (0, 1, -1))
        if zero is None or one is None or minus is None:
            return None
        return zero, (one - minus) / 2, (one + minus) / 2 - zero

    def _between(self, name: str, point: Point) -> list[Fraction]:
        """A value between all bounds that are linear in the symbol, the others being fixed."""
        low: list[Fraction] = []
        high: list[Fraction] = []
        for a in self.about[name]:
            line = self._parabola(a, name, point) if a.relation in ORDER else None
            if line is not None and line[1] and not line[2]:
                upward = (line[1] > 0) == (a.relation in (">", ">="))
                (low if upward else high).append(-line[0] / line[1])
        tie = self.rng.randrange(6) == 0
        slack = Fraction(0) if tie else self.rng.choice((*SMALL, *TINY, *CIRCLE, *WIDE[:2]))
        if low and high:
            part = Fraction(self.rng.randrange(2)) if tie else self.rng.choice(PARTS)
            width = min(high) - max(low)
            return [max(low) + width * part] if width >= 0 else []
        return [max(low) + slack] if low else [min(high) - slack] if high else []

    def _solve(self, broken: Assumption, name: str, point: Point) -> list[Fraction]:
        """Values of one symbol for which node = target, the node being of degree <= 2 in it."""
        parabola = self._parabola(broken, name, point)
        if parabola is None:
            return []
        c, b, a = parabola
        c -= self._target(broken.relation, exact(subject(broken), point))
        if a == 0:
            return [-c / b] if b else []
        d = b * b - 4 * a * c
        root = Fraction(isqrt(d.numerator), isqrt(d.denominator)) if d >= 0 else None
        if root is None or root * root != d:
            return []
        return [(-b + root) / (2 * a), (-b - root) / (2 * a)]

    def _target(self, relation: str, value: Fraction | None) -> Fraction:
        if relation == "integer":
            return Fraction(floor(value or 0))
        slack = self.rng.choice((*SMALL, *TINY, *CIRCLE))
        return {">": slack, ">=": slack, "<": -slack, "<=": -slack, "!=": slack}.get(
            relation, Fraction(0)
        )

"""Relations, sets and intervals compared: by their solutions, decided exactly.

In one letter the critical points (where a side or an absolute value can change its sign) are
found exactly, and both statements are decided at each of them and between them.  In several
letters a relation equals its multiples; a point where only one holds settles the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from derive.exact.amounts import TooLarge
from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.decide import decide
from derive.exact.digits import enclosure
from derive.exact.reading import NotEvaluated, WrongShape, evaluate
from derive.exact.sign import compare, sign
from derive.exact.verdict import Verdict
from derive.text.statements import (
    Condition,
    Interval,
    Logic,
    Member,
    Region,
    SetOf,
    Statement,
    Union,
    letters,
)
from derive.text.tree import Binary, Call, Constant, Name, Negative, Number, Relation, Tree, names

MOST_CASES = 32  # ways to choose the signs of absolute values
MOST_POINTS = 64
HIGHEST = 24  # degree
HOLDS = {
    "=": lambda s: s == 0, "!=": lambda s: s != 0, "<": lambda s: s < 0,
    "<=": lambda s: s <= 0, ">": lambda s: s > 0, ">=": lambda s: s >= 0,
}  # fmt: skip
TRIED = tuple(Fraction(k, 4) for k in (0, 1, -1, 2, -2, 3, 4, -4, 5, -7, 9, -11, 20, -20, 41, -403))

Poly = list[Node]  # coefficients, lowest first
Fractional = tuple[Poly, Poly]


class UnsupportedError(Exception):
    """The critical points aren't known."""


def condition(x: Statement, name: str) -> Condition:
    """A set or interval as what it says of the letter."""
    if isinstance(x, Region):
        return Member(Name(name), x)
    return x  # type: ignore[return-value]


def same_solutions(
    a: Condition, b: Condition, dag: Dag, assumptions: Sequence[Assumption] = ()
) -> Verdict:
    """Do both statements hold at the same points?"""
    if (quick := _multiples(a, b, dag, assumptions)) is not None:
        return quick
    free = sorted(letters(a) | letters(b))
    if len(free) == 1 and not assumptions:
        try:
            return _Line(free[0], dag).compare(a, b)
        except (UnsupportedError, TooLarge):
            pass
    return _sampled(a, b, free, dag, assumptions)


# multiples of one relation


def _multiples(
    a: Condition, b: Condition, dag: Dag, assumptions: Sequence[Assumption]
) -> Verdict | None:
    """Equal where one is a multiple of the other; None where that says nothing."""
    if isinstance(a, Logic) and isinstance(b, Logic) and a.op == b.op:
        return _parts(a, b, dag, assumptions)
    if not isinstance(a, Relation) or not isinstance(b, Relation):
        return None
    f, g = _difference(a, dag), _difference(b, dag)
    if f is None or g is None:
        return None
    op, other = _upward(a.op), _upward(b.op)
    f, g = (-f if a.op[0] == "<" else f), (-g if b.op[0] == "<" else g)
    if op != other or f.number == (0, 1) or g.number == (0, 1):
        return None
    factor = _factor(f, g, dag, assumptions)
    if factor and (op in ("=", "!=") or factor > 0):
        return Verdict("equal", "multiple", reason="one relation is a multiple of the other")
    return None


def _upward(op: str) -> str:
    return op.replace("<", ">")


def _parts(a: Logic, b: Logic, dag: Dag, assumptions: Sequence[Assumption]) -> Verdict | None:
    left = list(b.parts)
    if len(a.parts) != len(left):
        return None
    for part in a.parts:
        for k, other in enumerate(left):
            found = _multiples(part, other, dag, assumptions)
            if found is not None and found.equal:
                del left[k]
                break
        else:
            return None
    return Verdict("equal", "multiple", reason="part by part a multiple of the other")


def _difference(r: Relation, dag: Dag) -> Node | None:
    try:
        found = evaluate(Binary("-", r.left, r.right), dag)
    except UndefinedValue:
        return None
    return found if isinstance(found, Node) else None


def _factor(f: Node, g: Node, dag: Dag, assumptions: Sequence[Assumption]) -> Fraction | None:
    """c with f = c g for a rational or square root c, as a sign at least; None: none found."""
    from derive.exact.points import points, symbols
    from derive.exact.prove import prove  # noqa: F401  (loads the prover once)

    free = symbols(f, g)
    for point in points(free, assumptions, 4):
        at = {name: dag.rational(*x.as_integer_ratio()) for name, x in point.items()}
        try:
            c, d = _substituted(f, at), _substituted(g, at)
        except UndefinedValue:
            continue
        if sign(c) in (None, 0) or sign(d) in (None, 0):
            continue
        if decide(f * d, g * c, assumptions).equal:
            return Fraction((sign(c) or 0) * (sign(d) or 0))
        return None
    return None


def _substituted(node: Node, at: dict[str, Node]) -> Node:
    from derive.exact.balls import rebuild
    from derive.exact.points import reach

    known: dict[Node, Node] = {}
    for x in reach(node):
        known[x] = at[str(x.data)] if x.op == "symbol" else rebuild(x, [known[y] for y in x.args])
    return known[node]


# truth at a point


def holds(x: Condition, at: dict[str, Node], dag: Dag) -> bool | None:
    """Is a statement true at a point?  Where a side has no value it is not; None: undecided."""
    match x:
        case Logic(op=op, parts=parts):
            found = [holds(part, at, dag) for part in parts]
            settles = op == "or"
            if settles in found:
                return settles
            return None if None in found else not settles
        case Member(x=y, of=of):
            return _inside(y, of, at, dag)
        case Relation(op=op, left=a, right=b):
            return _related(op, a, b, at, dag)
    raise TypeError(f"not a statement: {x!r}")


def _inside(x: Tree, of: Region, at: dict[str, Node], dag: Dag) -> bool | None:
    match of:
        case Union(parts=parts):
            found = [_inside(x, part, at, dag) for part in parts]
            return True if True in found else None if None in found else False
        case SetOf(items=items):
            found = [_related("=", x, item, at, dag) for item in items]
            return True if True in found else None if None in found else False
        case Interval(low=low, high=high, closed=(left, right)):
            ends = (
                _related(">=" if left else ">", x, low, at, dag),
                _related("<=" if right else "<", x, high, at, dag),
            )
            return False if False in ends else None if None in ends else True
    raise TypeError(f"not a set: {of!r}")


def _related(op: str, a: Tree, b: Tree, at: dict[str, Node], dag: Dag) -> bool | None:
    try:
        x, y = evaluate(a, dag, at), evaluate(b, dag, at)
    except UndefinedValue:
        return False
    if not isinstance(x, Node) or not isinstance(y, Node):
        raise WrongShape("a relation is about numbers, not vectors")
    order = compare(x, y)
    return None if order is None else HOLDS[op](order)


# one letter


class _Line:
    """The real line, cut at the critical points of two statements in one letter."""

    def __init__(self, name: str, dag: Dag) -> None:
        self.name, self.dag = name, dag
        self.points: list[Node] = []

    def compare(self, a: Condition, b: Condition) -> Verdict:
        for relation in (*self.relations(a), *self.relations(b)):
            for cut in self.fractions(Binary("-", relation.left, relation.right)):
                for poly in cut:
                    self.points += self.roots(poly)
        found: list[tuple[bool, bool]] = []
        for point in self.tests():
            at = {self.name: point}
            pair = holds(a, at, self.dag), holds(b, at, self.dag)
            if None in pair:
                return Verdict("undecided", "solutions", reason="a sign could not be decided")
            found.append((bool(pair[0]), bool(pair[1])))
            if pair[0] != pair[1]:
                where = f"{self.name} = {_text(point)}"
                return Verdict("different", "solutions", reason=f"only one side holds at {where}")
        if not any(x for x, _ in found) and isinstance(a, Relation) and isinstance(b, Relation):
            reason = "neither has a real solution, and they are no multiples of each other"
            return Verdict("different", "solutions", reason=reason)
        return Verdict("equal", "solutions", reason="the same solutions, decided point by point")

    def relations(self, x: Statement) -> Iterator[Relation]:
        match x:
            case Relation():
                yield x
            case Logic(parts=parts):
                for part in parts:
                    yield from self.relations(part)
            case Member(x=y, of=of):
                for end in self.ends(of):
                    if end not in (Constant("inf"), Negative(Constant("inf"))):
                        yield Relation("=", y, end)

    def ends(self, of: Region) -> Iterator[Tree]:
        match of:
            case Union(parts=parts):
                for part in parts:
                    yield from self.ends(part)
            case SetOf(items=items):
                yield from items
            case Interval(low=low, high=high):
                yield from (low, high)

    # an expression as quotients of polynomials, one for each choice of signs

    def fractions(self, x: Tree) -> list[Fractional]:
        f = self.dag
        one = [f.one]
        if self.name not in names(x):
            value = evaluate(x, f)
            if not isinstance(value, Node) or value.op == "infinity":
                raise UnsupportedError
            return [([value], one)]
        match x:
            case Name():
                return [([f.zero, f.one], one)]
            case Negative(x=y):
                return [([-c for c in p], q) for p, q in self.fractions(y)]
            case Binary(op="^", left=y, right=Number(p=n, q=1)) if n <= HIGHEST:
                return [(_power(p, n, f), _power(q, n, f)) for p, q in self.fractions(y)]
            case Binary(op=op, left=y, right=z) if op in "+-*/":
                return self.pairs(op, self.fractions(y), self.fractions(z))
            case Call(function="abs", args=(y,)):
                inner = self.fractions(y)
                for p, q in inner:
                    self.points += [*self.roots(p), *self.roots(q)]
                return self.limited([*inner, *(([-c for c in p], q) for p, q in inner)])
        raise UnsupportedError

    def pairs(self, op: str, a: list[Fractional], b: list[Fractional]) -> list[Fractional]:
        f = self.dag
        out: list[Fractional] = []
        for (p, q), (r, s) in ((x, y) for x in a for y in b):
            if op == "/":
                self.points += self.roots(r)
                r, s = s, r
            if op in "*/":
                out.append((_times(p, r, f), _times(q, s, f)))
            else:
                r = [-c for c in r] if op == "-" else r
                out.append((_plus(_times(p, s, f), _times(r, q, f), f), _times(q, s, f)))
        return self.limited(out)

    def limited(self, found: list[Fractional]) -> list[Fractional]:
        unique = list({(tuple(p), tuple(q)): (p, q) for p, q in found}.values())
        if len(unique) > MOST_CASES:
            raise UnsupportedError
        return unique

    def roots(self, poly: Poly) -> list[Node]:
        """The real roots, where they have square roots at most."""
        f = self.dag
        poly = list(poly)
        while poly and sign(poly[-1]) == 0:
            poly.pop()
        if len(poly) <= 1:
            return []
        if any(sign(c) is None for c in poly[-1:]):
            raise UnsupportedError
        if len(poly) == 2:
            return [-poly[0] / poly[1]]
        if len(poly) == 3:
            c, b, a = poly
            d = b * b - 4 * a * c
            s = sign(d)
            if s is None:
                raise UnsupportedError
            root = f.sqrt(d)
            return [] if s < 0 else [(-b + root) / (2 * a), (-b - root) / (2 * a)]
        return [x for factor in self.factors(poly) for x in self.roots(factor)]

    def factors(self, poly: Poly) -> list[Poly]:
        """A polynomial with rational coefficients in factors of degree 2 at most."""
        from flint import fmpq, fmpq_poly

        numbers = [c.number for c in poly]
        if len(poly) > HIGHEST or None in numbers:
            raise UnsupportedError
        whole = fmpq_poly([fmpq(*c) for c in numbers if c is not None]).numer()
        _, found = whole.factor()
        if any(len(list(factor)) > 3 for factor, _ in found):
            raise UnsupportedError
        return [[self.dag.rational(int(c)) for c in factor] for factor, _ in found]

    def tests(self) -> list[Node]:
        """The critical points in order, one point between each two, one outside at each end."""
        if len(self.points) > MOST_POINTS:
            raise UnsupportedError
        ordered = sorted(dict.fromkeys(self.points), key=cmp_to_key(self.order))
        unique = [x for k, x in enumerate(ordered) if not k or self.order(ordered[k - 1], x)]
        if not unique:
            return [self.dag.zero]
        out = [unique[0] - 1]
        for x, y in pairwise(unique):
            out += [x, (x + y) / 2]
        return [*out, unique[-1], unique[-1] + 1]

    def order(self, x: Node, y: Node) -> int:
        found = compare(x, y)
        if found is None:
            raise UnsupportedError
        return found


def _times(p: Poly, q: Poly, f: Dag) -> Poly:
    if len(p) + len(q) > HIGHEST + 2:
        raise UnsupportedError
    out = [f.zero] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] = out[i + j] + x * y
    return out


def _plus(p: Poly, q: Poly, f: Dag) -> Poly:
    n = max(len(p), len(q))
    padded = [[*x, *[f.zero] * (n - len(x))] for x in (p, q)]
    return [x + y for x, y in zip(*padded, strict=True)]


def _power(p: Poly, n: int, f: Dag) -> Poly:
    out = [f.one]
    for _ in range(n):
        out = _times(out, p, f)
    return out


def _text(x: Node) -> str:
    if x.number is not None:
        p, q = x.number
        return f"{p}" if q == 1 else f"{p}/{q}"
    found = enclosure(x, 32)
    return "a root" if found is None else f"about {found[0].limit_denominator(1000)}"


# several letters


def _sampled(
    a: Condition, b: Condition, free: Sequence[str], dag: Dag, assumptions: Sequence[Assumption]
) -> Verdict:
    """A point where only one of them holds, or undecided."""
    from derive.exact.points import points

    for at in _places(a, b, free, dag, lambda: points(free, assumptions, 24), bool(assumptions)):
        try:
            pair = holds(a, at, dag), holds(b, at, dag)
        except (TooLarge, NotEvaluated):
            continue
        if None not in pair and pair[0] != pair[1]:
            where = ", ".join(f"{name} = {_text(x)}" for name, x in at.items())
            return Verdict("different", "point", reason=f"only one side holds at {where}")
    return Verdict("undecided", "solutions", reason="no point was found that tells them apart")


def _places(
    a: Condition,
    b: Condition,
    free: Sequence[str],
    dag: Dag,
    known: Callable[[], Any],
    assumed: bool,
) -> Iterator[dict[str, Node]]:
    """Points worth trying: on the curve of an equation, and elsewhere."""
    for point in known():
        yield {name: dag.rational(*x.as_integer_ratio()) for name, x in point.items()}
    if assumed:
        return
    for relation in (a, b):
        if isinstance(relation, Relation) and relation.op == "=":
            for name in free:
                yield from _on_curve(relation, name, free, dag)


def _on_curve(r: Relation, name: str, free: Sequence[str], dag: Dag) -> Iterator[dict[str, Node]]:
    """Solutions of an equation that is linear in one letter, the others being chosen."""
    f = _difference(r, dag)
    if f is None:
        return
    for k in range(6):
        at = {
            x: dag.rational(*TRIED[(k * (j + 1)) % len(TRIED)].as_integer_ratio())
            for j, x in enumerate(free)
            if x != name
        }
        try:
            zero, one, two = (_substituted(f, {**at, name: dag.rational(x)}) for x in range(3))
            if sign(two - 2 * one + zero) == 0 and sign(one - zero) in (1, -1):
                yield {**at, name: -zero / (one - zero)}
        except (UndefinedValue, TooLarge):
            continue

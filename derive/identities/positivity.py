"""When is an expression with sums certainly >= 0, or > 0, for every size?

`Signs.of` reads a tree from the outside in.  A short list of rules, each with side conditions
that the kernel decides, is all that it knows; what no rule covers has no sign.

    arithmetic      sums, products, quotients of what is >= 0; squares; exp > 0; roots
    given           an assumption, at any index of its range
    monotone        f(a) - f(b) >= 0 for a rising f and a - b >= 0
    log bound       x - 1 - ln(x) >= 0 for x > 0, and > 0 where x != 1 is given
    exp bound       exp(x) - 1 - x >= 0
    member          a sum of terms >= 0 minus one of its terms
    termwise        a sum minus another over the same range, term by term
    Cauchy-Schwarz  sum a^2 * sum b^2 - (sum a*b)^2 >= 0
    Jensen          sum w*f(x) - f(sum w*x) >= 0 for a convex f, w >= 0 and sum w = 1;
                    f(sum w*x) - sum w*f(x) >= 0 for a concave one
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Number,
    Relation,
    Sum,
    Tree,
    children,
    names,
)

if TYPE_CHECKING:
    from derive.exact.sums.affine import Affine
    from derive.exact.sums.facts import Facts

UNKNOWN, NONNEGATIVE, POSITIVE = 0, 1, 2
RISING = {"exp", "ln", "sqrt", "tanh", "sigmoid", "erf", "sinh"}
CONVEX = {"exp", "abs", "square"}
CONCAVE = {"ln", "sqrt"}
ONE, ZERO, TWO = Number(1), Number(0), Number(2)
RULES = (
    "arithmetic", "given", "monotone", "log bound", "exp bound", "member", "termwise",
    "Cauchy-Schwarz", "Jensen",
)  # fmt: skip


@dataclass(frozen=True)
class Bound:
    """A relation that holds for every index from low to high, without one of them if told."""

    index: str
    low: Tree
    high: Tree
    relation: Relation
    without: Tree | None = None

    @property
    def gap(self) -> Tree:
        """What is >= 0 or > 0."""
        a, b = self.relation.left, self.relation.right
        return Binary("-", b, a) if self.relation.op in ("<", "<=") else Binary("-", a, b)

    @property
    def strict(self) -> bool:
        """Whether it is > 0."""
        return self.relation.op in ("<", ">")


@dataclass
class Signs:
    """Signs of trees under facts and bounds; `used` collects the rules."""

    facts: Facts
    bounds: Sequence[Bound] = ()
    used: set[str] = field(default_factory=set)

    def of(self, t: Tree) -> int:
        """POSITIVE, NONNEGATIVE or UNKNOWN."""
        plain = self._plain(t)
        if plain:
            self.used.add("arithmetic")
            return plain
        for rule, name in (
            (self._given, "given"), (self._log_bound, "log bound"), (self._exp_bound, "exp bound"),
            (self._cauchy, "Cauchy-Schwarz"), (self._jensen, "Jensen"),
            (self._monotone, "monotone"), (self._member, "member"), (self._termwise, "termwise"),
        ):  # fmt: skip
            before = set(self.used)
            found = rule(t)
            if found:
                self.used.add(name)
                return found
            self.used.clear()
            self.used.update(before)
        return UNKNOWN

    def defined(self, t: Tree) -> bool:
        """Whether a tree certainly has a real value: divisors, logarithms and roots are safe."""
        match t:
            case Binary(op="/", left=a, right=b):
                return self.defined(a) and self.defined(b) and self._nonzero(b)
            case Binary(op="^", left=a, right=b):
                whole = isinstance(b, Number) and b.q == 1
                return self.defined(a) and self.defined(b) and (whole or self.of(a) == POSITIVE)
            case Call(function="ln", args=(x,)):
                return self.defined(x) and self.of(x) == POSITIVE
            case Call(function="sqrt", args=(x,)):
                return self.defined(x) and self.of(x) != UNKNOWN
            case Call(function=f):
                total = f in RISING or f in ("abs", "delta", "leq", "cos", "sin", "cosh", "silu")
                return total and all(map(self.defined, t.args))
            case Sum(body=body):
                return self._inside(t).defined(body)
        return all(map(self.defined, children(t)))

    def _nonzero(self, t: Tree) -> bool:
        return self.of(t) == POSITIVE or self.of(Negative(t)) == POSITIVE

    # the kernel

    def equal(self, a: Tree, b: Tree) -> bool:
        """Whether a = b for all sizes, by the kernel."""
        from derive.exact.sums.prove import decide_trees

        if a == b:
            return True
        return decide_trees(a, b, replace(self.facts, proving=True)).equal

    def least(self, t: Tree, value: int) -> bool:
        """Whether an index expression is at least this."""
        from derive.exact.sums.affine import constant, plus
        from derive.exact.sums.facts import Order

        x = self._index(t)
        return x is not None and Order(self.facts).nonnegative(plus(x, constant(-value)))

    def _index(self, t: Tree) -> Affine | None:
        from derive.exact.budget import Budget, UndecidedError
        from derive.exact.sums.field import Room
        from derive.exact.sums.reading import Reader

        if not names(t) <= self.facts.integers:
            return None
        try:
            return Reader(self.facts, Room(), Budget()).index(t, {})
        except UndecidedError:
            return None

    def _inside(self, t: Sum) -> Signs:
        """The signs for a term of a sum: its running index is known to be in range."""
        low, high = self._index(t.low), self._index(t.high)
        facts = replace(self.facts, integers=self.facts.integers | {t.index})
        if low is not None and high is not None:
            from derive.exact.sums.affine import plus, variable

            running = variable(t.index)
            more = (plus(running, low, -1), plus(high, running, -1))
            facts = replace(facts, above=(*facts.above, *more))
        return Signs(facts, self.bounds, self.used)

    # arithmetic

    def _plain(self, t: Tree) -> int:
        match t:
            case Number(p=p):
                return POSITIVE if p else NONNEGATIVE
            case Constant(name="pi" | "e"):
                return POSITIVE
            case Name(name=name) | Index(name=name):
                return POSITIVE if name in self.facts.positive else self._whole(t)
            case Negative(x=Number(p=0)):
                return NONNEGATIVE
            case Binary():
                return self._binary(t)
            case Call(function=f, args=args):
                return self._call(f, args)
            case Sum(low=low, high=high, body=body):
                inner = self._inside(t).of(body)
                filled = self.least(Binary("-", high, low), 0)
                return inner if inner != POSITIVE or filled else NONNEGATIVE
        return UNKNOWN

    def _whole(self, t: Tree) -> int:
        return POSITIVE if self.least(t, 1) else NONNEGATIVE if self.least(t, 0) else UNKNOWN

    def _binary(self, t: Binary) -> int:
        if t.op == "-":
            return self._whole(t)
        if t.op == "^":
            even = isinstance(t.right, Number) and t.right.q == 1 and t.right.p % 2 == 0
            base = self.of(t.left)
            if base == POSITIVE:
                return POSITIVE
            return NONNEGATIVE if even or (base and isinstance(t.right, Number)) else UNKNOWN
        if t.op == "*" and t.left == t.right:
            return self.of(t.left) or NONNEGATIVE
        a, b = self.of(t.left), self.of(t.right)
        if not a or not b:
            return UNKNOWN
        if t.op == "/":
            return a if b == POSITIVE else UNKNOWN
        return max(a, b) if t.op == "+" else min(a, b)

    def _call(self, f: str, args: Sequence[Tree]) -> int:
        if f in ("exp", "cosh", "sigmoid"):
            return POSITIVE
        if f in ("abs", "delta", "leq"):
            return NONNEGATIVE
        if f == "sqrt":
            return self.of(args[0])
        if f == "ln" and len(args) == 1:
            return self.of(Binary("-", args[0], ONE)) if self.of(args[0]) == POSITIVE else UNKNOWN
        return UNKNOWN

    # assumptions

    def _given(self, t: Tree) -> int:
        for left, op in self.facts.relations:
            if op in (">", ">=") and self.equal(t, left):
                return POSITIVE if op == ">" else NONNEGATIVE
        for bound in self.bounds:
            for place in self._places(t, bound):
                at = put(bound.gap, bound.index, place)
                low = self.least(Binary("-", place, put(bound.low, bound.index, place)), 0)
                if not low or not self.least(Binary("-", bound.high, place), 0):
                    continue
                if not self.equal(t, at):
                    continue
                if bound.without is None:
                    return POSITIVE if bound.strict else NONNEGATIVE
                apart = self._apart(place, bound.without)
                if apart:
                    return POSITIVE if bound.strict else NONNEGATIVE
        return UNKNOWN

    def _apart(self, a: Tree, b: Tree) -> bool:
        """Whether two indices certainly differ."""
        return self.least(Binary("-", a, b), 1) or self.least(Binary("-", b, a), 1)

    def _places(self, t: Tree, bound: Bound) -> Iterator[Tree]:
        """The indices at which t reads a family that the bound is about."""
        families = {x.name for x in indexed(bound.gap) if bound.index in names(x)}
        seen: list[Tree] = []
        for x in indexed(t):
            if x.name in families:
                for place in x.indices:
                    if place not in seen:
                        seen.append(place)
                        yield place

    # rules about differences

    def _log_bound(self, t: Tree) -> int:
        match t:
            case Binary("-", Binary("-", x, Number(p=1, q=1)), Call(function="ln", args=(y,))):
                if x == y and self.of(x) == POSITIVE:
                    return POSITIVE if self._not_one(x) else NONNEGATIVE
        return UNKNOWN

    def _not_one(self, x: Tree) -> bool:
        for left, op in self.facts.relations:
            if op == "!=" and isinstance(left, Binary) and left.op == "-":
                a, b = left.left, left.right
                for top, bottom in ((a, b), (b, a)):
                    if self.of(bottom) == POSITIVE and self.equal(x, Binary("/", top, bottom)):
                        return True
        return False

    def _exp_bound(self, t: Tree) -> int:
        match t:
            case Binary("-", Binary("-", Call(function="exp", args=(x,)), Number(p=1, q=1)), y):
                return NONNEGATIVE if x == y else UNKNOWN
        return UNKNOWN

    def _monotone(self, t: Tree) -> int:
        match t:
            case Binary("-", Call(function=f, args=(a,)), Call(function=g, args=(b,))):
                if f != g or f not in RISING:
                    return UNKNOWN
                if f == "ln" and self.of(b) != POSITIVE:
                    return UNKNOWN
                if f == "sqrt" and self.of(b) == UNKNOWN:
                    return UNKNOWN
                return self.of(Binary("-", a, b))
        return UNKNOWN

    def _member(self, t: Tree) -> int:
        match t:
            case Binary("-", Sum(index=k, low=low, high=high, body=body) as total, one):
                if self._inside(total).of(body) == UNKNOWN:
                    return UNKNOWN
                seen = dict.fromkeys(p for x in indexed(one) for p in x.indices)
                for place in seen:
                    inside = self.least(Binary("-", place, low), 0)
                    if inside and self.least(Binary("-", high, place), 0):
                        if self.equal(one, put(body, k, place)):
                            return NONNEGATIVE
        return UNKNOWN

    def _termwise(self, t: Tree) -> int:
        match t:
            case Binary("-", Sum() as a, Sum() as b) if (a.low, a.high) == (b.low, b.high):
                body = Binary("-", a.body, put(b.body, b.index, Name(a.index)))
                inner = self._inside(a).of(body)
                filled = self.least(Binary("-", a.high, a.low), 0)
                return inner if inner != POSITIVE or filled else NONNEGATIVE
        return UNKNOWN

    def _cauchy(self, t: Tree) -> int:
        match t:
            case Binary("-", Binary("*", Sum() as a, Sum() as b), Binary("^", Sum() as c, two)):
                ranges = {(s.low, s.high) for s in (a, b, c)}
                if two != TWO or len(ranges) != 1 or not isinstance(c.body, Binary):
                    return UNKNOWN
                x, y = c.body.left, c.body.right
                if c.body.op == "*" and all(
                    put(s.body, s.index, Name(c.index)) == Binary("^", f, TWO)
                    for s, f in ((a, x), (b, y))
                ):
                    return NONNEGATIVE
        return UNKNOWN

    def _jensen(self, t: Tree) -> int:
        match t:
            case Binary("-", Sum() as average, outer) if _applied(outer)[0] in CONVEX:
                return self._jensens(average, outer)
            case Binary("-", outer, Sum() as average) if _applied(outer)[0] in CONCAVE:
                return self._jensens(average, outer)
        return UNKNOWN

    def _jensens(self, average: Sum, outer: Tree) -> int:
        """sum w*f(x) beside f(sum w*x): the same w, x and f, w >= 0, sum w = 1, x in the domain."""
        f, mean = _applied(outer)
        if not isinstance(mean, Sum) or (mean.low, mean.high) != (average.low, average.high):
            return UNKNOWN
        inner = put(mean.body, mean.index, Name(average.index))
        match average.body, inner:
            case Binary("*", w, value), Binary("*", v, x) if w == v:
                within = self._inside(average)
                if _applied(value) != (f, x) or within.of(w) == UNKNOWN:
                    return UNKNOWN
                if f in CONCAVE and within.of(x) != POSITIVE:
                    return UNKNOWN
                weights = Sum(average.index, average.low, average.high, w)
                return NONNEGATIVE if self.equal(weights, ONE) else UNKNOWN
        return UNKNOWN


def _applied(t: Tree) -> tuple[str, Tree]:
    match t:
        case Call(function=f, args=(x,)):
            return f, x
        case Binary("^", x, Number(p=2, q=1)):
            return "square", x
    return "", t


def indexed(t: Tree) -> Iterator[Index]:
    """The members of families in a tree."""
    if isinstance(t, Index):
        yield t
    for part in children(t):
        yield from indexed(part)


def put(t: Tree, name: str, by: Tree) -> Tree:
    """A free name replaced; the caller sees to it that nothing is captured."""

    def go(x: Tree) -> Tree:
        return put(x, name, by)

    match t:
        case Name(name=found):
            return by if found == name else t
        case Negative(x=x):
            return replace(t, x=go(x))
        case Binary(left=a, right=b):
            return replace(t, left=go(a), right=go(b))
        case Index(indices=parts):
            return replace(t, indices=tuple(map(go, parts)))
        case Call(args=args):
            return replace(t, args=tuple(map(go, args)))
        case Sum(index=index, low=low, high=high, body=body):
            return replace(t, low=go(low), high=go(high), body=body if index == name else go(body))
    return t

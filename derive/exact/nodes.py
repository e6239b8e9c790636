"""What is known of single nodes: whether symbols occur, whether it is real, its range."""

from __future__ import annotations

from collections.abc import Sequence

from flint import acb, arb, fmpq

from derive.exact.assumptions import Assumption
from derive.exact.balls import Ball, Balls
from derive.exact.dag import Node
from derive.exact.generators import SIGN_BITS
from derive.exact.points import subject
from derive.exact.ranges import (
    BOUNDED,
    EVERYTHING,
    INSIDE,
    NONNEGATIVE,
    POSITIVE,
    Range,
    exactly,
    of_ball,
    total,
)
from derive.exact.signs import ANY, Signs

SIGNS_OF: dict[str, Signs] = {
    ">": frozenset((1,)),
    ">=": frozenset((0, 1)),
    "!=": frozenset((-1, 1)),
    "=": frozenset((0,)),
}
REAL_OF_REAL = ("exp", "sin", "cos", "atan", "erf", "add", "mul", "power", "select")
SIMPLE = {"exp": POSITIVE, "sin": BOUNDED, "cos": BOUNDED, "erf": INSIDE}


class NodeFacts:
    """Facts about nodes, noted arguments first."""

    def __init__(self, assumptions: Sequence[Assumption]) -> None:
        self.bounds: dict[str, Range] = {}  # of symbols
        self.free: dict[int, bool] = {}
        self.real: dict[int, bool] = {}
        self._ranges: dict[int, Range] = {}
        self.given: dict[int, Signs] = {}
        self._balls = {bits: Balls(bits) for bits in SIGN_BITS}
        for a in assumptions:
            if a.relation in SIGNS_OF:
                self._assume(subject(a), a.relation)

    def _assume(self, node: Node, relation: str) -> None:
        self.given[node.index] = self.given.get(node.index, ANY) & SIGNS_OF[relation]
        line = straight(node)
        if line is not None:
            name, slope, offset = line
            known = self.bounds.get(name, EVERYTHING)
            self.bounds[name] = known.meet(_half_line(relation, slope, offset))

    def ball(self, x: Node, bits: int) -> Ball:
        """An enclosure of a number."""
        return self._balls[bits].value(x)

    def note(self, x: Node) -> None:
        """Take note of a node; its arguments are known."""
        if x.index in self.real:
            return
        free = x.op == "symbol" or any(self.free[a.index] for a in x.args)
        self.free[x.index] = free
        if free:
            self.real[x.index] = self._real(x)
        else:
            self.real[x.index] = _surely_real(self.ball(x, 64)) or self._real(x)

    def range(self, x: Node) -> Range:
        """Where the values of a real node lie."""
        known = self._ranges.get(x.index)
        if known is None:
            known = self._ranges[x.index] = self._find_range(x)
        return known

    def _find_range(self, x: Node) -> Range:
        if x.number is not None:
            return exactly(fmpq(*x.number))
        if self.free[x.index]:
            return self._range(x) if self.real[x.index] else EVERYTHING
        value = self.ball(x, 64)
        return of_ball(value) if isinstance(value, arb) else EVERYTHING

    def signs(self, x: Node) -> Signs:
        """The signs that a real node may have, as far as this shows."""
        return self.range(x).signs & self.given.get(x.index, ANY)

    def nonzero(self, x: Node) -> bool:
        """The number is seen not to be 0."""
        for bits in SIGN_BITS:
            value = acb(self.ball(x, bits))
            if value.is_finite() and not value.contains(0):
                return True
        return False

    def _real(self, x: Node) -> bool:
        if not all(self.real[a.index] for a in x.args):
            return False
        if x.op in ("symbol", "pi", "rational") or x.op in REAL_OF_REAL:
            return True
        if x.op in ("root", "log"):
            return -1 not in self.signs(x.args[0])  # log 0 is nowhere defined
        if x.op in ("asin", "acos"):
            inside = self.range(x.args[0])
            return bool(
                inside.low is not None and inside.low >= -1
                and inside.high is not None and inside.high <= 1
            )  # fmt: skip
        return False

    def _range(self, x: Node) -> Range:
        args = [self.range(a) for a in x.args]
        if x.op == "symbol":
            return self.bounds.get(str(x.data), EVERYTHING)
        if x.op in SIMPLE:
            return SIMPLE[x.op]
        if x.op == "root":
            return POSITIVE if self.signs(x.args[0]) == {1} else NONNEGATIVE
        if x.op not in ("add", "mul", "power", "select"):
            return EVERYTHING
        if x.op == "add":
            return total(args)
        if x.op == "mul":
            out = exactly(1)
            for r in args:
                out = out * r
            return out
        if x.op == "power" and abs(int(x.data)) < 100:  # type: ignore[call-overload]
            return args[0] ** int(x.data)  # type: ignore[call-overload,no-any-return]
        if x.op == "select":
            return _either(args[1:])
        return EVERYTHING


def _either(ranges: Sequence[Range]) -> Range:
    if all(r.positive for r in ranges):
        return POSITIVE
    return NONNEGATIVE if all(r.nonnegative for r in ranges) else EVERYTHING


def straight(node: Node) -> tuple[str, fmpq, fmpq] | None:
    """(x, a, b) when the node is a x + b with one symbol x and rational a, b."""
    terms = combination(node)
    if terms is None:
        return None
    offset = terms.pop("", fmpq(0))
    if len(terms) != 1:
        return None
    ((name, slope),) = terms.items()
    return (name, slope, offset) if slope else None


def combination(node: Node) -> dict[str, fmpq] | None:
    """Symbols with their rational coefficients, "" for the number; None of other nodes."""
    if node.number is not None:
        return {"": fmpq(*node.number)}
    if node.op == "symbol":
        return {str(node.data): fmpq(1)}
    out: dict[str, fmpq] = {}
    if node.op == "add":
        for term in map(combination, node.args):
            if term is None:
                return None
            for name, c in term.items():
                out[name] = out.get(name, fmpq(0)) + c
        return out
    others = [x for x in node.args if x.number is None] if node.op == "mul" else []
    terms = combination(others[0]) if len(others) == 1 else None
    if terms is None:
        return None
    factors = (fmpq(*x.number) for x in node.args if x.number is not None)
    return {name: c * q for q in factors for name, c in terms.items()}


def _half_line(relation: str, slope: fmpq, offset: fmpq) -> Range:
    end = -offset / slope
    if relation == "=":
        return exactly(end)
    if relation == "!=":
        return Range(nonzero=bool(end == 0))
    closed = relation == ">="
    return Range(end, None, closed) if slope > 0 else Range(None, end, False, closed)


def linear(node: Node) -> bool:
    """A combination of symbols, of pi and a number: its half-spaces are convex."""
    if node.op == "add":
        return all(map(linear, node.args))
    if node.op == "mul":
        others = [x for x in node.args if x.number is None]
        return len(others) == 1 and linear(others[0])
    return node.op in ("symbol", "pi", "rational")


def _surely_real(ball: Ball) -> bool:
    """A finite real ball; one that holds no number says nothing."""
    return isinstance(ball, arb) and bool(ball.is_finite())

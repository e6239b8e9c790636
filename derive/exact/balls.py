"""Balls: an arithmetic whose values are certified enclosures, midpoint and radius.

The same functions that build shared expressions compute here, so one definition of an
operation gives its formula and its digits; `Balls(bits).value(node)` encloses a shared
expression.  More bits make balls narrower; fewer bits never make them wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction

from flint import acb, arb

from derive.exact.ball_arithmetic import Ball, BallArithmetic, disjoint, hull, precision, real
from derive.exact.dag import Node, UndefinedValue

__all__ = ["Ball", "Balls", "disjoint", "hull", "precision", "real", "rebuild"]


class Balls(BallArithmetic):
    """The arithmetic of balls with so many bits, symbols read from an exact point.

    Operators work with flint's own precision, so put them into a `with` block:

    >>> with Balls(100, {"x": Fraction(1, 3)}) as f:
    ...     y = 3 * f.symbol("x") + f.sqrt(f.rational(2))
    >>> y.contains(f.rational(5, 2)), 2 < y < 3
    (False, True)
    """

    def __init__(
        self,
        bits: int,
        point: Mapping[str, Fraction | int] | None = None,
        reals: Collection[Node] = (),
    ) -> None:
        super().__init__(point)
        self.bits = bits
        self.reals = reals  # nodes that were proved to be real
        self._known: dict[Node, Ball] = {}
        self._mirror: dict[Node, Node | None] = {}  # complex conjugates of what isn't real
        self._blocks: list[AbstractContextManager[None]] = []

    def __enter__(self) -> Balls:
        block = precision(self.bits)
        block.__enter__()
        self._blocks.append(block)
        return self

    def __exit__(self, *error: object) -> None:
        self._blocks.pop().__exit__(None, None, None)

    def value(self, node: Node) -> Ball:
        """The enclosure of a shared expression; what was computed once is kept."""
        wanted: set[Node] = set()
        stack = [node]
        while stack:
            x = stack.pop()
            if x not in wanted and x not in self._known:
                wanted.add(x)
                stack.extend(x.args)
        self.run(sorted(wanted, key=lambda x: x.index))  # arguments have smaller indices
        return self._known[node]

    def run(self, nodes: Sequence[Node]) -> None:
        """Evaluate these nodes, whose arguments stand before them or are known."""
        known = self._known
        with precision(self.bits):
            for x in nodes:
                value = self._evaluate(x)
                known[x] = self._settle(x, value) if isinstance(value, acb) else value

    def at(self, point: Mapping[str, Fraction | int]) -> Balls:
        """The same balls at another point; what is known here must not depend on letters."""
        new = Balls(self.bits, point, self.reals)
        new._known, new._mirror = dict(self._known), dict(self._mirror)
        return new

    def _evaluate(self, x: Node) -> Ball:
        known, op = self._known, x.op
        if op == "add" or op == "mul":
            value = known[x.args[0]]
            for a in x.args[1:]:
                value = value + known[a] if op == "add" else value * known[a]
            return value
        if op == "pi" or op == "i":
            return getattr(self, op)  # type: ignore[no-any-return]
        args = [known[a] for a in x.args]
        if x.data is not None:
            args += x.data if isinstance(x.data, tuple) else (x.data,)
        return getattr(self, op)(*args)  # type: ignore[no-any-return]

    def _settle(self, x: Node, value: acb) -> Ball:
        """What is its own complex conjugate is real: no imaginary rounding error stays."""
        mirror = self._conjugate(x)
        if value.imag.is_zero() or mirror is x or x in self.reals:
            return value.real
        self._mirror[x] = mirror
        return value

    def conjugate(self, x: Node) -> Node | None:
        """The complex conjugate of an evaluated expression, None where it isn't known."""
        return self._mirror.get(x, x)

    def _conjugate(self, x: Node) -> Node | None:
        f = x.dag
        if x.op == "i":
            return -x
        mirrors = [self._mirror.get(a, a) for a in x.args]
        args = [a for a in mirrors if a is not None]
        if len(args) < len(mirrors):
            return None
        value = self._known[x.args[0]]
        below = isinstance(value, arb) and value < 0
        if x.op == "root" and below:  # the principal root r exp(i pi/n) turns to r exp(-i pi/n)
            return -x if x.data == 2 else x / f.root(f.rational(-1), int(str(x.data))) ** 2
        try:
            return rebuild(x, args) if self._off_cut(x) else None
        except UndefinedValue:
            return None

    def _off_cut(self, x: Node) -> bool:
        """Whether the function commutes with conjugation at its argument."""
        if x.op not in ("root", "log", "asin", "acos", "atan"):
            return True
        value = acb(self._known[x.args[0]])
        if x.op in ("root", "log"):
            return bool(value.real > 0) or not value.imag.contains(0)
        return not (value.real if x.op == "atan" else value.imag).contains(0)


def rebuild(x: Node, args: Sequence[Node]) -> Node:
    """The same operation on other arguments."""
    if not x.args:
        return x
    build: Callable[..., Node] = getattr(x.dag, x.op)
    return build(*args) if x.data is None else build(*args, x.data)

"""Certificates in the making: steps that the checker accepts, and the nodes that they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mpoly
from flint.utils.flint_exceptions import DomainError

from derive.exact.checker import POSITIVE, Proof, Rejected
from derive.exact.field import Element

Poly = fmpq_mpoly
BITS = (64, 256, 1024, 4096)
DATA = {"rational": 2, "symbol": 1, "power": 1, "root": 1}
FAILED = (
    Rejected, KeyError, IndexError, ValueError, TypeError, ArithmeticError, DomainError,
    AttributeError,
)  # fmt: skip
Line = tuple[Any, ...]


class Writer:
    """One proof under construction; every step is checked as it is taken."""

    def __init__(self, claim: dict[str, Any], size: int) -> None:
        self.claim = claim
        self.size = size
        self.data: dict[str, Any] = {"letters": size, "program": []}
        self.proof = Proof(claim, self.data)
        self.own = len(self.proof.own)
        self.index: dict[Line, int] = {}
        for k, line in enumerate(claim["program"]):
            self.index.setdefault(tuple(line), k)
        self.steps: list[list[Any]] = []
        self.letters: dict[int, int] = {}  # letter: its node
        self.exps: list[int] = []  # nodes exp x with a value
        self.functions: list[int] = []  # other nodes that are functions of one argument
        self.hints: dict[int, Element] = {}  # of nodes of the claim
        self.tower: Any = None  # of the prover, at the case that is looked at
        self.made: dict[tuple[int, int], int] = {}
        self.tried: dict[int, int] = {}
        self.least = size
        self.half_turn = 0  # the node exp(i pi)
        self.waves: dict[int, tuple[Element, Element]] = {}  # exp(i x), exp(-i x) by the node x
        self.opposite: dict[int, int] = {}  # exp(-x): exp(x)
        self.parities: set[tuple[int, ...]] = set()
        self.order: dict[int, int] = {}
        self.supposed: list[int] = []  # nodes whose sign is supposed in this case
        self.busy: set[int] = set()  # the prover's value is being looked at

    # steps

    def do(self, rule: str, *data: Any) -> None:
        """One step."""
        self.proof.step([rule, *data])
        self.steps.append([rule, *data])

    def finished(self, point: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The certificate."""
        more = {"letters": self.size - self.least, "steps": self.steps}
        at = {"point": point or {}, "bits": BITS[-1]} if self.claim["kind"] == "different" else {}
        return {**self.data, **more, **at}

    def end(self, rule: str, *data: Any) -> None:
        """The last step."""
        self.proof.end(rule, *data)
        self.steps.append([rule, *data])

    def can(self, rule: str, *data: Any) -> bool:
        """The step, if the checker accepts it."""
        try:
            self.do(rule, *data)
        except FAILED:
            return False
        return True

    def over(self, p: Poly) -> list[int]:
        """Nodes with which p must be multiplied to vanish; empty if it doesn't."""
        factors, product = self.clearing([p])
        return factors if not self.proof.reduce(p * product) else []

    def clearing(self, ps: Sequence[Poly]) -> tuple[list[int], Poly]:
        """Nodes, and their product, with which polynomials become free of quotients."""
        degrees = [max(map(int, column)) for column in zip(*(p.degrees() for p in ps), strict=True)]
        out, product = [], self.proof.one
        for v in sorted(self.letters):  # the newest first
            k = self.letters[v]
            op, inner, data = self.proof.lines[k]
            if degrees[v] > 0 and (op == "power" or k in self.opposite):
                x, n = (inner[0], -data[0]) if op == "power" else (self.opposite[k], 1)
                times = degrees[v] * n
                out += [x] * times
                value = self.proof.value[x]
                product = product * value**times
                more = value.degrees()
                degrees = [d + times * int(e) for d, e in zip(degrees, more, strict=True)]
        return out, product

    def multiplied(self, a: Poly, b: Poly, rule: str, *data: Any) -> bool:
        """The step, which compares a and b, with both multiplied where that is needed."""
        gap = self.proof.reduce(a - b)
        factors = self.over(gap) if gap else []
        if gap and not factors:
            return False
        if factors:
            self.do("over", *factors)
        fits = self.can(rule, *data)
        if factors:
            self.do("over")
        return fits

    def same(self, j: int, k: int) -> bool:
        """What is known of j is known of k."""
        return j != k and self.multiplied(self.value(j), self.value(k), "same", j, k)

    # nodes

    def value(self, k: int) -> Poly:
        """The value of a node."""
        if k not in self.proof.value:
            self.know(k)
        return self.proof.value[k]

    def node(self, op: str, *rest: Any) -> int:
        """A node with this operation, made known."""
        line = (op, *rest)
        if line not in self.index:
            self.index[line] = self.raw(*line)
        k = self.index[line]
        self.value(k)
        return k

    def raw(self, op: str, *rest: Any) -> int:
        """A further node, not yet known."""
        k = len(self.proof.lines)
        size = DATA.get(op, 0)
        self.proof.lines.append((op, [*rest[: len(rest) - size]], [*rest[len(rest) - size :]]))
        self.data["program"].append([op, *rest])
        return k

    def number(self, q: Any) -> int:
        q = fmpq(q)
        return self.node("rational", int(q.p), int(q.q))

    def total(self, ks: Sequence[int]) -> int:
        return self.number(0) if not ks else ks[0] if len(ks) == 1 else self.node("add", *ks)

    def product(self, ks: Sequence[int]) -> int:
        one = self.number(1)
        ks = [k for k in ks if k != one]
        return one if not ks else ks[0] if len(ks) == 1 else self.node("mul", *ks)

    def power(self, k: int, n: int) -> int:
        return self.number(1) if n == 0 else k if n == 1 else self.node("power", k, n)

    def minus(self, k: int) -> int:
        return self.product([self.number(-1), k])

    def polynomial(self, p: Poly, names: Any = None) -> int:
        """A polynomial in the letters, or in others, as a node."""
        names = names or self.letters.__getitem__
        terms = []
        for exponents, c in p.terms():
            powers = [self.power(names(k), int(e)) for k, e in enumerate(exponents) if e]
            terms.append(self.product([self.number(c), *powers]))
        return self.total(terms)

    def element(self, x: Element) -> int:
        """An element of the prover's field as a node."""
        return self.product([self.polynomial(x.num, self.generator), *self.below(x)])

    def below(self, x: Element) -> list[int]:
        """What an element is multiplied with for its denominator; 1/i is -i."""
        out = []
        for k, e in x.parts:
            f = self.polynomial(x.field.factors[k], self.generator)
            i = self.proof.lines[f][0] == "i"
            out.append(self.power(self.minus(f), int(e)) if i else self.node("power", f, -int(e)))
        return out

    def generator(self, index: int) -> int:
        """A variable of the prover's field as a node."""
        key = id(self.tower), index
        if key not in self.made:
            self.made[key] = self._generator(index)
        return self.made[key]

    def _generator(self, index: int) -> int:
        g: Any = self.tower.ground.generators.table[index]
        if g.kind == "symbol":
            k = self.node("symbol", g.name)
            return k if g.degree <= 1 else self.node("root", k, g.degree)
        if g.kind in ("pi", "i"):
            return self.node(g.kind)
        if g.kind == "unity":
            turn = [self.number(fmpq(2, int(g.name))), self.node("i"), self.node("pi")]
            return self.unit(self.node("exp", self.product(turn)), int(g.name))
        if g.kind == "arg":
            return self._angle(g.argument)
        x = self.element(g.argument)
        if g.kind == "log":
            self.sign(x)
            if self.proof.signs.get(x) == POSITIVE:
                return self.node("log", x)
            return self.product([self.number(fmpq(1, 2)), self.node("log", self.power(x, 2))])
        if g.kind == "abs":
            self.sign(x)
            return self.product([self.element(g.part), self.node("root", self.power(x, 2), 2)])
        if g.kind == "root":
            y = self.node("root", x, g.degree)
            return y if g.part.rational == 1 else self.product([y, self.inverse(g.part)])
        if g.kind == "parity":
            return self.node("exp", self.product([x, self.node("i"), self.node("pi")]))
        return self.node(g.name or g.kind, x)

    def unit(self, k: int, n: int) -> int:
        """A root of unity, not 1, of prime order: the sum of its powers is 0."""
        less = self.total([k, self.number(-1)])
        powers = self.total([self.power(k, e) for e in range(n)])
        if self.value(powers):
            self.nonzero(less)
            self.do("quotient", powers, less, self.number(0))
            self.do("zero", powers)
        return k

    def inverse(self, x: Element) -> int:
        """1/x as a node."""
        return self.element(x.field.inverse(x))

    def _angle(self, z: Element) -> int:
        """arg z as asin or atan."""
        ground = self.tower.ground
        mirror: Any = ground.conjugate(z)
        side = (z - mirror) / (ground.i * 2)
        if (z * mirror).equals(ground.field.one):
            return self.node("asin", self.element(side))
        return self.node("atan", self.element(side * 2 / (z + mirror)))

    # found elsewhere

    def know(self, k: int) -> None:
        """Find the value of a node (recorder.py)."""
        raise NotImplementedError

    def sign(self, k: int, depth: int = 3) -> None:
        """Find out what can be shown of the sign of a node (sign_writer.py)."""
        raise NotImplementedError

    def nonzero(self, x: int) -> bool:
        """Show that a node is never 0 (sign_writer.py)."""
        raise NotImplementedError

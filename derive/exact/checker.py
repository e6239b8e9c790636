"""A small program that checks certificates: it trusts nothing in them and searches nothing.

    python -m derive.exact.checker < FILE

A claim is {kind, program, left, right, assumptions}: lines [operation, arguments…, data…], the
positions of both sides, [position, relation to 0]….  "different" says: at one point where the
assumptions hold both sides have values, and these differ.  "equal": they are the same wherever
the assumptions hold and all nodes have values.  A certificate adds nodes, and steps by which
the following becomes known of nodes, everywhere on that domain:

value    a polynomial in letters, which stand for some nodes; `zero` are polynomials that are 0
signs    the node is real, with one of these signs
nonzero  the node has a value that is never 0
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from copy import copy
from functools import reduce
from operator import add, mul
from typing import Any

from flint import Ordering, acb, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz

Line = Sequence[Any]
Signs = frozenset[int]  # those that a real number may have
ANY, NOT_NEGATIVE, POSITIVE, ZERO = map(frozenset, ((-1, 0, 1), (0, 1), (1,), (0,)))
RELATIONS = {">": POSITIVE, ">=": NOT_NEGATIVE, "!=": ANY - ZERO, "=": ZERO, "integer": ANY}
FUNCTIONS = ("exp", "log", "sin", "cos", "asin", "acos", "atan", "erf")
SHAPES: dict[str, tuple[int, tuple[type, ...]]] = {  # operation: arguments (-1: some), data
    "rational": (0, (int, int)), "symbol": (0, (str,)), "pi": (0, ()), "i": (0, ()),
    "add": (-1, ()), "mul": (-1, ()), "power": (1, (int,)), "root": (1, (int,)), "select": (4, ()),
    **{name: (1, ()) for name in FUNCTIONS},
}  # fmt: skip
NAN = arb.nan()


class Rejected(Exception):
    """The certificate doesn't show what is claimed; the message says where it fails."""


def need(holds: object, reason: str) -> None:
    """Go on only where it holds."""
    if not holds:
        raise Rejected(reason)


def read(program: Sequence[Line]) -> list[tuple[str, Line, Line]]:
    """Operation, arguments and data of each line, on lines that stand before it."""
    out = []
    for k, (op, *rest) in enumerate(program):
        count, kinds = SHAPES[op]
        inner, data = rest[: len(rest) - len(kinds)], rest[len(rest) - len(kinds) :]
        fits = (len(inner) == count or count < 0 < len(inner)) and [*map(type, data)] == [*kinds]
        need(fits and all(type(j) is int and 0 <= j < k for j in inner), f"line {k}")
        need(op not in ("rational", "root") or data[-1] >= len(inner) + 1, f"line {k}")
        out.append((op, inner, data))
    return out


# enclosures of numbers: fmpq, arb or acb


def evaluate(lines: Sequence[Line], point: Mapping[str, fmpq], bits: int) -> list[Any]:
    """All nodes at a point: not finite where one has no value or none is found."""
    values: list[Any] = []
    with ctx.workprec(bits):
        for op, inner, data in lines:
            if op in ("rational", "symbol"):
                values.append(point.get(*data, NAN) if op == "symbol" else fmpq(*data))
            else:
                values.append(apply(op, [values[k] for k in inner], *data))
    return values


def apply(op: str, args: Sequence[Any], n: int = 0) -> Any:
    """One operation."""
    if op in ("pi", "i"):
        return arb.pi() if op == "pi" else acb(0, 1)
    if op in ("add", "mul"):
        return reduce(add if op == "add" else mul, args)
    x = args[0]
    if op == "power" and isinstance(x, fmpq) and (x or n > 0):
        if abs(n) * (x.p.bit_length() + x.q.bit_length()) < 1 << 16:
            return x**n
    x = arb(x) if isinstance(x, fmpq) else x
    if op == "select":
        x = x if isinstance(x, arb) else x.real if x.imag == 0 else NAN
        seen = [y for y, holds in zip(args[1:], (x < 0, x == 0, x > 0), strict=True) if holds]
        return seen[0] if seen else reduce(acb.union, map(acb, args[1:])) + 0 * x
    inside = isinstance(x, arb) and (x > 0 if op == "log" else x >= 0 if n else abs(x) <= 1)
    x = x if inside or op not in ("log", "root", "asin", "acos") else acb(x)
    if op not in ("power", "root"):
        return getattr(x, op)() if x.is_finite() else NAN
    if not x.contains(0):
        return x**n if op == "power" else x.root(n)
    size = arb(x.abs_upper())  # of what may be 0
    size = arb(0, size.root(n) if op == "root" else size**n if n > 0 else NAN)
    return size if isinstance(x, arb) else acb(size, size)


def sign(x: Any) -> int | None:
    """The sign of a real enclosure, None where it isn't seen."""
    x = x if not isinstance(x, acb) else x.real if x.imag == 0 else NAN
    return 1 if x > 0 else -1 if x < 0 else 0 if x == 0 else None


# signs


def times(a: Signs, b: Signs) -> Signs:
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)


def plus(a: Signs, b: Signs) -> Signs:
    """The signs of a sum."""
    return frozenset(s for x in a for y in b for s in (ANY if x * y < 0 else (x or y,)))


def by_form(op: str, data: Line, args: Sequence[Signs | None]) -> Signs | None:
    """The signs of a node from those of its arguments; None where it may be complex."""
    known = [s for s in args if s is not None]
    if len(known) < len(args) or op in ("i", "asin", "acos"):
        return None
    if op in ("add", "mul"):
        return reduce(plus if op == "add" else times, known)
    if op in ("root", "log") and not known[0] <= (NOT_NEGATIVE if op == "root" else POSITIVE):
        return None
    if op in ("power", "root"):
        even = op == "power" and data[0] % 2 == 0
        return frozenset(s * s for s in known[0]) if even else known[0]
    if op == "rational":
        return frozenset(((data[0] > 0) - (data[0] < 0),))
    return POSITIVE if op in ("exp", "pi") else ANY


class Proof:
    """What the steps have shown so far."""

    def __init__(self, claim: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        self.claim, self.own = claim, len(claim["program"])
        self.lines = read([*claim["program"], *data.get("program", ())])
        self.point = {name: fmpq(x) for name, x in data.get("point", {}).items()}
        self.left = data["letters"]  # that are not used yet
        self.ring = fmpq_mpoly_ctx.get([f"v{k}" for k in range(self.left + 1)], Ordering.lex)
        self.zero: list[fmpq_mpoly] = []
        self.value: dict[int, fmpq_mpoly] = {}
        self.signs: dict[int, Signs] = {}
        self.nonzero: set[int] = set()
        self.over = self.one = self.ring.constant(1)
        self.whole = True  # the domain is all that the assumptions allow

    def run(self, steps: Sequence[Line]) -> None:
        """Every step; the last one ends the proof."""
        *body, (end, *last) = steps
        need((end == "apart") == (self.claim["kind"] == "different"), "the end")
        for rule, *data in body:
            getattr(self, f"by_{rule}")(*data)
        getattr(self, f"end_{end}")(*last)

    def reduce(self, p: fmpq_mpoly) -> fmpq_mpoly:
        """The polynomial modulo those that are 0."""
        before = None
        while p != before:
            before = p
            for q in reversed(self.zero):
                if all(d >= e for d, e in zip(p.degrees(), q.monomial(0), strict=True)):
                    p = divmod(p, q)[1]
        return p

    def same(self, a: fmpq_mpoly, b: fmpq_mpoly) -> bool:
        """Two values are equal: their difference times what is never 0 vanishes."""
        return self.reduce((a - b) * self.over) == 0

    def learn(self, k: int, signs: Signs) -> None:
        """Take note of the signs of a real node."""
        self.signs[k] = signs & self.signs.get(k, ANY) - (ZERO if k in self.nonzero else set())
        if 0 not in self.signs[k]:
            self.nonzero.add(k)

    def be(self, k: int, p: fmpq_mpoly) -> None:
        """Take note of the value of a node, and of the signs that its operation gives it."""
        op, inner, data = self.lines[k]
        before, self.value[k] = self.value.get(k, p), self.reduce(p)
        gap = self.reduce(before - p)
        self.zero += [gap] if gap else []
        if op in ("exp", "i") or (op in ("mul", "power", "root") and self.nonzero.issuperset(inner)):
            self.nonzero.add(k)
        signs = by_form(op, data, [self.signs.get(j) for j in inner])
        if signs is not None:
            self.learn(k, signs)

    def get(self, k: int, *ops: str) -> fmpq_mpoly:
        """The value of the argument of a node, which must be one of these operations."""
        need(self.lines[k][0] in ops, f"node {k} is no {' or '.join(ops)}")
        return self.value[self.lines[k][1][0]]

    # steps: values

    def by_compute(self, k: int) -> None:
        """Sums and products."""
        op, inner, data = self.lines[k]
        need(op in ("rational", "add", "mul") or (op == "power" and data[0] > 0), f"node {k}")
        args = [self.value[j] for j in inner]
        if op == "rational":
            args = [self.one * fmpq(*data)]
        self.be(
            k, args[0] ** data[0] if op == "power" else reduce(add if op == "add" else mul, args)
        )

    def by_letter(self, k: int) -> None:
        """A node that becomes a letter, newer ones being replaced first."""
        op, inner, data = self.lines[k]
        x, self.left = self.value[inner[0]] if inner else self.one, self.left - 1
        need(self.left >= 0 and op not in ("rational", "add", "mul", "select"), f"node {k}")
        need(op != "log" or inner[0] in self.nonzero, "a logarithm of 0")
        need(op != "atan" or inner[0] in self.signs or k < self.own, "atan i")
        self.whole &= op != "atan" or inner[0] in self.signs
        v = self.ring.gen(self.left)
        if op == "i":
            self.i = v
            self.zero.append(v**2 + 1)
        if op == "pi":
            self.pi = v
        if op == "root":
            self.zero.append(v ** data[0] - x)
        if op == "power":
            need(data[0] < 0 and inner[0] in self.nonzero, "a division by 0")
            self.zero.append(v * x ** -data[0] - 1)
        self.be(k, v)

    def by_over(self, *ks: int) -> None:
        """Equalities are multiplied by these from now on."""
        need(self.nonzero.issuperset(ks), "a factor 0")
        self.over = reduce(mul, (self.value[k] for k in ks), self.one)

    def by_copy(self, k: int, j: int) -> None:
        """The same function of the same argument, or of its negative."""
        (op, (a, *_), data), (other, (b, *_), more) = self.lines[k], self.lines[j]
        need((op, data) == (other, more) and op in ("root", "power", *FUNCTIONS), "two functions")
        odd = op in ("sin", "asin", "atan", "erf") and self.same(self.value[a], -self.value[b])
        need(odd or self.same(self.value[a], self.value[b]), "two arguments")
        self.be(k, -self.value[j] if odd else self.value[j])

    def by_product(self, k: int, terms: Line) -> None:
        """exp(n x + m y …) = exp(x)^n exp(y)^m …"""
        x = self.get(k, "exp")
        need(
            self.same(sum((self.get(j, "exp") * n for j, n in terms), self.one * 0), x), "exponents"
        )
        y = reduce(mul, (self.value[j] ** n for j, n in terms), self.one)
        self.be(k, y)

    def by_wave(self, k: int, j: int, m: int) -> None:
        """cos x and sin x from exp(i x) and exp(-i x)."""
        x = self.get(k, "cos", "sin") * self.i
        need(self.same(self.get(j, "exp"), x) and self.same(self.get(m, "exp"), -x), "exponents")
        a, b = self.value[j], self.value[m]
        self.be(k, (a + b if self.lines[k][0] == "cos" else (b - a) * self.i) / 2)

    def by_turn(self, k: int, m: int | None = None) -> None:
        """exp(i pi) = -1, and exp(2 i pi m) = 1 for an integer m."""
        turn = self.i * self.pi * (1 if m is None else 2 * self.value[m])
        need(self.same(self.get(k, "exp"), turn) and (m is None or self.integer(m)), "a turn")
        self.be(k, self.one * (-1 if m is None else 1))

    def integer(self, k: int) -> bool:
        """An integer, by its form."""
        op, inner, data = self.lines[k]
        if op in ("symbol", "rational"):
            return data[-1] == 1 or [k, "integer"] in self.claim["assumptions"]
        return op in ("add", "mul") and all(map(self.integer, inner))

    def by_inverse(self, k: int, j: int, r: int = 0) -> None:
        """exp k for k = log x; k = i asin x, r = root(1 - x^2); k = 2 i atan x, r = 1/(1 - i x)."""
        x, op, y = self.get(j, "log", "asin", "atan"), self.lines[j][0], self.value[j]
        c = self.one if op == "log" else self.i * (2 if op == "atan" else 1)
        need(self.same(self.get(k, "exp"), c * y), "the exponent")
        if op == "asin":
            need(
                self.lines[r][::2] == ("root", [2]) and self.same(self.get(r, "root"), 1 - x**2),
                "r",
            )
            x = self.value[r] + self.i * x
        if op == "atan":
            need(self.same(self.value[r] * (1 - self.i * x), self.one), "r")
            x = self.value[r] * (1 + self.i * x)
        self.be(k, x)

    def by_acos(self, k: int, j: int) -> None:
        """acos x = pi/2 - asin x"""
        need(self.same(self.get(k, "acos"), self.get(j, "asin")), "two arguments")
        self.be(k, self.pi / 2 - self.value[j])

    def by_unity(self, k: int, e: int, n: int, bits: int = 0) -> None:
        """Equal: the n-th powers are, and neither is negative, or they are near."""
        need(n > 0 and self.same(self.value[k] ** n, self.value[e] ** n), "two powers")
        if bits:
            x, y = self.near(k, e, bits)
            need(e in self.nonzero and abs(x / y - 1) < 2 * arb(fmpq(1, n)).sin_pi(), "far apart")
        need(bits or (self.signs[k] | self.signs[e] <= NOT_NEGATIVE), "two signs")
        self.be(k, self.value[e])

    def by_turned(self, k: int, r: int) -> None:
        """root(x) = i r for r >= 0 with r^2 = -x."""
        need(self.lines[k][::2] == ("root", [2]) and self.signs[r] <= NOT_NEGATIVE, "no root")
        need(self.same(self.get(k, "root"), -(self.value[r] ** 2)), "the square")
        self.be(k, self.i * self.value[r])

    def by_branch(self, k: int, e: int, c: int, j: int, m: int, bits: int = 0) -> None:
        """Equal: exp(c k) and exp(c e) are, and all is real, or they are near."""
        for f, exp in ((k, j), (e, m)):
            need(self.same(self.get(exp, "exp"), self.value[c] * self.value[f]), "the exponent")
        need(c in self.nonzero and self.same(self.value[j], self.value[m]), "two exponentials")
        if bits:
            x, y = self.near(k, e, bits)
            need(abs((x - y) * evaluate(self.lines, {}, bits)[c]) < 6, "far apart")
        need(bits or {c, k, e} <= self.signs.keys(), "may be complex")
        self.be(k, self.value[e])

    def near(self, k: int, e: int, bits: int) -> tuple[acb, acb]:
        """Enclosures of two numbers, or at the point of two continuous functions."""
        free: set[int] = set()
        smooth: set[int] = set()
        linear: set[int] = set()
        for j, (op, inner, _) in enumerate(self.lines):
            if op == "symbol" or not free.isdisjoint(inner):
                free.add(j)
            real = j in self.signs or op not in ("root", "log", "asin", "acos", "atan")
            if j in self.value and op != "select" and real and smooth.issuperset(inner):
                smooth.add(j)
            if op in ("rational", "symbol", "add", "mul") and linear.issuperset(inner):
                linear.add(j)
        given = self.claim["assumptions"]
        convex = all(j in linear and relation in (">", ">=", "=") for j, relation in given)
        convex &= all(self.value[j].total_degree() < 2 for j, _ in given)
        fits = convex and self.whole and smooth.issuperset((k, e))
        need(fits or free.isdisjoint((k, e)), "it may jump")
        balls = self.balls(bits)
        return acb(balls[k]), acb(balls[e])

    def balls(self, bits: int) -> list[Any]:
        """Enclosures of all nodes, at the point if there is one, where the assumptions hold."""
        balls = evaluate(self.lines, self.point, bits)
        for k, relation in self.claim["assumptions"] if self.point else ():
            whole = isinstance(balls[k], fmpq) and balls[k].q == 1
            fits = whole if relation == "integer" else sign(balls[k]) in RELATIONS[relation]
            need(fits, "the assumptions don't hold at the point")
        return balls

    # steps: signs

    def by_same(self, j: int, k: int) -> None:
        """Two nodes with one value; k gets the form of j."""
        need(self.same(self.value[j], self.value[k]), "two values")
        self.value[k] = self.value[j]
        self.nonzero |= {k} if j in self.nonzero else set()
        if j in self.signs:
            self.learn(k, self.signs[j])

    def by_given(self, j: int) -> None:
        """An assumption."""
        k, relation = self.claim["assumptions"][j]
        self.learn(k, RELATIONS[relation])

    def by_has(self, k: int) -> None:
        """A node of the claim has a value: it divides by no 0, a condition is real."""
        (op, (x, *_), data), self.whole = self.lines[k], False
        need(k < self.own and (op != "power" or data[0] < 0), f"node {k}")
        if op == "select":
            self.learn(x, ANY)
        elif op in ("power", "log"):
            self.nonzero.add(x)
            self.learn(x, ANY) if x in self.signs else None

    def by_ball(self, k: int, bits: int) -> None:
        """A number that is not 0; its sign, if it is real."""
        x = acb(evaluate(self.lines, {}, bits)[k])
        need(x.is_finite() and not x.contains(0), "the sign is not seen")
        self.nonzero.add(k)
        if k in self.signs:
            self.learn(k, frozenset((1 if x.real > 0 else -1,)))

    def by_quotient(self, k: int, j: int, m: int) -> None:
        """What is known of k = m/j."""
        need(self.same(self.value[k] * self.value[j], self.value[m]), "a product")
        self.nonzero |= {k} if m in self.nonzero else set()
        other = ANY if self.signs.get(m) == ZERO else self.signs.get(j)
        if j in self.nonzero and m in self.signs and other is not None:
            self.learn(k, times(self.signs[m], other))

    def by_grow(self, k: int, m: int) -> None:
        """The sign of m = exp x - 1 is that of x; the sign of log x that of m = x - 1."""
        x = self.get(k, "exp", "log")
        j = self.lines[k][1][0]
        up = self.lines[k][0] == "exp"
        need(self.same(self.value[m], (self.value[k] if up else x) - 1), "m")
        need(k in self.signs and j in self.signs, "may be complex")
        self.learn(m, self.signs[j]) if up else self.learn(k, self.signs[m])

    def by_bound(self, k: int, m: int) -> None:
        """m = 1 + y or 1 - y for y = cos x, sin x or erf x, x real"""
        self.get(k, "cos", "sin", "erf")
        y = self.value[k]
        need(k in self.signs and any(self.same(self.value[m], 1 + y * s) for s in (1, -1)), "m")
        self.learn(m, POSITIVE if self.lines[k][0] == "erf" else NOT_NEGATIVE)

    def by_zero(self, k: int) -> None:
        """A node that is 0 becomes a relation."""
        need(self.signs[k] <= ZERO, "it may differ from 0")
        self.zero.append(self.value[k])

    def by_select(self, k: int, e: int, s: int | None, rest: Mapping[str, Line]) -> None:
        """In each case that is possible e is the branch, up to multiples of what is 0."""
        op, (c, *branches), _ = self.lines[k]
        need(op == "select", f"node {k}")
        x, size = self.value[c], self.one if s is None else self.value[s]
        if s is not None:
            need(self.signs[s] <= NOT_NEGATIVE and self.same(size**2, x**2), "|x|")
        for side in self.signs[c]:
            zeros = [x, size] if side == 0 else [size - side * x]
            gap = self.value[e] - self.value[branches[side + 1]]
            pairs = zip(
                rest.get(str(side), ()),
                zeros[: 1 if s is None and side == 0 else 2 if s is not None else 0],
                strict=False,
            )
            need(self.same(gap, sum((self.value[q] * z for q, z in pairs), self.one * 0)), "a case")
        self.be(k, self.value[e])

    # ends

    def end_equal(self) -> None:
        """Both sides have the same value."""
        a, b = (self.value[self.claim[side]] for side in ("left", "right"))
        need(self.same(a, b), "the sides are not equal")

    def end_absurd(self, k: int) -> None:
        """Nothing satisfies all assumptions."""
        impossible = k in self.nonzero and self.same(self.value[k], self.one * 0)
        need(impossible or self.signs.get(k, ANY) == frozenset(), "it is possible")

    def end_cases(self, k: int, proofs: Mapping[str, Sequence[Line]]) -> None:
        """One proof for each sign of a real node."""
        before = {**vars(self)}
        for side in before["signs"][k]:
            now = {n: copy(x) if isinstance(x, list | dict | set) else x for n, x in before.items()}
            vars(self).update(now, whole=False)
            self.learn(k, frozenset((side,)))
            self.run(proofs[str(side)])

    def end_apart(self, k: int, bits: int) -> None:
        """A node that is never 0 is the difference; all nodes have values at the point."""
        a, b = (self.value[self.claim[side]] for side in ("left", "right"))
        need(k in self.nonzero and self.same(self.value[k], a - b), "the difference")
        need(all(acb(x).is_finite() for x in self.balls(bits)[: self.own]), "no values")


def check(claim: Mapping[str, Any], certificate: Mapping[str, Any]) -> None:
    """Accept the certificate of the claim quietly, or raise Rejected."""
    try:
        sides = [claim["left"], claim["right"]]
        need(claim["kind"] in ("equal", "different"), "the kind")
        proof = Proof(claim, certificate)
        need(
            all(
                type(k) is int and 0 <= k < proof.own
                for k in [*sides, *(k for k, _ in claim["assumptions"])]
            ),
            "claim",
        )
        need(all(r in RELATIONS for _, r in claim["assumptions"]), "claim")
        if "steps" in certificate:
            proof.run(certificate["steps"])
        else:
            need(claim["kind"] == "different", "no steps")
            bits = certificate["bits"]
            balls = proof.balls(bits)
            with ctx.workprec(1 << 17):
                a, b = (acb(balls[k]) for k in sides)
                need(
                    a.is_finite() and b.is_finite() and not a.overlaps(b), "the enclosures overlap"
                )
    except Rejected:
        raise
    except Exception as why:
        raise Rejected(f"malformed: {type(why).__name__}: {why}") from why


if __name__ == "__main__":
    data = json.load(sys.stdin, parse_int=lambda digits: int(fmpz(digits)))
    check(data["claim"], data)
    sys.stdout.write("accepted\n")

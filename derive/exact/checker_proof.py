"""The nodes of a proof: the element of each must satisfy the operation of the node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import lcm
from operator import add, eq, mul
from typing import Any

from flint import arb, fmpq, fmpq_mat

from derive.exact.checker_balls import Program, apply, arguments, reach, root
from derive.exact.checker_field import (
    ANY,
    NOT_NEGATIVE,
    POSITIVE,
    Poly,
    Ratio,
    Rejected,
    Signs,
    need,
    plus,
    raised,
    sign,
    times,
    used,
)
from derive.exact.checker_letters import RELATIONS, Data, Exponent, Letter, Letters

Put = Mapping[str, int | tuple[Program, int]]  # symbols by a number, or where that node is 0


def by_form(line: Sequence[Any], args: Sequence[Signs | None]) -> Signs | None:
    """The signs of a node, from those of its arguments; None where it may be complex."""
    op, known = line[0], [s for s in args if s is not None]
    complex_ = op in ("i", "asin", "acos") or len(known) < len(args)
    if complex_ or (op in ("root", "log") and -1 in known[0]):
        return None
    rules: dict[str, Callable[[], Signs]] = {
        "rational": lambda: frozenset((sign(line[1]),)),
        "add": lambda: reduce(plus, known),
        "mul": lambda: reduce(times, known),
        "power": lambda: raised(known[0], line[2]),
        "select": lambda: known[1] | known[2] | known[3],
        "root": lambda: known[0],
        "exp": lambda: POSITIVE,
        "pi": lambda: POSITIVE,
    }
    return rules.get(op, lambda: ANY)()


class Proof(Letters):
    """All that the sides and the assumptions of a piece of evidence need."""

    def __init__(self, data: Data, more: int = 0) -> None:
        super().__init__(data, more)
        self.data, self.program = data, data["program"]
        self.nodes: dict[int, Ratio] = {}
        self.signs_at: dict[int, Signs] = {}  # of the nodes that are seen to be real
        self.calls: list[tuple[Any, Ratio]] = []  # (operation, data, arguments), value
        self.spare = iter(range(self.last, self.last + more))
        assumed = {k: RELATIONS[relation] for k, relation in data["assumptions"]}
        for k in reach(self.program, [*assumed, data["left"], data["right"]]):
            line = self.program[k]
            args = [self.nodes[j] for j in arguments(line)]
            x = self.nodes[k] = self._node(k, args)
            self.calls.append(((line[0], line[1 + len(args) :], args), x))
            self._note(k, assumed.get(k))
        self.left, self.right = self.nodes[data["left"]], self.nodes[data["right"]]

    def _node(self, k: int, args: Sequence[Ratio]) -> Ratio:
        """The element of a node, when it satisfies the operation."""
        line, rows = self.program[k], self.data["nodes"][k]
        if line[0] == "power" and line[2] < 0:
            self.inverted.append(args[0].num ** -line[2])
        found = self.plain(line, args)
        x = found if rows is None else self.element(rows)
        if x is None:
            raise Rejected(f"node {k} is missing")
        rule = getattr(self, "_on_" + line[0], None)
        need(x == found if rule is None else rule(x, *line[1:]), f"node {k}: {line[0]}")
        return x

    def plain(self, line: Sequence[Any], args: Sequence[Ratio]) -> Ratio | None:
        """The value of a symbol, a constant or a field operation."""
        op, *rest = line
        if op in ("symbol", "pi", "i"):
            return self.of(op, *rest)
        if op in ("add", "mul"):
            combined: Ratio = reduce(add if op == "add" else mul, args)
            return combined
        if op == "power":
            return args[0] ** int(rest[1])
        return self.lift(fmpq(*rest)) if op == "rational" else None

    def _note(self, k: int, assumed: Signs | None) -> None:
        """What the operation of a node, or an assumption, says of its sign."""
        line, x = self.program[k], self.nodes[k]
        inner = [self.signs_at.get(j) for j in arguments(line)]
        if line[0] in ("root", "log") and inner[0] is not None:
            inner = [self._sign_at(line[1])]
        form, real = by_form(line, inner), self.real(x)
        if form is None and assumed is None and not real:
            return
        out = (ANY if form is None else form) & (ANY if assumed is None else assumed)
        out = out & self._seen(x, 0) if line[0] == "symbol" else out
        self.signs_at[k] = out
        if x.num and (out != ANY or not real):
            self.facts.append((x, out))
        if line[0] in ("sin", "cos") and form is not None:
            self.facts += [(x * s + 1, NOT_NEGATIVE) for s in (1, -1)]
            if any(row["kind"] == "pi" for row in self.data["variables"]):
                self._waves(self.nodes[line[1]])

    def _waves(self, x: Ratio) -> None:
        """cos v >= 0 where -pi/2 <= v <= pi/2; sin x = cos(x - pi/2); cos(v + pi) = -cos v."""
        if self.is_number(x) or not self.domain.point:
            return
        w, half = self.wave(x), self.of("pi") * fmpq(1, 2)
        back = self.lift(1) / w
        cosines = (w + back, x), ((back - w) * self.of("i"), x - half)
        for y, v in cosines:
            n = (self.ball(v / self.of("pi"), 64).real.mid() + fmpq(1, 2)).floor().unique_fmpz()
            v = v - self.of("pi") * int(n or 0)
            ends = self.signs(half - v) | self.signs(half + v)
            if -1 not in ends:
                self.facts.append((y, times(ends, {(-1) ** (int(n or 0) % 2)})))

    def _sign_at(self, k: int) -> Signs | None:
        """The signs of a node, None where it may be complex."""
        if k not in self.signs_at and not self.real(self.nodes[k]):
            return None
        return self.signs_at.get(k, ANY) & self.signs(self.nodes[k])

    # roots

    def _on_root(self, e: Ratio, k: int, n: int) -> bool:
        x = self.nodes[k]
        return e**n == x and self._principal(e, x, n, self._sign_at(k))

    def _principal(self, e: Ratio, x: Ratio, n: int, signs: Signs | None) -> bool:
        """e, of which e^n = x, is the principal root."""
        if not e.num or self.not_negative(e):
            return True
        if self.is_number(x, e):
            return self._is_one(lambda b: self.ball(e, b) / root(self.real_ball(x, b), n), n)
        for v in self.table.values():
            if v.kind == "root" and v.degree == n:
                w = e / (v.s * v.part)
                if w**n * v.x == x and self.not_negative(w):
                    return True
        if signs is not None and 1 not in signs and n == 2:
            return self.not_negative(e / self.of("i"))
        return any(
            self._principal(e**p, x, n // p, signs) and self._principal(e, e**p, p, None)
            for p in (2, 3, 5)
            if n % p == 0 and n > p
        )

    def _is_one(self, f: Callable[[int], Any], n: int) -> bool:
        """A root of unity of order n is 1."""
        return self.below(lambda bits: f(bits) - 1, 2 * arb(fmpq(1, max(n, 2))).sin_pi())

    # exponentials

    def combination(self, x: Ratio) -> list[tuple[Exponent, fmpq]]:
        """x as a sum of rational multiples of the exponents that are known."""
        self.whole_turns(x)
        found = [(y, q) for y in self.exponents if (q := x.multiple(y.x))]
        found.sort(key=lambda t: (not t[0].exact, t[1].q, abs(t[1].p)))
        if found or not x.num:
            return found[:1]
        matrix, rank = self.matrix([*(y.x for y in self.exponents), x]).rref()
        rows = matrix.tolist()[:rank]
        pivots = [(next(j for j, c in enumerate(row) if c), row[-1]) for row in rows]
        if any(j == len(self.exponents) for j, _ in pivots):
            self.define()  # perhaps a later letter
            return self.combination(x)
        return [(self.exponents[j], q) for j, q in pivots if q]

    def matrix(self, xs: Sequence[Ratio]) -> fmpq_mat:
        """The elements as columns of coefficients, over one denominator."""
        den = reduce(lambda p, q: p * (q / p.gcd(q)), (x.den for x in xs))
        columns = [self.reduce(x.num * (den / x.den)).to_dict() for x in xs]
        rows = sorted({m for column in columns for m in column})
        return fmpq_mat([[column.get(m, 0) for column in columns] for m in rows])

    def split(self, x: Ratio) -> tuple[Ratio, Ratio]:
        """exp of the integral multiples of known exponents in x, and what remains of x."""
        terms = [(y, q) for y, q in self.combination(x) if y.exact and q.q == 1]
        powers = (y.direction ** int(q.p) for y, q in terms)
        return reduce(mul, powers, self.lift(1)), reduce(add, (y.x * -q for y, q in terms), x)

    def order(self, x: Ratio, square: Ratio) -> int:
        """n with exp(2 n x) = square^n; 0 where that is not seen."""
        up, down = (p.term_content().degrees() for p in (square.num, square.den))
        for k, v in self.table.items():
            if v.kind == "exp" and up[k] != down[k]:  # what is seen is taken out on both sides
                square = square * v.s ** int(down[k] - up[k])
                x = x - v.x * fmpq(int(up[k] - down[k]), 2)
        terms = self.combination(x)
        n = lcm(*(int(q.q) for _, q in terms))
        powers = (y.square ** int((q * n).p) for y, q in terms)
        return n if square**n == reduce(mul, powers, self.lift(1)) else 0

    def is_exp(self, e: Ratio, x: Ratio) -> bool:
        """e = exp(x)"""
        known, x = self.split(x)
        e = e / known
        n = self.order(x, e * e)
        if self.is_number(x, e):
            return n > 0 and self._is_one(lambda b: self.ball(e, b) / self.ball(x, b).exp(), 2 * n)
        for y, q in (terms := self.combination(x)):
            if q.q == 1:
                e = e / y.direction ** int(q.p)
            elif not self.real(y.x):  # it may be a root of exp(y.x)
                e, power = e ** int(q.p), e ** int(q.p * q.q)
                single = len(terms) == 1 and abs(q.p) == 1 and self.is_exp(power, y.x)
                return single and self._principal(e, power, int(q.q), None)
        return n > 0 and self.not_negative(e)

    def wave(self, x: Ratio) -> Ratio:
        """exp(i x), from what is known or from the evidence."""
        x = x * self.of("i")
        known, rest = self.split(x)
        for fact in self.data["facts"] if rest.num else ():
            if fact["fact"] == "exp" and self.element(fact["x"]) == x:
                known, rest = self.lift(1), x
                for exponent, q, power in fact["terms"]:
                    y, e = self.element(exponent) * fmpq(q), self.element(power)
                    need(self.is_exp(e, y), "an exponential")
                    known, rest = known * e, rest - y
        need(not rest.num, "an exponential is not known")
        return known

    def _on_exp(self, e: Ratio, k: int) -> bool:
        return self.is_exp(e, self.nodes[k])

    def _on_cos(self, e: Ratio, k: int) -> bool:
        w = self.wave(self.nodes[k])
        return e * w * 2 == w * w + 1

    def _on_sin(self, e: Ratio, k: int) -> bool:
        w = self.wave(self.nodes[k])
        return e * w * self.of("i") * 2 == w * w - 1

    # logarithms and angles, known up to multiples of pi/n

    def _opaque(self, name: str, e: Ratio, x: Ratio) -> bool:
        """e is the letter that stands for the function of x."""
        if name != "log" and not x.num:
            return not e.num
        for v in self.table.values():
            if v.kind in ("opaque", "erf") and v.name == name:
                odd = name != "log" and e == v.s * -1 and x == v.x * -1
                if odd or (e == v.s and x == v.x):
                    return True
        return False

    def _close(self, op: str, e: Ratio, x: Ratio, n: int) -> bool:
        """e = op(x), of numbers or at the sample point."""
        limit = arb(3) / max(n, 1)
        return n > 0 and self.below(
            lambda bits: self.ball(e, bits) - apply(op, [self.real_ball(x, bits)]), limit
        )

    def _on_erf(self, e: Ratio, k: int) -> bool:
        return self._opaque("erf", e, self.nodes[k])

    def _on_log(self, e: Ratio, k: int) -> bool:
        x = self.nodes[k]
        return self._opaque("log", e, x) or self._log(e, x, self._sign_at(k))

    def _log(self, e: Ratio, x: Ratio, signs: Signs | None) -> bool:
        if signs is not None and 1 not in signs:
            return self._log(e - self.of("pi") * self.of("i"), x * -1, POSITIVE)
        n = self.order(e, x * x)
        if self.is_number(e, x):
            return self._close("log", e, x, n)
        return n > 0 and signs is not None and -1 not in signs and self.real(e)

    def _on_atan(self, e: Ratio, k: int) -> bool:
        x, i = self.nodes[k], self.of("i")
        if self._opaque("atan", e, x):
            return True
        z = i * x + 1
        n = self.order(e * i, z / (i * x * -1 + 1))
        if self.is_number(e, x):
            return self._close("atan", e, x, n)
        return self._sign_at(k) is not None and self._angle("atan", e, x, z, n)

    def _on_acos(self, e: Ratio, k: int) -> bool:
        return self._on_asin(self.of("pi") * fmpq(1, 2) - e, k)

    def _on_asin(self, e: Ratio, k: int) -> bool:
        x, i = self.nodes[k], self.of("i")
        hints = [
            fact.get("z", fact.get("x"))
            for fact in self.data["facts"]
            if fact["fact"] in ("angle", "log")
        ]
        zs = [self.element(rows) * s for rows in hints for s in (1, -1)]
        zs += [v.x for v in self.table.values() if v.kind == "opaque" and v.name == "log"]
        square = x * x * -1 + 1
        sides = [z - i * x for z in zs]
        return self._opaque("asin", e, x) or any(
            side * side == square and self._asin(e, x, side) for side in sides
        )

    def _asin(self, e: Ratio, x: Ratio, side: Ratio) -> bool:
        """e = asin x = -i log z with z = side + i x, where side^2 = 1 - x^2."""
        square, i = side * side, self.of("i")
        z = side + i * x
        signs = self.signs(square) if self.real(square) else None
        if not self._principal(side, square, 2, signs):
            return False
        if self._opaque("log", e * i, z):
            return True
        n = self.order(e * i, z * z)
        if self.is_number(e, x):
            return self._close("asin", e, x, n)
        inside = self.real(side) or (signs is not None and -1 not in signs)
        return inside and self._angle("asin", e, x, z, n)

    def _angle(self, op: str, e: Ratio, x: Ratio, z: Ratio, n: int) -> bool:
        """e = arg z, the real part of z being >= 0 and z not 0."""
        for v in self.table.values():
            y = v.x if e == v.s else self.conjugate(v.x) if e == v.s * -1 else None
            if v.kind == "arg" and y is not None and self.real(z / y):
                return self.signs(z / y) == {1}
        if self._sum_of_two(e, z):
            return True
        smooth = self.domain.convex and self.continuous(e) and self.continuous(z)
        return smooth and self.real(e) and self._close(op, e, x, n)

    def _sum_of_two(self, e: Ratio, z: Ratio) -> bool:
        """e = arg u + arg v, z being a positive multiple of u v, and Re u, Re v > 0."""
        mine = [self.table[k] for k in used(e.num) if self.table[k].kind == "arg"]
        if len(mine) != 2 or not e.den.is_constant():
            return False
        product, rest = self.lift(1), e
        for v in mine:
            mirror = self.conjugate(v.x)
            side = fmpq(e.num.derivative(used(v.s.num)[0]).leading_coefficient())
            if mirror is None or abs(side) != 1 or self.signs(v.x + mirror) != {1}:
                return False
            product, rest = product * (mirror if side > 0 else v.x), rest - v.s * side
        return not rest.num and self.real(z * product) and self.signs(z * product) == {1}

    # cases

    def _on_select(self, e: Ratio, c: int, *rest: int) -> bool:
        x, signs = self.nodes[c], self._sign_at(c)
        below, zero, above = (self.nodes[k] for k in rest)
        if signs is None:
            return False
        gaps = [e - zero]  # what must vanish where x does
        if any(e != y for s, y in ((-1, below), (1, above)) if s in signs):
            # e = (below + above)/2 + (above - below)/(2 x) size with size = |x|
            need(below != above, "no case of a select")
            size = ((e * 2 - below - above) * x).over(above - below)
            self.nonzero(size.den)
            if size * size != x * x or not self.not_negative(size):
                return False
            gaps = [above - below, zero - below]
        return (
            0 not in signs
            or e == zero
            or (signs != {0} and all(self.regular(gap.over(x)) for gap in gaps))
        )

    def vanishes(self, x: Ratio, sizes: Sequence[int], put: Mapping[int, Ratio]) -> bool:
        """x is 0 for all signs of the f in the |f| that are possible together."""
        x = self._with(x, put)
        if not x.num or not sizes:
            return not x.num or (self.real(x) and self.signs(x) <= {0})
        v = self.table[sizes[0]]
        f = self._with(v.inner or v.x, put)
        signs = self.signs(f)
        for s in {1} if signs == {0} else signs - {0}:
            self.facts.append((f * s, NOT_NEGATIVE))
            fits = self.vanishes(x, sizes[1:], {**put, sizes[0]: f * s / v.part})
            self.facts.pop()
            self.found.clear()  # it was found with that fact
            if not fits:
                return False
        return True

    def multiple_of_zero(self, x: Ratio) -> bool:
        """x is a sum of multiples of what is assumed to be 0."""
        p = x.num
        for k, relation in self.data["assumptions"]:
            zero = self.nodes[k].num
            if relation == "=" and not zero.is_zero():
                p = self.reduce(divmod(p, zero)[1])
        return bool(p.is_zero())

    def _with(self, x: Ratio, put: Mapping[int, Ratio]) -> Ratio:
        """Letters, which occur to the first power, replaced by their values."""
        for k, y in put.items():
            parts = [(p, p.derivative(k)) for p in (x.num, x.den)]
            num, den = (Ratio(self, p - d * self.gens[k]) + Ratio(self, d) * y for p, d in parts)
            x = num / den
        return x

    # differences

    def numerator(self) -> Poly:
        """The given polynomial, which is 0 only where left = right."""
        a, b = self.left.den, self.right.den
        p = self.poly(self.data["numerator"])
        below = Ratio(self, a * (b / a.gcd(b)))
        need(p and Ratio(self, p) == (self.left - self.right) * below, "the numerator")
        return p

    def differ(self) -> None:
        """The numerator is a product of factors none of which is 0, at the sample point."""
        symbols = any(self.program[k][0] == "symbol" for k in self.nodes)
        need(self.domain.point or not symbols, "no point is given")
        p = self.numerator()
        for rows, _ in self.data["factors"]:
            f = self.poly(rows)
            self.nonzero(f)
            while not f.is_constant() and divmod(p, f)[1].is_zero():
                p = p / f
        need(p.is_constant(), "a factor is missing")

    def lindemann(self) -> None:
        """Exponentials of independent algebraic numbers, or pi, in a polynomial that isn't 0."""
        p = self.norm(self.numerator(), self.relations)
        vs = [self.table[k] for k in used(p)]
        need(p and all(v.number for v in vs), "the norm is 0")
        if all(v.kind == "pi" for v in vs):
            return
        need(all(v.kind == "exp" for v in vs), "letters about which the theorem says nothing")
        roots: set[int] = set()
        more = {k for v in vs for k in used(v.x.num, v.x.den)}
        while more:
            need(more <= self.relations.keys(), "an exponent that isn't algebraic")
            roots |= more
            more = {j for k in more for j in used(self.relations[k])} - roots
        theta = reduce(
            add, (self.gens[k] * (3 * n + 1) for n, k in enumerate(sorted(roots))), self.gens[-1]
        )
        _, parts = self.norm(theta, roots).factor()
        need([e for _, e in parts] == [1], "roots that may depend on each other")
        need(self.matrix([v.x for v in vs]).rank() == len(vs), "exponents that depend")

    # other programs in the same letters

    def value(self, program: Program, k: int, put: Put) -> Ratio | None:
        """A node of a program, some symbols replaced; None where it has no value."""
        values: dict[int, Ratio | None] = {}
        for j in reach(program, [k]):
            op, *rest = line = program[j]
            args = [values[i] for i in arguments(line)]
            q = args[0].rational if args and args[0] is not None else None
            known = [x for x in args if x is not None]
            undefined = q == 0 and (op == "log" or (op == "power" and rest[1] < 0))
            if op == "select" and q is not None:
                values[j] = args[2 + sign(q)]
            elif op == "symbol" and rest[0] in put:
                values[j] = self._replaced(rest[0], put)
            else:
                missing = undefined or len(known) < len(args)
                values[j] = None if missing else self._call(line, known, q)
        return values[k]

    def _replaced(self, name: str, put: Put) -> Ratio:
        """The value of a symbol at which a linear condition is 0."""
        where = put[name]
        if isinstance(where, int):
            return self.lift(where)
        b, c = (self.value(*where, {**put, name: x}) for x in (0, 1))
        slope = None if b is None or c is None else (c - b).rational
        if not slope or b is None:
            raise Rejected("a condition that is not solved")
        return b * (-1 / slope)

    def _call(self, line: Sequence[Any], args: Sequence[Ratio], q: fmpq | None) -> Ratio:
        """A value of a function: rational, known already, or a letter of its own."""
        op, data = line[0], line[1 + len(args) :]
        if op in ("rational", "add", "mul", "power"):
            return self.plain(line, args) or self.lift(0)
        y = None if q is None else apply(op, [q], line[-1])
        if isinstance(y, fmpq):
            return self.lift(y)
        for (name, other, inner), x in self.calls:
            if (name, [*other]) == (op, [*data]) and all(map(eq, inner, args)):
                return x
            if (name, op) == ("log", "exp") and x == args[0]:
                known: Ratio = inner[0]
                return known
        k = next(self.spare)
        s, one = Ratio(self, self.gens[k]), self.lift(1)
        self.table[k] = Letter(s, "opaque", one, one, 0, "", False)
        self.calls.append(((op, data, args), s))
        return s

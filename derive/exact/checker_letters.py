"""The letters of a proof: what each stands for, its conjugate, its sign, its value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import Any

from flint import acb, arb, ctx, fmpq

from derive.exact.checker_balls import Program, apply, arguments, evaluate, reach, root
from derive.exact.checker_field import (
    ANY,
    NOT_NEGATIVE,
    POSITIVE,
    Field,
    Poly,
    Ratio,
    Signs,
    need,
    plus,
    raised,
    sign,
    times,
    used,
)

Data = Mapping[str, Any]
Turn = tuple[int, dict[int, int]]  # conj(s)/s as a sign and powers of letters
REAL: Turn = (1, {})
RELATIONS: dict[str, Signs] = {
    ">": POSITIVE, ">=": NOT_NEGATIVE, "!=": ANY - {0}, "=": frozenset((0,)), "integer": ANY,
}  # fmt: skip
WITH_ARGUMENT = ("exp", "log", "arg", "erf", "opaque", "root", "abs", "parity")
WITH_RELATION = ("i", "unity", "root", "abs", "parity")
ONE = [[["1", {}]], [["1", {}]]]
BITS = (64, 256, 1024, 4096)
FACTORED = 120  # terms of a polynomial that is factored
SUMMED = 12  # terms of a polynomial that is seen as a sum of known ones


class Domain:
    """Where the assumptions hold: a sample point, if one is given, and what its form says."""

    def __init__(self, data: Data) -> None:
        self.program, self.rows = data["program"], data["assumptions"]
        self.point = {name: fmpq(x) for name, x in data.get("point", {}).items()}
        declared = [self.program[k] for k, relation in self.rows if relation == "integer"]
        self.integers = {line[1] for line in declared if line[0] == "symbol"}
        self.convex = all(linear(self.program, k) and r in (">", ">=", "=") for k, r in self.rows)
        open_ = self.rows if self.point else ()
        for bits in BITS if open_ else ():
            values = evaluate(self.program, self.point, bits, [k for k, _ in open_])
            open_ = [(k, relation) for k, relation in open_ if not _holds(values[k], relation)]
        need(not open_, "the assumptions don't hold at the point")

    def signs(self, name: str) -> Signs:
        """What assumptions a x + b > 0, and the like, say of the sign of a symbol."""
        out = ANY
        for k, relation in self.rows:
            if relation in (">", ">=", "!=") and linear(self.program, k) == [name]:
                b, c = (evaluate(self.program, {name: fmpq(x)}, 64, [k])[k] for x in (0, 1))
                if not (isinstance(b, fmpq) and isinstance(c, fmpq)):
                    continue  # of pi only balls are known
                side, end = sign(c - b), sign(b * (b - c))  # of a and of -b/a
                if relation == "!=":
                    out -= {0} if end == 0 else set()
                elif side * end >= 0:
                    out &= {side, 0} if end == 0 and relation == ">=" else {side}
        return out

    def ends(self, name: str) -> list[fmpq]:
        """The ends of an interval in which a symbol lies, as assumptions a x + b > 0 say."""
        low, high = list[fmpq](), list[fmpq]()
        for k, relation in self.rows:
            if relation in (">", ">=") and linear(self.program, k) == [name]:
                b, c = (evaluate(self.program, {name: fmpq(x)}, 64, [k])[k] for x in (0, 1))
                if isinstance(b, fmpq) and isinstance(c, fmpq) and b != c:
                    (low if c > b else high).append(b / (b - c))
        return [max(low), min(high)] if low and high else []


def linear(program: Program, k: int) -> list[str] | None:
    """The symbols of a node that is linear in them and pi by its form, else None."""
    lines = [program[j] for j in reach(program, [k])]
    for line in lines:
        inner = [program[j][0] for j in arguments(line)]
        product = line[0] == "mul" and len(inner) - inner.count("rational") == 1
        if not product and line[0] not in ("rational", "symbol", "pi", "add"):
            return None
    return [line[1] for line in lines if line[0] == "symbol"]


def alone(program: Program, k: int) -> list[str]:
    """The symbols that are a term of a node, times a number, and in none of its other terms."""
    terms, inside = [k], list[int]()
    while terms:
        j = terms.pop()
        inner = arguments(program[j])
        product = program[j][0] == "mul"
        numbers = [i for i in inner if program[i][0] == "rational"] if product else []
        if program[j][0] == "add" or (product and len(inner) - len(numbers) == 1):
            terms += [i for i in inner if i not in numbers]
        else:
            inside.append(j)
    names = [program[j][1] for j in inside if program[j][0] == "symbol"]
    others = reach(program, [i for j in inside for i in arguments(program[j])])
    used = [program[j][1] for j in others if program[j][0] == "symbol"]
    return [name for name in names if names.count(name) == 1 and name not in used]


def _holds(x: Any, relation: str) -> bool:
    if relation == "integer" or isinstance(x, acb):
        return isinstance(x, fmpq) and x.q == 1
    return sign(x) in RELATIONS[relation] and (isinstance(x, fmpq) or sign(x) != 0)


@dataclass
class Letter:
    """What a letter stands for, and what was found out about it."""

    s: Ratio
    kind: str
    x: Ratio  # its argument; 1 where it has none
    part: Ratio
    degree: int
    name: str
    number: bool  # no symbol in it
    turn: Turn | None = None
    signs: Signs = ANY  # of a real one
    continuous: bool = False
    inner: Ratio | None = None  # f in |f|


@dataclass
class Exponent:
    """x with exp(2 x) = square and exp(x) = direction, up to a positive factor if not exact."""

    x: Ratio
    square: Ratio
    direction: Ratio
    exact: bool


class Letters(Field):
    """A field whose letters are checked when they are met."""

    def __init__(self, data: Data, more: int = 0) -> None:
        self.last = 1 + max((v["index"] for v in data["variables"]), default=0)
        super().__init__(self.last + more + 1)  # with free letters
        self.domain = Domain(data)
        self.rows: list[Data] = [*reversed(data["variables"])]
        self.given = dict(data["relations"])
        self.table: dict[int, Letter] = {}
        self.facts: list[tuple[Ratio, Signs]] = []  # real elements
        self.exponents: list[Exponent] = []
        self.inverted: list[Poly] = []  # by which the program divides
        self.found: dict[tuple[str, str, int], Signs] = {}  # with so many facts
        self._balls: dict[tuple[int, int], acb] = {}

    # elements

    def poly(self, rows: Iterable[Any]) -> Poly:
        """A polynomial of the evidence; the letters that it needs are defined before."""
        terms: dict[tuple[int, ...], fmpq] = {}
        for c, powers in rows:
            exponents = [0] * len(self.gens)
            for k, e in powers.items():
                while int(k) not in self.table:
                    self.define()
                need(0 < e < 1 << 24, "an exponent is out of range")
                exponents[int(k)] = e
            terms[tuple(exponents)] = fmpq(c)
        return self.ring.from_dict(terms)

    def element(self, rows: Any) -> Ratio:
        """An element of the evidence; its denominator is proved not to be 0."""
        num, den = map(self.poly, rows)
        self.nonzero(den)
        return Ratio(self, num, den)

    def is_number(self, *xs: Ratio) -> bool:
        """No symbol is in them."""
        return all(self.table[k].number for x in xs for k in used(x.num, x.den))

    def of(self, kind: str, name: str = "") -> Ratio:
        """The letter of this kind; of a symbol its value."""
        while True:
            for v in self.table.values():
                if v.kind == kind and v.name == name:
                    return v.s**v.degree if kind == "symbol" else v.s
            self.define()

    # what a letter stands for

    def define(self) -> None:
        """Check what the evidence says of its next letter."""
        need(self.rows, "a letter is not defined")
        row = self.rows.pop()
        k, kind, n, name = (row[f] for f in ("index", "kind", "degree", "name"))
        need(k not in self.table and 0 <= k < self.last, f"letter {k}")
        known = kind in ("symbol", "pi", *WITH_ARGUMENT, *WITH_RELATION)
        need(known and (kind == "erf") <= (name == "erf"), f"the kind of letter {k}")
        need(type(n) is int and n >= (kind == "symbol"), f"the degree of letter {k}")
        shape = (kind in WITH_ARGUMENT, kind in ("root", "abs"))
        need(shape == (row["argument"] is not None, row["part"] is not None), f"letter {k}")
        x, part = (self.element(row[f] or ONE) for f in ("argument", "part"))
        number = kind != "symbol" and self.is_number(x, part)
        v = Letter(Ratio(self, self.gens[k]), kind, x, part, n, name, number)
        if kind in ("log", "arg", "opaque"):
            self.nonzero(x.num)
        if kind in ("abs", "parity"):
            self._rewrite(v)
        v.turn, v.continuous = self._turning(k, v), v.number or self._smooth(v)
        self.table[k] = v
        if kind in WITH_RELATION:
            self._relation(k, v)
        self._learn(v)
        self._exponential(v)

    def _rewrite(self, v: Letter) -> None:
        """|f| is the root of f^2; (-1)^n is exp(i pi n), its square 1 for integers n."""
        if v.kind == "abs":
            need(self.real(v.x), "an absolute value of what may be complex")
            v.kind, v.inner, v.degree, v.part = "root", v.x, 2, self.lift(1) / v.part
            v.x = v.inner * v.inner
            self.facts.append((v.x, raised(self.signs(v.inner), 2)))
            return
        letters = [self.table[j] for j in used(v.x.num, v.x.den)]
        whole = v.x.den.is_one() and all(fmpq(c).q == 1 for c in v.x.num.coeffs())
        whole &= all(u.kind == "symbol" and u.degree == 1 for u in letters)
        need(whole and {u.name for u in letters} <= self.domain.integers, "a power of -1")
        v.kind, v.x, v.degree = "exp", v.x * self.of("i") * self.of("pi"), 2

    def _relation(self, k: int, v: Letter) -> None:
        """The relation of a letter must be the one that its definition gives."""
        p, s = self.poly(self.given.pop(k)), self.gens[k]
        if v.kind == "unity":
            n = int(v.name)
            need(n > 1 and p == reduce(lambda q, _: q * s + 1, range(n - 1), self.one), "unity")
        else:
            radicand = v.x / v.part**v.degree if v.kind == "root" else self.lift(1)
            rest = Ratio(self, s**v.degree - p) * (-1 if v.kind == "i" else 1)
            need(v.degree == 2 or (v.kind == "root" and v.degree > 2), f"the degree of {k}")
            need(k not in used(rest.num) and rest == radicand, f"relation {k}")
        self.relations[k] = p

    def _turning(self, k: int, v: Letter) -> Turn | None:
        """How a letter turns when it is conjugated."""
        unit = (1, {k: -2})
        if v.kind in ("symbol", "pi", "log", "arg"):
            return REAL
        if v.kind in ("i", "unity"):
            return unit
        real, mirror = self.real(v.x), self.conjugate(v.x)
        if v.kind in ("exp", "erf") and real:
            return REAL
        if v.kind == "root" and real and -1 not in self.signs(v.x):
            back = self.conjugate(v.part)
            z = None if back is None else v.part / back  # a sign times powers of letters
            if z is None or len(z.num) + len(z.den) > 2 or abs(z.num.leading_coefficient()) != 1:
                return None
            powers = {j: int(z.num.degrees()[j] - z.den.degrees()[j]) for j in used(z.num, z.den)}
            return sign(fmpq(z.num.leading_coefficient())), powers
        on_circle = mirror is not None and (
            mirror == v.x * -1 if v.kind == "exp" else v.part == 1 and mirror * v.x == 1
        )
        return unit if on_circle and v.kind in ("exp", "root") else None

    def _smooth(self, v: Letter) -> bool:
        """A continuous function on the domain."""
        if v.kind == "root":
            return self.not_negative(v.x) and self.continuous(v.x) and self.continuous(v.part)
        if v.kind == "arg":
            mirror = self.conjugate(v.x)
            side = mirror is not None and self.signs(v.x + mirror) == {1}
            return side and self.continuous(v.x)
        return v.kind in ("symbol", "exp", "erf") and self.continuous(v.x)

    def _learn(self, v: Letter) -> None:
        """What the kind of a letter says of its sign."""
        if v.kind == "symbol":
            v.signs = self.domain.signs(v.name)
            need(v.degree == 1 or -1 not in v.signs, f"a root of {v.name}")
        if v.kind == "pi" or (v.kind == "exp" and v.turn == REAL):
            v.signs = POSITIVE
            side = self._seen(v.x, 0) if not v.number else ANY
            if side in ({1}, {-1}):
                self.facts.append(((v.s - 1) * next(iter(side)), POSITIVE))
        if v.kind == "root" and self.not_negative(v.x):
            self.facts.append((v.s * v.part, self.signs(v.x)))
            v.signs = times(self.signs(v.x), self.signs(v.part)) if v.turn == REAL else ANY
        if v.kind == "log" and self.real(v.x) and self.signs(v.x) == {1}:
            v.signs = self.signs(v.x - 1)
        if v.kind == "erf" and v.turn == REAL:
            self.facts += [(v.s * s + 1, POSITIVE) for s in (1, -1)]
        if v.number and v.turn == REAL:
            v.signs &= self.by_balls(v.s)

    def _exponential(self, v: Letter) -> None:
        """Take note of the exponential that a letter makes known."""
        one, kinds = self.lift(1), {u.kind for u in self.table.values()}
        if v.kind in ("pi", "i") and {"pi", "i"} <= kinds:
            self.exponents.append(Exponent(self.of("pi") * self.of("i"), one, one * -1, True))
        if v.kind == "exp":
            self.exponents.append(Exponent(v.x, v.s * v.s, v.s, True))
        if v.kind == "log" and self.real(v.x):
            positive = self.signs(v.x) == {1}
            self.exponents.append(Exponent(v.s, v.x * v.x, v.x if positive else one, positive))
        if (v.kind, v.name) == ("opaque", "asin"):
            i, square = self.of("i"), v.x * v.x * -1 + 1
            for u in [*self.table.values()]:
                c = square.multiple(u.x) if (u.kind, u.degree) == ("root", 2) else None
                if c is not None and c > 0 and (c.p.isqrt() ** 2, c.q.isqrt() ** 2) == (c.p, c.q):
                    z = u.s * u.part * fmpq(c.p.isqrt(), c.q.isqrt()) + i * v.x
                    self.exponents.append(Exponent(v.s * i, z * z, z, True))
        mirror = self.conjugate(v.x) if v.kind == "arg" else None
        if mirror is not None:
            right = self.signs(v.x + mirror) == {1}  # else it may be 0
            self.facts.append((v.x * mirror, POSITIVE if right else NOT_NEGATIVE))
            self.exponents.append(Exponent(v.s * self.of("i"), v.x / mirror, v.x, False))

    # balls: of numbers, and of functions at the sample point

    def ball(self, x: Ratio, bits: int) -> acb:
        """An enclosure of an element."""
        with ctx.workprec(bits):
            num, den = (self._ball(p, bits) for p in (x.num, x.den))
            return num / den

    def _ball(self, p: Poly, bits: int) -> acb:
        total = acb(0)
        for exponents, c in p.terms():
            powers = (self._value(k, bits) ** int(e) for k, e in enumerate(exponents) if e)
            total += reduce(mul, powers, acb(fmpq(c)))
        return total

    def real_ball(self, x: Ratio, bits: int) -> Any:
        """The same, real where the element is seen to be."""
        y = self.ball(x, bits)
        return y.real if self.real(x) else y

    def _value(self, k: int, bits: int) -> acb:
        if (k, bits) not in self._balls:
            self._balls[k, bits] = acb(self._evaluate(self.table[k], bits))
        return self._balls[k, bits]

    def _evaluate(self, v: Letter, bits: int) -> Any:
        if v.kind == "symbol":
            return root(self.domain.point.get(v.name, arb.nan()), v.degree)
        if v.kind == "unity":
            return acb(fmpq(2, int(v.name))).exp_pi_i()
        if v.kind in ("pi", "i"):
            return apply(v.kind, ())
        y = self.real_ball(v.x, bits)
        if v.kind == "root":
            return root(y, v.degree) / self.ball(v.part, bits)
        if v.kind in ("arg", "log"):
            return acb(y).arg() if v.kind == "arg" else apply("log", [abs(y)])
        return apply(v.name if v.kind == "opaque" else v.kind, [y])

    def whole_turns(self, x: Ratio) -> None:
        """Take note that exp(2 pi i n) is 1 for the integers n in an exponent."""
        for exponents, _ in x.num.terms() if self.domain.integers else ():
            vs = [(k, self.table[k], int(e)) for k, e in enumerate(exponents) if e]
            names = [v.name for _, v, e in vs if v.kind == "symbol" and e % v.degree == 0]
            others = [v for _, v, e in vs if v.kind == "symbol" and e % v.degree]
            rest = sorted((v.kind, e) for _, v, e in vs if v.kind != "symbol")
            whole = names and not others and self.domain.integers.issuperset(names)
            if whole and rest == [("i", 1), ("pi", 1)]:
                while self.rows:
                    self.define()  # the powers of -1 among them
                turn = reduce(mul, (v.s**e for _, v, e in vs), self.lift(2))
                one = self.lift(1)
                if not any(y.x == turn for y in self.exponents):
                    self.exponents.append(Exponent(turn, one, one, True))

    def by_balls(self, x: Ratio) -> Signs:
        """The sign of a real number, where balls show it."""
        side = next((s for bits in BITS if (s := sign(self.ball(x, bits).real))), 0)
        return frozenset((side,)) if side else ANY

    def below(self, f: Callable[[int], Any], limit: arb) -> bool:
        """|f(bits)| < limit at one of the precisions."""
        for bits in BITS:
            with ctx.workprec(bits):
                if abs(f(bits)) < limit:
                    return True
        return False

    def nonzero(self, p: Poly) -> None:
        """A number is not 0; a function is not 0 at the sample point.

        Letters with relations have several branches, on each of which it must differ from 0.
        """
        need(not p.is_zero(), "a denominator is 0")
        if max(used(p), default=0) >= self.last:
            return  # only in another program, which may have no value there
        norm = self.norm(p, {k for k, v in self.table.items() if not v.number})
        if norm.is_zero() and any(divmod(q, p)[1].is_zero() for q in self.inverted):
            return  # where it is 0 the program has no value, either
        need(not norm.is_zero(), "a denominator is 0 on a branch")
        x = Ratio(self, norm)
        if len(x.num) > 1 or any(self.table[k].kind != "exp" for k in used(x.num)):
            if not any((w := self.ball(x, b)).is_finite() and not w.contains(0) for b in BITS):
                mirror = self.conjugate(x)
                y = x if self.real(x) or mirror is None else x * mirror
                need(self.real(y) and 0 not in self.signs(y), "something may be 0")

    # conjugates and signs

    def conjugate(self, x: Ratio) -> Ratio | None:
        """The complex conjugate, where it is known."""
        turns = [self.table[k].turn for k in used(x.num, x.den)]
        if None in turns or all(turn == REAL for turn in turns):
            return None if None in turns else x
        return self._conjugate(x.num) / self._conjugate(x.den)

    def _conjugate(self, p: Poly) -> Ratio:
        rows: list[tuple[list[int], fmpq]] = []
        for exponents, c in p.terms():
            out, c = [int(e) for e in exponents], fmpq(c)
            for k, e in enumerate(exponents):
                side, powers = (self.table[k].turn if e else None) or REAL
                c *= side ** int(e)
                for j, n in powers.items():
                    out[j] += n * int(e)
            rows.append((out, c))
        low = [min(0, *(out[k] for out, _ in rows)) for k in range(len(self.gens))]
        up = {tuple(e - m for e, m in zip(out, low, strict=True)): c for out, c in rows}
        down = {tuple(-m for m in low): fmpq(1)}
        return Ratio(self, self.ring.from_dict(up), self.ring.from_dict(down))

    def real(self, x: Ratio) -> bool:
        """The element is seen to be real."""
        mirror = self.conjugate(x)
        return (mirror is not None and mirror == x) or self._known(x) is not None

    def not_negative(self, x: Ratio) -> bool:
        """The element is seen to be real and never negative."""
        return self.real(x) and -1 not in self.signs(x)

    def _known(self, x: Ratio) -> Signs | None:
        """The signs of a multiple of a fact."""
        found = [times(signs, {sign(c)}) for y, signs in self.facts if (c := x.multiple(y))]
        return reduce(frozenset.intersection, found) if found else None

    def signs(self, x: Ratio) -> Signs:
        """The signs that the real x may have on the domain."""
        key = str(x.num), str(x.den), len(self.facts)
        if key not in self.found:
            out = self._seen(x)
            self.found[key] = out & self._by_factors(x) if len(out) > 1 else out
        return self.found[key]

    def _seen(self, x: Ratio, depth: int = 3) -> Signs:
        if x.rational is not None:
            return frozenset((sign(x.rational),))
        known = self._known(x)
        out = ANY if known is None else known
        if self.is_number(x):
            out &= self.by_balls(x)
        if len(out) > 1 and self.is_number(Ratio(self, x.den)):
            out &= self._of_terms(x)
            if x.den.is_constant():
                out &= self._of_two(x.num) & self._of_corners(x.num)
        elif len(out) > 1 and all(self.table[k].turn == REAL for k in used(x.den)):
            above, below = (self._seen(Ratio(self, p), depth) for p in (x.num, x.den))
            return out & times(above, below - {0})
        return out & self._of_sums(x, depth) if len(out) > 1 and depth else out

    def _of_sums(self, x: Ratio, depth: int) -> Signs:
        """The signs of x as a sum of multiples of what is known."""
        out, groups = ANY, self._groups(x)
        for y, signs in self.facts if len(x.num) <= SUMMED else ():
            if len(out) == 1 or y.den != x.den or signs >= {-1, 1} or len(y.num) > SUMMED:
                continue
            others = self._groups(y)
            for key in {*list(groups)[:1], *list(others)[:1]} & groups.keys() & others.keys():
                q = groups[key].over(others[key])
                rest = x - y * q
                if len(rest.num) <= len(x.num) and self.real(q):
                    out &= plus(times(signs, self._seen(q, 0)), self._seen(rest, depth - 1))
        return out

    def _groups(self, x: Ratio) -> dict[tuple[int, ...], Ratio]:
        """The element as numbers times monomials of functions, over its denominator."""
        rows: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
        for exponents, c in x.num.terms():
            number = [bool(e) and self.table[k].number for k, e in enumerate(exponents)]
            rest = tuple(0 if n else e for n, e in zip(number, exponents, strict=True))
            inner = tuple(e if n else 0 for n, e in zip(number, exponents, strict=True))
            rows.setdefault(rest, {})[inner] = fmpq(c)
        below = x.den if self.is_number(Ratio(self, x.den)) else None
        return {m: Ratio(self, self.ring.from_dict(p), below) for m, p in rows.items()}

    def _of_terms(self, x: Ratio) -> Signs:
        """The signs of a sum, from those of its terms; their coefficients are numbers."""
        out, balls = frozenset((0,)), not self.is_number(x)  # else they were asked before
        for key, q in self._groups(x).items():
            vs = [(self.table[k], int(e)) for k, e in enumerate(key) if e]
            if any(v.turn != REAL for v, _ in vs) or not self.real(q):
                return ANY
            signs = [raised(v.signs, e) for v, e in vs]
            out = plus(out, reduce(times, signs, self._of_number(q, balls)))
        return out

    def _of_number(self, q: Ratio, balls: bool) -> Signs:
        """The sign of a real number, with or without balls."""
        if q.rational is not None:
            return frozenset((sign(q.rational),))
        known = [self._of_powers(p) for p in (q.num, q.den)]
        signs = times(known[0], known[1] - {0})
        return signs & self.by_balls(q) if balls and len(signs) > 1 else signs

    def _of_powers(self, p: Poly) -> Signs:
        out: Signs = frozenset((0,))
        for exponents, c in p.terms():
            vs = [(self.table[k], int(e)) for k, e in enumerate(exponents) if e]
            signs = [raised(v.signs, e) if v.turn == REAL else ANY for v, e in vs]
            out = plus(out, reduce(times, signs, frozenset((sign(fmpq(c)),))))
        return out

    def _of_two(self, p: Poly) -> Signs:
        """a exp(B) - b exp(C) with a >= b > 0 is positive where B > C."""
        if len(p) != 2:
            return ANY
        (m, a), (n, b) = ((exponents, fmpq(c)) for exponents, c in p.terms())
        powers = [(k, int(e - f)) for k, (e, f) in enumerate(zip(m, n, strict=True)) if e or f]
        vs = [(self.table[k], e) for k, e in powers]
        if sign(a) == sign(b) or not all(e and v.kind == "exp" and v.turn == REAL for v, e in vs):
            return ANY
        order = self.signs(reduce(add, (v.x * e for v, e in vs)))
        greater = a if order == {1} else b if order == {-1} else fmpq(0)
        return frozenset((sign(greater),)) if abs(greater) >= max(abs(a), abs(b)) else ANY

    def _of_corners(self, p: Poly) -> Signs:
        """A polynomial that is linear in each letter is largest and least at corners of a box."""
        vs = [self.table[k] for k in used(p)]
        if len(vs) > 4 or max(p.degrees()) > 1 or any(v.kind != "symbol" for v in vs):
            return ANY
        if any(v.degree != 1 for v in vs):
            return ANY
        corners = [{}] if vs else list[dict[int, fmpq]]()
        for k, v in zip(used(p), vs, strict=True):
            corners = [{**c, k: end} for c in corners for end in self.domain.ends(v.name)]
        values = [fmpq(p(*(c.get(k, 0) for k in range(len(self.gens))))) for c in corners]
        signs = frozenset(map(sign, values))
        return ANY if not values or signs >= {1, -1} else signs

    def _by_factors(self, x: Ratio) -> Signs:
        """The same from the signs of the factors, if these are real."""
        mine = used(x.num, x.den)
        for y, signs in self.facts:  # s part, where the letter s alone is not real
            k = used(y.num)[:1] if len(y.num) == 1 else []
            if k and k[0] in mine and self.table[k[0]].turn != REAL:
                rest = x.over(y)
                if len(used(rest.num, rest.den)) < len(mine):
                    return times(signs, self.signs(rest))
        out = POSITIVE
        for p, side in ((x.num, 1), (x.den, -1)):
            c, parts = p.factor() if len(p) <= FACTORED else p.factor_squarefree()
            factors = [(Ratio(self, f), side * int(e)) for f, e in parts]
            if not all(self.real(y) for y, _ in factors):
                return ANY
            parts_signs = [raised(self._seen(y), e) for y, e in factors]
            out = reduce(times, parts_signs, times(out, {sign(fmpq(c))}))
        return out

    def continuous(self, x: Ratio) -> bool:
        """Continuous on the whole domain."""
        smooth = all(self.table[k].continuous for k in used(x.num, x.den))
        return smooth and self.regular(x)

    def regular(self, x: Ratio) -> bool:
        """The denominator is nowhere 0."""
        den = Ratio(self, x.den)
        if len(x.den) == 1 and all(self.table[k].kind == "exp" for k in used(x.den)):
            return True
        if self.real(den) and 0 not in self.signs(den):
            return True
        known = [Ratio(self, y.num) for y, signs in self.facts if 0 not in signs]
        return any(den.multiple(y) for y in known)

"""Certificates: the small steps by which the checker (checker.py) repeats a proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import TYPE_CHECKING, Any

from flint import acb, fmpq, fmpq_mat, fmpq_mpoly
from flint.utils.flint_exceptions import DomainError

from derive.exact.budget import RestartError, UndecidedError
from derive.exact.checker import ANY, NOT_NEGATIVE, Proof, Rejected, check
from derive.exact.dag import Node, UndefinedValue
from derive.exact.field import Element
from derive.exact.points import points, reach, subject, symbols
from derive.exact.tower import SplitError, Tower

if TYPE_CHECKING:
    from derive.exact.evidence import Evidence

BITS = (64, 256, 1024, 4096)
DATA = {"rational": 2, "symbol": 1, "power": 1, "root": 1}
MOST_BITS = 1 << 18
LETTERS = 300  # room for this many, besides one for each node of the claim
FAILED = (Rejected, KeyError, IndexError, ValueError, TypeError, ArithmeticError, DomainError, AttributeError)
FACTORED = 120  # terms of a polynomial that is factored
SUMMED = 12  # terms of one that is compared with what is known
Line = tuple[Any, ...]


class Recorder:
    """One proof under construction; every step is checked as it is taken."""

    def __init__(self, claim: Mapping[str, Any]) -> None:
        self.claim = claim
        size = LETTERS + len(claim["program"])
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
        self.tower: Tower | None = None
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

    def over(self, p: fmpq_mpoly) -> list[int]:
        """Nodes with which p must be multiplied to vanish; empty if it doesn't."""
        factors, product = self.clearing([p])
        return factors if not self.proof.reduce(p * product) else []

    def clearing(self, ps: Sequence[fmpq_mpoly]) -> tuple[list[int], fmpq_mpoly]:
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

    def multiplied(self, a: fmpq_mpoly, b: fmpq_mpoly, rule: str, *data: Any) -> bool:
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

    def value(self, k: int) -> fmpq_mpoly:
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

    def polynomial(self, p: fmpq_mpoly, names: Any = None) -> int:
        """A polynomial in the letters, or in others, as a node."""
        names = names or self.letters.__getitem__
        terms = []
        for exponents, c in p.terms():
            powers = [self.power(names(k), int(e)) for k, e in enumerate(exponents) if e]
            terms.append(self.product([self.number(c), *powers]))
        return self.total(terms)

    def element(self, x: Element) -> int:
        """An element of the prover's field as a node."""
        below = []
        for k, e in x.parts:
            f = self.polynomial(x.field.factors[k], self.generator)
            if self.proof.lines[f][0] == "i":
                below.append(self.power(self.minus(f), int(e)))
                continue
            below.append(self.node("power", f, -int(e)))
        return self.product([self.polynomial(x.num, self.generator), *below])

    def generator(self, index: int) -> int:
        """A variable of the prover's field as a node."""
        key = id(self.tower), index
        if key not in self.made:
            self.made[key] = self._generator(index)
        return self.made[key]

    def _generator(self, index: int) -> int:
        g = self.tower.ground.generators.table[index]
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
            if self.proof.signs.get(x) == {1}:
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
        mirror = ground.conjugate(z)
        side = (z - mirror) / (ground.i * 2)
        if (z * mirror).equals(ground.field.one):
            return self.node("asin", self.element(side))
        return self.node("atan", self.element(side * 2 / (z + mirror)))

    # values

    def know(self, k: int) -> None:
        """Find the value of a node whose arguments are known."""
        op, inner, data = self.proof.lines[k]
        for j in inner:
            self.value(j)
        if op in ("rational", "add", "mul") or (op == "power" and data[0] > 0):
            self.do("compute", k)
        elif op == "power":
            self.quotient(k)
        else:
            getattr(self, "know_" + op, self.do_letter)(k)

    def do_letter(self, k: int) -> None:
        """A letter of its own, or the one that is known already."""
        op, inner, data = self.proof.lines[k]
        for j in self.functions if inner else ():
            if self.proof.lines[j][::2] == (op, data):
                x, y = self.value(inner[0]), self.value(self.proof.lines[j][1][0])
                for side in (1, -1) if op in ("asin", "atan", "erf") else (1,):
                    if self.multiplied(x, y * side, "copy", k, j, side):
                        return
        self.do("letter", k)
        self.letters[self.proof.left] = k
        self.least = min(self.least, self.proof.left)
        if inner:
            self.functions.append(k)

    def hint(self, k: int) -> int | None:
        """What the prover found for a node, as another node."""
        if k not in self.hints or k in self.busy:
            return None
        self.busy.add(k)
        return self.element(self.hints[k])

    def letters_of(self, k: int) -> None:
        """Make the exponentials known that the prover uses for a node."""
        if k in self.hints and k not in self.busy:
            self.busy.add(k)
            used = self.tower.ground.generators.used
            for g in {*used(self.hints[k].num), *used(self.hints[k].den)}:
                self.generator(g)
            self.busy.discard(k)

    def quotient(self, k: int) -> None:
        x = self.proof.lines[k][1][0]
        self.sign(x)
        if not self.nonzero(x) and k < self.own:
            self.do("has", k)
        self.do_letter(k)
        p = self.proof.value[x]
        used = [v for v, e in enumerate(p.degrees()) if e > 0]
        if used and used == [self.letter_i()]:
            self.same(self.reciprocal(p, -self.proof.lines[k][2][0]), k)
        if len(p) == 1 and all(self.proof.lines[self.letters[v]][0] == "exp" for v in used) and used:
            fs = []
            for v in used:
                j, n = self.positive(self.letters[v], int(p.degrees()[v]) * self.proof.lines[k][2][0])
                fs.append(self.power(j, n))
            q = fmpq(p.leading_coefficient()) ** self.proof.lines[k][2][0]
            self.same(self.product([self.number(q), *fs]), k)

    def reciprocal(self, p: fmpq_mpoly, n: int) -> int:
        """1/p^n for a number p = a + b i."""
        i = self.letter_i()
        mirror = p.compose(*(-y if v == i else y for v, y in enumerate(p.context().gens())))
        size = fmpq(self.proof.reduce(p * mirror).leading_coefficient())
        return self.polynomial(self.proof.reduce(mirror**n / size**n))

    def nonzero(self, x: int) -> bool:
        """Show that a node is never 0."""
        if x in self.proof.nonzero:
            return True
        self.sign(x)
        if x not in self.proof.nonzero:
            any(self.can("ball", x, bits) for bits in BITS)
        if x in self.proof.nonzero:
            return True
        p = self.proof.value[x]
        for m in sorted(self.proof.nonzero):
            try:
                q = self.proof.value[m] / p
            except FAILED:
                continue
            if self.can("quotient", x, self.polynomial(q), m):
                return True
        if len(p) <= FACTORED and p:
            c, parts = p.factor()
            if len(parts) > 1 and all(self.nonzero(self.polynomial(f)) for f, _ in parts):
                fs = [self.power(self.polynomial(f), int(e)) for f, e in parts]
                self.same(self.product([self.number(c), *fs]), x)
        return x in self.proof.nonzero

    def know_exp(self, k: int) -> None:
        x = self.value(self.proof.lines[k][1][0])
        if self.proof.lines[k][1][0] not in self.proof.signs:
            self.by_real(self.proof.lines[k][1][0], 0)
        self.letters_of(k)
        if k not in self.proof.value:
            self._exp(k, x)
        if k not in self.exps:
            self.exps.append(k)

    def _exp(self, k: int, x: fmpq_mpoly) -> None:
        if x and not self.half_turn and self.proof.i and self.proof.pi:
            self.half_turn = self.raw("exp", self.product([self.node("i"), self.node("pi")]))
            self.do("turn", self.half_turn)
            self.exps.append(self.half_turn)
        if self.half_turn:
            self.whole_turns(x)
        terms = self.combination(x)
        if terms is None:
            self.do_letter(k)
            return
        if all(q.q == 1 for _, q in terms):
            self.exponent(k, [self.positive(j, int(q.p)) for j, q in terms])
            return
        self.do_letter(k)
        self.exps.append(k)
        n = self.order[k] = lcm(*(int(q.q) for _, q in terms))
        whole = self.node("exp", self.product([self.number(n), self.proof.lines[k][1][0]]))
        self.do("product", whole, [[k, n]])
        self.exponent(whole, [self.positive(j, int((q * n).p)) for j, q in terms])
        e = self.hint(k)
        if e is not None and e != k:
            self.unity(k, e, 2 * n) or self.unity(k, e, n)

    def whole_turns(self, x: fmpq_mpoly) -> None:
        """exp(i pi m) is a letter whose square is 1, for products m of integers."""
        given = self.claim["assumptions"]
        whole = {v for v, k in self.letters.items() if [k, "integer"] in given}
        turn = self.node("i"), self.node("pi")
        for exponents, _ in x.terms():
            used = [v for v, e in enumerate(exponents) if e]
            factors = [v for v in used if self.letters[v] not in turn]
            once = len(used) == len(factors) + 2 and all(exponents[v] == 1 for v in used)
            m = tuple(self.letters[v] for v in factors)
            if once and m and whole.issuperset(factors) and m not in self.parities:
                self.parities.add(m)
                half = self.raw("exp", self.product([*turn, *m]))
                self.do_letter(half)
                full = self.raw("exp", self.product([self.number(2), *turn, *m]))
                self.do("turns", full, self.product(m))
                self.do("product", full, [[half, 2]])
                self.exps.append(half)

    def exponent(self, k: int, terms: list[list[int]]) -> None:
        """exp k as a product of other exponentials."""
        arguments = [(self.value(self.proof.lines[j][1][0]), n) for j, n in terms]
        total = sum((x * n for x, n in arguments), self.proof.one * 0)
        if not self.multiplied(total, self.value(self.proof.lines[k][1][0]), "product", k, terms):
            raise Rejected("an exponent")

    def positive(self, j: int, n: int) -> list[int]:
        """exp(x)^n as a power of exp(x) or exp(-x)."""
        if n >= 0:
            return [j, n]
        x = self.proof.lines[j][1][0]
        opposite = self.minus(x)
        m = self.index.get(("exp", opposite))
        if m is None or m not in self.proof.value:
            m = self.index[("exp", opposite)] = self.raw("exp", opposite) if m is None else m
            self.do_letter(m)
            self.exps.append(m)
            self.opposite[m] = j
            nothing = self.raw("exp", self.total([x, opposite]))
            self.do("product", nothing, [])
            self.do("product", nothing, [[j, 1], [m, 1]])
            p = self.value(j)
            if [v for v, e in enumerate(p.degrees()) if e > 0] == [self.letter_i()]:
                self.same(self.reciprocal(p, 1), m)
        return [m, -n]

    def raw(self, op: str, *rest: Any) -> int:
        """A further node, not yet known."""
        k = len(self.proof.lines)
        size = DATA.get(op, 0)
        self.proof.lines.append((op, [*rest[: len(rest) - size]], [*rest[len(rest) - size :]]))
        self.data["program"].append([op, *rest])
        return k

    def combination(self, x: fmpq_mpoly) -> list[tuple[int, fmpq]] | None:
        """x as a sum of multiples of exponents that are known."""
        if not x:
            return []
        reduce = self.proof.reduce
        known = [(j, reduce(self.proof.value[self.proof.lines[j][1][0]])) for j in self.exps]
        known = [(j, p) for j, p in known if p]
        _, product = self.clearing([x, *(p for _, p in known)])
        if not product.is_one():
            x, known = x * product, [(j, reduce(p * product)) for j, p in known]
        x = reduce(x)
        for integral in (True, False):
            for j, p in known:
                if len(p) == len(x):
                    q = fmpq(x.leading_coefficient()) / fmpq(p.leading_coefficient())
                    if (q.q == 1 or not integral) and p * q == x:
                        return [(j, q)]
        columns = [p.to_dict() for p in (*(p for _, p in known), x)]
        rows = sorted({m for column in columns for m in column})
        matrix, rank = fmpq_mat([[column.get(m, 0) for column in columns] for m in rows]).rref()
        out = []
        for row in matrix.tolist()[:rank]:
            j = next(j for j, c in enumerate(row) if c)
            if j == len(known):
                return None
            if row[-1]:
                out.append((known[j][0], row[-1]))
        return out

    def wave(self, k: int) -> None:
        x, i = self.proof.lines[k][1][0], self.node("i")
        self.letters_of(k)
        turn = self.product([i, x])
        if x in self.waves:
            for line, e in zip((turn, self.minus(turn)), self.waves[x], strict=True):
                at = self.index.get(("exp", line))
                if at is None:
                    at = self.index["exp", line] = self.raw("exp", line)
                self.hints.setdefault(at, e)
        j, m = self.node("exp", turn), self.node("exp", self.minus(turn))
        self.do("wave", k, j, m)

    know_sin = know_cos = wave

    def unity(self, k: int, e: int, n: int) -> bool:
        """k = e because their n-th powers are equal."""
        if k == e:
            return True
        self.sign(e)
        powers = self.value(k) ** n, self.value(e) ** n
        signs = self.proof.signs
        if k in signs and e in signs and signs[k] | signs[e] <= NOT_NEGATIVE:
            return self.multiplied(*powers, "unity", k, e, n)
        self.nonzero(e)
        return any(self.multiplied(*powers, "unity", k, e, n, bits) for bits in BITS)

    def know_root(self, k: int) -> None:
        _, (x,), (n,) = self.proof.lines[k]
        self.sign(x)
        e = self.hint(k)
        if k in self.proof.value:
            return
        self.do_letter(k)
        if e is None or e == k or self.proof.value[k] == self.proof.value[e]:
            return
        if not self.unity(k, e, n) and n == 2:
            r = self.minus(self.product([self.node("i"), e]))
            self.sign(r)
            self.can("turned", k, r)

    def tie(self, k: int, c: int, r: int | None = None) -> int:
        """exp(c k) for a logarithm or an angle."""
        j = self.raw("exp", self.product([c, k]))
        self.do(self.proof.lines[k][0], j, k, *([] if r is None else [r]))
        self.exps.append(j)
        return j

    def know_erf(self, k: int) -> None:
        self.do_letter(k)
        if k in self.proof.signs:
            for side in (1, -1):
                m = self.polynomial(1 + self.value(k) * side)
                self.do("bound", k, m, side)

    def know_log(self, k: int) -> None:
        x = self.proof.lines[k][1][0]
        self.sign(x)
        e = self.hint(k)
        if k in self.proof.value:
            return
        if not self.nonzero(x) and k < self.own:
            self.do("has", k)
        self.inverse_function(k, e, self.number(1), None)

    def inverse_function(self, k: int, e: int | None, c: int, r: int | None) -> None:
        """A letter with its exponential; and e, which has the same one."""
        known = len(self.letters)
        self.do_letter(k)
        if len(self.letters) == known:
            return
        j = self.tie(k, c, r)
        if e is not None and e != k:
            m = self.node("exp", self.product([c, e]))
            if m in self.order and self.proof.reduce(self.value(j) - self.value(m)):
                n = self.order[m]
                y = self.polynomial(self.value(j))
                self.unity(m, y, n) or self.unity(m, y, 2 * n)
            if not self.multiplied(self.value(j), self.value(m), "branch", k, e, c, j, m):
                any(
                    self.multiplied(self.value(j), self.value(m), "branch", k, e, c, j, m, bits)
                    for bits in BITS
                )

    def know_atan(self, k: int) -> None:
        x, i = self.proof.lines[k][1][0], self.node("i")
        self.sign(x)
        e = self.hint(k)
        if k in self.proof.value:
            return
        below = self.total([self.number(1), self.minus(self.product([i, x]))])
        above = self.total([self.number(1), self.product([i, x])])
        square = self.total([self.number(1), self.power(x, 2)])
        self.sign(square)
        self.can("quotient", below, above, square)
        r = self.node("power", below, -1)
        self.inverse_function(k, e, self.product([self.number(2), i]), r)

    def know_asin(self, k: int) -> None:
        x = self.proof.lines[k][1][0]
        e = self.hint(k)
        if k in self.proof.value:
            return
        square = self.total([self.number(1), self.minus(self.power(x, 2))])
        self.sign(square)
        line = ("root", square, 2)
        if line not in self.index and x in self.hints:
            root = self.index[line] = self.raw(*line)
            inside = self.hints[x] * self.hints[x] * -1 + 1
            for fact, found in self.tower.ground.trace:
                if fact == "root" and found["degree"] == 2 and found["x"].equals(inside):
                    self.hints[root] = found["value"]
        self.inverse_function(k, e, self.node("i"), self.node(*line))

    def know_acos(self, k: int) -> None:
        line = ("asin", self.proof.lines[k][1][0])
        if k in self.hints and line not in self.index:
            self.index[line] = self.raw(*line)
            self.hints[self.index[line]] = self.tower.ground.pi * fmpq(1, 2) - self.hints[k]
        self.node("pi")
        self.do("acos", k, self.node("asin", self.proof.lines[k][1][0]))

    def know_select(self, k: int) -> None:
        _, (c, *branches), _ = self.proof.lines[k]
        self.sign(c)
        if c not in self.proof.signs:
            self.do("has", k)
            self.sign(c, again=True)
        signs, zero, size = self.proof.signs[c], self.number(0), c
        if len(signs) == 1:
            (side,) = signs
            size = self.minus(c) if side < 0 else c
            self.sign(size)
            self.do("select", k, branches[side + 1], size, {str(side): [zero] * (2 - abs(side))})
            return
        e, x = self.hints[k], self.hints[c]
        below, middle, above = (self.hints[j] for j in branches)
        node, rest = self.element(e), {"1": [zero], "-1": [zero]}
        sides = [y for s, y in ((-1, below), (1, above)) if s in signs]
        if all(y.equals(e) for y in sides) and len(sides) == 1:
            size = self.minus(c) if -1 in signs else c
            rest["0"] = [zero, self.element((e - middle) / x)]
        elif all(y.equals(e) for y in sides):
            size = self.node("root", self.power(c, 2), 2)
            rest["0"] = [zero, self.element((e - middle) / x)]
        else:
            q = self.element((above - below) / (x * 2))
            size = self.element((e * 2 - below - above) * x / (above - below))
            self.sign(size)
            rest = {"1": [q], "-1": [q]}
            if 0 in signs:
                rest["0"] = [q, self.element(((below + above) * fmpq(1, 2) - middle) / x)]
        self.sign(size)
        self.do("select", k, node, size, rest)

    # signs

    def sign(self, k: int, depth: int = 3, again: bool = False) -> None:
        """Find out what can be shown of the sign of a node."""
        self.value(k)
        if self.single(k) or (self.tried.get(k, -1) >= depth and not again):
            return
        self.tried[k] = depth
        for attempt in (self.by_real, self.by_ball, self.by_given, self.by_terms, self.by_factors, self.by_order, self.by_sums):
            attempt(k, depth)
            if self.single(k):
                return

    def single(self, k: int) -> bool:
        return len(self.proof.signs.get(k, ANY)) <= 1

    def by_ball(self, k: int, depth: int) -> None:
        if k not in self.proof.signs:
            return
        if not self.proof.reduce(self.proof.value[k]):
            self.same(self.number(0), k)
        else:
            any(self.can("ball", k, bits) for bits in BITS) if self.is_closed(k) else None

    def is_closed(self, k: int) -> bool:
        stack, seen = [k], set()
        while stack:
            j = stack.pop()
            if j not in seen:
                seen.add(j)
                op, inner, _ = self.proof.lines[j]
                if op == "symbol":
                    return False
                stack += inner
        return True

    def given(self) -> Iterator[int]:
        yield from (k for k, _ in self.claim["assumptions"] if k in self.proof.signs)
        yield from self.supposed

    def by_given(self, k: int, depth: int) -> None:
        p = self.proof.reduce(self.proof.value[k])
        for m in self.given():
            y = self.proof.reduce(self.proof.value[m])
            if m != k and len(y) == len(p) and p:
                q = fmpq(p.leading_coefficient()) / fmpq(y.leading_coefficient())
                if y * q == p:
                    self.same(self.product([self.number(q), m]), k)

    def by_terms(self, k: int, depth: int) -> None:
        p = self.proof.reduce(self.proof.value[k])
        if len(p) > FACTORED:
            return
        for v in [v for v, e in enumerate(p.degrees()) if e > 0 and v in self.letters]:
            log = self.letters[v]
            if self.proof.lines[log][0] == "log" and log in self.proof.signs and depth:
                m = self.polynomial(self.value(self.proof.lines[log][1][0]) - 1)
                self.sign(m, depth - 1)
                self.can("grow", log, m)
        self.again(self.polynomial(p))
        self.same(self.polynomial(p), k)

    def again(self, k: int) -> None:
        """The signs of a polynomial, now that more is known of its letters."""
        for j in self.proof.lines[k][1]:
            if self.proof.lines[j][0] in ("add", "mul", "power"):
                self.again(j)
        if self.proof.lines[k][0] in ("add", "mul") or (
            self.proof.lines[k][0] == "power" and self.proof.lines[k][2][0] > 0
        ):
            self.do("compute", k)

    def letter_i(self) -> int:
        return next((v for v, k in self.letters.items() if self.proof.lines[k][0] == "i"), -1)

    def by_real(self, k: int, depth: int) -> None:
        """The real part, with sines and cosines in the place of exp(i x)."""
        if k in self.proof.signs and all(
            self.letters[v] in self.proof.signs
            for v, e in enumerate(self.proof.value[k].degrees())
            if e > 0
        ):
            return
        self.node("i")
        if all(int(e[self.letter_i()]) == 1 for e, _ in self.proof.value[k].terms()):
            return
        p, i, terms, bounded = self.proof.value[k], self.node("i"), [], []
        for exponents, c in p.terms():
            angle, factors, turned = self.proof.one * 0, [self.number(c)], 0
            for v, e in enumerate(exponents):
                node = self.letters[v] if e else i
                if not e:
                    continue
                if node == i:
                    turned += int(e)
                elif node in self.proof.signs:
                    factors.append(self.power(node, int(e)))
                elif self.proof.lines[node][0] == "exp":
                    angle -= self.value(self.proof.lines[node][1][0]) * self.proof.i * int(e)
                else:
                    return
            angle = self.proof.reduce(angle)
            if angle and angle.degrees()[self.letter_i()] > 0:
                return
            op = "sin" if turned else "cos"
            if angle or turned:
                if not angle:
                    continue
                wave = self.node(op, self.polynomial(angle))
                if len(factors) == 1:
                    q = -fmpq(c) if turned else fmpq(c)
                    m = self.total([self.number(1), wave if q > 0 else self.minus(wave)])
                    self.do("bound", wave, m, 1 if q > 0 else -1)
                    bounded += [self.product([self.number(abs(q)), m]), self.number(-abs(q))]
                factors += [self.number(-1 if turned else 1), wave]
                terms.append(self.product(factors))
            else:
                terms.append(self.product(factors))
                bounded.append(terms[-1])
        self.same(self.total(terms), k)
        if bounded:
            numbers = [j for j in bounded if self.proof.lines[j][0] == "rational"]
            rest = [j for j in bounded if j not in numbers]
            q = sum((fmpq(*self.proof.lines[j][2]) for j in numbers), fmpq(0))
            self.same(self.total([*rest, self.number(q)] if q else rest), k)

    def by_factors(self, k: int, depth: int) -> None:
        p = self.proof.reduce(self.proof.value[k])
        if not depth or not p or len(p) > FACTORED:
            return
        c, parts = p.factor()
        if len(parts) + (parts[0][1] if parts else 0) < 3 and len(parts) < 2:
            return
        nodes = []
        for f, e in parts:
            node = self.polynomial(f)
            if e % 2:
                self.sign(node, depth - 1)
            nodes.append(self.power(node, int(e)))
        self.same(self.product([self.number(c), *nodes]), k)

    def by_order(self, k: int, depth: int) -> None:
        """a exp(B) - b exp(C) with a >= b > 0 is positive where B > C."""
        p = self.proof.reduce(self.proof.value[k])
        if not depth or len(p) != 2 or k not in self.proof.signs:
            return
        (m, a), (n, b) = p.terms()
        gap, second = self.proof.one * 0, [self.number(1)]
        for v, (e, f) in enumerate(zip(m, n, strict=True)):
            node = self.letters.get(v, 0)
            if e != f and self.proof.lines[node][0] != "exp":
                return
            if e != f:
                gap += self.value(self.proof.lines[node][1][0]) * (int(e) - int(f))
            second.append(self.power(node, int(f)))
        d = self.polynomial(self.proof.reduce(gap))
        self.sign(d, depth - 1)
        exp = self.node("exp", d)
        less = self.total([exp, self.number(-1)])
        self.can("grow", exp, less)
        inner = [self.product([self.number(a), less])]
        inner += [self.number(fmpq(a) + fmpq(b))] if a + b else []
        self.same(self.product([*second, self.total(inner)]), k)

    def by_sums(self, k: int, depth: int) -> None:
        p = self.proof.reduce(self.proof.value[k])
        if not depth or not p or len(p) > SUMMED:
            return
        monomial, c = p.monomial(0), fmpq(p.leading_coefficient())
        for m in [*self.given()]:
            y = self.proof.reduce(self.proof.value[m])
            ratio = fmpq(y.to_dict().get(monomial, 0))
            if m == k or not ratio or len(y) > SUMMED:
                continue
            q = c / ratio
            rest = self.polynomial(p - y * q)
            self.sign(rest, depth - 1)
            self.same(self.total([self.product([self.number(q), m]), rest]), k)
            if self.single(k):
                return


def claim_of(
    kind: str, a: Node, b: Node, assumptions: Sequence[Any]
) -> tuple[dict[str, Any], list[Node]]:
    """The claim about two nodes, and the nodes of its program."""
    roots = [a, b, *(subject(x) for x in assumptions)]
    program, places = a.dag.program(*roots)
    claim = {
        "kind": kind,
        "program": [list(line) for line in program],
        "left": places[0],
        "right": places[1],
        "assumptions": [[k, x.relation] for k, x in zip(places[2:], assumptions, strict=True)],
    }
    return claim, reach(*roots)


def certificate(
    claim: Mapping[str, Any], nodes: Sequence[Node], evidence: Evidence
) -> dict[str, Any]:
    """What the checker needs besides the claim, or a word that it can't repeat this verdict."""
    try:
        if evidence.witness is not None:
            return apart_by_balls(sample(evidence), evidence.witness.bits)
        if evidence.kind == "different" and not evidence.factors:
            return apart_by_balls(sample(evidence), bits_of(claim, sample(evidence)))
        return prove(claim, nodes, evidence)
    except (*FAILED, StopIteration, RestartError, UndecidedError, UndefinedValue) as why:
        return {"not_replayable": f"no certificate was found ({type(why).__name__}: {why})"}


def apart_by_balls(point: Mapping[str, str], bits: int) -> dict[str, Any]:
    """The enclosures of the sides are disjoint."""
    return {"program": [], "letters": 0, "steps": [], "point": dict(point), "bits": bits}


def sample(evidence: Evidence) -> dict[str, str]:
    """A point where the assumptions hold: the one of the witness, if there is one."""
    a, b, assumptions = evidence.asked
    found = dict(evidence.witness.point) if evidence.witness else {}
    names = symbols(a, b, *(subject(x) for x in assumptions))
    if not found and names:
        found = next(points(names, assumptions, 1))
    return {name: str(x) for name, x in found.items()}


def bits_of(claim: Mapping[str, Any], point: Mapping[str, str]) -> int:
    """A precision at which two numbers are seen to be different."""
    bits = 64
    while bits <= MOST_BITS:
        try:
            check(claim, apart_by_balls(point, bits))
        except Rejected:
            bits *= 2
            continue
        return bits
    raise Rejected("the sides are too close")


def prove(claim: Mapping[str, Any], nodes: Sequence[Node], evidence: Evidence) -> dict[str, Any]:
    """The steps of a proof."""
    out = Recorder(claim)
    if claim["left"] == claim["right"]:
        out.end("equal")
        return out.finished()
    for k, _ in claim["assumptions"]:
        out.value(k)
    for j, _ in enumerate(claim["assumptions"]):
        out.do("given", j)
    finish(out, evidence, dict(enumerate(images_of(nodes, evidence))))
    return out.finished(sample(evidence) if evidence.kind == "different" else None)


def images_of(nodes, evidence):
    """The nodes in the dag of the proof."""
    from derive.exact.canonical import digests

    names = digests(nodes)
    roots = [evidence.left, evidence.right, *(subject(a) for a in evidence.assumptions)]
    theirs = {name: k for k, name in digests(reach(*roots)).items()}
    dag = evidence.left.dag
    return [dag.nodes[theirs[names[x.index]]] if names[x.index] in theirs else None for x in nodes]


def finish(out: Recorder, evidence, images) -> None:
    tower = evidence.tower
    if tower is not None:
        out.tower = tower
        out.hints = {
            k: tower.known[x.index]
            for k, x in images.items()
            if x is not None and x.index in tower.known
        }
        out.waves = {
            k: tower._waves[x.index]
            for k, x in images.items()
            if x is not None and x.index in tower._waves
        }
    if evidence.cases:
        return split_on(out, evidence, images)
    for k in range(out.own):
        op, inner, _ = out.proof.lines[k]
        if op == "select" and k not in out.hints and k not in out.proof.value:
            c = inner[0]
            out.sign(c)
            if c not in out.proof.signs:
                out.do("has", k)
            if not out.single(c):
                return cases(out, c, lambda side: again(out, evidence, images, c, side))
        out.value(k)
    if out.claim["kind"] == "different":
        return apart(out, evidence)
    if evidence.method == "algebraic bound":
        a, b = out.claim["left"], out.claim["right"]
        any(out.unity(a, b, n) for n in (2, 3, 4, 6))
    if tower is not None and evidence.method == "cases":
        table = tower.ground.generators.table
        sizes = [k for k in sorted(table) if table[k].kind == "abs"]
        return by_sizes(out, sizes)
    finish_equal(out)


def again(out, evidence, images, c, side):
    """The rest of a proof where the prover did not ask for the sign of c."""
    if side == 0 and out.proof.reduce(out.value(c)):
        out.do("zero", c)
    finish(out, evidence, images)


def over_gap(out, k, m=None):
    gap = out.proof.reduce(out.value(k) - (out.value(m) if m is not None else 0))
    if gap:
        out.do("over", *out.over(gap))


def finish_equal(out):
    over_gap(out, out.claim["left"], out.claim["right"])
    out.end("equal")


def apart(out, evidence):
    tower = evidence.tower
    a, b = out.claim["left"], out.claim["right"]
    x = tower.known[evidence.left.index] - tower.known[evidence.right.index]
    fs = []
    p = x.num
    parts = [(f, 1) for f, _ in evidence.factors]
    c, parts = tower.signs.split(p)
    fs = [out.power(out.polynomial(f, out.generator), int(e)) for f, e in parts]
    for f, _ in parts:
        out.nonzero(out.polynomial(f, out.generator))
    below = [out.node("power", out.polynomial(x.field.factors[k], out.generator), -int(e)) for k, e in x.parts]
    k = out.product([out.number(c), *fs, *below])
    if k not in out.proof.nonzero:
        out.can("compute", k)
        out.nonzero(k)
    over = out.proof.reduce(out.value(k) - out.value(a) + out.value(b))
    sign = 1
    if over and not out.over(over):
        k = out.minus(k)
        over = out.proof.reduce(out.value(k) - out.value(a) + out.value(b))
    if over:
        out.do("over", *out.over(over))
    out.end("apart", k)


def by_sizes(out, sizes):
    a, b = out.claim["left"], out.claim["right"]
    gap = out.proof.reduce(out.value(a) - out.value(b))
    over = out.over(gap) if gap else []
    if not gap or over:
        return finish_equal(out)
    if not sizes:
        for m in [*out.supposed]:
            for attempt in (out.by_terms, out.by_given, out.by_sums):
                attempt(m, 3)
        return absurd(out)
    g = out.tower.ground.generators.table[sizes[-1]]
    f = out.element(g.argument)
    size = out.node("root", out.power(f, 2), 2)
    out.sign(f)

    def inner(side):
        e = out.product([out.number(side), f])
        if side == 0 and out.proof.reduce(out.value(f)):
            out.can("zero", f)
        out.can("compute", e)
        out.unity(size, e, 2)
        by_sizes(out, sizes[:-1])

    cases(out, f, inner)


def cases(out, k, inner):
    """A branch for each sign of k."""
    from copy import copy
    proof, steps = out.proof, out.steps
    keep = {n: (copy(x) if isinstance(x, (list, dict, set)) else x) for n, x in vars(proof).items() if n != "lines"}
    mine = {n: copy(getattr(out, n)) for n in ("letters", "exps", "functions", "hints", "tower", "made", "tried", "busy", "index", "supposed", "half_turn", "waves", "order", "opposite", "parities")}
    proofs = {}
    for side in sorted(proof.signs[k]):
        out.steps = []
        vars(proof).update({n: (copy(x) if isinstance(x, (list, dict, set)) else x) for n, x in keep.items()})
        vars(out).update({n: copy(x) if isinstance(x, (list, dict, set)) else x for n, x in mine.items()})
        proof.learn(k, frozenset((side,)))
        out.supposed.append(k)
        out.tried.clear()
        inner(side)
        proofs[str(side)] = out.steps
        out.least = min(out.least, proof.left)
    vars(proof).update(keep)
    vars(out).update(mine)
    out.steps = steps
    out.steps.append(["cases", k, proofs])


def split_on(out, evidence, images):
    """The conditions that the prover split."""
    from derive.exact.cases import solve, substitute
    from derive.exact.dag import UndefinedValue
    x = next((node for relation, node, _ in evidence.cases if relation != ">"), None)
    x = evidence.cases[0][1] if x is None else x
    ks = [k for k, y in images.items() if y is x]
    condition = next(k for k, y in images.items() if y is not None and out.proof.lines[k][0] == "select" and True and images.get(out.proof.lines[k][1][0]) is not None and same_condition(images[out.proof.lines[k][1][0]], x))
    c = out.proof.lines[condition][1][0]
    out.value(c)
    out.sign(c)
    if c not in out.proof.signs:
        out.do("has", condition)
    found = {}
    for relation, node, e in evidence.cases:
        found[0 if relation == "=" else 1 if node is images[c] else -1] = (node, e)

    def inner(side):
        now = dict(images)
        if side == 0:
            out.do("zero", c)
            solved = solve(images[c])
            if solved is not None:
                for k, y in images.items():
                    try:
                        now[k] = None if y is None else substitute(solved, [y])[0]
                    except UndefinedValue:
                        now[k] = None
        if side not in found:
            return absurd(out)
        finish(out, found[side][1], now)

    cases(out, c, inner)


def same_condition(y, x):
    return y is x or -y is x


def absurd(out):
    for k in range(out.own):
        op, inner, data = out.proof.lines[k]
        for j in inner:
            try:
                out.value(j)
            except FAILED:
                pass
        if (op == "power" and data[0] < 0) or op == "log":
            if inner[0] in out.proof.value and not out.proof.reduce(out.proof.value[inner[0]]):
                out.do("has", k)
                return out.end("absurd", inner[0])
    for k, signs in out.proof.signs.items():
        if not signs:
            return out.end("absurd", k)
    raise Rejected("possible")

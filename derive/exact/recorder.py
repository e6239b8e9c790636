"""The values of nodes: which rules of the checker show what the prover has found."""

from __future__ import annotations

from math import lcm

from flint import fmpq, fmpq_mat

from derive.exact.checker import NOT_NEGATIVE, Rejected
from derive.exact.sign_writer import SignWriter
from derive.exact.writer import BITS, Poly


class Recorder(SignWriter):
    """A proof that follows the prover's."""

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
        if (
            len(p) == 1
            and all(self.proof.lines[self.letters[v]][0] == "exp" for v in used)
            and used
        ):
            fs = []
            for v in used:
                j, n = self.positive(
                    self.letters[v], int(p.degrees()[v]) * self.proof.lines[k][2][0]
                )
                fs.append(self.power(j, n))
            q = fmpq(p.leading_coefficient()) ** self.proof.lines[k][2][0]
            self.same(self.product([self.number(q), *fs]), k)

    def reciprocal(self, p: Poly, n: int) -> int:
        """1/p^n for a number p = a + b i."""
        i = self.letter_i()
        mirror = p.compose(*(-y if v == i else y for v, y in enumerate(p.context().gens())))
        size = fmpq(self.proof.reduce(p * mirror).leading_coefficient())
        return self.polynomial(self.proof.reduce(mirror**n / size**n))

    def know_exp(self, k: int) -> None:
        x = self.value(self.proof.lines[k][1][0])
        if self.proof.lines[k][1][0] not in self.proof.signs:
            self.by_real(self.proof.lines[k][1][0], 0)
        self.letters_of(k)
        if k not in self.proof.value:
            self._exp(k, x)
        if k not in self.exps:
            self.exps.append(k)

    def _exp(self, k: int, x: Poly) -> None:
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

    def whole_turns(self, x: Poly) -> None:
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
                self.do("turn", full, self.product(m))
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

    def combination(self, x: Poly) -> list[tuple[int, fmpq]] | None:
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
            self.tried.pop(c, None)
            self.sign(c)
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

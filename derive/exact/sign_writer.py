"""Signs of nodes: what the checker's rules can show of them."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from derive.exact.checker import ANY
from derive.exact.writer import BITS, FAILED, Writer

FACTORED = 120  # terms of a polynomial that is factored
SUMMED = 12  # terms of one that is compared with what is known


class SignWriter(Writer):
    """Steps about signs."""

    def sign(self, k: int, depth: int = 3) -> None:
        """Find out what can be shown of the sign of a node."""
        self.value(k)
        if self.single(k) or self.tried.get(k, -1) >= depth:
            return
        self.tried[k] = depth
        ways = (self.by_real, self.by_ball, self.by_given, self.by_terms, self.by_factors)
        for attempt in (*ways, self.by_order, self.by_sums):
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
            _ = self.is_closed(k) and any(self.can("ball", k, bits) for bits in BITS)

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

    def by_real(self, k: int, depth: int) -> None:  # noqa: C901
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
                    if not self.can("bound", wave, m, 1 if q > 0 else -1):
                        return
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

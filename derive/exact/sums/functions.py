"""exp, log, root and unknown functions of elements of the field of sums."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq, fmpz

from derive.exact.budget import UndecidedError
from derive.exact.sums.affine import variable
from derive.exact.sums.field import Element, Field, Poly
from derive.exact.sums.keys import Key, PolyKey, inside, is_complex, negated, polynomials


class Functions(Field):
    """One value of a function has one form: exp(a + b) = exp(a) exp(b), log and roots likewise."""

    def i(self) -> Element:
        """The imaginary unit."""
        return self.generator(("i",), -self.unit)

    def exp(self, x: Element) -> Element:
        """exp(x), one generator for each term of x."""
        return self.by_cases(self._exp, x)

    def sqrt(self, x: Element) -> Element:
        """The principal square root."""
        return self.by_cases(self._sqrt, x)

    def log(self, x: Element) -> Element:
        """The principal logarithm."""
        return self.by_cases(self._log, x)

    def function(self, name: str, x: Element) -> Element:
        """A function of which nothing is known but its name (erf: that it is odd)."""
        return self.by_cases(lambda y: self._function(name, y), x)

    def by_cases(self, f: Callable[[Element], Element], x: Element) -> Element:
        """f(a + d b) = f(a) + d (f(a + b) - f(a)) for a delta or mask d."""
        num, den = x
        for j in self.idempotent:
            if num.degrees()[j] > 0 or den.degrees()[j] > 0:
                off, on = (
                    self.by_cases(f, self.quotient(self._at(num, j, c), self._at(den, j, c)))
                    for c in (0, 1)
                )
                return self.add(off, self.mul((self.x[j], self.unit), self.sub(on, off)))
        return f(x)

    def _at(self, p: Poly, index: int, value: int) -> Poly:
        """A polynomial of degree at most 1 in a generator at a value of it."""
        return p - p.derivative(index) * (self.x[index] - value)

    def _exp(self, x: Element) -> Element:
        out = self.one
        for (coefficient, _), mono in self.terms(x):
            q = fmpq(coefficient.leading_coefficient())
            if len(mono) == 1 and mono[0][0][0] == "log" and mono[0][1] == 1 and q.q == 1:
                inner = self.over(*(self.of_poly(p, {}) for p in mono[0][0][1:]))
                out = self.mul(out, self.power(inner, int(q.p)))
                continue
            fine = self.room.scale.get(mono, 1)
            if fine % int(q.q):
                self.refine(mono, int(q.q))
            exponential = self.generator(("exp", mono, fine))
            out = self.mul(out, self.power(exponential, int(q.p) * fine // int(q.q)))
        return out

    # signs

    def is_real(self, key: Key) -> bool:
        """Whether a generator is certainly real: no i, no root or log of what may be negative."""
        if is_complex(key):
            return False
        kind = key[0]
        if kind == "sqrt":
            return self.poly_nonnegative(key[1])
        if kind == "log" and not all(map(self.poly_nonnegative, polynomials(key))):
            return False
        return all(self.is_real(k) for m in inside(key)[1] for k, _ in m)

    def nonnegative(self, key: Key, exponent: int) -> bool:
        """Whether a power of a generator is certainly >= 0 where it is defined."""
        if not self.is_real(key):
            return False
        if exponent % 2 == 0:
            return True
        kind = key[0]
        if kind in ("sqrt", "delta", "mask", "exp", "pi"):
            return True
        if kind in ("letter", "family"):
            return key[1] in self.facts.positive
        if kind == "var":
            return self.order.nonnegative(variable(key[1]))
        if kind == "sum":
            return all(self.nonnegative(k, e) for k, e in key[2])
        return kind == "poly" and self.poly_nonnegative(key[1])

    def poly_nonnegative(self, p: PolyKey) -> bool:
        """The same for a polynomial: every term is."""
        return all(c[0] > 0 and all(self.nonnegative(k, e) for k, e in m) for m, c in p)

    def positive(self, p: Poly) -> bool:
        """Whether a polynomial is certainly >= 0."""
        scale, key = self.poly_key(p)
        return scale > 0 and self.poly_nonnegative(key)

    def real(self, p: Poly) -> bool:
        """Whether all its generators are real."""
        return all(self.is_real(self.key[j]) for j in range(self.count) if p.degrees()[j] > 0)

    # roots

    def _absolute(self, f: Poly) -> Element:
        """|f| for a real f, as the root of its square."""
        return (f, self.unit) if self.positive(f) else self._root(self.reduced(f * f))

    def _root(self, p: Poly) -> Element:
        """A root whose key and whose square name the same radicand, sign included."""
        scale, key = self.poly_key(p)
        size = abs(scale)
        out = self.sqrt(self.number(size)) if size != 1 else self.one
        named = key if scale > 0 else negated(key)
        return self.mul(out, self.generator(("sqrt", named), p / size))

    def _sqrt(self, x: Element) -> Element:
        num, den = x
        if num == self.nought:
            return self.zero
        if not (self.real(num) and self.real(den)):
            if den.is_constant():
                return self._root(num / den.leading_coefficient())
            raise UndecidedError("the root of a quotient that may not be real")
        scale, parts = self.reduced(num * den).factor()
        c = fmpq(scale)
        out = self.over(self._number_root(c), self._absolute(den))
        core = self.unit if c > 0 else -self.unit
        for f, e in parts:
            if not self.positive(f) and self.positive(-f):
                f, core = -f, -core if int(e) % 2 else core
            for _ in range(int(e) // 2):
                out = self.mul(out, self._absolute(f))
            if int(e) % 2 and self.positive(f):
                out = self.mul(out, self._root(f))
            elif int(e) % 2:
                core = core * f
        if core == -self.unit:
            return self.mul(out, self.i())
        return out if core == self.unit else self.mul(out, self._root(core))

    def _number_root(self, c: fmpq) -> Element:
        """sqrt(|c|) by the primes of c."""
        out = self.number(fmpq(1, int(c.q)))
        for prime, e in fmpz(abs(int(c.p) * int(c.q))).factor():
            out = self.mul(out, self.number(fmpq(int(prime)) ** (int(e) // 2)))
            if int(e) % 2:
                key = ("sqrt", (((), (int(prime), 1)),))
                out = self.mul(out, self.generator(key, self.unit * int(prime)))
        return out

    # logarithms

    def _log(self, x: Element) -> Element:
        if x[0] == self.nought:
            raise UndecidedError("the logarithm of zero")
        out, rest = self._peeled(x)
        if rest == self.one:
            return out
        num, den = rest
        if num.is_constant() and den.is_constant():
            return self.add(out, self._number_log(fmpq(num.leading_coefficient())))
        s, a = self.poly_key(num)
        t, b = self.poly_key(den)
        q = s / t
        if q < 0:
            a, q = negated(a), -q
        out = self.add(out, self.generator(("log", a, b)))
        return out if q == 1 else self.add(out, self.log(self.number(q)))

    def _peeled(self, x: Element) -> tuple[Element, Element]:
        """(logarithm of the factors that are certainly positive, what is left)."""
        out, rest = self.zero, x
        for p, sign in ((x[0], 1), (x[1], -1)):
            if p.is_constant():
                continue
            for f, e in p.factor()[1]:
                if not self.positive(f):
                    continue
                power = sign * int(e)
                rest = self.mul(rest, self.power((f, self.unit), -power))
                scale, key = self.poly_key(f)
                index = next(j for j in range(self.count) if f.degrees()[j])
                name = self.key[index]
                if len(f) == 1 and name[0] == "exp":
                    value = self.over(self.of_mono(name[1], {}), self.number(name[2]))
                else:
                    value = self.generator(("log", key, (((), (1, 1)),)))
                if scale != 1:
                    value = self.add(value, self.log(self.number(scale)))
                out = self.add(out, self.mul(value, self.number(power)))
        return out, rest

    def of_mono(self, mono: object, by: object) -> Element:
        """The element of a monomial of keys, names replaced."""
        raise NotImplementedError

    def _number_log(self, q: fmpq) -> Element:
        if q < 0:
            raise UndecidedError("the logarithm of a negative number")
        out = self.zero
        for z, sign in ((q.p, 1), (q.q, -1)):
            for prime, e in fmpz(z).factor():
                key = ("log", (((), (int(prime), 1)),), (((), (1, 1)),))
                out = self.add(out, self.mul(self.number(sign * int(e)), self.generator(key)))
        return out

    # functions without rules

    def _function(self, name: str, x: Element) -> Element:
        num, den = x
        if name in ODD and num == self.nought:
            return self.zero
        a, p = self.poly_key(num) if num != self.nought else (fmpq(0), ())
        b, q = self.poly_key(den)
        scale = a / b
        sign = 1
        if name in ODD and scale < 0:
            sign, scale = -1, -scale
        name_and_scale = (name, int(scale.p), int(scale.q))
        return self.mul(self.number(sign), self.generator(("function", name_and_scale, p, q)))


ODD = ("erf",)

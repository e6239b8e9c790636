"""Trees of the plain grammar as elements of the field of sums, and derivatives of elements."""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq

from derive.exact.budget import UndecidedError
from derive.exact.sums.affine import Affine, at, constant, plus, times, variable
from derive.exact.sums.field import Element
from derive.exact.sums.keys import Key, polynomials
from derive.exact.sums.normal_form import NormalForm
from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Number,
    Sum,
    Tree,
    children,
)

Scope = Mapping[str, Affine]


class Reader(NormalForm):
    """What a tree means."""

    def index(self, t: Tree, scope: Scope) -> Affine:
        """A tree in an index or a bound."""
        match t:
            case Number(p=p, q=1):
                return constant(p)
            case Name(name=name):
                return scope.get(name, variable(name))
            case Negative(x=x):
                return times(constant(-1), self.index(x, scope))
            case Binary(op="+" | "-" as op, left=a, right=b):
                return plus(self.index(a, scope), self.index(b, scope), 1 if op == "+" else -1)
            case Binary(op="*", left=a, right=b):
                return times(self.index(a, scope), self.index(b, scope))
            case Index(name=f, indices=(x,)):
                return at(f, self.index(x, scope))
        raise UndecidedError("an index that is not made of + - * and names")

    def element(self, t: Tree, scope: Scope) -> Element:
        """A tree as an element."""
        match t:
            case Number(p=p, q=q):
                return self.number(fmpq(p, q))
            case Constant(name=name):
                return self._constant(name)
            case Name(name=name):
                return self._name(name, scope)
            case Negative(x=x):
                return self.neg(self.element(x, scope))
            case Index():
                return self._family(t, scope)
            case Binary(op="^", left=a, right=b):
                return self._power(a, b, scope)
            case Binary(op=op, left=a, right=b):
                do = {"+": self.add, "-": self.sub, "*": self.mul, "/": self.over}[op]
                return do(self.element(a, scope), self.element(b, scope))
            case Sum():
                return self._sum_of(t, scope)
            case Call():
                return self._call(t, scope)
        raise UndecidedError("a vector inside a sum")

    def _constant(self, name: str) -> Element:
        if name == "pi":
            return self.generator(("pi",))
        if name == "e":
            return self.exp(self.one)
        if name == "i":
            return self.i()
        raise UndecidedError("infinity inside an expression")

    def _name(self, name: str, scope: Scope) -> Element:
        if name in scope:
            return self.integer(scope[name])
        return self.generator(("var" if name in self.facts.integers else "letter", name))

    def _family(self, t: Index, scope: Scope) -> Element:
        indices = tuple(self.index(x, scope) for x in t.indices)
        if len(indices) == 1 and t.name in self.order.size_of:
            return self.integer(at(t.name, indices[0]))
        return self.generator(("family", t.name, indices))

    def _power(self, a: Tree, b: Tree, scope: Scope) -> Element:
        x, y = self.element(a, scope), self.element(b, scope)
        if a == Constant("e"):
            return self.exp(y)
        if not (y[0].is_constant() and y[1].is_constant()):
            return self.exp(self.mul(y, self.log(x)))
        q = fmpq(y[0].leading_coefficient()) if y != self.zero else fmpq(0)
        if q.q == 1:
            return self.power(x, int(q.p))
        if q.q == 2:
            return self.power(self.sqrt(x), int(q.p))
        return self.exp(self.mul(self.number(q), self.log(x)))

    def _sum_of(self, t: Sum, scope: Scope) -> Element:
        low = self.index(t.low, scope)
        high = plus(self.index(t.high, scope), constant(1))
        if self.order.nonnegative(plus(low, high, -1)):
            return self.zero
        self.ordered(low, high)
        filled = plus(plus(high, low, -1), constant(-1))
        if _divides(t.body) and not self.order.nonnegative(filled):
            self.open_questions.append(filled)  # an empty sum is 0 whatever its divisor is
            raise UndecidedError("a sum of quotients over a range that may be empty")
        used = {name for a in scope.values() for base in a for name in [str(base[0])]}
        if self.order.nonnegative(low):
            name = self.fresh(low, high, used)
            inner = {**scope, t.index: variable(name)}
            return self.sum([(name, low, high)], self.element(t.body, inner))
        length = plus(high, low, -1)
        name = self.fresh((), length, used)
        inner = {**scope, t.index: plus(variable(name), low)}
        return self.sum([(name, (), length)], self.element(t.body, inner))

    def _call(self, t: Call, scope: Scope) -> Element:
        name, args = t.function, t.args
        if name == "diff":
            return self._derivative(args[0], args[1], scope)
        if name in ("delta", "leq"):
            a, b = (self.index(x, scope) for x in args)
            return self.delta(plus(a, b, -1)) if name == "delta" else self.mask(plus(b, a, -1))
        if name in ("max", "min"):
            return self._extreme(name, [self.element(x, scope) for x in args])
        if len(args) == 2 and name == "log":
            return self.over(*(self.log(self.element(x, scope)) for x in args))
        if len(args) != 1:
            raise UndecidedError(f"{name} inside a sum")
        return self._of_one(name, self.element(args[0], scope))

    def _extreme(self, name: str, values: list[Element]) -> Element:
        """max(a, b) = (a + b + |a - b|)/2."""
        out = values[0]
        for x in values[1:]:
            gap = self._of_one("abs", self.sub(out, x))
            both = self.add(out, x)
            out = self.add(both, gap) if name == "max" else self.sub(both, gap)
            out = self.mul(out, self.number(fmpq(1, 2)))
        return out

    def _of_one(self, name: str, x: Element) -> Element:
        half = self.number(fmpq(1, 2))
        match name:
            case "exp":
                return self.exp(x)
            case "ln" | "log":
                return self.log(x)
            case "sqrt":
                return self.sqrt(x)
            case "abs":
                return self.sqrt(self.mul(x, x))
            case "relu":
                return self.mul(half, self.add(x, self._of_one("abs", x)))
            case "sigmoid":
                return self.inv(self.add(self.one, self.exp(self.neg(x))))
            case "silu":
                return self.mul(x, self._of_one("sigmoid", x))
            case "erf":
                return self.function("erf", x)
            case "gelu":
                inner = self.function("erf", self.over(x, self.sqrt(self.number(2))))
                return self.mul(self.mul(half, x), self.add(self.one, inner))
        return self._of_waves(name, x)

    def _of_waves(self, name: str, x: Element) -> Element:
        """sin, cos, tan, sinh, cosh, tanh by exponentials."""
        turned = self.mul(self.i(), x) if name in ("sin", "cos", "tan") else x
        p = self.exp(turned)
        q = self.inv(p)
        plus_, minus_ = self.add(p, q), self.sub(p, q)
        two, i = self.number(2), self.i()
        match name:
            case "cos" | "cosh":
                return self.over(plus_, two)
            case "sin":
                return self.over(minus_, self.mul(two, i))
            case "sinh":
                return self.over(minus_, two)
            case "tan":
                return self.over(minus_, self.mul(i, plus_))
            case "tanh":
                return self.over(minus_, plus_)
        raise UndecidedError(f"the function {name} inside a sum")

    # derivatives

    def _derivative(self, body: Tree, by: Tree, scope: Scope) -> Element:
        x = self.element(body, scope)
        if isinstance(by, Index):
            return self.derivative(x, by.name, tuple(self.index(k, scope) for k in by.indices))
        if isinstance(by, Name) and by.name not in scope and by.name not in self.facts.integers:
            return self.derivative(x, by.name, ())
        raise UndecidedError("a derivative by something that is neither a letter nor a cell")

    def derivative(self, x: Element, name: str, place: tuple[Affine, ...]) -> Element:
        """The derivative by a letter, or by a member of a family: 1 where the indices agree."""
        num, den = x
        out = self.zero
        if any(name in _families(k) for k in self.given):
            raise UndecidedError("a derivative by a letter that an equation binds")
        for j in range(self.count):
            if num.degrees()[j] > 0 or den.degrees()[j] > 0:
                slope = self._slope(self.key[j], name, place)
                if slope != self.zero:
                    top = self.reduced(num.derivative(j) * den - num * den.derivative(j))
                    part = self.quotient(top, self.reduced(den * den))
                    out = self.add(out, self.mul(slope, part))
        return out

    def _slope(self, key: Key, name: str, place: tuple[Affine, ...]) -> Element:
        kind = key[0]

        def d(y: Element) -> Element:
            return self.derivative(y, name, place)

        if kind == "family" and key[1] == name and len(key[2]) == len(place):
            return self.product(
                self.delta(plus(a, b, -1)) for a, b in zip(key[2], place, strict=True)
            )
        if kind == "letter":
            return self.one if key[1] == name and not place else self.zero
        if kind == "exp":
            exponent = self.mul(self.of_mono(key[1], {}), self.number(fmpq(1, key[2])))
            return self.mul(self.generator(key), d(exponent))
        if kind == "sqrt":
            return self.over(
                d(self.of_poly(key[1], {})), self.mul(self.number(2), self.generator(key))
            )
        if kind == "log":
            x = self.over(*(self.of_poly(p, {}) for p in polynomials(key)))
            return self.over(d(x), x)
        if kind == "sum":
            used = {str(b) for a in place for b, _ in a}
            ranges, y = self.opened(key, {}, used)
            return self.sum(ranges, d(y))
        return self._slope_of_function(key, name, place) if kind == "function" else self.zero

    def _slope_of_function(self, key: Key, name: str, place: tuple[Affine, ...]) -> Element:
        function, p, q = key[1]
        x = self.over(*(self.of_poly(part, {}) for part in polynomials(key)))
        x = self.mul(x, self.number(fmpq(p, q)))
        inner = self.derivative(x, name, place)
        if inner == self.zero:
            return self.zero
        if function != "erf":
            raise UndecidedError(f"the derivative of {function}")
        bell = self.exp(self.neg(self.mul(x, x)))
        factor = self.over(self.number(2), self.sqrt(self.generator(("pi",))))
        return self.product((inner, bell, factor))


def _divides(t: Tree) -> bool:
    """Whether something may be undefined: a quotient, a power, a logarithm."""
    if isinstance(t, Binary) and (t.op == "/" and not isinstance(t.right, Number)):
        return True
    if isinstance(t, Binary) and t.op == "^" and not isinstance(t.right, Number):
        return True
    if isinstance(t, Call) and t.function in ("ln", "log", "lg", "tan", "diff"):
        return True
    return any(map(_divides, children(t)))


def _families(key: Key) -> set[str]:
    """Names of the families and letters in a key."""
    from derive.exact.sums.keys import inside

    if key[0] in ("family", "letter"):
        return {key[1]}
    return set().union(*(_families(k) for m in inside(key)[1] for k, _ in m))

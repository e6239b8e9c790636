"""Exact fractions with the functions of operations: a calculation by hand, step by step.

Sums, products and quotients are exact.  Of a root, an exponential or a sine the middle of an
enclosure of PRECISION bits is kept, and `inexact` says so: whoever rounds the result afterwards
must see that no end of a decimal lies within MARGIN of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add, mul
from typing import Any

from flint import arb, fmpq

from derive.exact.ball_arithmetic import precision
from derive.exact.dag import UndefinedValue

PRECISION = 160
MARGIN = fmpq(1, 2**80)  # far more than 160 bits leave open after one operation


class Infinite:
    """An infinity; the same two objects always."""

    def __init__(self, sign: int) -> None:
        self.sign = sign


MINUS, PLUS = Infinite(-1), Infinite(1)
Number = Any  # a fmpq, or one of the two


class ByHand:
    """The methods that operations use, on fractions."""

    def __init__(self) -> None:
        self.zero, self.one = fmpq(0), fmpq(1)
        self.inexact = False

    def rational(self, p: int, q: int = 1) -> Number:
        return fmpq(p, q)

    def symbol(self, name: str) -> Number:
        raise UndefinedValue(f"no value is given for {name}")

    def infinity(self, sign: int = 1) -> Number:
        return PLUS if sign > 0 else MINUS

    @property
    def pi(self) -> Number:
        return self._middle(lambda x: arb.pi() * x, self.one)

    @property
    def e(self) -> Number:
        return self.exp(self.one)

    def add(self, *terms: Number) -> Number:
        return reduce(add, terms, self.zero)

    def mul(self, *factors: Number) -> Number:
        return reduce(mul, factors, self.one)

    def power(self, x: Number, n: int) -> Number:
        return x**n

    def root(self, x: Number, n: int) -> Number:
        if x < 0:
            raise UndefinedValue("the root of a negative number")
        return x if x in (self.zero, self.one) else self._middle(lambda y: y.root(n), x)

    def sqrt(self, x: Number) -> Number:
        return self.root(x, 2)

    def general_power(self, x: Number, y: Number) -> Number:
        y = fmpq(y)
        return x ** int(y.p) if y.q == 1 else self.exp(y * self.log(x))

    def exp(self, x: Number) -> Number:
        if isinstance(x, Infinite):
            return self.zero if x is MINUS else x
        return self.one if x == 0 else self._middle(arb.exp, x)

    def log(self, x: Number) -> Number:
        if x <= 0:
            raise UndefinedValue("the logarithm of what was rounded to 0")
        return self.zero if x == 1 else self._middle(arb.log, x)

    def sin(self, x: Number) -> Number:
        return self.zero if x == 0 else self._middle(arb.sin, x)

    def cos(self, x: Number) -> Number:
        return self.one if x == 0 else self._middle(arb.cos, x)

    def tanh(self, x: Number) -> Number:
        return self.zero if x == 0 else self._middle(arb.tanh, x)

    def erf(self, x: Number) -> Number:
        return self.zero if x == 0 else self._middle(arb.erf, x)

    def sigmoid(self, x: Number) -> Number:
        return self._middle(lambda y: 1 / ((-y).exp() + 1), x)

    def select(self, x: Number, negative: Number, zero: Number, positive: Number) -> Number:
        return negative if x < 0 else positive if x > 0 else zero

    def abs(self, x: Number) -> Number:
        return -x if x < 0 else x

    def sign(self, x: Number) -> Number:
        return self.select(x, fmpq(-1), self.zero, self.one)

    def max(self, *values: Number) -> Number:
        finite = [x for x in values if not isinstance(x, Infinite)]
        return max(finite) if finite else MINUS

    def min(self, *values: Number) -> Number:
        return min(values)

    def _middle(self, function: Callable[[Any], Any], x: Number) -> Number:
        self.inexact = True
        with precision(PRECISION):
            found = function(arb(x))
        if not found.is_finite():
            raise UndefinedValue("a step has no finite value")
        mantissa, exponent = (int(z) for z in found.mid().man_exp())
        return fmpq(mantissa) * fmpq(2) ** exponent

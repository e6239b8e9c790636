"""The variables of the tower: what each stands for, and its certified value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import acb, arb, fmpq

from derive.exact.balls import Ball, Balls, precision
from derive.exact.budget import UndecidedError
from derive.exact.field import Element, Field, Poly
from derive.exact.ranges import EVERYTHING, Range, of_ball

SIGN_BITS = (64, 256, 1024, 4096)
REAL, UNIT, COMPLEX = "real", "unit", "complex"  # unit: of absolute value 1


@dataclass(frozen=True)
class Generator:
    """One variable.  What it stands for, by kind:

    symbol: the root of the symbol `name`, of that degree (mostly 1); pi; i;
    exp of `argument`; log of |argument|; arg(ument) of `argument`; erf of `argument`;
    root: `part` times it is the principal root of `argument`; abs: `part` times |argument|;
    unity: exp(2 pi i / name); parity: (-1)^argument;
    opaque: the function `name` of argument.
    """

    index: int
    kind: str
    argument: Element | None = None
    part: Element | None = None
    degree: int = 0  # of a root or symbol; for exp the number of its basis exponent
    name: str = ""
    nature: str = REAL  # REAL, UNIT or COMPLEX
    number: bool = True  # no symbol in it
    range: Range = EVERYTHING


class Generators:
    """The table of variables, and balls for polynomials in them."""

    def __init__(self, field: Field, point: Mapping[str, Fraction] | None = None) -> None:
        self.field = field
        self.table: dict[int, Generator] = {}
        self.point = point
        self._balls: dict[tuple[int, int], Ball] = {}
        self._placed: set[int] = set()
        self.exp_range: Callable[[Element], Range] = lambda exponent: EVERYTHING

    def add(self, g: Generator) -> Element:
        """Take note of a variable; gives it as an element."""
        self.table[g.index] = g
        return self.field.variable(g.index)

    def used(self, p: Poly) -> list[int]:
        """The variables that occur."""
        return [k for k, e in enumerate(p.degrees()) if e > 0]

    def number(self, x: Element) -> bool:
        """No symbol occurs in the element."""
        return all(self.table[k].number for p in (x.num, x.den) for k in self.used(p))

    def algebraic(self, x: Element) -> bool:
        """Only roots of algebraic numbers occur in the element."""
        return all(
            k < self.field.roots and self.table[k].number
            for p in (x.num, x.den)
            for k in self.used(p)
        )

    def range(self, p: Poly) -> Range:
        """The range of a polynomial with real variables, EVERYTHING if others occur."""
        if len(p) > 2000:
            return EVERYTHING
        out = None
        for exponents, c in p.to_dict().items():
            term = Range(fmpq(c), fmpq(c), True, True, True)
            for k, e in enumerate(exponents):
                if e:
                    g = self.table[k]
                    if g.nature != REAL:
                        return EVERYTHING
                    term = term * self.place(k) ** int(e)
            out = term if out is None else out + term
        return Range(fmpq(0), fmpq(0), True, True) if out is None else out

    def place(self, index: int) -> Range:
        """The range of a real variable, looked at more closely the first time it is asked for.

        Where a number lies is seen with balls; e^f is above or below 1 where f has a sign.
        """
        g = self.table[index]
        if index in self._placed:
            return g.range
        self._placed.add(index)
        if g.kind == "exp" and not g.number and g.argument is not None:
            self.narrow(index, self.exp_range(g.argument).meet(g.range))
        elif g.number:
            for bits in SIGN_BITS:
                value = acb(self.variable_ball(index, bits)).real
                known = of_ball(value).meet(g.range)
                if known.nonzero:
                    break
            self.narrow(index, known)
        return self.table[index].range

    def narrow(self, index: int, known: Range) -> None:
        """Take note of the range of a function."""
        self.table[index] = replace(self.table[index], range=known)

    # certified values (of numbers; of functions at the sample point)

    def ball(self, x: Element, bits: int) -> Ball:
        """An enclosure of the element."""
        with precision(bits):
            num = self.polynomial_ball(x.num, bits)
            return num if x.den.is_one() else num / self.polynomial_ball(x.den, bits)

    def polynomial_ball(self, p: Poly, bits: int) -> Ball:
        """An enclosure of the polynomial; call it with the precision set."""
        total: Ball = arb(0)
        powers: dict[tuple[int, int], Ball] = {}
        for exponents, c in p.to_dict().items():
            term: Ball = arb(c)
            for k, e in enumerate(exponents):
                if e:
                    power = powers.get((k, e))
                    if power is None:
                        power = powers[k, e] = self.variable_ball(k, bits) ** int(e)
                    term = term * power
            total = total + term
        return total

    def variable_ball(self, index: int, bits: int) -> Ball:
        """An enclosure of one variable."""
        known = self._balls.get((index, bits))
        if known is None:
            with precision(bits):
                known = self._balls[index, bits] = self._evaluate(self.table[index], bits)
        return known

    def _evaluate(self, g: Generator, bits: int) -> Ball:
        f = Balls(bits)
        if g.kind == "symbol":
            if self.point is None or g.name not in self.point:
                raise UndecidedError(f"the sign of an expression in {g.name} is not known")
            q = self.point[g.name]
            return f.root(f.rational(q.numerator, q.denominator), max(g.degree, 1))
        if g.kind == "unity":
            return acb(arb(fmpq(2, int(g.name)))).exp_pi_i()
        if g.argument is None:
            return f.pi if g.kind == "pi" else f.i
        x = self.ball(g.argument, bits)
        if g.nature == REAL and g.kind in ("exp", "erf", "log", "abs"):
            x = acb(x).real
        return self._function(g, x, f)

    def _function(self, g: Generator, x: Ball, f: Balls) -> Ball:
        if g.part is not None:
            part = self.ball(g.part, f.bits)
            if g.kind == "abs":
                return abs(acb(x).real) * part
            return f.root(acb(x).real if g.name == "real" else x, g.degree) / part
        if g.kind == "arg":
            return acb(x).arg()
        if g.kind == "parity":
            n = acb(x).real.unique_fmpz()
            return arb.nan() if n is None else arb(1 if n % 2 == 0 else -1)
        if g.kind == "log":
            return f.log(abs(x))
        value: Ball = getattr(f, g.name or g.kind)(x)
        return value

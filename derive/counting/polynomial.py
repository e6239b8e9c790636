"""Formulas that count: sums of products of letters with exact coefficients, and quotients of them.

A formula is a Poly: a polynomial whose letters may also have negative powers.  A letter is a
name, or a quotient rounded up (Ceil), which no polynomial can express.  No SymPy: counting
must start fast, and its formulas need nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, TypeAlias

# How letters follow one another in a product: layers and batch, then shapes, then bytes.
ORDER = (
    *("L", "L_0", "L_w", "B", "x", "x_a", "x_s", "V", "P", "t", "d", "h", "g", "k", "v"),
    *("f", "f_x"),
    *("r", "q", "k_R", "m", "w", "n", "b", "b_s"),
)  # fmt: skip
PLACE = {letter: place for place, letter in enumerate(ORDER)}


class Ceil(NamedTuple):
    """⌈top/bottom⌉, where the two have letters."""

    top: Poly
    bottom: Poly


Letter: TypeAlias = "str | Ceil"
Monomial = tuple[tuple[Letter, int], ...]
Value: TypeAlias = "int | Fraction | Poly"


def _place(letter: Letter) -> tuple[int, str]:
    if isinstance(letter, Ceil):
        return len(ORDER) + 1, f"{letter.top!r}/{letter.bottom!r}"
    return PLACE.get(letter, len(ORDER)), letter


class Poly:
    """A sum of monomials, each with an exact coefficient; terms stay in the order of adding.

    >>> n, d = Poly.letter("n"), Poly.letter("d")
    >>> 2 * n * (n + d) - n * n == n * n + 2 * d * n
    True
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, Fraction] | None = None) -> None:
        self.terms: dict[Monomial, Fraction] = {m: c for m, c in (terms or {}).items() if c}

    @staticmethod
    def letter(name: Letter) -> Poly:
        """A single letter."""
        return Poly({((name, 1),): Fraction(1)})

    @staticmethod
    def of(value: Value) -> Poly:
        """A number as a formula."""
        return value if isinstance(value, Poly) else Poly({(): Fraction(value)})

    @property
    def number(self) -> Fraction | None:
        """The number that it is, or None where it has letters."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def letters(self) -> tuple[str, ...]:
        """The names in it, in the order of a product."""
        found: dict[str, None] = {}
        for monomial in self.terms:
            for letter, _ in monomial:
                inside = (
                    (letter,)
                    if isinstance(letter, str)
                    else letter.top.letters + letter.bottom.letters
                )
                found.update(dict.fromkeys(inside))
        return tuple(sorted(found, key=_place))

    def __add__(self, other: Value) -> Poly:
        terms = dict(self.terms)
        for monomial, c in Poly.of(other).terms.items():
            terms[monomial] = terms.get(monomial, Fraction(0)) + c
        return Poly(terms)

    __radd__ = __add__

    def __neg__(self) -> Poly:
        return Poly({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Value) -> Poly:
        return self + -Poly.of(other)

    def __rsub__(self, other: Value) -> Poly:
        return Poly.of(other) + -self

    def __mul__(self, other: Value) -> Poly:
        terms: dict[Monomial, Fraction] = {}
        for a, c in self.terms.items():
            for b, e in Poly.of(other).terms.items():
                monomial = _times(a, b)
                terms[monomial] = terms.get(monomial, Fraction(0)) + c * e
        return Poly(terms)

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Poly:
        if exponent < 0:
            return Poly.of(1).divided(self**-exponent)
        power = Poly.of(1)
        for _ in range(exponent):
            power = power * self
        return power

    def divided(self, other: Value) -> Poly:
        """The quotient by a single product.

        Raises ZeroDivisionError by zero, ValueError by a sum: that is a Ratio.
        """
        other = Poly.of(other)
        if not other.terms:
            raise ZeroDivisionError("a formula divided by zero")
        if len(other.terms) > 1:
            raise ValueError("a sum is no divisor of a polynomial")
        ((monomial, c),) = other.terms.items()
        return self * Poly({tuple((x, -e) for x, e in monomial): 1 / c})

    def degree(self, letter: str) -> int:
        """The highest power of a letter; a quotient rounded up grows as the quotient does."""
        return max((_degree(m, letter) for m in self.terms), default=0)

    def coefficient(self, letter: str, power: int) -> Poly:
        """What stands with that power of a letter (which no rounded-up quotient may hold)."""
        return Poly(
            {
                tuple((x, e) for x, e in m if x != letter): c
                for m, c in self.terms.items()
                if dict(m).get(letter, 0) == power
            }
        )

    def put(self, values: Mapping[str, Value]) -> Poly:
        """The formula with values for some of its letters."""
        total = Poly()
        for monomial, c in self.terms.items():
            rest = []  # what stays a formula; numbers are multiplied at once
            for letter, exponent in monomial:
                if isinstance(letter, Ceil):
                    factor = ceil_div(letter.top.put(values), letter.bottom.put(values))
                else:
                    factor = Poly.of(values[letter]) if letter in values else Poly.letter(letter)
                if (number := factor.number) is not None:
                    c *= number**exponent
                else:
                    rest.append(factor**exponent)
            total = total + (product(rest) * c if rest else Poly.of(c))
        return total

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int | Fraction):
            other = Poly.of(other)
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __str__(self) -> str:
        from derive.counting.written import text

        return text(self)

    def __repr__(self) -> str:
        from derive.counting.written import plain

        return f"Poly({plain(self)})"


class Ratio(NamedTuple):
    """A quotient of two formulas."""

    top: Poly
    bottom: Poly

    def put(self, values: Mapping[str, Value]) -> Formula:
        """The quotient with values put in: a Poly where the bottom is a single product."""
        return ratio(self.top.put(values), self.bottom.put(values))

    @property
    def letters(self) -> tuple[str, ...]:
        """The names in it."""
        return tuple(sorted({*self.top.letters, *self.bottom.letters}, key=_place))

    @property
    def number(self) -> Fraction | None:
        """A quotient of sums with letters is no number that is known."""
        return None


Formula: TypeAlias = "Poly | Ratio"


def ratio(top: Poly, bottom: Poly) -> Formula:
    """A quotient, as a Poly where it is one.  Raises ZeroDivisionError."""
    if len(bottom.terms) > 1:
        return Ratio(top, bottom)
    return top.divided(bottom)


def reduced(top: Poly, bottom: Poly) -> Formula:
    """A quotient without the product that all terms of both share.

    >>> n, p = Poly.letter("n"), Poly.letter("p")
    >>> reduced((6 * n).divided(p), 4 - Poly.of(4).divided(p))
    Ratio(top=Poly(3*n), bottom=Poly(2*p - 2))
    """
    terms = [*top.terms.items(), *bottom.terms.items()]
    letters = {x: None for m, _ in terms for x, _ in m}
    shared = {x: min(dict(m).get(x, 0) for m, _ in terms) for x in letters}
    content = Fraction(
        gcd(*(c.numerator for _, c in terms)), lcm(*(c.denominator for _, c in terms))
    )
    by = Poly({tuple((x, e) for x, e in shared.items() if e): content})
    return ratio(top.divided(by), bottom.divided(by)) if top else ratio(top, bottom)


def ceil_div(top: Value, bottom: Value) -> Poly:
    """⌈top/bottom⌉, a number where both are.

    >>> ceil_div(7, 2).number
    Fraction(4, 1)
    """
    a, b = Poly.of(top), Poly.of(bottom)
    if a.number is not None and b.number is not None:
        return Poly.of(-(-a.number // b.number))
    return a if b == 1 else Poly.letter(Ceil(a, b))


def product(values: Iterable[Value]) -> Poly:
    """The product of values."""
    result = Poly.of(1)
    for value in values:
        result = result * value
    return result


def total(values: Iterable[Poly]) -> Poly:
    """The sum of formulas."""
    result = Poly()
    for value in values:
        result = result + value
    return result


def _times(a: Monomial, b: Monomial) -> Monomial:
    powers: dict[Letter, int] = dict(a)
    for letter, exponent in b:
        powers[letter] = powers.get(letter, 0) + exponent
    return tuple(sorted(((x, e) for x, e in powers.items() if e), key=lambda xe: _place(xe[0])))


def _degree(monomial: Monomial, letter: str) -> int:
    degree = 0
    for x, exponent in monomial:
        if isinstance(x, Ceil):
            degree += exponent * (x.top.degree(letter) - x.bottom.degree(letter))
        elif x == letter:
            degree += exponent
    return degree


def grown(monomial: Monomial, c: Fraction, letter: str) -> Poly:
    """A term for a large letter: a quotient rounded up is replaced by the quotient."""
    result = Poly.of(c)
    for x, exponent in monomial:
        if isinstance(x, Ceil) and letter in Poly.letter(x).letters:
            quotient = leading(x.top, letter).divided(x.bottom)
            result = result * quotient**exponent
        else:
            result = result * Poly({((x, exponent),): Fraction(1)})
    return result


def leading(formula: Poly, letter: str) -> Poly:
    """The terms with the highest power of a letter: they decide how fast the formula grows."""
    most = formula.degree(letter)
    kept = [grown(m, c, letter) for m, c in formula.terms.items() if _degree(m, letter) == most]
    return total(kept)

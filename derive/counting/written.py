"""Counting formulas as text: for people (2·L·n²), for the plain grammar, for LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.counting.polynomial import Ceil, Formula, Letter, Monomial, Poly, Ratio

POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def text(formula: Formula) -> str:
    """For people.

    >>> L, n = Poly.letter("L"), Poly.letter("n")
    >>> text(2 * L * n * n - n)
    '2·L·n² - n'
    """
    return _Writer("·", lambda e: str(e).translate(POWERS)).formula(formula)


def plain(formula: Formula) -> str:
    """In the plain grammar; reading it gives the formula back."""
    return _Writer("*", lambda e: f"^{e}").formula(formula)


def put_in(formula: Formula, values: Mapping[str, Poly]) -> str:
    """The formula with numbers in the place of its letters, nothing multiplied out."""
    return _Writer("·", lambda e: str(e).translate(POWERS), values).formula(formula)


def latex(formula: Formula, values: Mapping[str, Poly] | None = None) -> str:
    """For LaTeX, the letters or the numbers in their places."""
    return _Latex(r" \cdot " if values else r"\,", lambda e: f"^{{{e}}}", values).formula(formula)


def grouped(value: Fraction) -> str:
    """A number for people: groups of three digits, a fraction as p/q.

    >>> grouped(Fraction(1073741824)), grouped(Fraction(7, 2))
    ('1,073,741,824', '7/2')
    """
    return f"{value.numerator:,}" + (f"/{value.denominator:,}" if value.denominator > 1 else "")


def latex_number(value: Fraction) -> str:
    """The same for LaTeX, with no space after the commas of groups."""
    top = f"{abs(value.numerator):,}".replace(",", "{,}")
    sign = "-" if value < 0 else ""
    if value.denominator == 1:
        return sign + top
    bottom = f"{value.denominator:,}".replace(",", "{,}")
    return rf"{sign}\frac{{{top}}}{{{bottom}}}"


class _Writer:
    """One way of writing: the sign of a product, a power, and what stands for a letter."""

    def __init__(self, times, power, values=None) -> None:  # type: ignore[no-untyped-def]
        self.times = times
        self.power = power
        self.values = values or {}

    def formula(self, x: Formula) -> str:
        if isinstance(x, Ratio):
            return self.quotient(self.poly(x.top), self.poly(x.bottom), x)
        return self.poly(x)

    def quotient(self, top: str, bottom: str, x: Ratio) -> str:
        above = f"({top})" if len(x.top.terms) > 1 else top
        below = f"({bottom})" if len(x.bottom.terms) > 1 or self.times in bottom else bottom
        return f"{above}/{below}"

    def poly(self, x: Poly) -> str:
        out = ""
        for monomial, c in x.terms.items():
            term = self.term(monomial, abs(c))
            sign = "-" if c < 0 else "+"
            out = f"{out} {sign} {term}" if out else term if c > 0 else f"-{term}"
        return out or "0"

    def term(self, monomial: Monomial, c: Fraction) -> str:
        above = [self.factor(x, e) for x, e in monomial if e > 0]
        below = [self.factor(x, -e) for x, e in monomial if e < 0]
        if c.numerator != 1 or not above:
            above.insert(0, str(c.numerator))
        if c.denominator != 1:
            below.insert(0, str(c.denominator))
        return self.fraction(self.times.join(above), self.times.join(below), len(below))

    def fraction(self, above: str, below: str, factors: int) -> str:
        return f"{above}/({below})" if factors > 1 else f"{above}/{below}" if below else above

    def factor(self, x: Letter, exponent: int) -> str:
        name = self.letter(x)
        return name if exponent == 1 else f"{name}{self.power(exponent)}"

    def letter(self, x: Letter) -> str:
        if isinstance(x, Ceil):
            return self.ceil(x)
        value = self.values.get(x)
        if value is None:
            return self.name(x)
        single = len(value.terms) == 1 and (value.number is None or value.number.denominator == 1)
        shown = _Writer(self.times, self.power).poly(value) if not self.latex else latex(value)
        return shown if single and self.times not in shown else f"({shown})"

    latex = False

    def name(self, x: str) -> str:
        return x

    def ceil(self, x: Ceil) -> str:
        inside = self.formula(Ratio(x.top, x.bottom))
        return f"⌈{inside}⌉" if self.times == "·" else f"ceil({inside})"


class _Latex(_Writer):
    latex = True

    def name(self, x: str) -> str:
        base, _, index = x.partition("_")
        base = base if len(base) == 1 else rf"\mathit{{{base}}}"
        return f"{base}_{{{index}}}" if index else base

    def quotient(self, top: str, bottom: str, x: Ratio) -> str:
        return rf"\frac{{{top}}}{{{bottom}}}"

    def fraction(self, above: str, below: str, factors: int) -> str:
        return rf"\frac{{{above}}}{{{below}}}" if below else above

    def ceil(self, x: Ceil) -> str:
        return rf"\left\lceil {self.formula(Ratio(x.top, x.bottom))} \right\rceil"

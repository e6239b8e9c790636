"""Texts of expressions and their order: how sums, products and powers are laid out.

One rule each:
- a product is its number, roots of numbers, pi, e, i, letters, exponentials, functions,
  sums; what has a negative rational exponent stands below the fraction line;
- a sum begins with letters, highest degree first, then functions of numbers (exponentials
  by falling exponent, the others by name), pi, roots, the plain number, and terms with i
  last; where that would begin with a minus, the first positive term moves to the front.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4  # how tightly a text binds
LETTERS, FUNCTION, PI, SURD, NUMBER = range(5)  # ranks of the terms of a sum
ROOTS, CIRCLE, EULER, IMAGINARY, LETTER, EXPONENTIAL, CALL, SUMS = range(8)  # groups of factors
ONE = Fraction(1)
COMPARED = 200  # characters of a text that are split into words and numbers

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A printed expression: its text without sign, and what its place depends on."""

    text: str
    level: int
    rank: int  # the first of what it is made of
    group: int
    shape: Key  # its place among the factors of a term
    key: Key  # its place among the terms of a sum
    negative: bool = False
    coefficient: Fraction = ONE  # sign included
    rest: str = ""  # the text without coefficient

    @property
    def signed(self) -> str:
        return f"-{self.text}" if self.negative else self.text

    def within(self, level: int) -> str:
        """The text where everything binds so tightly at least."""
        fits = self.level >= level and not self.negative
        return self.text if fits else f"({self.signed})"


Factor = tuple[Piece, Fraction]  # base and exponent


def atom(text: str, rank: int, group: int, natural: Key = (), then: Fraction = ONE) -> Piece:
    """A letter, a constant, a function with its arguments."""
    shape = (rank, group, natural or in_words(text), then)
    key = _key([(shape, ONE)], rank, int(group == LETTER), ONE, group == IMAGINARY, text)
    return Piece(text, ATOM, rank, group, shape, key, rest=text)


def exponential(text: str, exponent: Piece) -> Piece:
    """exp(…), placed by its exponent: the larger the number in it, the earlier."""
    rank, group = min(FUNCTION, exponent.rank), EULER if text == "e" else EXPONENTIAL
    shape = (rank, EXPONENTIAL, in_words(exponent.rest), -exponent.coefficient)
    key = _key([(shape, ONE)], rank, 0, ONE, False, text)
    return Piece(text, ATOM, rank, group, shape, key, rest=text)


def total(terms: Sequence[Piece]) -> Piece:
    """A sum of at least one term."""
    ordered = sorted(terms, key=lambda t: t.key)
    first = next((k for k, t in enumerate(ordered) if not t.negative), 0)
    ordered.insert(0, ordered.pop(first))
    if len(ordered) == 1:
        return ordered[0]
    texts = [t.text if t.level > SUM else f"({t.text})" for t in ordered]
    signs = [" - " if t.negative else " + " for t in ordered]
    signs[0] = "-" if ordered[0].negative else ""
    text = "".join(sign + text for sign, text in zip(signs, texts, strict=True))
    rank = min(t.rank for t in ordered)
    shape = (rank, SUMS, in_words(text), ONE)
    key = _key([(shape, ONE)], rank, 0, ONE, False, text)
    return Piece(text, SUM, rank, SUMS, shape, key, rest=text)


def product(number: Fraction, factors: Sequence[Factor]) -> Piece:
    """A rational number times powers with rational exponents."""
    ordered = sorted(factors, key=_place)
    above = [_powered(base, e) for base, e in ordered if e > 0]
    below = [_powered(base, -e) for base, e in ordered if e < 0]
    rest = _fraction(ONE, above, below)[0] if ordered else ""
    text, level = _fraction(abs(number), above, below)
    if number < 0 and level == SUM:
        text, level = f"({text})", ATOM
    rank = min((_rank(base, e) for base, e in ordered), default=NUMBER)
    shapes = [((_rank(base, e), *base.shape[1:]), e) for base, e in ordered]
    degree = sum((e for base, e in ordered if base.group == LETTER), Fraction(0))
    imaginary = any(base.group == IMAGINARY for base, _ in ordered)
    group, shape = (_place(ordered[0])[:2]) if len(ordered) == 1 else (CALL, _shape(rank, text))
    key = _key(shapes, rank, degree, number, imaginary, text)
    return Piece(text, level, rank, group, shape, key, number < 0, number, rest)


def power(base: Piece, exponent: Piece) -> Piece:
    """A power whose exponent is not a rational number."""
    text = f"{base.within(ATOM)}^{exponent.within(ATOM)}"
    rank = min(FUNCTION, base.rank, exponent.rank)
    shape = _shape(rank, text)
    return Piece(
        text, POWER, rank, CALL, shape, _key([(shape, ONE)], rank, 0, ONE, False, text), rest=text
    )


def _shape(rank: int, text: str) -> Key:
    return (rank, CALL, in_words(text), ONE)


def _rank(base: Piece, exponent: Fraction) -> int:
    """A number below a root is a surd."""
    return SURD if base.rank == NUMBER and base.group != IMAGINARY else base.rank


def _place(factor: Factor) -> Key:
    """The place of a factor in its product."""
    base, e = factor
    rank = _rank(base, e)
    group = ROOTS if rank == SURD and e.denominator > 1 else base.group
    return (group, base.shape, -e, base.text)


def _key(
    shapes: Sequence[tuple[Key, Fraction]],
    rank: int,
    degree: Fraction | int,
    number: Fraction,
    imaginary: bool,
    text: str,
) -> Key:
    factors = tuple(sorted((*shape, -e) for shape, e in shapes))
    return (imaginary, rank, -degree, factors, -number, text)


def _fraction(number: Fraction, above: list[Text], below: list[Text]) -> Text:
    """number · above / below as one text."""
    if number.numerator != 1 or not above:
        above = [(digits(number.numerator), ATOM), *above]
    if number.denominator != 1:
        below = [(digits(number.denominator), ATOM), *below]
    if len(above) == 1 and not below:
        return above[0]
    text = "*".join(_bracketed(x, POWER) for x in above)
    if not below:
        return text, PRODUCT
    under = "*".join(_bracketed(x, POWER) for x in below)
    return f"{text}/{under}" if len(below) == 1 else f"{text}/({under})", PRODUCT


Text = tuple[str, int]  # and how tightly it binds


def _bracketed(x: Text, level: int) -> str:
    return x[0] if x[1] >= level else f"({x[0]})"


def _powered(base: Piece, e: Fraction) -> Text:
    """base^e for e > 0."""
    n = e.denominator
    if e == 1:
        return (f"({base.signed})", ATOM) if base.negative else (base.text, base.level)
    if n == 1:
        return f"{base.within(ATOM)}^{digits(e.numerator)}", POWER
    if e.numerator > 1 or (base.negative and n > 2):  # cbrt(-8) would look like -2
        return f"{base.within(ATOM)}^({digits(e.numerator)}/{digits(n)})", POWER
    if n <= 3:
        return f"{'sqrt' if n == 2 else 'cbrt'}({base.signed})", ATOM
    return f"root({base.signed}, {digits(n)})", ATOM


def digits(n: int) -> str:
    """An integer n >= 0 in decimal, however long: Python's own way stops at 4300 digits."""
    parts = []
    while n >= 10**4000:
        n, low = divmod(n, 10**4000)
        parts.append(f"{low:04000d}")
    return "".join([str(n), *reversed(parts)])


def in_words(text: str) -> Key:
    """The beginning of a text for sorting, x2 before x10; ties go by the whole text.

    >>> in_words("x2") < in_words("x10")
    True
    """
    parts = re.split(r"([0-9]+)", text[:COMPARED])
    return tuple((len(part), part) if k % 2 else (0, part) for k, part in enumerate(parts))

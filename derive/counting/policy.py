"""What is asked of a counting answer: exact, rounded to so many digits, or near enough.

The options are those of a marking key, with the same meaning.  A count is a rational number, so
every one of them is decided exactly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from derive.counting.polynomial import Formula
from derive.errors import DeriveError

KINDS = ("exact", "dp", "sf", "tolerance")
CHOICES = {"places": ("exactly", "at-least"), "ties": ("either", "even", "away")}
NOT_HERE = ("percent", "rounded_steps", "require", "cells", "unit")
MOST_DIGITS = 200


class Answer(NamedTuple):
    """An answer as it was read."""

    value: Formula
    unit: str = ""  # "" where none is written
    approximate: bool = False  # ≈ stands before it
    decimals: int | None = None  # after the point; fewer by the power of ten; None for letters
    least: int = 0  # significant digits: zeros at the end of an integer may or may not count
    most: int = 0

    @property
    def step(self) -> Fraction | None:
        """The place of its last digit, in its own unit."""
        return None if self.decimals is None else Fraction(10) ** -self.decimals


class Policy(NamedTuple):
    """How an answer is judged; "" is exact too, but `≈` may ask for a rounding."""

    kind: str = ""
    digits: int = 0
    bound: tuple[str, Fraction] = ("abs", Fraction(0))
    places: str = "exactly"
    ties: str = "either"

    @property
    def words(self) -> str:
        """For the field `rounding`."""
        if self.kind in ("dp", "sf"):
            unit = "decimals" if self.kind == "dp" else "significant digits"
            return f"{'at least ' if self.places == 'at-least' else ''}{self.digits} {unit}"
        return f"tolerance {self.bound[0]}" if self.kind == "tolerance" else "exact"


def policy(given: Mapping[str, object]) -> Policy:
    """A policy of options as a marking key has them; None and False are as absent.

    Raises DeriveError for two roundings at once, a value that isn't one, an option that a
    count doesn't have.

    >>> policy({"sf": 3, "places": "at-least"}).words
    'at least 3 significant digits'
    """
    asked = {k.replace("-", "_"): x for k, x in given.items() if x is not None and x is not False}
    for name in asked:
        if name in NOT_HERE:
            raise DeriveError(f"{name}: a counting answer has no such policy")
        if name not in (*KINDS, *CHOICES):
            from derive.text import nearest

            near = nearest(name, (*KINDS, *CHOICES))
            hint = f"; nearest: {near}" if near else f"; there are {', '.join((*KINDS, *CHOICES))}"
            raise DeriveError(f"no policy {name[:40]!r}{hint}")
    kinds = [k for k in KINDS if k in asked]
    if len(kinds) > 1:
        raise DeriveError(f"expected one of {', '.join(KINDS)}, found {' and '.join(kinds)}")
    kind = kinds[0] if kinds else ""
    return Policy(
        kind,
        _digits(kind, asked[kind]) if kind in ("dp", "sf") else 0,
        _bound(asked[kind]) if kind == "tolerance" else ("abs", Fraction(0)),
        _choice("places", asked),
        _choice("ties", asked),
    )


def _digits(kind: str, n: object) -> int:
    least = 0 if kind == "dp" else 1
    if isinstance(n, bool) or not isinstance(n, int) or not least <= n <= MOST_DIGITS:
        raise DeriveError(f"{kind}: read {n!r}, expected a number from {least} to {MOST_DIGITS}")
    return n


def _choice(name: str, asked: Mapping[str, object]) -> str:
    value = str(asked.get(name, CHOICES[name][0]))
    if value not in CHOICES[name]:
        raise DeriveError(f"{name}: read {value[:40]!r}, expected {' or '.join(CHOICES[name])}")
    return value


def _bound(given: object) -> tuple[str, Fraction]:
    kind, size = given if isinstance(given, tuple) else str(given).partition(":")[::2]
    if kind in ("abs", "rel") and size:
        value = size if isinstance(size, Fraction) else _number(size)
        if 0 <= value and (kind == "abs" or value < 1):
            return kind, value
    raise DeriveError(
        f"tolerance: read {str(given)[:40]!r}, expected abs:X, or rel:X with X below 1"
    )


def _number(text: str) -> Fraction:
    """A number of bounded size, or -1."""
    if not re.fullmatch(r"\d{1,40}(\.\d{1,40}|/0*[1-9]\d{0,40})?|\d{1,40}[eE][+-]?\d{1,3}", text):
        return Fraction(-1)
    return Fraction(text)


class Judged(NamedTuple):
    """Is the value right, is it written as asked, and why not."""

    equal: bool
    form: bool = True
    why: str = ""


def judged(target: Fraction, mine: Fraction, answer: Answer, asked: Policy) -> Judged:
    """A number under a policy; target in the answer's unit."""
    if asked.kind == "tolerance":
        kind, size = asked.bound
        return Judged(abs(mine - target) <= (size if kind == "abs" else size * abs(target)))
    if asked.kind in ("dp", "sf"):
        return _rounded(target, mine, answer, asked)
    if mine == target:
        return Judged(True)
    if not asked.kind and answer.approximate and answer.most >= 2:
        return Judged(is_rounding(target, mine, answer, asked.ties))
    return Judged(False)


def _rounded(target: Fraction, mine: Fraction, answer: Answer, asked: Policy) -> Judged:
    if answer.decimals is None:  # an expression: no digits are shown
        return Judged(mine == target, False, "A decimal number is asked for.")
    counts = (
        range(answer.decimals, answer.decimals + 1)
        if asked.kind == "dp"
        else range(answer.least, answer.most + 1)
    )
    fits = [
        n for n in counts if n == asked.digits or (asked.places == "at-least" and n > asked.digits)
    ]
    equal = any(_at(target, mine, n, asked) for n in fits or counts)
    words = "" if fits else f"Asked for: {asked.words}."
    return Judged(equal, bool(fits), words)


def _at(target: Fraction, mine: Fraction, n: int, asked: Policy) -> bool:
    step = Fraction(10) ** -n if asked.kind == "dp" else _step(target, n)
    return rounds(target, mine, step, asked.ties)


def _step(target: Fraction, sf: int) -> Fraction:
    """The place of the last of so many significant digits of a number."""
    size, power = abs(target), 0
    if size:
        power = len(str(size.numerator)) - len(str(size.denominator))
        power -= size < Fraction(10) ** power
    return Fraction(10) ** (power - max(sf, 1) + 1)


def is_rounding(target: Fraction, mine: Fraction, answer: Answer, ties: str = "either") -> bool:
    """Whether the digits that are written, two at least, are those of the target rounded."""
    step = answer.step
    return step is not None and answer.most >= 2 and rounds(target, mine, step, ties)


def rounds(target: Fraction, mine: Fraction, step: Fraction, ties: str = "either") -> bool:
    """Whether mine is the target rounded to a multiple of step.

    >>> [rounds(Fraction(5, 2), Fraction(x), Fraction(1), "even") for x in (2, 3)]
    [True, False]
    """
    multiple, off = mine / step, 2 * abs(mine - target)
    if multiple.denominator != 1 or off > step:
        return False
    if off < step or ties == "either":
        return True
    return multiple.numerator % 2 == 0 if ties == "even" else abs(mine) > abs(target)

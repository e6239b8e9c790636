"""Reading a counting answer: numbers with units, groups of digits, letters side by side."""

from __future__ import annotations

import re
from fractions import Fraction

from derive.counting.policy import Answer
from derive.counting.polynomial import Formula, Poly
from derive.counting.reading import read_formula
from derive.counting.result import Count
from derive.counting.units import UNITS
from derive.counting.written import plain
from derive.errors import TextError

APPROXIMATE = ("≈", "~", "approx.", "about", "ca.")
GROUPED = re.compile(r"\d{1,3}(,\d{3})+(?!\d)")
NUMBER = re.compile(r"([+-]?)(\d+)(?:\.(\d+))?(?:\s*(?:[eE]|[x×·*]\s*10\^)\s*([+-]?\d{1,3}))?")
ALIASES = {"T": "n", "S": "n", "d_k": "k", "d_v": "v", "d_ff": "f"}  # where the question lacks them
LONGEST = 2000


def shown(answer: Answer) -> str:
    """The answer as it was understood."""
    return f"{'≈ ' if answer.approximate else ''}{plain(answer.value)} {answer.unit}".rstrip()


def read_answer(text: str, found: Count) -> Answer:
    """A number or letters, and a unit.  Raises TextError, with the place, for what is neither."""
    if len(text) > LONGEST:
        raise TextError(LONGEST, f"an answer of {len(text)} characters", f"at most {LONGEST}")
    body = text.strip()
    approximate = False
    for mark in APPROXIMATE:
        if body.startswith(mark):
            approximate, body = True, body[len(mark) :].strip()
            break
    body = body.replace("\u2009", " ").replace("\u202f", " ").replace("\u00a0", " ")
    number, unit = _unit(body)
    if not number:
        raise TextError(0, repr(text[:40]), "a number or letters, and a unit")
    number = _ungrouped(number, unit)
    digits = NUMBER.fullmatch(number)
    if digits:
        sign, whole, part, power = digits.groups()
        exponent = int(power or 0)
        value = (
            Fraction(int(f"{whole}{part or ''}"), 10 ** len(part or "")) * Fraction(10) ** exponent
        )
        shown = (whole + (part or "")).lstrip("0")
        least = len(shown if part is not None else shown.rstrip("0"))
        decimals = len(part or "") - exponent
        value = -value if sign == "-" else value
        return Answer(Poly.of(value), unit, approximate, decimals, max(least, 1), len(shown) or 1)
    return Answer(_letters(number, found), unit, approximate)


def _unit(body: str) -> tuple[str, str]:
    """The text before a unit, and the unit: the longest one that ends it."""
    for unit in sorted(UNITS, key=len, reverse=True):
        if body.endswith(unit):
            before = body[: -len(unit)]
            if before and (before[-1].isspace() or (before[-1].isdigit() and unit not in "sBh")):
                return before.strip(), unit
            if before and before[-1].isdigit() and unit == "B":
                return before, unit
    return body, ""


def _ungrouped(number: str, unit: str) -> str:
    """1,073,741,824 without its commas; one comma before a large unit has two readings."""
    match = GROUPED.match(number)
    if match and number.count(",") == 1 and unit and UNITS[unit][1] != 1:
        a, b = number.split(",", 1)
        raise TextError(len(a), f"{number} {unit}", f"{a}.{b} or {a}{b}, whichever is meant")
    if match:
        return number.replace(",", "")
    if "," in number and not any(c.isalpha() for c in number):
        raise TextError(number.index(","), repr(","), "a decimal point, or groups of three digits")
    if re.fullmatch(r"\d{1,3}( \d{3})+", number):
        return number.replace(" ", "")
    return number


def _letters(text: str, found: Count) -> Formula:
    """A formula in letters; known letters side by side are a product."""
    known = {*found.formula.letters, *found.values, *found.value.letters}
    usable = {*known, *(x for x, y in ALIASES.items() if x not in known and y in known)}
    text = text.replace("²", "^2").replace("³", "^3")
    split = re.sub(r"[A-Za-z_][A-Za-z0-9_]*", lambda m: _split(m[0], usable), text)
    value = read_formula(split, "the answer", usable | {"e"})
    return value.put({x: Poly.letter(y) for x, y in ALIASES.items() if x not in known})


def _split(word: str, known: set[str]) -> str:
    """`LgkT` as a product of known letters, where it is one; else the word."""
    rest, parts = word, []
    while rest:
        name = next((x for x in sorted(known, key=len, reverse=True) if rest.startswith(x)), None)
        if name is None:
            return word
        parts.append(name)
        rest = rest[len(name) :]
    return "(" + "*".join(parts) + ")" if len(parts) > 1 else word

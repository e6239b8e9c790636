"""What a model file may hold; checked on the text, before anything is built from it."""

from __future__ import annotations

import re

FILE_BYTES = 10_000_000  # one file
NESTING = 32  # brackets and braces inside one another, and parts of a dotted key
DIGITS = 4_000  # of one number
EXPONENT = 10_000  # of one number, up or down
TEXT = 10_000  # characters of one number written as a text
WRITTEN = 20_000_000  # digits of all different numbers of a model, written out without exponents
CELLS = 1_000_000  # entries of one matrix, and of all drawn matrices together
PROBLEMS = 200  # errors that one message lists
GIVE_UP = 1_000  # errors after which nothing more is read
COMPARISONS = 200_000  # of unknown tokens with vocabulary entries, to find the nearest

_NUMBER = re.compile(
    r"(?<![\w.])(?=\.?[0-9])(?:0(?P<base>[xob])(?P<based>\w+)"
    r"|(?P<whole>[0-9_]*)(?:\.(?P<part>[0-9_]*))?(?:[eE](?P<exponent>[+-]?[0-9][0-9_]*))?)"
)
_BITS = {"x": 4, "o": 3, "b": 1}  # of one digit


def number_cost(text: str) -> int:
    """How many digits the numbers in a text take at most, written out without exponents.

    >>> number_cost("0.5"), number_cost("1.5e3 + x1")
    (3, 5)
    """
    if len(text) < 20 and "e" not in text and "E" not in text:
        return len(text)  # near enough
    return sum(_cost(found) for found in _NUMBER.finditer(text))


def number_fault(text: str) -> tuple[str, str] | None:
    """(what was read, what was expected) where a number in the text is too large to build.

    >>> number_fault("1" * 4000), number_fault("1e-10000")
    (None, None)
    >>> number_fault("1" * 4001)
    ('a number of 4001 digits', 'at most 4000 digits')
    >>> number_fault("1e10001")
    ('the exponent 10001', 'an exponent between -10000 and 10000')
    """
    for found in _NUMBER.finditer(text):
        digits = _digits(found)
        if digits > DIGITS:
            return f"a number of {digits} digits", f"at most {DIGITS} digits"
        exponent = (found["exponent"] or "0").replace("_", "")
        if _size(exponent) > EXPONENT:
            shown = exponent if len(exponent) < 20 else "with many digits"
            return f"the exponent {shown}", f"an exponent between -{EXPONENT} and {EXPONENT}"
    return None


def _digits(found: re.Match[str]) -> int:
    """Decimal digits of one number (for other bases: never fewer than it has)."""
    if found["base"]:
        bits = sum(c != "_" for c in found["based"]) * _BITS[found["base"]]
        return int(bits * 30103 // 100_000 + 1)
    return sum(c != "_" for c in (found["whole"] or "") + (found["part"] or ""))


def _size(exponent: str) -> int:
    """|exponent|, or just above the limit where it has too many digits to bother."""
    digits = exponent.lstrip("+-").lstrip("0")
    return int(digits or "0") if len(digits) < 10 else EXPONENT + 1


def _cost(found: re.Match[str]) -> int:
    return _digits(found) + _size((found["exponent"] or "0").replace("_", ""))

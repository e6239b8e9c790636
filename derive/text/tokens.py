"""Texts cut into tokens, in one pass, with the limits checked before any number is built."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from derive.errors import TextError

LONGEST_TEXT = 10_000  # characters
MOST_DIGITS = 4_000
LARGEST_EXPONENT = 10_000

OPERATORS = ("**", "!=", "<=", ">=", *"+-*/^()[],;=<>!:")
SAME = {"−": "-", "·": "*", "×": "*", "⋅": "*", "≤": "<=", "≥": ">=", "≠": "!=", "÷": "/"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
SPACES = " \t\n\r"


class Token(NamedTuple):
    """A piece of text: its kind, what it stands for, where it begins and ends."""

    kind: str  # number | name | operator | end
    text: str
    position: int
    end: int
    value: tuple[int, int] | None = None  # a number as p/q, not reduced

    @property
    def shown(self) -> str:
        """For messages."""
        return "the end" if self.kind == "end" else repr(self.text[:40])


def tokens(text: str, decimal: str = ".") -> list[Token]:
    """The tokens of a text, an end token last.

    Raises TextError at a character that the grammar does not have, and past the limits.
    """
    if len(text) > LONGEST_TEXT:
        raise TextError(
            LONGEST_TEXT, f"a text of {len(text)} characters", f"at most {LONGEST_TEXT}"
        )
    found: list[Token] = []
    k = 0
    while k < len(text):
        c = text[k]
        if c in SPACES:
            k += 1
            continue
        if c in DIGITS or (c == decimal and text[k + 1 : k + 2] in (*DIGITS,)):
            token = _number(text, k, decimal)
        elif c in LETTERS or (c == "%" and text[k + 1 : k + 3] == "pi"):
            token = _name(text, k)
        else:
            token = _operator(text, k)
        found.append(token)
        k = token.end
    return [*found, Token("end", "", len(text), len(text))]


def _name(text: str, start: int) -> Token:
    k = start + 1
    while k < len(text) and (text[k] in LETTERS or text[k] in DIGITS or text[k] == "_"):
        k += 1
    return Token("name", text[start:k].lstrip("%"), start, k)


def _operator(text: str, k: int) -> Token:
    if text[k] in SAME:
        return Token("operator", SAME[text[k]], k, k + 1)
    for op in OPERATORS:
        if text.startswith(op, k):
            return Token("operator", "^" if op == "**" else op, k, k + len(op))
    name = unicodedata.name(text[k], f"U+{ord(text[k]):04X}")
    shown = repr(text[k]) if text[k].isprintable() else f"U+{ord(text[k]):04X}"
    raise TextError(k, f"{shown} ({name})", "a number, a name or an operator")


def _digits(text: str, k: int) -> int:
    while k < len(text) and text[k] in DIGITS:
        k += 1
    return k


def _number(text: str, start: int, decimal: str) -> Token:
    whole = _digits(text, start)
    end, fraction = whole, ""
    if text[whole : whole + 1] == decimal:
        end = _digits(text, whole + 1)
        fraction = text[whole + 1 : end]
        if not fraction and whole == start:
            raise TextError(start, repr(decimal), "digits")
    digits = (text[start:whole] + fraction).lstrip("0")
    if len(digits) > MOST_DIGITS:
        raise TextError(start, f"a number of {len(digits)} digits", f"at most {MOST_DIGITS}")
    end, exponent = _exponent(text, end)
    power = exponent - len(fraction)
    p, q = int(digits or "0"), 1
    if power >= 0:
        p *= 10**power
    else:
        q = 10**-power
    return Token("number", text[start:end], start, end, (p, q))


def _exponent(text: str, k: int) -> tuple[int, int]:
    """A following e-3, x10^-3 or ×10^(-3): where it ends, and its value."""
    for mark in ("e", "E", "x10^", "×10^", "x10**", "×10**"):
        if text.startswith(mark, k):
            start = k + len(mark)
            bracket = len(mark) > 1 and text[start : start + 1] == "("
            start += bracket
            minus = text[start : start + 1] in ("-", "−")
            plus = text[start : start + 1] == "+"
            end = _digits(text, start + (minus or plus))
            digits = text[start + (minus or plus) : end]
            if not digits or (bracket and text[end : end + 1] != ")"):
                return k, 0
            after = text[end : end + 1]
            if len(mark) == 1 and after and (after in LETTERS or after == "_"):
                return k, 0  # 2e3x is no exponent
            if len(digits.lstrip("0")) > 5 or int(digits) > LARGEST_EXPONENT:
                raise TextError(start, f"the exponent {digits[:12]}", f"at most {LARGEST_EXPONENT}")
            return end + bracket, -int(digits) if minus else int(digits)
    return k, 0

"""Texts cut into tokens, in one pass, with the limits checked before any number is built."""

from __future__ import annotations

from typing import NamedTuple

from derive.errors import TextError
from derive.text.characters import (
    FRACTIONS,
    GREEK,
    ROOTS,
    SAME,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    described,
    ordinary,
)

LONGEST_TEXT = 10_000  # characters
MOST_DIGITS = 4_000
LARGEST_EXPONENT = 10_000

OPERATORS = ("**", "!=", "<=", ">=", *"+-*/^()[],;=<>!:|%{}_&")
SIGNS = "±∓∪"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
SPACES = " \t\n\r"
OPENING, CLOSING = "([{", ")]}"
DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))


class Token(NamedTuple):
    """A piece of text: its kind, what it stands for, where it begins and ends."""

    kind: str  # number | name | operator | command | cell | end
    text: str
    position: int
    end: int
    value: tuple[int, int] | None = None  # a number as p/q, not reduced

    @property
    def shown(self) -> str:
        """For messages."""
        if self.kind == "command":
            return f"\\{self.text[:40]}"
        return "the end" if self.kind == "end" else repr(self.text[:40])


def tokens(text: str, decimal: str = ".", addresses: bool = False) -> list[Token]:
    """The tokens of a text, an end token last.

    With `addresses`, what looks like a cell (A.exp[2,0], Z[cats,0]) is one token.
    Raises TextError at a character that the grammar does not have, and past the limits.
    """
    if len(text) > LONGEST_TEXT:
        raise TextError(
            LONGEST_TEXT, f"a text of {len(text)} characters", f"at most {LONGEST_TEXT}"
        )
    text = _undelimited(ordinary(text))
    found: list[Token] = []
    k = depth = 0
    while k < len(text):
        c = text[k]
        if c in SPACES:
            if c in "\n\r" and not depth and text[k:].strip(SPACES) and found:
                raise TextError(k, "a new line", "a text of one line, or a bracket around it")
            k += 1
            continue
        if c == "_" and (not found or (found[-1].kind == "operator" and found[-1].text != "}")):
            raise TextError(k, described(c), "a number, a name or an operator")
        new = _tokens(text, k, decimal, addresses)
        for token in new:
            depth += _depth(token)
        found += new
        k = found[-1].end
    return [*found, Token("end", "", len(text), len(text))]


def _depth(token: Token) -> int:
    """+1 for what opens, -1 for what closes; new lines may stand between them."""
    if token.kind == "operator" and len(token.text) == 1:
        return (token.text in OPENING) - (token.text in CLOSING)
    if token.kind == "command":
        return (token.text in ("begin", "{")) - (token.text in ("end", "}"))
    return 0


def _undelimited(text: str) -> str:
    """The text without the dollars or brackets that say "mathematics begins here"."""
    inner = text.strip(SPACES)
    start = text.find(inner) if inner else 0
    for before, after in DELIMITERS:
        if inner.startswith(before) and inner.endswith(after) and len(inner) > len(before + after):
            body = inner[len(before) : -len(after)]
            if "$" not in body:
                blank = " " * (start + len(before))
                return f"{blank}{body}{' ' * (len(text) - len(blank) - len(body))}"
    return text


def _tokens(text: str, k: int, decimal: str, addresses: bool) -> list[Token]:
    """The tokens that begin at one place: one, but for superscripts."""
    c = text[k]
    if c in DIGITS or (c == decimal and text[k + 1 : k + 2] in (*DIGITS,)):
        return [_number(text, k, decimal)]
    if c in LETTERS or (c == "%" and text[k + 1 : k + 3] == "pi" and not _letter(text, k + 3)):
        return [(_cell(text, k) if addresses else None) or _name(text, k)]
    if c == "\\":
        return [_command(text, k)]
    if c in GREEK:
        return [_greek(text, k)]
    if c in SUPERSCRIPTS:
        return _superscript(text, k)
    if c in FRACTIONS:
        return [Token("number", c, k, k + 1, FRACTIONS[c])]
    if c in ROOTS or c in SIGNS:
        return [Token("operator", c, k, k + 1)]
    if c == "∞":
        return [Token("name", "inf", k, k + 1)]
    return [_operator(text, k)]


def _letter(text: str, k: int) -> bool:
    return k < len(text) and (text[k] in LETTERS or text[k] in DIGITS or text[k] == "_")


def _name(text: str, start: int) -> Token:
    k = start + 1
    while k < len(text) and (text[k] in LETTERS or text[k] in DIGITS or text[k] == "_"):
        k += 1
    name = text[start:k].lstrip("%")
    if k < len(text) and text[k] in SUBSCRIPTS:
        return _subscripted(name, text, start, k)
    return Token("name", name, start, k)


def _greek(text: str, start: int) -> Token:
    k = start + 1
    while k < len(text) and (text[k] in DIGITS or text[k] == "_"):
        k += 1
    name = GREEK[text[start]] + text[start + 1 : k]
    if k < len(text) and text[k] in SUBSCRIPTS:
        return _subscripted(name, text, start, k)
    return Token("name", name, start, k)


def _subscripted(name: str, text: str, start: int, k: int) -> Token:
    """x₁ is x_1."""
    digits = ""
    while k < len(text) and text[k] in SUBSCRIPTS:
        digits, k = digits + SUBSCRIPTS[text[k]], k + 1
    return Token("name", f"{name}_{digits}", start, k)


def _cell(text: str, start: int) -> Token | None:
    """A cell's address: a name that may have dots, and its indices as they are typed."""
    k = start
    while k < len(text) and (_letter(text, k) or (text[k] == "." and _letter(text, k + 1))):
        k += 1
    name_end = k
    if text[k : k + 1] == "[":
        quoted = False
        for end in range(k + 1, len(text)):
            quoted ^= text[end] == '"'
            if not quoted and text[end] == "]":
                return Token("cell", text[start : end + 1], start, end + 1)
            if not quoted and text[end] == "[":
                break
    return Token("name", text[start:name_end], start, name_end) if "." in text[start:k] else None


def _command(text: str, start: int) -> Token:
    """\\frac, \\,: a backslash and letters, or one other character."""
    k = start + 1
    while k < len(text) and text[k] in LETTERS:
        k += 1
    if k == start + 1:
        k = min(k + 1, len(text))
    return Token("command", text[start + 1 : k], start, k)


def _superscript(text: str, start: int) -> list[Token]:
    """x², x⁻¹, xⁿ: a power, its exponent in brackets."""
    k = start
    while k < len(text) and text[k] in SUPERSCRIPTS:
        k += 1
    exponent = "".join(SUPERSCRIPTS[c] for c in text[start:k])
    inner = tokens(exponent)[:-1]
    placed = [t._replace(position=start + t.position, end=start + t.end) for t in inner]
    return [
        Token("operator", "^", start, start),
        Token("operator", "(", start, start),
        *placed,
        Token("operator", ")", k, k),
    ]


def _operator(text: str, k: int) -> Token:
    c = text[k]
    if c in SAME:
        word = SAME[c]
        return Token("name" if word.isalpha() else "operator", word, k, k + 1)
    if c == "∈":
        return Token("name", "in", k, k + 1)
    if c == "∅":
        return Token("name", "emptyset", k, k + 1)
    for op in OPERATORS:
        if text.startswith(op, k):
            return Token("operator", "^" if op == "**" else op, k, k + len(op))
    raise TextError(k, described(c), "a number, a name or an operator")


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

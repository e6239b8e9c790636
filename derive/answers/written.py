"""A decimal as it was written: its digits count, not only its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from derive.text.tokens import Token
from derive.text.tree import Binary, Call, Negative, Number, Tree

LARGEST_EXPONENT = 10_000


@dataclass(frozen=True)
class Written:
    """0.0120, 138*10^-3, -41.2%: value, decimal places, significant figures (at least, most)."""

    value: Fraction
    decimals: int  # of the value: 1.2e-3 has four
    least: int  # significant figures, if no zero at the end of an integer counts
    most: int  # … if all do
    fraction: bool  # written with a decimal sign
    percent: bool = False


Places = Mapping[int, Token]


def as_figure(x: Written) -> Written:
    """41.2% as the figure 41.2, where a percentage is asked for."""
    return replace(x, value=x.value * 100, decimals=x.decimals - 2)


def number_tokens(tokens: Sequence[Token]) -> Places:
    """The numbers of a text by where they begin."""
    return {t.position: t for t in tokens if t.kind == "number"}


def written(tree: Tree, places: Places, decimal: str = ".") -> Written | None:
    """The decimal that a tree was written as; None for everything else (1/2, sqrt(2)).

    >>> from derive.text.rewrite import plain_tokens
    >>> from derive.text.statements import parse_statement
    >>> text = "-1.50*10^-3"
    >>> found = written(parse_statement(text), number_tokens(plain_tokens(text)))
    >>> found.value, found.decimals, found.least
    (Fraction(-3, 2000), 5, 3)
    """
    match tree:
        case Negative(x=x):
            found = written(x, places, decimal)
            return found and _changed(found, -found.value, 0)
        case Call(function="percent", args=(x,)):
            found = written(x, places, decimal)
            return found and _changed(found, found.value / 100, 2, percent=True)
        case Binary(op="*", left=x, right=Binary(op="^", left=Number(p=10, q=1), right=e)):
            n = _exponent(e)
            found = None if n is None else written(x, places, decimal)
            if found is None or n is None or found.percent:
                return None
            return _changed(found, found.value * Fraction(10) ** n, -n)
        case Number(position=at) if at in places:
            return _literal(tree, places[at].text, decimal)
    return None


def _changed(x: Written, value: Fraction, more: int, percent: bool = False) -> Written:
    return Written(value, x.decimals + more, x.least, x.most, x.fraction, x.percent or percent)


def _exponent(e: Tree) -> int | None:
    if isinstance(e, Negative):
        n = _exponent(e.x)
        return None if n is None else -n
    return e.p if isinstance(e, Number) and e.q == 1 and e.p <= LARGEST_EXPONENT else None


def _literal(x: Number, text: str, decimal: str) -> Written | None:
    """A number token: digits, perhaps a decimal sign, perhaps an exponent."""
    for mark in ("e", "E", "x", "×"):
        text, found, exponent = text.partition(mark)
        if found:
            break
    whole, sign, part = text.partition(decimal)
    if not (whole + part).isascii() or not (whole + part).isdigit():
        return None  # ½, a mixed number
    power = _power(exponent) if found else 0
    digits = (whole + part).lstrip("0")
    if Fraction(x.p, x.q) != int(digits or "0") * Fraction(10) ** (power - len(part)):
        return None  # a numeral to another base
    least = len(digits) if sign else len(digits.rstrip("0"))
    return Written(Fraction(x.p, x.q), len(part) - power, least, len(digits), bool(sign))


def _power(text: str) -> int:
    text = text.replace("−", "-").removeprefix("10^").removeprefix("10**").strip("()")
    return int(text)

"""Exact numbers from the texts of a model file; nothing is ever rounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from derive.text import tree
from derive.text.tree import Tree

FOLD_POWER = 64  # higher powers stay powers
FOLD_BITS = 40_000  # larger results stay as they are written

_RATIONAL = re.compile(r"\s*([+-]?)\s*([0-9]+)(?:\s*/\s*([0-9]+))?\s*")
_DECIMAL = re.compile(r"([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")


class NotANumber(Exception):
    """A text reads as something else than one exact real number; the message says what."""


def from_fraction(value: Fraction) -> Tree:
    """The tree of a rational number.

    >>> from_fraction(Fraction(-1, 2))
    Negative(x=Number(p=1, q=2))
    """
    size = tree.Number(abs(value.numerator), value.denominator)
    return tree.Negative(size) if value < 0 else size


def from_int(value: int) -> Tree:
    """The tree of a whole number."""
    return tree.Negative(tree.Number(-value, 1)) if value < 0 else tree.Number(value, 1)


def from_decimal(text: str) -> Tree:
    """The tree of a decimal such as `-0.1` or `1.5e3`, whose size has been checked.

    >>> from_decimal("-0.10"), from_decimal("1.5e3")
    (Negative(x=Number(p=1, q=10)), Number(p=1500, q=1))
    """
    found = _DECIMAL.fullmatch(text.replace("_", "") if "_" in text else text)
    if not found or not found[2] + found[3]:
        raise NotANumber(text)
    places = int(found[4] or "0") - len(found[3])
    whole = int(found[1] + found[2] + found[3])
    power = 10 ** abs(places)
    return from_fraction(Fraction(whole * power) if places > 0 else Fraction(whole, power))


def simple(text: str) -> Tree | None:
    """The tree of a text such as `-1/2`; None where it is more than one fraction.

    >>> simple("-2/4"), simple("sqrt(2)")
    (Negative(x=Number(p=1, q=2)), None)
    """
    found = _RATIONAL.fullmatch(text)
    if not found:
        return None
    below = int(found[3] or "1")
    if not below:
        raise NotANumber("a division by zero")
    return from_fraction(Fraction(int(found[1] + found[2]), below))


_NO_NUMBER = {tree.Index: "an indexed name", tree.Vector: "a vector", tree.Sum: "a sum"}


def settled(x: Tree, infinite: bool = False) -> Tree:
    """The tree as a model keeps it: one real number, in lowest terms where it is rational.

    `infinite` allows the single value -inf.  Raises NotANumber.
    """
    if infinite and x == tree.Negative(tree.Constant("inf")):
        return x
    for part in parts(x):
        if isinstance(part, tree.Constant) and part.name in ("i", "inf"):
            raise NotANumber("an infinity" if part.name == "inf" else "the imaginary unit i")
        for kind, words in _NO_NUMBER.items():
            if isinstance(part, kind):
                raise NotANumber(words)
    value = rational(x)
    return x if value is None else from_fraction(value)


def parts(x: Tree) -> Iterator[Tree]:
    """Every node of a tree, the tree itself first."""
    waiting = [x]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += tree.children(node)


def rational(x: Tree, values: dict[str, Fraction] | None = None) -> Fraction | None:
    """The value of a tree of `+ - * / ^` over rationals and the named values.

    None for everything else, and where the result would be large.  Raises NotANumber for a
    division by zero.
    """
    match x:
        case tree.Number(p, q):
            return Fraction(p, q)
        case tree.Name(name):
            return values.get(name) if values else None
        case tree.Negative(inner):
            value = rational(inner, values)
            return None if value is None else -value
        case tree.Binary(op, left, right):
            a, b = rational(left, values), rational(right, values)
            return None if a is None or b is None else _apply(op, a, b)
        case _:
            return None


def _apply(op: str, a: Fraction, b: Fraction) -> Fraction | None:
    if op == "^":
        return _power(a, b)
    if op == "/" and not b:
        raise NotANumber("a division by zero")
    if _bits(a) + _bits(b) > FOLD_BITS:
        return None
    if op == "/":
        return a / b
    return a * b if op == "*" else a + b if op == "+" else a - b


def _power(a: Fraction, b: Fraction) -> Fraction | None:
    if not a and b <= 0:
        raise NotANumber("a division by zero" if b else "0^0")
    n = b.numerator
    if b.denominator != 1 or abs(n) > FOLD_POWER or _bits(a) * abs(n) > FOLD_BITS:
        return None
    size = Fraction(a.numerator ** abs(n), a.denominator ** abs(n))
    return 1 / size if n < 0 else size


def _bits(a: Fraction) -> int:
    return a.numerator.bit_length() + a.denominator.bit_length()

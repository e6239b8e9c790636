"""Rational numbers with a bound on their size."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from derive.errors import DeriveError
from derive.exact.dag import Node

LARGEST = 100_000  # bits of a number


class TooLarge(DeriveError):
    """The value, or the way to it, would need more memory or time than is allowed."""


def bits(x: Fraction) -> int:
    """The length of the longer of numerator and denominator."""
    return max(x.numerator.bit_length(), x.denominator.bit_length())


def inverse(x: Fraction) -> Fraction:
    return 1 / x


def folded(join: Callable[[Fraction, Fraction], Fraction], numbers: list[Fraction]) -> Fraction:
    """All numbers joined in pairs, then pairs of pairs: the large ones meet last."""
    while len(numbers) > 1:
        rest = numbers[-1:] if len(numbers) % 2 else []
        pairs = zip(numbers[:-1:2], numbers[1::2], strict=False)
        numbers = [*(join(a, b) for a, b in pairs), *rest]
        if sum(map(bits, numbers)) > LARGEST * len(numbers):
            raise TooLarge(f"a number of more than {LARGEST} bits")
    return numbers[0]


def number_of(value: Any) -> Fraction | None:
    """The rational number that a value of an arithmetic shows itself to be.

    >>> from derive.exact.dag import Dag
    >>> number_of(Dag().rational(2, 4))
    Fraction(1, 2)
    """
    if isinstance(value, Node):
        return None if value.number is None else Fraction(*value.number)
    if getattr(value, "is_Rational", False):  # SymPy
        return Fraction(int(value.p), int(value.q))
    if hasattr(value, "unique_fmpz") and value.is_exact():  # balls
        whole = value.unique_fmpz()
        return Fraction(int(whole)) if whole is not None and value == whole else None
    return Fraction(value) if isinstance(value, int | Fraction) else None

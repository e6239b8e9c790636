"""Formulas that people type, read by the one parser of derive.text, as polynomials."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from derive.counting.polynomial import Poly, ceil_div
from derive.errors import DeriveError, TextError
from derive.text import Tree, parse
from derive.text.tree import Binary, Call, Constant, Name, Negative, Number

HIGHEST = 12  # power of a sum
MOST_TERMS = 200


def read_formula(text: str, place: str, names: Iterable[str] | None = None) -> Poly:
    """A formula in letters, such as `4d` or `2*L*n`.

    Raises DeriveError naming the place: what can't be read, or is no polynomial.

    >>> read_formula("4d + 2", "d-ff")
    Poly(4*d + 2)
    """
    try:
        return as_formula(parse(text, names=names))
    except DeriveError as error:
        raise DeriveError(f"{place}: {error}") from None


def as_formula(tree: Tree) -> Poly:
    """The polynomial of a tree; raises TextError for what is none."""
    match tree:
        case Number(p=p, q=q):
            return Poly.of(Fraction(p, q))
        case Name(name=name):
            return Poly.letter(name)
        case Constant(name=name, position=position):
            if name == "e":
                return Poly.letter("e")
            raise TextError(position, repr(name), "numbers and letters that count")
        case Negative(x=x):
            return -as_formula(x)
        case Binary(op="^", left=left, right=right, position=position):
            return _power(as_formula(left), as_formula(right).number, position)
        case Binary(op=op, left=left, right=right, position=position):
            return _arithmetic(op, as_formula(left), as_formula(right), position)
        case Call(function="ceil", args=(x,)):
            return ceil_div(as_formula(x), 1)
    raise TextError(tree.position, "what is no polynomial", "letters, numbers, + - * / and powers")


def _power(base: Poly, exponent: Fraction | None, position: int) -> Poly:
    if exponent is None or exponent.denominator != 1:
        raise TextError(position, "a power that is no whole number", "a whole number")
    most = HIGHEST if len(base.terms) > 1 else 1000
    if abs(exponent) > most:
        raise TextError(position, f"the power {exponent}", f"at most {most}")
    return _checked(lambda: base ** int(exponent), position)


def _arithmetic(op: str, a: Poly, b: Poly, position: int) -> Poly:
    if op == "/":
        return _checked(lambda: a.divided(b), position)
    if op == "*":
        if len(a.terms) * len(b.terms) > MOST_TERMS:
            raise TextError(position, "a product of long sums", f"at most {MOST_TERMS} terms")
        return a * b
    return a + b if op == "+" else a - b


def _checked(divide, position: int) -> Poly:  # type: ignore[no-untyped-def]
    try:
        result: Poly = divide()
        return result
    except ZeroDivisionError:
        raise TextError(position, "a division by zero", "another divisor") from None
    except ValueError:
        raise TextError(position, "a division by a sum", "a product as divisor") from None

"""A second, small program that checks certificates; it trusts nothing in them and searches nothing.

    python -m derive.exact.checker FILE      (or - for standard input)

A claim is {program, left, right, assumptions}: lines [operation, arguments…, data…], the
positions of both sides, and [position, relation] for what is assumed.  `different` says: at one
point where the assumptions hold both sides have values, and these differ.  `equal` says: they
are the same wherever the assumptions hold and all nodes have values.  The steps of a certificate
(certificate.py describes them) fill these lists, all true at every such point of the domain:

letters  v = w f(x) for one function f; elements are fractions of polynomials in the letters
value    node: the element that it is         zero, units  polynomials: always 0, never 0
facts    (e, signs): e is real, with one of these signs         pairs  (x, y): exp x = y
roots    (x, n, y): y is the principal root of x                logs   (x, y): y = log x
args     (z, y): y = arg z

Axioms besides arithmetic: exp is a homomorphism with exp(i pi) = -1, real and growing on the
reals; exp(conj x) = conj exp(x); exp(2 i arg z) = z/conj z; the principal root s of x has s^n = x,
and root(w^n x) = w root(x) for w >= 0; logarithms lie in the strip |Im| <= pi; atan x = arg(1 + i x)
for real x, asin x = -i log(root(1 - x^2) + i x), acos x = pi/2 - asin x; erf is odd, within (-1, 1).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import reduce
from math import prod
from operator import add, mul
from pathlib import Path
from typing import Any, NamedTuple

from flint import Ordering, acb, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz
from flint.utils.flint_exceptions import DomainError

__all__ = ["Rejected", "check"]

Data = Mapping[str, Any]
Poly = fmpq_mpoly
Signs = frozenset[int]  # those that a real number may have
ANY = frozenset((-1, 0, 1))
RELATIONS = {">": {1}, ">=": {0, 1}, "!=": {-1, 1}, "=": {0}, "integer": ANY}
FUNCTIONS = ("exp", "log", "sin", "cos", "asin", "acos", "atan", "erf")
SHAPES: dict[str, tuple[int, tuple[type, ...]]] = {  # operation: arguments (-1: some), data
    "rational": (0, (int, int)), "symbol": (0, (str,)), "pi": (0, ()), "i": (0, ()),
    "add": (-1, ()), "mul": (-1, ()), "power": (1, (int,)), "root": (1, (int,)), "select": (4, ()),
    **{name: (1, ()) for name in FUNCTIONS},
}  # fmt: skip
LONGEST = 1 << 16  # bits of an exact value
NAN = arb.nan()
MALFORMED = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, DomainError,
    RecursionError,
)  # fmt: skip


class Rejected(Exception):
    """The certificate doesn't show what is claimed; the message says where it fails."""


def need(holds: object, reason: str) -> None:
    """Go on only where it holds."""
    if not holds:
        raise Rejected(reason)


def arguments(line: Sequence[Any]) -> Sequence[int]:
    """The positions of a line's arguments."""
    return line[1 : len(line) - len(SHAPES[line[0]][1])]


def well_formed(program: Sequence[Sequence[Any]]) -> bool:
    """Every line is an operation on lines that stand before it."""
    for k, line in enumerate(program):
        (count, kinds), inner = SHAPES[line[0]], arguments(line)
        data = line[1 + len(inner) :]
        fits = len(inner) == count if count >= 0 else len(inner) > 0
        fits &= all(type(j) is int and 0 <= j < k for j in inner)
        fits &= [*map(type, data)] == [*kinds] and (line[0] != "root" or data[0] > 1)
        if not fits or (line[0] == "rational" and data[1] < 1):
            return False
    return True


# enclosures: fmpq as long as values are rational and short, then arb, acb


def evaluate(program: Sequence[Sequence[Any]], point: Mapping[str, fmpq], bits: int) -> list[Any]:
    """The values of all nodes at a point; not finite where one has none or none is found."""
    values: list[Any] = []
    with ctx.workprec(bits):
        for line in program:
            args = [values[k] for k in arguments(line)]
            x = apply(line[0], args, line[1 + len(args) :], point)
            long = isinstance(x, fmpq) and x.p.bit_length() + x.q.bit_length() > LONGEST
            values.append(arb(x) if long else x)
    return values


def apply(op: str, args: Sequence[Any], data: Sequence[Any], point: Mapping[str, fmpq]) -> Any:
    """One operation on enclosures."""
    if op in ("rational", "symbol"):
        return fmpq(*data) if op == "rational" else point.get(data[0], NAN)
    if op in ("add", "mul", "power", "root"):
        return reduce(add if op == "add" else mul, args) if not data else raised(op, *args, *data)
    if op == "select":
        x = args[0] if not isinstance(args[0], acb) else args[0].real if args[0].imag == 0 else NAN
        seen = [y for y, s in zip(args[1:], (x < 0, x == 0, x > 0), strict=True) if s]
        return seen[0] if seen else NAN if arb(x).is_nan() else reduce(acb.union, map(acb, args[1:]))
    x = args[0] if args else None
    if x == 0:  # exact
        return fmpq(op in ("exp", "cos")) if op not in ("log", "acos") else acb(x).acos() if op == "acos" else NAN
    if op in ("pi", "i"):
        return arb.pi() if op == "pi" else acb(0, 1)
    x = arb(x) if isinstance(x, fmpq) else x
    outside = isinstance(x, arb) and (not x > 0 if op == "log" else not abs(x) <= 1)
    x = acb(x) if outside and op in ("asin", "acos", "log", "arg") else x
    return getattr(x, op)() if x.is_finite() else NAN

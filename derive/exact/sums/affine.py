"""Index expressions: integer combinations of names, such as n - 1 or g*R + r.

An affine expression is a sorted tuple of (base, coefficient).  A base is "1", a name,
("at", f, expression) for an integer map f (a permutation, a head map), or ("product", a, b).
Names that are bound inside a sum begin with "#", names of ranges that are being worked on hold
an "@": neither can be written in the plain grammar.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from typing import Any

Base = Any  # str or one of the two tuples
Affine = tuple[tuple[Base, int], ...]
INVERSE = "^-1"  # behind the name of a permutation: its inverse


@cache
def order(x: Any) -> str:
    """A fixed order of nested tuples."""
    return repr(x)


def affine(parts: Mapping[Base, int]) -> Affine:
    """The expression of these coefficients."""
    return tuple(sorted(((b, c) for b, c in parts.items() if c), key=order))


def constant(c: int) -> Affine:
    """A whole number."""
    return affine({"1": c})


def variable(name: str) -> Affine:
    """A name."""
    return ((name, 1),)


def plus(x: Affine, y: Affine, times: int = 1) -> Affine:
    """x + times*y.

    >>> plus(variable("n"), constant(1), -1)
    (('1', -1), ('n', 1))
    """
    parts = dict(x)
    for base, c in y:
        parts[base] = parts.get(base, 0) + times * c
    return affine(parts)


def minus(x: Affine) -> Affine:
    """-x."""
    return tuple((b, -c) for b, c in x)


def below(x: Affine, y: Affine) -> Affine:
    """The expression that is >= 0 exactly where x < y."""
    return plus(plus(y, x, -1), constant(-1))


def inverse(f: str) -> str:
    """The name of the inverse map."""
    return f.removesuffix(INVERSE) if f.endswith(INVERSE) else f + INVERSE


def at(f: str, x: Affine) -> Affine:
    """The map f at x; a permutation and its inverse cancel (outside its range it is identity)."""
    if len(x) == 1 and x[0][1] == 1 and isinstance(x[0][0], tuple):
        inner = x[0][0]
        if inner[0] == "at" and inner[1] == inverse(f):
            return inner[2]  # type: ignore[no-any-return]
    return ((("at", f, x), 1),)


def times(x: Affine, y: Affine) -> Affine:
    """The product; a product of two names is a base of its own."""
    parts: dict[Base, int] = {}
    for (b, c), (e, d) in itertools.product(x, y):
        if (isinstance(b, tuple) and e != "1") or (isinstance(e, tuple) and b != "1"):
            base: Base = ("product", *sorted((b, e), key=order))
        else:
            base = e if b == "1" else b if e == "1" else ("product", *sorted((b, e)))
        parts[base] = parts.get(base, 0) + c * d
    return affine(parts)


def replaced(x: Affine, by: Mapping[str, Affine]) -> Affine:
    """Names replaced by expressions, inside maps and products, too."""
    out: Affine = ()
    for base, c in x:
        if base == "1":
            part = constant(1)
        else:
            part = _replaced_base(base, by)
        out = plus(out, part, c)
    return out


def _replaced_base(base: Base, by: Mapping[str, Affine]) -> Affine:
    if isinstance(base, str):
        return by.get(base, variable(base))
    if base[0] == "at":
        return at(base[1], replaced(base[2], by))
    return times(_replaced_base(base[1], by), _replaced_base(base[2], by))


@cache
def names_of(x: Affine) -> frozenset[str]:
    """The names in an expression."""
    return frozenset().union(*(_base_names(b) for b, _ in x if b != "1"))


def _base_names(base: Base) -> frozenset[str]:
    if isinstance(base, str):
        return frozenset((base,))
    if base[0] == "at":
        return names_of(base[2])
    return _base_names(base[1]) | _base_names(base[2])


def is_bound(name: str) -> bool:
    """A name that stands for a running index."""
    return name[0] == "#" or "@" in name

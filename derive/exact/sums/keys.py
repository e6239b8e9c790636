"""Generators of the field of sums: hashable keys, their names, renaming, one canonical labelling.

    ("letter", name)        ("var", name): an integer as a number      ("family", name, (index, …))
    ("delta", a) = [a = 0]  ("mask", a) = [a >= 0]  ("i",)  ("pi",)
    ("exp", mono, L) = exp(mono/L)   ("log", poly, poly): of a quotient   ("sqrt", poly)
    ("poly", poly): a denominator    ("function", name, poly, poly): one value for equal arguments
    ("sum", (high, …), mono): a sum over ranges from 0

mono = ((key, exponent), …), sorted; poly = ((mono, (p, q)), …), primitive and sorted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from flint import fmpq, fmpz

from derive.exact.budget import UndecidedError
from derive.exact.sums.affine import Affine, minus, names_of, order, replaced, variable

Key = tuple[Any, ...]
Mono = tuple[tuple[Key, int], ...]
PolyKey = tuple[tuple[Mono, tuple[int, int]], ...]
ONE: PolyKey = (((), (1, 1)),)
MOST_LABELLED = 8  # running indices that hang together: 8! labellings at worst


@cache
def inside(key: Key) -> tuple[tuple[Affine, ...], tuple[Mono, ...]]:
    """The index expressions and the monomials of a key."""
    kind = key[0]
    if kind == "var":
        return (variable(key[1]),), ()
    if kind == "family":
        return key[2], ()
    if kind in ("delta", "mask"):
        return (key[1],), ()
    if kind == "exp":
        return (), (key[1],)
    if kind == "sum":
        return key[1], (key[2],)
    return (), tuple(m for p in polynomials(key) for m, _ in p)


def polynomials(key: Key) -> tuple[PolyKey, ...]:
    """The polynomials of a key that has some."""
    kind = key[0]
    if kind in ("sqrt", "poly", "log"):
        return key[1:]
    return key[2:] if kind == "function" else ()


@cache
def free(key: Key) -> frozenset[str]:
    """The names of a key that aren't bound in it."""
    indices, monos = inside(key)
    names = frozenset().union(*map(names_of, indices), *map(free_of, monos))
    return names - set(binders(key)) if key[0] == "sum" else names


def free_of(mono: Mono) -> frozenset[str]:
    """The free names of a monomial."""
    return frozenset().union(*(free(k) for k, _ in mono))


@cache
def height(key: Key) -> int:
    """How many sums stand inside one another."""
    inner: int = max((height(k) for m in inside(key)[1] for k, _ in m), default=0)
    return inner + int(key[0] == "sum")


def binders(key: Key) -> list[str]:
    """The bound names of a sum: they tell the height, so that nothing is captured."""
    return [f"#{height(key)}.{n}" for n in range(len(key[1]))]


@cache
def is_complex(key: Key) -> bool:
    """Whether the imaginary unit occurs."""
    return key[0] == "i" or any(is_complex(k) for m in inside(key)[1] for k, _ in m)


def monomial(items: Iterable[tuple[Key, int]]) -> Mono:
    """A sorted monomial, equal keys together."""
    parts: dict[Key, int] = {}
    for k, e in items:
        parts[k] = parts.get(k, 0) + e
    return tuple(sorted(((k, e) for k, e in parts.items() if e), key=order))


def primitive(terms: Iterable[tuple[Mono, tuple[int, int]]]) -> tuple[fmpq, PolyKey]:
    """(scale, polynomial): whole coefficients without a common factor, the first positive."""
    ordered = sorted(terms, key=order)
    divisor, multiple = fmpz(0), fmpz(1)
    for _, (p, q) in ordered:
        divisor, multiple = divisor.gcd(fmpz(p)), multiple.lcm(fmpz(q))
    scale = fmpq(divisor, multiple) * (1 if ordered[0][1][0] > 0 else -1)
    return scale, tuple((m, _pair(fmpq(*c) / scale)) for m, c in ordered)


def _pair(x: fmpq) -> tuple[int, int]:
    return int(x.p), int(x.q)


def negated(p: PolyKey) -> PolyKey:
    """-p."""
    return tuple((m, (-c[0], c[1])) for m, c in p)


def renamed(key: Key, by: Mapping[str, Affine]) -> tuple[fmpq, Key]:
    """(factor, key) after a renaming of free names; bound names are labelled again."""
    one = fmpq(1)
    if not free(key) & set(by):
        return one, key
    kind = key[0]
    if kind == "var":
        return one, ("var", by[key[1]][0][0])
    if kind == "family":
        return one, (kind, key[1], tuple(replaced(a, by) for a in key[2]))
    if kind in ("delta", "mask"):
        a = replaced(key[1], by)
        return one, (kind, minus(a) if kind == "delta" and a[0][1] < 0 else a)
    if kind == "exp":
        factor, mono = renamed_mono(key[1], by)
        if factor != 1:
            raise UndecidedError("a sign inside an exponential")
        return one, (kind, mono, key[2])
    if kind == "sum":
        return _renamed_sum(key, by)
    return _renamed_polynomials(key, by)


def _renamed_sum(key: Key, by: Mapping[str, Affine]) -> tuple[fmpq, Key]:
    new = [f"#t{height(key)}.{n}" for n in range(len(key[1]))]
    inner = {**by, **{b: variable(v) for b, v in zip(binders(key), new, strict=True)}}
    factor, mono = renamed_mono(key[2], inner)
    ranges = [(v, replaced(h, by)) for v, h in zip(new, key[1], strict=True)]
    again, labelled, _ = label(ranges, mono)
    return factor * again, labelled


def _renamed_polynomials(key: Key, by: Mapping[str, Affine]) -> tuple[fmpq, Key]:
    scales, out = [], []
    for p in polynomials(key):
        terms = []
        for m, c in p:
            factor, mono = renamed_mono(m, by)
            terms.append((mono, _pair(fmpq(*c) * factor)))
        scale, polynomial = primitive(terms)
        scales.append(scale)
        out.append(polynomial)
    if key[0] != "poly" and any(s != 1 for s in scales):
        raise UndecidedError("a sign inside a root, a logarithm or a function")
    head = key[:2] if key[0] == "function" else key[:1]
    return (scales[0] if key[0] == "poly" else fmpq(1)), (*head, *out)


def renamed_mono(mono: Mono, by: Mapping[str, Affine]) -> tuple[fmpq, Mono]:
    """The same for a monomial."""
    factor, out = fmpq(1), []
    for k, e in mono:
        scale, key = renamed(k, by)
        factor *= scale**e
        out.append((key, e))
    return factor, monomial(out)


def label(
    ranges: Sequence[tuple[str, Affine]], mono: Mono
) -> tuple[fmpq, Key, list[tuple[str, ...]]]:
    """The one key of a sum, whatever its running indices are called.

    Indices are coloured by their range and by how they occur; only those of one colour are
    permuted.  Also returned: all orders that give this key.
    """
    if len(ranges) > MOST_LABELLED:
        raise UndecidedError(f"more than {MOST_LABELLED} running indices hang together")
    unknown = {v: variable("#?") for v, _ in ranges}
    colour = {}
    for v, high in ranges:
        marked = {**unknown, v: variable("#!")}
        seen = sorted(order(renamed_mono(((k, e),), marked)) for k, e in mono if v in free(k))
        colour[v] = order(high) + "|" + "|".join(seen)
    classes = [
        list(same)
        for _, same in itertools.groupby(sorted((v for v, _ in ranges), key=colour.get), colour.get)  # type: ignore[arg-type]
    ]
    high_of, level = dict(ranges), 1 + max((height(k) for k, _ in mono), default=0)
    best: tuple[fmpq, Key] | None = None
    orders: list[tuple[str, ...]] = []
    for choice in itertools.product(*map(itertools.permutations, classes)):
        names = tuple(v for same in choice for v in same)
        by = {v: variable(f"#{level}.{n}") for n, v in enumerate(names)}
        factor, labelled = renamed_mono(mono, by)
        key = ("sum", tuple(high_of[v] for v in names), labelled)
        if best is None or order(key) < order(best[1]):
            best, orders = (factor, key), [names]
        elif key == best[1]:
            orders.append(names)
    if best is None:
        raise UndecidedError("a sum without a running index")
    return best[0], best[1], orders


def occurrences(mono: Mono, name: str) -> set[Affine]:
    """Every index expression in which a name occurs, at any depth."""
    out: set[Affine] = set()
    for key, _ in mono:
        if name in free(key):
            indices, monos = inside(key)
            out |= {a for a in indices if name in names_of(a)}
            for m in monos:
                out |= occurrences(m, name)
    return out


def components(names: set[str], mono: Mono) -> list[set[str]]:
    """The running indices in groups that no factor connects."""
    groups = [{name} for name in names]
    for key, _ in mono:
        hit = [group for group in groups if group & free(key)]
        if len(hit) > 1:
            groups = [group for group in groups if group not in hit] + [set().union(*hit)]
    return sorted(groups, key=sorted)

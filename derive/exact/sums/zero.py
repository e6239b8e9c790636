"""When is an element zero for all sizes: its numerator, cases of free deltas, chains."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from flint import fmpq

from derive.exact.sums.affine import Affine, below, minus, order, plus, variable
from derive.exact.sums.field import Element, Poly
from derive.exact.sums.keys import monomial
from derive.exact.sums.normal_form import Ranges
from derive.exact.sums.reading import Reader

MOST_CASES = 4  # deltas and masks that are decided one way and the other
MOST_CHAINED = 5  # running indices in one product of sums: 541 orders


def is_zero(f: Reader, x: Element, depth: int = MOST_CASES) -> bool:
    """Whether the numerator is 0, for each value of the deltas and masks of free indices."""
    num = x[0]
    if num == f.nought:
        return True
    for j in list(f.idempotent):
        if not depth or not num.degrees()[j]:
            continue
        key = f.key[j]
        off = num - num.derivative(j) * f.x[j]
        on = off + num.derivative(j)
        if key[0] == "mask":
            return all(is_zero(f, (p, f.unit), depth - 1) for p in (off, on))
        if not is_zero(f, (off, f.unit), depth - 1):
            return False
        solved = _solved(f, key[1])
        if solved is None:
            return is_zero(f, (on, f.unit), depth - 1)
        return is_zero(f, _at(f, on, solved), depth - 1)
    return False


def _solved(f: Reader, a: Affine) -> dict[str, Affine] | None:
    """a = 0 solved for one of its names."""
    for base, c in a:
        if isinstance(base, str) and base != "1" and c in (1, -1):
            other = plus(a, variable(base), -c)
            return {base: minus(other) if c == 1 else other}
    return None


def _at(f: Reader, p: Poly, by: dict[str, Affine]) -> Element:
    if p == f.nought:
        return f.zero
    return f.of_poly(f.poly_key(p)[1], by)


def zero_by_chains(f: Reader, x: Element) -> bool:
    """Open all products of sums, one summand for each order of the running indices.

    On a chain r0 < r1 < … every mask and delta is decided; the summands of one chain are added
    over a common denominator.  All zero: x is zero.
    """
    num = x[0]
    sums = [j for j, k in f.key.items() if k[0] == "sum" and num.degrees()[j] > 0]
    groups: dict[tuple[tuple[int, int], ...], dict[tuple[int, ...], fmpq]] = {}
    for m, c in num.to_dict().items():
        which = tuple((j, int(m[j])) for j in sums if m[j])
        rest = tuple(0 if j in sums else e for j, e in enumerate(m))
        groups.setdefault(which, {})[rest] = c
    chains: dict[object, Element] = {}
    for which, part in groups.items():
        ranges, value = _opened(f, which, (f.ring.from_dict(part), f.unit))
        if len(ranges) > MOST_CHAINED:
            return False
        for chain, by in _chains(f, ranges):
            y = f.over(_moved(f, value[0], by), _moved(f, value[1], by))
            chains[chain] = f.add(chains.get(chain, f.zero), y)
    return all(is_zero(f, y) for y in chains.values())


def _opened(f: Reader, which: Sequence[tuple[int, int]], value: Element) -> tuple[Ranges, Element]:
    ranges: Ranges = []
    for j, e in which:
        for _ in range(e):
            new, y = f.opened(f.key[j], {}, {r[0] for r in ranges})
            ranges += new
            value = f.mul(value, y)
    return ranges, value


def _chains(f: Reader, ranges: Ranges) -> Iterator[tuple[object, dict[str, Affine]]]:
    """Each order of the indices of equal ranges: its shape, and their new names."""
    same: dict[Affine, list[str]] = {}
    for v, _, high in ranges:
        same.setdefault(high, []).append(v)
    for orders in itertools.product(*(list(_orders(vs)) for vs in same.values())):
        by: dict[str, Affine] = {}
        for high, blocks in zip(same, orders, strict=True):
            for n, block in enumerate(blocks):
                by |= {v: variable(_rank(f, n, high)) for v in block}
        shape = tuple(sorted((order(h), len(o)) for h, o in zip(same, orders, strict=True)))
        yield shape, by


def _rank(f: Reader, n: int, high: Affine) -> str:
    """The name of the n-th smallest index of a range."""
    name = f"r{n}@{order(high)}"
    if name not in f.order.ranges:
        f.order.range(name, (), high)
        if n:
            f.order.assume(below(variable(_rank(f, n - 1, high)), variable(name)))
    return name


def _orders(names: Sequence[str]) -> Iterator[list[list[str]]]:
    """v1 < v2 = v3 < v4 …: all ways."""
    if not names:
        yield []
        return
    first, *others = names
    for order_ in _orders(others):
        for n in range(len(order_) + 1):
            yield [*order_[:n], [first], *order_[n:]]
        for n in range(len(order_)):
            yield [*order_[:n], [*order_[n], first], *order_[n + 1 :]]


def _moved(f: Reader, p: Poly, by: dict[str, Affine]) -> Element:
    if p == f.nought:
        return f.zero
    return f.total(
        f.mul(
            f.number(c),
            f.of_mono(monomial((f.key[j], int(e)) for j, e in enumerate(m) if e), by),
        )
        for m, c in p.to_dict().items()
    )

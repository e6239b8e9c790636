"""Weights from a small public generator, drawn in exact integers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

from derive.model import limits
from derive.model.exact_numbers import NotANumber, from_fraction, rational
from derive.model.given import parts_of
from derive.model.matrix_kinds import Matrix
from derive.model.names import FullName, UnknownMatrix, axes, resolve
from derive.model.problems import quoted
from derive.model.spot import Reading, Spot
from derive.text import tree
from derive.text.tree import Tree

MASK = 2**32 - 1
PER_HEAD = ("head", "kv")


def mulberry32(seed: int) -> Iterator[int]:
    """Whole numbers below 2^32, without end: Tommy Ettinger's generator (public domain).

    >>> draws = mulberry32(2)
    >>> Fraction(next(draws), 2**32) * 2 - 1
    Fraction(1006100145, 2147483648)
    """
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        t = ((state ^ (state >> 15)) * (state | 1)) & MASK
        t ^= (t + (t ^ (t >> 7)) * (t | 61)) & MASK
        yield t ^ (t >> 14)


def draw_weights(values: dict[str, Any], reading: Reading) -> None:
    """Draws the matrices of `weights.order` into the places where a file would give them.

    What the file gives itself stays; its numbers are drawn all the same, so that the ones
    after it don't change.
    """
    weights = values.get("weights") or {}
    if {"seed", "order", "map", "sizes"} - set(weights):
        return  # nothing to draw, or errors that have been noted
    spot = reading.spots["weights.order"]
    sizes = _sizes(values)
    drawn, total = [], 0
    for i, name in enumerate(weights["order"]):
        full = _weight(name, i, values, spot)
        shape = full and _shape(full, i, sizes, spot)
        if full and shape:
            total += prod(shape)
            drawn.append((full, shape))
    if len({str(full) for full, _ in drawn}) < len(drawn):
        spot.bad("a name twice", "each matrix once")
    elif total > limits.CELLS:
        spot.bad(f"{total} entries to draw", f"at most {limits.CELLS}")
    elif len(drawn) == len(weights["order"]):
        _fill(values, drawn, reading)


def _weight(name: str, i: int, values: dict[str, Any], spot: Spot) -> FullName | None:
    """The weight that a name of the order means."""
    try:
        full = resolve(name, parts_of(values.get("block", [])))
    except UnknownMatrix as error:
        spot.bad(quoted(name), error.expected, error.nearest, at=(i,))
        return None
    if full.matrix.key:
        return full
    spot.bad(quoted(name), "a weight: X, E, W_… or b_…", at=(i,))
    return None


def _sizes(values: dict[str, Any]) -> dict[str, int]:
    """The sizes that shapes are made of: given ones, and those that follow from the file."""
    sizes = {"h": 1, "g": 1, "1": 1, **values["weights"]["sizes"]}
    if "k" in sizes:
        sizes.setdefault("v", sizes["k"])
    for letter, key in (("V", "vocabulary"), ("n", "tokens"), ("n", "ids")):
        if key in values:
            sizes.setdefault(letter, len(values[key]))
    return sizes


def _shape(full: FullName, i: int, sizes: dict[str, int], spot: Spot) -> tuple[int, int] | None:
    rows, columns = axes(full.matrix.shape)
    missing = sorted({letter for letter in rows + columns if letter not in sizes})
    if missing:
        read = f"{full.matrix.base}, whose shape is {rows} × {columns}"
        spot.bad(read, f"{' and '.join(missing)} in weights.sizes", at=(i,))
        return None
    return prod(sizes[x] for x in rows), prod(sizes[x] for x in columns)


def _fill(
    values: dict[str, Any], drawn: list[tuple[FullName, tuple[int, int]]], reading: Reading
) -> None:
    draws = mulberry32(values["weights"]["seed"])
    formula, spot = values["weights"]["map"], reading.spots["weights.map"]
    try:
        for full, (rows, columns) in drawn:
            matrix = tuple(
                tuple(_entry(formula, next(draws)) for _ in range(columns)) for _ in range(rows)
            )
            _place(values, full, matrix, reading)
    except NotANumber as error:
        spot.wrong(f"a number for every draw; one gives {error}")


def _entry(formula: Tree, draw: int) -> Tree:
    u = Fraction(draw, 2**32)
    value = rational(formula, {"u": u})
    return replaced(formula, from_fraction(u)) if value is None else from_fraction(value)


def replaced(x: Tree, u: Tree) -> Tree:
    """A tree with u in the place of the letter u.

    >>> from derive.text import parse, show
    >>> show(replaced(parse("sqrt(u) + 1"), tree.Number(3)))
    'sqrt(3) + 1'
    """
    match x:
        case tree.Name("u"):
            return u
        case tree.Negative(inner):
            return tree.Negative(replaced(inner, u))
        case tree.Binary(op, left, right):
            return tree.Binary(op, replaced(left, u), replaced(right, u))
        case tree.Call(function, inside):
            return tree.Call(function, tuple(replaced(part, u) for part in inside))
        case tree.Vector(inside):
            return tree.Vector(tuple(replaced(part, u) for part in inside))
        case tree.Sum(index, low, high, body):
            inner = body if index == "u" else replaced(body, u)
            return tree.Sum(index, replaced(low, u), replaced(high, u), inner)
        case _:
            return x


def _place(values: dict[str, Any], full: FullName, matrix: Matrix, reading: Reading) -> None:
    """Puts a drawn matrix where a file would give it, unless the file gives it."""
    if full.matrix.scope == "model":
        key = f"{full.matrix.part or 'embedding'}.{full.matrix.key}"
        *around, name = key.split(".")
        table = values
        for part in around:
            table = table[part]
    else:
        part, name = full.matrix.key.split(".")
        table, key = values["block"][full.block][part], f"block.{full.block}.{full.matrix.key}"
    if key not in reading.spots:
        table[name] = (matrix,) if full.matrix.scope in PER_HEAD else matrix
        reading.spots[key] = Spot(reading, key, reading.spots["weights.order"].item)

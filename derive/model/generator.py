"""Weights from a small public generator, drawn in exact integers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

from derive.model import limits
from derive.model.exact_numbers import NotANumber, from_fraction, rational
from derive.model.given import EXPERTS, find, heads_in
from derive.model.heads import Heads
from derive.model.matrix_kinds import Matrix
from derive.model.names import FullName, UnknownMatrix, axes
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
    drawn, total, complete = [], 0, True
    for i, name in enumerate(weights["order"]):
        found = _weights(name, i, values, spot)
        complete = complete and bool(found)
        for full in found:
            shape = _shape(full, i, _sizes(values, full), spot)
            if shape is None:
                complete = False
                break
            total += prod(shape)
            drawn.append((full, shape))
    if len({str(full) for full, _ in drawn}) < len(drawn):
        spot.bad("a name twice", "each matrix once")
    elif total > limits.CELLS:
        spot.bad(f"{total} entries to draw", f"at most {limits.CELLS}")
    elif complete:
        _fill(values, drawn, reading)


def _weights(name: str, i: int, values: dict[str, Any], spot: Spot) -> list[FullName]:
    """The weights that a name of the order means: without the number of a head, every head's."""
    try:
        found = find(name, values)
    except UnknownMatrix as error:
        spot.bad(quoted(name), error.expected, error.nearest, at=(i,))
        return []
    if found[0].matrix.key:
        return found
    spot.bad(quoted(name), "a weight: X, E, W_… or b_…", at=(i,))
    return []


def _sizes(values: dict[str, Any], full: FullName) -> dict[str, int]:
    """The sizes that shapes are made of: given ones, and those that follow from the file."""
    stack = values.get("memory", {}) if full.memory else values
    blocks = stack.get("block", [])
    heads = heads_in(blocks)
    layout = heads[full.block] if full.block < len(heads) else Heads()
    sizes = {"h": layout.queries, "g": layout.kv, "1": 1, **values["weights"]["sizes"]}
    if "k" in sizes:
        sizes.setdefault("v", sizes["k"])
    if full.memory:  # its rows are its own
        sizes.pop("n", None)
    for letter, key in (("V", "vocabulary"), ("n", "tokens"), ("n", "ids")):
        if key in stack:
            sizes.setdefault(letter, len(stack[key]))
    for key in ("tokens", "ids"):
        if key in values.get("memory", {}):
            sizes.setdefault("m", len(values["memory"][key]))
    if full.block < len(blocks) and (experts := blocks[full.block].get("ffn", {}).get("experts")):
        sizes["e"] = len(experts)
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
    values: dict[str, Any],
    drawn: list[tuple[FullName, tuple[int, int]]],
    reading: Reading,
) -> None:
    draws = mulberry32(values["weights"]["seed"])
    formula, spot = values["weights"]["map"], reading.spots["weights.map"]
    places: dict[str, dict[int, Matrix]] = {}  # key -> its matrices by head
    tables: dict[str, dict[str, Any]] = {}
    try:
        for full, (rows, columns) in drawn:
            matrix = tuple(
                tuple(_entry(formula, next(draws)) for _ in range(columns)) for _ in range(rows)
            )
            key, table = _place(values, full)
            places.setdefault(key, {})[full.head] = matrix
            tables[key] = table
    except NotANumber as error:
        spot.wrong(f"a number for every draw; one gives {error}")
        return
    several = {full.matrix.key for full, _ in drawn if full.matrix.scope in PER_HEAD}
    for key, table in tables.items():
        if key in reading.spots:
            continue  # the file gives it itself
        one, name = places[key], key.rpartition(".")[2]
        per_head = any(key.endswith(f".{x}") for x in several)
        table[name] = tuple(one[k] for k in sorted(one)) if per_head else one[0]
        reading.spots[key] = Spot(reading, key, reading.spots["weights.order"].item)


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


def _place(values: dict[str, Any], full: FullName) -> tuple[str, dict[str, Any]]:
    """The key where a file would give a drawn matrix, and the table that it stands in."""
    around: list[str | int] = ["memory"] if full.memory else []
    path: list[str | int] = [*full.matrix.key.split(".")]
    if full.matrix.scope == "model":
        path = [*(around or [full.matrix.part or "embedding"]), *path]
    else:
        path = [*around, "block", full.block, *path]
    if full.expert:  # …, ffn, experts, number, W_up
        letter = full.expert.rstrip("0123456789")
        name = next(key for key, prefix in EXPERTS.items() if prefix == letter)
        path[-1:] = [name, int(full.expert.removeprefix(letter)), path[-1]]
    key = ".".join(map(str, path))
    table: Any = values
    for part in path[:-1]:
        table = table[part]
    return key, table

"""Matrices that a model gives by name, and the blocks and parts that their names imply."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from derive.model.heads import Heads, heads_of
from derive.model.layers import Item, tables_of
from derive.model.matrix_kinds import Matrix, Rows, checked_mask, checked_rows
from derive.model.names import (
    MEMORY,
    WITH_INFINITY,
    FullName,
    UnknownMatrix,
    of_memory,
    resolve,
    resolve_heads,
)
from derive.model.problems import quoted
from derive.model.spot import Reading, Spot, Unusable

Resolve = Callable[[str, list[list[str]], list[Heads]], list[FullName]]

PARTS = ("attention", "ffn")
EXPERTS = {"experts": "e", "shared": "shared"}  # key of a list of experts -> prefix of each


class Given(NamedTuple):
    """A given matrix: its full name, its rows, where it stands."""

    name: FullName
    rows: Matrix
    spot: Spot


def with_implied_parts(top: Item) -> Item:
    """The file with the blocks, attention and FFN that given or drawn names speak of.

    So a model may consist of nothing but Q, K and V.

    >>> from derive.model.document import Document
    >>> from derive.model.layers import to_item
    >>> with_implied_parts(to_item({"given": {"Q": [[1]]}}, Document("x", {}))).raw["block"]
    [{'attention': {}}]
    """
    names = list(_names(top))
    top = _implied(top, [x for x in names if not x[0].startswith(MEMORY)])
    inside = [(name.removeprefix(MEMORY), x) for name, x in names if name.startswith(MEMORY)]
    if not inside:
        return top
    memory = top.value.get("memory") or Item({}, inside[0][1].document, inside[0][1].path)
    if not isinstance(memory.value, dict):
        return top
    whole = _implied(memory, inside, encoder=True)
    if whole is memory:
        return top
    return Item({**top.value, "memory": whole}, top.document, top.path)


def _implied(top: Item, names: list[tuple[str, Item]], encoder: bool = False) -> Item:
    """The model, or its encoder, with what these names speak of."""
    there = top.value.get("block")
    blocks = list(tables_of(there))
    if there is not None and not blocks and there.value != []:
        return top  # no list of tables: an error that is told later
    for name, place in names:
        try:
            full = resolve_heads(name, list(map(_parts, blocks)) or [[]], _heads(blocks))[0]
        except UnknownMatrix:
            continue
        if full.matrix.scope == "model":
            part = full.matrix.part
            if part and part not in top.value and not encoder:
                inside = {**top.value, part: Item({}, place.document, place.path)}
                top = Item(inside, top.document, top.path)
            continue
        blocks = blocks or [Item({}, place.document, place.path)]
        block, part = blocks[full.block], full.matrix.part
        if part and part not in block.value:
            inside = {**block.value, part: Item({}, place.document, place.path)}
            blocks[full.block] = Item(inside, block.document, block.path)
    if not blocks:
        return top
    around = there or top
    return Item(
        {**top.value, "block": Item(blocks, around.document, around.path)}, top.document, top.path
    )


def _heads(blocks: list[Item]) -> list[Heads]:
    """The heads of blocks that have not been read yet."""
    attentions = [block.value.get("attention") for block in blocks]
    return [heads_of(x.raw if x and isinstance(x.value, dict) else None) for x in attentions]


def _names(top: Item) -> Iterator[tuple[str, Item]]:
    """The names of given and drawn matrices, with an Item that says where they stand."""
    given, weights = top.value.get("given"), top.value.get("weights")
    if given is not None and isinstance(given.value, dict):
        yield from given.value.items()
    if weights is not None and isinstance(weights.value, dict) and "order" in weights.value:
        order = weights.value["order"]
        if isinstance(order.value, list):
            yield from ((name, order) for name in order.value if isinstance(name, str))


def _parts(block: Item) -> list[str]:
    """Which parts a block has that has not been read yet."""
    if not isinstance(block.value, dict):
        return []
    ffn = block.value.get("ffn")
    return [*block.value, *_experts(ffn.raw if ffn and isinstance(ffn.value, dict) else {})]


def _experts(ffn: Mapping[str, Any]) -> list[str]:
    """The prefixes of the experts of a feed-forward pass: e0, e1 … shared0 …"""
    lists = ((ffn.get(key), letter) for key, letter in EXPERTS.items())
    return [
        f"{letter}{k}" for found, letter in lists if isinstance(found, list)
        for k in range(len(found))
    ]  # fmt: skip


def parts_of(blocks: list[dict[str, Any]]) -> list[list[str]]:
    """Which parts each block has, experts by their prefixes.

    >>> parts_of([{"ffn": {"experts": [{}, {}], "shared": [{}]}}])
    [['ffn', 'e0', 'e1', 'shared0']]
    """
    return [
        [*(part for part in PARTS if part in block), *_experts(block.get("ffn", {}))]
        for block in blocks
    ]


def find(name: str, values: Mapping[str, Any]) -> list[FullName]:
    """The matrix that a name means in a model with these values, or one for each head of a
    block where the name lacks the number of the head; raises UnknownMatrix.
    """
    return _find(name, values, resolve_heads)


def _find(name: str, values: Mapping[str, Any], resolved: Resolve) -> list[FullName]:
    blocks = values.get("block", [])
    if not name.startswith(MEMORY):
        return resolved(name, parts_of(blocks), heads_in(blocks))
    blocks = values.get("memory", {}).get("block", [])
    try:
        inner = resolved(name.removeprefix(MEMORY), parts_of(blocks), heads_in(blocks))
    except UnknownMatrix as error:
        raise error.inside(MEMORY) from None
    return [of_memory(full) for full in inner]


def heads_in(blocks: list[dict[str, Any]]) -> list[Heads]:
    """The heads of each block."""
    return [heads_of(block.get("attention")) for block in blocks]


def read_given(values: Mapping[str, Any], reading: Reading) -> dict[str, Given]:
    """The given matrices by full name; two spellings of one name in a file are an error.

    Of two layers that give the same matrix, the one that extends the other wins.
    """
    found: dict[str, Given] = {}
    table = reading.spots.get("given")
    if table is None or not isinstance(table.item.value, dict):
        return found
    for name in table.item.value:
        spot = table.inside(name)
        try:
            (full,) = _find(name, values, lambda *where: [resolve(*where)])
            one = Given(full, _rows(full, spot), spot)
        except UnknownMatrix as error:
            spot.bad(quoted(name), error.expected, error.nearest)
            continue
        except Unusable:
            continue
        other = found.get(str(full))
        if other and other.spot.item.document is spot.item.document:
            spot.bad(f"{full} a second time", "each matrix once")
        elif not other or _layer(one) > _layer(other):
            found[str(full)] = one
    return found


def _layer(given: Given) -> int:
    """How far up in the chain of files a matrix stands; what --set gives stands on top."""
    documents = given.spot.reading.documents
    origin = given.spot.item.document
    return next((i for i, d in enumerate(documents) if d is origin), len(documents))


def _rows(full: FullName, spot: Spot) -> Matrix:
    base, shape = full.matrix.base, full.matrix.shape
    if len(shape.split()) > 2:
        raise spot.wrong(f"a matrix of two indices ({base} has three)")
    flat = "row" if shape.startswith("1 ") else "column" if shape.endswith(" 1") else ""
    rows = Rows(flat, infinite=base in WITH_INFINITY).read(spot)
    if base.startswith("mask"):
        return checked_mask(rows, spot)
    return checked_rows(rows, spot) if base == "S_masked" else rows

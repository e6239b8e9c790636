"""The schema laid on a file: every key checked, every default filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from derive.model.document import Document
from derive.model.kinds import Table, Tables
from derive.model.layers import Item, to_item
from derive.model.names import BY_BASE
from derive.model.problems import joined, quoted
from derive.model.schema import SCHEMA, Node, schema
from derive.model.spot import SIZE_LETTERS, Reading, Spot, Unusable
from derive.text.nearest import nearest

Values = dict[str, Any]

_DEFAULTS = Document("the defaults", {})


def read_model(top: Item, reading: Reading) -> Values:
    """The values of a whole file; errors are noted in `reading`."""
    root = schema()
    spot = Spot(reading, "", top)
    symbols = _value(root.inside["symbols"], spot, "symbols") or {}
    reading.names = (*symbols, *SIZE_LETTERS)
    return read_table(root, spot)


def read_table(node: Node, spot: Spot) -> Values:
    """The values of one table, by key; a value that can't be used is left out."""
    try:
        items = Table().read(spot)
    except Unusable:
        items = {}
        spot = replace(spot, item=Item({}, spot.item.document, spot.item.path))
    for name in items:
        if name not in node.inside:
            _unknown(node, spot, name)
    found: Values = {}
    for name in node.inside:
        value = _value(node.inside[name], spot, name)
        if value is not None:
            found[name] = value
    return found


def _value(node: Node, around: Spot, name: str) -> Any:
    """The value at one key: read, or its default, or None."""
    spot = _spot(node, around, name)
    if spot is None:
        return None
    try:
        if isinstance(node.key.kind, Tables):
            return _tables(node.inside["*"], spot)
        if isinstance(node.key.kind, Table):
            return read_table(node, spot)
        return node.key.kind.read(spot)
    except Unusable:
        return None


def _spot(node: Node, around: Spot, name: str) -> Spot | None:
    """Where the value of a key stands, in the file or in the defaults."""
    key, kind = joined(around.key, name), node.key.kind
    item = around.item.value.get(name)
    if item is not None:
        spot = around.reading.spots[key] = Spot(around.reading, key, item)
        return spot
    default = node.key.default
    if default is None and isinstance(kind, Table) and not kind.optional:
        default = {}
    if node.key.required:
        around.bad(f"no {name}", f"{name}: {node.key.meaning}")
    return None if default is None else Spot(around.reading, key, to_item(default, _DEFAULTS))


def _tables(node: Node, spot: Spot) -> list[Values]:
    spots = [
        Spot(spot.reading, f"{spot.key}.{i}", item) for i, item in enumerate(Tables().read(spot))
    ]
    spot.reading.spots.update((one.key, one) for one in spots)
    return [read_table(node, one) for one in spots]


def _unknown(node: Node, spot: Spot, name: str) -> None:
    """Notes a key that the schema doesn't have here, with the nearest one."""
    paths = (key.path.replace(".*", "") for key in SCHEMA)
    elsewhere = (path for path in paths if path.rpartition(".")[2] == name)
    near = next(elsewhere, None) or _given(name, spot) or nearest(name, node.supported)
    where = spot.key or "a model file"
    expected = f"one of {', '.join(node.supported)}" if node.supported else "none so far"
    spot.inside(name).bad(
        f"an unknown key {quoted(name)}", f"a key of {where}" if near else expected, near
    )


def _given(name: str, spot: Spot) -> str | None:
    """Where a named matrix such as Q is given: it is easily written at the top of the file."""
    return f"given.{name}" if not spot.key and name in BY_BASE else None

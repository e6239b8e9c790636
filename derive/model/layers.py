"""Files laid over one another: `extends`, with the origin of each value kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.model.document import Document
from derive.model.problems import Place
from derive.model.scanner import KeyPath

TEXTS = ("tokens", "ids", "text")  # setting one clears the others


@dataclass(frozen=True)
class Item:
    """A value and where it stands.

    Tables are dicts of Items, lists of tables are lists of Items, all else is plain data.
    """

    value: Any
    document: Document
    path: KeyPath = ()

    def place(self, *inside: int) -> Place:
        """File and line of the value, or of an entry inside it."""
        return self.document.place(self.path + inside)

    @property
    def raw(self) -> Any:
        """The plain data, without origins.

        >>> to_item({"a": [{"b": 1}]}, Document("x", {})).raw
        {'a': [{'b': 1}]}
        """
        if isinstance(self.value, dict):
            return {key: item.raw for key, item in self.value.items()}
        if tables := tables_of(self):
            return [item.raw for item in tables]
        return self.value


def to_item(value: object, document: Document, path: KeyPath = ()) -> Item:
    """Plain data with its origin noted at each key."""
    if isinstance(value, dict):
        inside = {key: to_item(x, document, (*path, key)) for key, x in value.items()}
        return Item(inside, document, path)
    if isinstance(value, list) and value and all(isinstance(x, dict) for x in value):
        return Item([to_item(x, document, (*path, i)) for i, x in enumerate(value)], document, path)
    return Item(value, document, path)


def merge(base: Item, over: Item) -> Item:
    """`over` laid on `base`: tables key by key, blocks by position, all else replaced.

    >>> def layer(**data): return to_item(data, Document("x", {}))
    >>> merge(layer(a={"p": 1, "q": 2}, ids=[1]), layer(a={"q": 3}, text="x y")).raw
    {'a': {'p': 1, 'q': 3}, 'text': 'x y'}
    >>> merge(layer(block=[{"p": 1}]), layer(block=[{"q": 2}, {"r": 3}])).raw
    {'block': [{'p': 1, 'q': 2}, {'r': 3}]}
    """
    if over.value and any(key in over.value for key in TEXTS):
        kept = {key: item for key, item in base.value.items() if key not in TEXTS}
        base = Item(kept, base.document, base.path)
    return _merge(base, over, "")


def _merge(base: Item, over: Item, key: str) -> Item:
    old, new = base.value, over.value
    if isinstance(old, dict) and isinstance(new, dict):
        if key == "memory" and any(text in new for text in TEXTS):
            old = {k: item for k, item in old.items() if k not in TEXTS}
        both = {k: _merge(old[k], new[k], k) if k in old else new[k] for k in new}
        return Item({**old, **both}, over.document, over.path)
    if key == "block" and tables_of(base) and tables_of(over):
        pairs = [_merge(a, b, "") for a, b in zip(old, new, strict=False)]
        rest = old[len(new) :] + new[len(old) :]
        return Item(pairs + rest, over.document, over.path)
    return over


def tables_of(item: Item | None) -> list[Item]:
    """The tables of a list of tables; none where the value is anything else."""
    value = item.value if item is not None else None
    return value if isinstance(value, list) and value and isinstance(value[0], Item) else []

"""`--set KEY=VALUE` and `--tokens`: one more layer on top of the files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.model.document import Document, toml_value
from derive.model.kinds import Named, Sizes, Symbols, Table, Tables
from derive.model.layers import TEXTS, Item, tables_of, to_item
from derive.model.problems import Problems, dotted, printable, quoted
from derive.model.schema import Node, schema
from derive.model.words import FROM_COMMAND
from derive.text.nearest import nearest

Path = tuple[str | int, ...]

_PART = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([A-Za-z0-9_-]+))\s*(\.|=)')
_FREE = (Symbols, Sizes, Named)  # tables whose keys are any names


class _Wrong(Exception):
    """An assignment that can't be carried out."""

    def __init__(self, read: str, expected: str, nearest: str | None = None) -> None:
        super().__init__(read)
        self.read, self.expected, self.nearest = read, expected, nearest


@dataclass(frozen=True)
class _Key:
    """A key that `--set` can name, with the schema's entry."""

    path: Path
    node: Node


def with_tokens(top: Item, text: str) -> Item:
    """The file with another text in place of its tokens, ids or text."""
    return _on_top(top, ("text",), to_item(text, Document(FROM_COMMAND, {})))


def with_set(top: Item, assignment: str, problems: Problems) -> Item:
    """The file with one key set; what is wrong with the assignment is noted.

    >>> from derive.model.layers import to_item
    >>> top = to_item({"block": [{"attention": {}}]}, Document("x", {}))
    >>> with_set(top, "mask=causal", Problems()).raw
    {'block': [{'attention': {'mask': 'causal'}}]}
    """
    document = Document(f"--set {assignment}", {})
    try:
        parts, value = _split(assignment)
        path = _full_path(top, parts)
        return _on_top(top, path, to_item(value, document))
    except _Wrong as error:
        problems.add(document.place(), "", error.read, error.expected, error.nearest)
        return top


def _split(assignment: str) -> tuple[list[str], object]:
    """The parts of the key, and the value: TOML, or else a text."""
    if not assignment.isascii():
        _check_text(assignment)
    parts, at = [], 0
    while found := _PART.match(assignment, at):
        parts.append(next(x for x in found.groups()[:3] if x is not None))
        at = found.end()
        if found[4] == "=":
            text = assignment[at:].strip()
            try:
                return parts, toml_value(text)
            except ValueError:
                return parts, text
    raise _Wrong(quoted(assignment), "KEY=VALUE such as block.0.attention.mask=none")


def _check_text(assignment: str) -> None:
    try:
        assignment.encode()
    except UnicodeEncodeError:
        raise _Wrong(quoted(assignment), "a text in UTF-8") from None


def _full_path(top: Item, parts: list[str]) -> Path:
    """The path that a key means: written out, or a last name that only one key has."""
    if path := _written_out(top, parts):
        if path == ("extends",):
            raise _Wrong("extends", "a key that --set can change")
        return path
    keys = {dotted(key.path): key for key in _keys(schema(), top, ())}
    ending = tuple(parts)
    fits = [k for k in keys.values() if tuple(map(str, k.path[-len(ending) :])) == ending]
    if len(fits) == 1:
        return fits[0].path
    if fits:
        several = ", ".join(dotted(k.path) for k in fits)
        raise _Wrong(f"{dotted(parts)}, which several keys end in", f"one of {several}")
    name = dotted(parts)
    near = nearest(name, keys)
    if near is None and (last := nearest(parts[-1], {str(k.path[-1]) for k in keys.values()})):
        near = next(text for text, key in keys.items() if key.path[-1] == last)
    raise _Wrong(f"no key {quoted(name)} of this model", "a key of the model file", near)


def _written_out(top: Item, parts: list[str]) -> Path | None:
    """The path where every part is a key of the schema, from the top."""
    node = schema()
    path: Path = ()
    item: Item | None = top
    for i, part in enumerate(parts):
        if isinstance(node.key.kind, _FREE):  # what is left is one name: given.b0.h0.A
            return (*path, ".".join(parts[i:]))
        if isinstance(node.key.kind, Tables):
            path, node = (*path, _number(item, part, path)), node.inside["*"]
        elif part in node.inside:
            path, node = (*path, part), node.inside[part]
        else:
            return None
        item = _inside(item, path[-1])
    return path


def _number(item: Item | None, part: str, path: Path) -> int:
    """The number of a block, or of an expert, that is there."""
    count = len(tables_of(item))
    if not re.fullmatch("[0-9]{1,6}", part) or int(part) >= count:
        what = "block" if path[-1] == "block" else "expert"
        found = f"{what} 0 to {count - 1}" if count > 1 else f"{what} 0" if count else f"no {what}"
        raise _Wrong(f"{what} {printable(part)}", f"{found}: the model has {count}")
    return int(part)


def _inside(item: Item | None, part: str | int) -> Item | None:
    """The Item of a key or number inside another, None where it isn't there."""
    if item is None:
        return None
    if isinstance(part, int):
        return tables_of(item)[part]
    return item.value.get(part) if isinstance(item.value, dict) else None


def _keys(node: Node, item: Item | None, path: Path) -> Iterator[_Key]:
    """Every key of the schema that this model could have, those of absent parts left out."""
    for name, inside in node.inside.items():
        here = _inside(item, name)
        at = (*path, name)
        yield _Key(at, inside)
        if isinstance(inside.key.kind, Tables):
            for i, block in enumerate(tables_of(here)):
                yield from _keys(inside.inside["*"], block, (*at, i))
        elif here is not None or (not _absent(inside, path) and name != "memory"):
            yield from _keys(inside, here, at)


def _absent(node: Node, path: Path) -> bool:
    """Whether a table that isn't there is a part that the block lacks."""
    return bool(path) and isinstance(node.key.kind, Table) and node.key.kind.optional


def _on_top(top: Item, path: Path, value: Item) -> Item:
    if path[0] in TEXTS:
        top = _without_texts(top)
    memory = top.value.get("memory")
    if path[0] == "memory" and path[-1] in TEXTS and memory and isinstance(memory.value, dict):
        inside = {**top.value, "memory": _without_texts(memory)}
        top = Item(inside, top.document, top.path)
    return _put(top, path, value)


def _without_texts(table: Item) -> Item:
    """The table without its tokens and ids: setting one of them clears the others."""
    kept = {key: item for key, item in table.value.items() if key not in TEXTS}
    return Item(kept, table.document, table.path)


def _put(item: Item, path: Path, value: Item) -> Item:
    """The Item with the value at a path; tables on the way are made where they are missing."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        blocks = list(item.value)
        blocks[first] = _put(blocks[first], rest, value)
        return Item(blocks, item.document, item.path)
    table = dict(item.value) if isinstance(item.value, dict) else {}
    before = table.get(first) or Item({}, value.document)
    table[first] = _put(before, rest, value)
    return Item(table, item.document, item.path)

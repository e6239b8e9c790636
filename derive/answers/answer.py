"""An answer as it was typed: read, understood, and evaluated without its key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derive.answers.cells import Region, depends
from derive.answers.matching import named
from derive.answers.policy import Policy
from derive.answers.written import Places, number_tokens
from derive.errors import AddressError, DeriveError, TextError
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.reading import WrongShape, evaluate
from derive.graph import Graph
from derive.render.escape import terminal
from derive.text.parser import number as quick_number
from derive.text.rewrite import plain_tokens
from derive.text.statements import (
    CONDITIONS,
    VALUES,
    Listed,
    Statement,
    parse_statement,
    show_statement,
)
from derive.text.tree import Call, Index, Name, Tree, Vector, children

AROUND = 30
MOST_STRANGE = 8


class Unreadable(DeriveError):
    """The answer can't be read, or is not a value."""

    def __init__(
        self, message: str, error: dict[str, Any] | None = None, read: str | None = None
    ) -> None:
        super().__init__(message)
        self.error, self.read = error, read


@dataclass(frozen=True)
class Answer:
    """What an answer says."""

    shown: str  # as it was understood
    tree: Statement
    value: Any  # a node, tuples of nodes, or None
    numbers: Places
    decimal: str
    kind: str | None = None  # "a set", "a relation" … where that is no value
    notes: tuple[str, ...] = ()

    @property
    def percent(self) -> bool:
        return isinstance(self.tree, Call) and self.tree.function == "percent"

    @property
    def shape(self) -> str:
        """Its shape in words."""
        if not isinstance(self.value, tuple):
            return "one number"
        lengths = {len(row) if isinstance(row, tuple) else 0 for row in self.value}
        if lengths == {0}:
            return f"a vector of {len(self.value)}"
        if len(lengths) > 1:
            return "rows of different lengths"
        return f"a matrix of {len(self.value)} rows and {lengths.pop()} columns"

    def places(self, region: Region) -> list[tuple[int, int, Node, Tree | None]] | None:
        """Row, column, value and tree of every entry; None where the shape is another."""
        rows, columns = region.shape
        if region.axes == 0:
            return None if isinstance(self.value, tuple) else [(0, 0, self.value, self.tree)]  # type: ignore[list-item]
        if not isinstance(self.value, tuple):
            return None
        values: Any = self.value
        trees = _items(self.tree)
        if region.axes == 1:
            values, trees = _flat(values, trees)
            if len(values) != rows * columns or any(isinstance(v, tuple) for v in values):
                return None
            at = [(i, j) for i in range(rows) for j in range(columns)]
            return [(i, j, v, t) for (i, j), v, t in zip(at, values, trees, strict=True)]
        return _grid(values, trees, rows, columns)


def _items(tree: Any) -> list[Any]:
    return list(tree.items) if isinstance(tree, Vector | Listed) else []


def _flat(values: tuple[Any, ...], trees: list[Any]) -> tuple[list[Any], list[Any]]:
    """A row or a column that was written as a matrix, as a vector."""
    if len(values) == 1 and isinstance(values[0], tuple):
        values, trees = values[0], _items(trees[0]) if trees else []
    elif all(isinstance(v, tuple) and len(v) == 1 for v in values):
        values = tuple(v[0] for v in values)
        trees = [_items(t)[0] if _items(t) else None for t in trees]
    return list(values), trees if len(trees) == len(values) else [None] * len(values)


def _grid(
    values: tuple[Any, ...], trees: list[Any], rows: int, columns: int
) -> list[tuple[int, int, Node, Tree | None]] | None:
    if len(values) != rows or any(not isinstance(r, tuple) or len(r) != columns for r in values):
        return None
    out = []
    for i, row in enumerate(values):
        parts = _items(trees[i]) if len(trees) == rows else []
        for j, value in enumerate(row):
            if isinstance(value, tuple):
                return None
            out.append((i, j, value, parts[j] if len(parts) == columns else None))
    return out


def read(graph: Graph, region: Region, text: str, policy: Policy) -> Answer:
    """Read an answer; raises Unreadable with the place of the fault, or why it has no value."""
    decimal = "," if graph.model.notation["decimal"] == "comma" else "."
    text = _without_unit(text, policy.unit)
    tree, strange = _parsed(graph, text, policy, decimal)
    shown = show_statement(tree)
    numbers = number_tokens(plain_tokens(text, decimal, policy.cells))
    notes = tuple(f"{x} is not one of the letters of the model" for x in strange)
    if isinstance(tree, Listed) and region.axes:
        pass
    elif isinstance(tree, (*VALUES, *CONDITIONS)):
        return Answer(shown, tree, None, numbers, decimal, named(tree), notes)
    value = _value(graph, region, tree, policy, shown)
    return Answer(shown, tree, value, numbers, decimal, None, notes)


def _without_unit(text: str, unit: str | None) -> str:
    """The answer without the unit that may stand after it."""
    if not unit:
        return text
    bare = text.rstrip()
    for mark in (f"\\text{{{unit}}}", f"\\mathrm{{{unit}}}", f"\\,{unit}", unit):
        if bare.endswith(mark):
            return bare[: -len(mark)].rstrip(" \\,")
    return text


def _parsed(graph: Graph, text: str, policy: Policy, decimal: str) -> tuple[Statement, list[str]]:
    """The tree, and names that only resemble a letter of the model."""
    declared = [str(x) for x in graph.model.symbols]
    strange: list[str] = []
    while True:
        try:
            quick = quick_number(text) if decimal == "." else None
            if quick is not None:
                return quick, []
            tree = parse_statement(
                text, names=(*declared, *strange), decimal=decimal, addresses=policy.cells
            )
            return tree, strange
        except TextError as error:
            name = error.found.removeprefix("the unknown name ").strip("'")
            if len(strange) < MOST_STRANGE and name != error.found and _resembles(name, declared):
                strange.append(name)
                continue
            raise _faulty(text, error) from None
        except RecursionError:
            raise Unreadable("too deeply nested") from None


def _resembles(name: str, declared: list[str]) -> bool:
    """Does a name differ from a letter of the model in case or a subscript only?"""

    def core(x: str) -> str:
        return x.replace("_", "").casefold()

    return any(
        core(name) == core(x)
        or name.partition("_")[0] == x
        or core(name).rstrip("0123456789") == core(x)
        for x in declared
    )


def _faulty(text: str, error: TextError) -> Unreadable:
    at = error.position
    where = {
        "position": at + 1,
        "found": terminal(error.found),
        "expected": terminal(error.expected),
    }
    before, after = terminal(text[max(0, at - AROUND) : at]), terminal(text[at : at + AROUND])
    return Unreadable(f"{terminal(str(error))}\n{before}{after}\n{' ' * len(before)}^", where)


def _value(graph: Graph, region: Region, tree: Statement, policy: Policy, shown: str) -> Any:
    used = [x for x in _names(tree) if "[" in x]
    free = graph.free or used
    dag = graph.dag if free else Dag()
    symbols: dict[str, Any] = {name: dag.symbol(name) for name in _names(tree) if "[" not in name}
    for address in used:
        symbols[address] = _cell_value(graph, region, address, shown)
    try:
        if isinstance(tree, Listed):
            return tuple(evaluate(x, dag, symbols) for x in tree.items)
        return evaluate(tree, dag, symbols)  # type: ignore[arg-type]
    except UndefinedValue as why:
        raise Unreadable(f"the answer has no value: {why}", read=shown) from None
    except WrongShape as why:
        raise Unreadable(str(why), read=shown) from None


def _names(tree: Any) -> Iterator[str]:
    if isinstance(tree, Name | Index):
        yield tree.name
    parts = tree.items if isinstance(tree, Listed) else children(tree)
    for part in parts:
        yield from _names(part)


def _cell_value(graph: Graph, region: Region, address: str, shown: str) -> Node:
    """A cell that an answer uses; never one that is asked for, or made from it."""
    try:
        cell = graph[address]
    except AddressError as why:
        raise Unreadable(str(why), read=shown) from None
    targets = {(c.matrix.name, c.indices) for row in region.cells for c in row}
    if depends(cell, targets):
        raise Unreadable(f"{address} may not be used: it is asked for, or made from it", read=shown)
    return cell.node

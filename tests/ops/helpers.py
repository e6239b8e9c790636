"""Run one operation on small tables of texts, in the kernel's arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.exact.dag import Dag, Node
from derive.exact.decide import decide
from derive.exact.reading import evaluate
from derive.line import value
from derive.operation import Operation
from derive.text import names, parse

Table = list[list[str]]


class Filled(dict[tuple[int, ...], Any]):
    """A matrix of values with its shape."""

    def __init__(self, rows: list[list[Any]]) -> None:
        super().__init__(_cells(rows))
        self.shape = tuple(size + 1 for size in map(max, zip(*self, strict=True)))
        self.rows, self.columns = self.shape[:2]


def _cells(rows: Any, at: tuple[int, ...] = ()) -> dict[tuple[int, ...], Any]:
    """Nested lists by their indices."""
    if not isinstance(rows, list):
        return {at: rows}
    return {k: x for i, row in enumerate(rows) for k, x in _cells(row, (*at, i)).items()}


def nested(shape: tuple[int, ...], cell: Callable[..., Any], *at: int) -> Any:
    """Nested lists of this shape, filled by the indices."""
    if not shape:
        return cell(*at)
    return [nested(shape[1:], cell, *at, i) for i in range(shape[0])]


def read(text: str, f: Dag) -> Node:
    """A text as a node; every name in it is a free letter."""
    tree = parse(text)
    letters = {name: f.symbol(name) for name in names(tree)}
    return evaluate(tree, f, letters)  # type: ignore[no-any-return]


def run(operation: Operation, f: Dag, inputs: Mapping[str, Table]) -> Filled:
    """All cells of the operation on the given inputs (by role)."""
    views = {role: Filled([[read(x, f) for x in row] for row in t]) for role, t in inputs.items()}
    return over(operation, f, views)


def over(operation: Operation, f: Dag, views: Mapping[str, Filled]) -> Filled:
    shapes = {operation.inputs[role]: v.shape for role, v in views.items()}
    shape = operation.output(shapes)
    return Filled(nested(shape, lambda *at: operation.define(f, *at, **views)))


def assert_gives(operation: Operation, expected: Table, **inputs: Table) -> None:
    """The operation gives exactly the expected table, and its formulas say the same."""
    f = Dag()
    out = run(operation, f, inputs)
    assert (out.rows, out.columns) == (len(expected), len(expected[0]))
    for i, row in enumerate(expected):
        for j, text in enumerate(row):
            verdict = decide(out[i, j], read(text, f))
            assert verdict.verdict == "equal", (i, j, text, verdict)


def formula_value(operation: Operation, f: Dag, views: Mapping[str, Filled], at: Any) -> Any:
    """The value of the formula in the cells that `define` reads."""
    by_name = {operation.inputs[role]: view for role, view in views.items()}
    return value(operation.formulas(*at)[-1], f, lambda name, k: by_name[name][k])

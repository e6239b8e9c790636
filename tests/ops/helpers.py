"""Run one operation on small tables of texts, in the kernel's arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
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
        super().__init__({(i, j): x for i, row in enumerate(rows) for j, x in enumerate(row)})
        self.rows, self.columns = len(rows), len(rows[0])


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
    shapes = {operation.inputs[role]: (v.rows, v.columns) for role, v in views.items()}
    rows, columns = operation.output(shapes)
    return Filled(
        [[operation.define(f, i, j, **views) for j in range(columns)] for i in range(rows)]
    )


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

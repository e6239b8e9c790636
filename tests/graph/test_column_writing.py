"""Column writing of whole models: every printed line is true, and its shapes agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from derive.blocks import build
from derive.exact.decide import decide
from derive.graph import Cell, Graph, derivation, table
from derive.graph.worked import general
from derive.line import Decimal, Entry, transposed, value
from derive.model import bundled, load
from tests.line.shape_law import complaints

MODELS = [name for name, *_ in bundled()]
ALIKE = re.compile(r"(b[1-9]\d*\.)|(b\d+\.(h[1-9]|kv[1-9])\.)")  # a later block or head
COLUMN = ["notation.vectors=column"]
WORKED = ("cats", "aibyhand", "weights")  # whole lines; what all models have: the formulas


@pytest.fixture(scope="module", params=MODELS)
def graph(request: pytest.FixtureRequest) -> Graph:
    return build(load(request.param, sets=COLUMN))


def ends(graph: Graph) -> Iterator[Cell]:
    """A cell of every computed matrix: its last row, the column before the last."""
    for matrix in graph.matrices.values():
        if matrix.operation.inputs and not ALIKE.match(matrix.name):
            *before, columns = matrix.shape
            yield Cell(graph, matrix, (*(n - 1 for n in before), max(columns - 2, 0)))


def test_formulas_are_equal_to_the_cell_and_their_shapes_agree(graph: Graph) -> None:
    f = graph.dag
    shapes = {name: graph.printed_shape(m.shape) for name, m in graph.matrices.items()}
    for cell in ends(graph):
        left = general(cell.matrix, cell.indices)
        for formula in cell.formulas:
            printed = transposed(formula)
            assert complaints(turn(left), printed, shapes) == [], cell
            written = value(printed, f, lambda m, at: graph.values(m, f)[at[::-1]])
            assert decide(written, cell.node).verdict == "equal", (cell, printed)


def turn(x: Entry) -> Entry:
    out = transposed(x)
    assert isinstance(out, Entry)
    return out


@pytest.mark.parametrize("name", WORKED)
def test_worked_lines_are_equal_to_the_cell_and_their_shapes_agree(name: str) -> None:
    graph = build(load(name, sets=COLUMN))
    f = graph.dag
    shapes = {name: graph.printed_shape(m.shape) for name, m in graph.matrices.items()}
    for cell in ends(graph):
        lines = derivation(graph, cell.address).steps[0].lines
        assert lines
        for line in lines:
            assert isinstance(line.left, Entry)
            assert complaints(line.left, line.right, shapes) == [], cell
            if not isinstance(line.right, Decimal):
                written = value(line.right, f, lambda m, at: graph.values(m, f)[at[::-1]])
                assert decide(written, cell.node).verdict == "equal", (cell, line)


@pytest.mark.parametrize("name", WORKED)
def test_printed_matrices_are_the_transposed_ones(name: str) -> None:
    """Shape, labels and cells, against those in row writing and the lines of single cells."""
    graph, usual = build(load(name, sets=COLUMN)), build(load(name, sets=["notation.vectors=row"]))
    for matrix in graph.matrices.values():
        if ALIKE.match(matrix.name):
            continue
        printed, before = (table(g, matrix.name, form="symbolic") for g in (graph, usual))
        assert printed.shape == before.shape[::-1] == matrix.shape[::-1]
        assert (printed.rows, printed.columns) == (before.columns, before.rows)
        cell = Cell(graph, matrix, (*(n - 1 for n in matrix.shape[:-1]), 0))
        assert printed.cells[0][-1] == transposed(cell.formula)


def test_values_and_typed_addresses_stay() -> None:
    usual, column = build(load("mat")), build(load("mat", sets=COLUMN))
    for address in ("A[4,1]", "probs[4,3]", "W_up[2,5]"):
        one, two = derivation(usual, address), derivation(column, address)
        assert one.cell == two.cell and set(one.reads) == set(two.reads)
        assert (one.exact, one.decimal, one.enclosure) == (two.exact, two.decimal, two.enclosure)
    both = [table(graph, "W_up") for graph in (usual, column)]
    assert tuple(zip(*both[0].plain, strict=True)) == both[1].plain

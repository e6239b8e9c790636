"""Every worked line of every cell of the bundled models is proved equal to the definition."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest

from derive.blocks import build
from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.graph import Cell, Graph, derivation
from derive.line import Decimal, Line, value
from derive.model import bundled, load
from derive.text import parse

MODELS = [name for name, *_ in bundled()]
LARGE = {"mat", "cats-mha", "cats-gqa", "cats-mqa", "cats-interleaved", "encoder", "decoder", "gpt",
         "llama", "bert", "neox", "bloom", "gemma", "activations", "sheet", "sampling",
         "encoder-decoder", "mla", "moe", "deepseek"}  # fmt: skip


@pytest.fixture(scope="module", params=MODELS)
def graph(request: pytest.FixtureRequest) -> Graph:
    return build(load(request.param))


def cells(graph: Graph) -> list[Cell]:
    """Every cell; of the models of families those of the first head, others are alike."""
    alike = re.compile(r"(mem\.)?b\d+\.(h[1-9]|kv[1-9])\.")
    return [
        Cell(graph, matrix, at)
        for matrix in graph.matrices.values()
        if graph.model.name not in LARGE or not alike.match(matrix.name)
        for at in product(*map(range, matrix.shape))
    ]


class Letters:
    """An input matrix of free letters."""

    def __init__(self, f: Dag, graph: Graph, name: str) -> None:
        self.f, self.name = f, name
        self.rows, self.columns = graph.matrices[name].shape[:2]

    def __getitem__(self, at: tuple[int, ...]) -> Any:
        return letter(self.f, self.name, at)


def letter(f: Dag, matrix: str, at: tuple[int, ...]) -> Any:
    return f.symbol(f"{matrix}{list(at)}")


def test_formulas_say_what_is_computed_whatever_is_read(graph: Graph) -> None:
    for cell in cells(graph):
        f = Dag()
        operation = cell.matrix.operation
        views = {role: Letters(f, graph, name) for role, name in operation.inputs.items()}
        defined = operation.define(f, *cell.indices, **views)
        written = value(operation.formulas(*cell.indices)[-1], f, partial(letter, f))
        assert decide(written, defined).verdict == "equal", cell


def at_an_end(cell: Cell) -> bool:
    """The last row's first and last cell."""
    rows, *_, columns = cell.matrix.shape
    return cell.indices[0] == rows - 1 and cell.indices[-1] in (0, columns - 1)


@pytest.fixture(scope="module")
def worked(graph: Graph) -> list[tuple[Cell, tuple[Line, ...]]]:
    """The lines of every computed cell; of the large models, those at the ends of the last row."""
    chosen = [
        cell
        for cell in cells(graph)
        if cell.matrix.operation.inputs and (graph.model.name not in LARGE or at_an_end(cell))
    ]
    return [(c, derivation(graph, c.address, digits=7).steps[0].lines) for c in chosen]


def test_lines_are_equal_to_the_cell(
    graph: Graph, worked: list[tuple[Cell, tuple[Line, ...]]]
) -> None:
    f = graph.dag
    turn = -1 if graph.columns else 1  # in column writing a line has the transposed cells
    for cell, lines in worked:
        for line in lines:
            if isinstance(line.right, Decimal):
                continue
            assert line.relation == "="
            written = value(line.right, f, lambda m, at: graph.values(m, f)[at[::turn]])
            assert decide(written, cell.node).verdict == "equal", (cell, line)


def test_decimals_are_correctly_rounded(worked: list[tuple[Cell, tuple[Line, ...]]]) -> None:
    for cell, lines in worked:
        for line in lines:
            if isinstance(line.right, Decimal):
                check_decimal(cell, line, line.right.text)


def check_decimal(cell: Cell, line: Line, text: str) -> None:
    tree = parse(text.lstrip("-"))
    printed = Fraction(*_ratio(tree)) * (-1 if text.startswith("-") else 1)
    low, high = cell.enclosure(400)
    if line.relation == "=":
        assert low <= printed <= high
        assert cell.equals(printed)
        return
    half = Fraction(1, 2) * Fraction(10) ** (_exponent(printed) - 6)
    half += Fraction(1, 2**300)  # a value may lie exactly between two, its enclosure around it
    assert abs(low - printed) <= half and abs(high - printed) <= half, (cell, text)


def _ratio(tree: Any) -> tuple[int, int]:
    f = Dag()
    from derive.exact.reading import evaluate

    return evaluate(tree, f, {}).number  # type: ignore[no-any-return]


def _exponent(x: Fraction) -> int:
    """The place of the first significant digit."""
    k = 0
    while abs(x) >= Fraction(10) ** (k + 1):
        k += 1
    while x and abs(x) < Fraction(10) ** k:
        k -= 1
    return k

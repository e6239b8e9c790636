"""Published figures, to all printed digits: one row a figure, named by its section.

"I like cats too" prints cells of the model `cats` (section 12 of `cats-two-blocks`); "the
model predicts the next" prints cells of `next`.  A row of cells is NAME[i,:].
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from derive.blocks import build
from derive.exact.digits import places_of
from derive.graph import Cell, Graph
from derive.model import load

FIGURES = Path(__file__).with_name("published.txt").read_text(encoding="utf-8")
MODELS = ("cats", "cats-two-blocks", "cats-mha", "cats-gqa", "cats-mqa", "next")
ROWS = [line.split(maxsplit=3) for line in FIGURES.splitlines() if line[:1] != "#"]


@pytest.fixture(scope="module")
def graphs() -> dict[str, Graph]:
    return {name: build(load(name)) for name in MODELS}


@pytest.mark.parametrize(
    ("model", "section", "where", "printed"), ROWS, ids=[f"{m}-{s}-{w}" for m, s, w, _ in ROWS]
)
def test_figure(
    graphs: dict[str, Graph], model: str, section: str, where: str, printed: str
) -> None:
    graph = graphs[model]
    matrix, (*at, j) = graph.addresses.parts(where)
    numbers = printed.split()
    columns = range(matrix.shape[-1]) if j is None else [j]
    assert len(columns) == len(numbers)
    for column, number in zip(columns, numbers, strict=True):
        cell = Cell(graph, matrix, (*map(int, at), column))
        dp = len(number.rstrip("%").partition(".")[2])
        if number.endswith("%"):
            share = Fraction(places_of(cell.ball, cell.equals, dp + 2) or "") * 100
            assert share == Fraction(number.rstrip("%"))
        elif dp == 0:
            assert cell.node.number == (int(number), 1)
        else:
            assert places_of(cell.ball, cell.equals, dp) == number


def test_signs_of_section_10(graphs: dict[str, Graph]) -> None:
    """Four numbers of U[2,:] are negative; one number of row 0 is exactly 0."""
    cats = graphs["cats"]
    assert [cats[f"U[2,{j}]"].sign for j in range(8)].count(-1) == 4
    assert cats["U[0,6]"].sign == 0


@pytest.mark.parametrize(("model", "numbers"), [("cats-mha", 16), ("cats-gqa", 8), ("cats-mqa", 4)])
def test_size_of_the_cache_of_section_7(graphs: dict[str, Graph], model: str, numbers: int) -> None:
    """Numbers a token adds to the cache: the keys that scores read, and the values."""
    from derive.blocks.decode import _cached_names

    graph = graphs[model]
    assert sum(graph.matrices[name].shape[1] for name in _cached_names(graph)) == numbers


@pytest.mark.parametrize("model", ["cats", "next"])
def test_rows_of_attention_sum_to_one(graphs: dict[str, Graph], model: str) -> None:
    graph = graphs[model]
    n = graph.matrix("A").shape[0]
    for i in range(n):
        total = sum((graph[f"A[{i},{j}]"].node for j in range(n)), graph.dag.zero)
        from derive.exact.decide import decide

        assert decide(total, graph.dag.one).verdict == "equal"
        assert all(graph[f"A[{i},{j}]"].node.number == (0, 1) for j in range(i + 1, n))

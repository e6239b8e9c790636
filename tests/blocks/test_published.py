"""Published figures, to all printed digits: one row a figure, named by its section.

"I like cats too" prints cells of the model `cats` (section 12 of `cats-two-blocks`); "the
model predicts the next" prints cells of `next`.  A row of cells is NAME[i,:].
"""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.exact.digits import places_of
from derive.graph import Cell, Graph
from derive.model import load

FIGURES = """
cats             1  E[3,:]           1 1 -1 -1
cats             2  Q[2,:]           1 -1
cats             2  K[2,:]           0 -1.5
cats             2  V[2,:]           1.5 -1.5
cats             3  Q_rot[2,:]       0.493 1.325
cats             3  K_rot[2,:]       1.364 0.624
cats             4  S[2,:]           1.16 -1.53 1.50 -2.07
cats             5  S_scaled[2,3]    -1.466
cats             5  A[2,:]           0.412 0.062 0.526 0
cats             5  A[0,0]           1
cats             6  Z[2,:]           0.61 -0.49
cats             7  K[0,:]           1 0.5
cats             7  A[2,:]           0.41 0.06 0.53 0
cats-mha         7  h0.A[2,:]        0.41 0.06 0.53 0
cats-mha         7  h1.K[0,:]        -0.5 -1
cats-mha         7  h1.A[2,:]        0.17 0.67 0.16 0
cats-gqa         7  h1.K[0,:]        0.25 -0.25
cats-gqa         7  kv0.K[0,:]       0.25 -0.25
cats-gqa         7  h1.A[2,:]        0.25 0.54 0.21 0
cats-gqa         7  h0.A[2,:]        0.19 0.18 0.63 0
cats-gqa         7  h0.Z[2,:]        0.63 -0.13
cats             8  O[2,:]           0.61 -0.49 -0.25 0.31
cats             8  H_mid[2,:]       1.61 0.51 -1.25 -0.69
cats            10  N2[2,:]          1.46 0.46 -1.13 -0.63
cats            10  U[2,0]           1.09
cats            10  F[2,1]           0.54
cats            10  H[2,:]           1.61 1.05 -1.81 -1.51
cats            12  X.rms[2,0]       1
cats            12  H_mid.rms[2,0]   1.11
cats            12  H.rms[2,0]       1.52
cats-two-blocks 12  b1.H_mid.rms[2,0] 1.87
cats-two-blocks 12  b1.H.rms[2,0]    2.26
cats            13  Q_rot[3,:]       0.849 -1.131
cats            13  K_rot[3,:]       -0.212 -1.485
cats            13  V[3,:]           -1.5 1.5
cats            14  V[0,:]           -0.5 0.5
cats            14  V[1,:]           0.5 1.5
cats            14  S_scaled[2,0]    0.817
cats            14  S_scaled[2,1]    -1.084
next             -  A[0,:]           1.00 0 0 0 0
next             -  A[1,:]           0.54 0.46 0 0 0
next             -  A[2,:]           0.22 0.10 0.68 0 0
next             -  A[3,:]           0.21 0.27 0.29 0.23 0
next             -  A[4,:]           0.15 0.08 0.52 0.02 0.23
next             -  Z[4,:]           0.29 0.92 0.90 -0.29
"""
MODELS = ("cats", "cats-two-blocks", "cats-mha", "cats-gqa", "cats-mqa", "next")
ROWS = [line.split(maxsplit=3) for line in FIGURES.strip().splitlines()]


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
    matrix, (i, j) = graph.addresses.parts(where)
    numbers = printed.split()
    columns = range(matrix.shape[1]) if j is None else [j]
    assert len(columns) == len(numbers)
    for column, number in zip(columns, numbers, strict=True):
        assert i is not None
        cell = Cell(graph, matrix, (i, column))
        dp = len(number.partition(".")[2])
        if dp == 0:
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

"""The worked derivation as data: which lines, in which order, and what is said beside them."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.graph import Graph, derivation, table
from derive.line import Decimal, Entry, Line, Neg, Num, Plus, Times
from derive.model import load, loads


@pytest.fixture(scope="module")
def cats() -> Graph:
    return build(load("cats"))


def kinds(lines: tuple[Line, ...]) -> list[str]:
    return [line.kind for line in lines]


def test_the_five_lines_of_a_cell(cats: Graph) -> None:
    d = derivation(cats, "Q[2,0]")
    lines = d.steps[0].lines
    assert kinds(lines) == ["definition", "here", "substituted", "exact", "decimal"]
    assert lines[2].right == Plus(
        tuple(Times((Num(a), Num(b))) for a, b in ((1, 0), (1, 0), (-1, 0), (-1, -1)))
    )
    assert (d.exact, d.decimal, d.enclosure) == ("1", "1", ("1", "1"))


def test_closed_forms_of_the_source(cats: Graph) -> None:
    assert derivation(cats, "S[2,0]").exact == "cos(2)/2 + 3*sin(2)/2"
    exact = derivation(cats, "A[2,0]").exact
    assert exact is not None and exact.startswith("exp(sqrt(2)*(cos(2) + 3*sin(2))/4)/(")
    assert derivation(cats, "A[2,0]").decimal == "0.41238"
    assert derivation(cats, "S[3,2]", digits=12).exact == "3*sin(1)/2 - 3*cos(1)/2"


def test_the_title_names_tokens(cats: Graph) -> None:
    assert derivation(cats, "A[2,0]").steps[0].title == (
        "how much “cats” (row 2) attends to “I” (column 0)"
    )
    assert "“cats” (row 2), column 0" in derivation(cats, "Z[2,0]").steps[0].title
    assert "“dogs” (row 4)" in derivation(cats, "E[4,1]").steps[0].title


def test_hidden_cells(cats: Graph) -> None:
    d = derivation(cats, "S_masked[0,1]")
    assert (d.exact, d.decimal, d.enclosure) == ("-inf", "-inf", ("-inf", "-inf"))
    assert derivation(cats, "A[0,1]").exact == "0"


def test_an_exact_decimal_is_an_equation_and_a_rounded_one_is_not(cats: Graph) -> None:
    def last(address: str) -> Line:
        return derivation(cats, address).steps[0].lines[-1]

    assert (last("K[2,1]").relation, last("K[2,1]").right) == ("=", Decimal("-1.5"))
    assert last("A[2,0]").relation == "≈"


def test_past_the_size_guard_a_cell_stands_in_named_cells(cats: Graph) -> None:
    d = derivation(cats, "N2[2,0]")
    assert d.exact is None and "400" in str(d.exact_guard)
    assert d.decimal == "1.4587"
    step = d.steps[0]
    assert kinds(step.lines) == ["definition", "here", "decimal"]
    assert "H_mid[2,0] ≈ 1.6136" in step.note and "more than 400 symbols" in step.note


def test_signs_are_told_where_they_decide(cats: Graph) -> None:
    notes = {j: derivation(cats, f"G[0,{j}]").steps[0].note for j in range(8)}
    assert notes[6] == "The number inside is exactly 0."
    assert any("positive, so it stays" in note for note in notes.values())
    assert any("negative, so it becomes 0" in note for note in notes.values())


def test_depth(cats: Graph) -> None:
    assert [s.cell for s in derivation(cats, "A[2,0]", depth=0).steps] == ["A[2,0]"]
    one = [s.cell for s in derivation(cats, "A[2,0]", depth=1).steps]
    assert one == ["A[2,0]", "A.exp[2,0]", "A.sum[2,0]"]
    every = [s.cell for s in derivation(cats, "A[2,0]", depth=None).steps]
    assert len(set(every)) == len(every)
    assert {"Q[2,0]", "K_rot[0,1]", "mask[2,3]", "X[2,3]"} <= set(every)
    assert not any(cell.startswith(("W_Q", "E")) for cell in every), "given cells need no step"


def test_forms(cats: Graph) -> None:
    def of(form: str) -> list[str]:
        return kinds(derivation(cats, "A[2,0]", form=form).steps[0].lines)

    assert of("symbolic") == ["definition", "definition", "here"]
    assert of("exact")[-1] == "exact"
    assert of("decimal") == ["definition", "definition", "here", "decimal"]


WIDE = """
tokens = ["a"]
[embedding]
X = [[1, 2, 3, 4, 5, 6, 7, 8, 90, 10, 11, 12]]
[[block]]
residual = false
  [block.attention]
  W_V = [[1], [1], [1], [1], [1], [1], [1], [1], [-1], [1], [1], [1]]
"""


def test_long_sums_are_elided_by_a_stated_rule() -> None:
    graph = build(loads(WIDE, "wide"))
    line = derivation(graph, "V[0,0]").steps[0].lines[1]
    assert isinstance(line.right, Plus) and line.right.shown == (0, 1, 8, 11)
    assert line.note == "12 terms; printed: the first two, the largest and the last"
    assert derivation(graph, "V[0,0]").exact == "-21"


def test_a_whole_matrix(cats: Graph) -> None:
    t = table(cats, "A")
    assert t.rows == t.columns == ("I", "like", "cats", "too")
    assert t.plain[2] == ("0.41238", "0.061626", "0.52599", "0")
    assert table(cats, "mask").plain[0] == ("0", "-inf", "-inf", "-inf")
    assert table(cats, "mask").cells[0][1] == Neg(table(cats, "mask").cells[0][1].x)  # type: ignore[union-attr]
    assert table(cats, "S", form="exact").plain[2][0] == "cos(2)/2 + 3*sin(2)/2"
    assert isinstance(table(cats, "X", form="symbolic").cells[0][0], Entry)
    assert "in terms of earlier cells" in table(cats, "N2", form="exact").notes[0]


def test_a_row_or_a_column_of_a_matrix(cats: Graph) -> None:
    row = table(cats, "A[cats,:]")
    assert (row.shape, row.rows, row.columns) == ((1, 4), ("cats",), ("I", "like", "cats", "too"))
    assert row.plain == (table(cats, "A").plain[2],)
    column = table(cats, "E[:,3]")
    assert (column.shape, column.columns) == ((6, 1), ("3",))

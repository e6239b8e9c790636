"""Printed index base and decimal comma: what is printed changes, what is typed doesn't."""

from __future__ import annotations

import json
import re

import pytest

from derive.blocks import build
from derive.errors import ModelError
from derive.graph import Graph, derivation, table
from derive.line import Entry, Letter, Names, Num
from derive.model import load
from derive.render import render
from derive.render.leaves import entry_indices, sum_bounds

SETS = ["notation.index_base=1", "notation.decimal=comma"]


@pytest.fixture(scope="module")
def usual() -> Graph:
    return build(load("cats"))


@pytest.fixture(scope="module")
def other() -> Graph:
    return build(load("cats", sets=SETS))


def text(graph: Graph, address: str, to: str = "text") -> str:
    return render(derivation(graph, address, 0, 5, None), to)


def test_indices_count_from_one(other: Graph) -> None:
    printed = text(other, "Q[2,0]")
    assert printed.startswith("Q[3,1]   ") and "“cats” (row 3), column 1" in printed
    assert "Σ_{k=1}^{d} X[i,k]·W_Q[k,j]" in printed
    assert "X[3,1]·W_Q[1,1] + X[3,2]·W_Q[2,1]" in printed
    assert "X[3,4]·W_Q[4,1]" in printed and "[0" not in printed and ",0]" not in printed


def test_latex_follows(other: Graph) -> None:
    printed = text(other, "Q[2,0]", "latex")
    assert r"\sum_{k=1}^{d}X_{i,k}" in printed and r"Q_{3,1} &=" in printed
    assert r"0{,}41238" in text(other, "A[2,0]", "latex")
    assert r"H^{\mathrm{mid}}_{3,1} \approx 1{,}6136" in text(other, "N2[2,0]", "latex")


def test_remarks_follow(other: Graph, usual: Graph) -> None:
    assert "here 3." in text(usual, "X[2,0]") and "here 4." in text(other, "X[2,0]")
    assert "column 1 belongs to pair p = 0" in text(other, "Q_rot[2,0]")
    assert "Here H_mid[3,1] ≈ 1,6136" in text(other, "N2[2,0]")


def test_only_print_changes(other: Graph, usual: Graph) -> None:
    """Typed addresses, plain numbers and every value stay."""
    one, two = (json.loads(text(graph, "A[2,0]", "json")) for graph in (usual, other))
    for key in ("cell", "reads", "exact", "decimal", "enclosure", "operation"):
        assert one[key] == two[key]
    assert two["steps"][0]["cell"] == "A[2,0]"
    assert two["steps"][0]["lines"][-1]["text"] == "A[3,1] ≈ 0,41238"
    assert other["A[2,0]"].address == "A[2,0]"
    rows = json.loads(render(table(other, "K"), "json"))
    assert rows["cells"][0] == ["1", "0.5"] and rows["columns"] == ["1", "2"]


def test_points_stand_below_points_and_commas_below_commas(other: Graph) -> None:
    assert "I      1   0,5\n" in render(table(other, "K"), "text")
    assert r"\phantom{{,}0" in render(table(other, "A"), "latex")
    assert not re.search(r"\d\.\d", render(table(other, "A"), "text"))


def test_letters_that_stand_for_columns_shift() -> None:
    names = Names({"X": "X"})
    names.index_base = 1
    entry = Entry("X", (Letter("i", Num(0)), Letter("2p+1", Num(1))))
    assert [x.name for x in entry_indices(entry, names)] == ["i", "2p+2"]  # type: ignore[union-attr]
    assert sum_bounds(Letter("d_k", Num(2)), names) == (1, "d_k")
    assert sum_bounds(Letter("d_k", Num(2)), {}) == (0, "d_k-1")


def test_wide_tables_list_their_cells_from_one(other: Graph) -> None:
    printed = render(table(other, "A", form="exact"), "text")
    assert "row 3: cats" in printed and "A[3,1] = " in printed and "A[0" not in printed
    assert "A_{3,1} &=" in render(table(other, "A", form="exact"), "latex")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("notation.index_base=2", "expected a whole number from 0 to 1"),
        ("notation.decimal=coma", "nearest: comma"),
    ],
)
def test_bad_notation(line: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load("cats", sets=[line])

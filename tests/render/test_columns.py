"""Column writing in print: every format follows, typed addresses and data stay."""

from __future__ import annotations

import json
import re

import pytest

from derive.blocks import build
from derive.errors import ModelError
from derive.graph import Graph, derivation, table
from derive.model import load
from derive.render import render

COLUMN = "notation.vectors=column"
ALL = [COLUMN, "notation.index_base=1", "notation.decimal=comma"]


@pytest.fixture(scope="module")
def cats() -> Graph:
    return build(load("cats", sets=[COLUMN]))


@pytest.fixture(scope="module")
def combined() -> Graph:
    return build(load("cats", sets=ALL))


def text(graph: Graph, address: str, to: str = "text") -> str:
    printed = render(derivation(graph, address), to)
    assert isinstance(printed, str)
    return printed


@pytest.mark.parametrize(
    ("address", "formula"),
    [
        ("Q[2,0]", "Q[i,j] = Σ_{k=0}^{d−1} W_Q[i,k]·X[k,j]"),
        ("S[2,1]", "S[i,j] = Σ_{c=0}^{d_k−1} K_rot[c,i]·Q_rot[c,j]"),
        ("A[2,0]", "A[i,j] = e^(S_masked[i,j]) / (Σ_{m=0}^{n−1} e^(S_masked[m,j]))"),
        ("A[2,0]", "= A.exp[i,j] / A.sum[0,j]"),
        ("A.sum[2,0]", "A.sum[0,j] = Σ_{m=0}^{n−1} A.exp[m,j]"),
        ("Z[2,0]", "Z[i,j] = Σ_{m=0}^{n−1} V[i,m]·A[m,j]"),
        ("Q_rot[2,0]", "Q[2p,j]·cos(m_j·θ_p) − Q[2p+1,j]·sin(m_j·θ_p)"),
        ("mask[2,0]", "0    if i ≤ j"),
        ("X[2,1]", "X[i,j] = E[i,t_j]"),
        ("N2[2,1]", "N2[i,j] = H_mid[i,j] / N2.rms[0,j]"),
        ("U[2,1]", "Σ_{k=0}^{d−1} W_up[i,k]·N2[k,j]"),
    ],
)
def test_formulas(cats: Graph, address: str, formula: str) -> None:
    assert formula in text(cats, address)


@pytest.mark.parametrize(
    ("model", "address", "formula"),
    [
        ("bloom", "h0.bias[2,1]", "−μ·abs(j − i)"),
        ("gpt", "logits[1,2]", "Σ_{k=0}^{d−1} W_U[i,k]·N_out[k,j]"),
        ("gpt", "W_U[1,2]", "W_U[i,j] = E[j,i]"),
        ("gpt", "N1[2,1]", "((X[i,j] − N1.mean[0,j])/N1.root[0,j])·N1.gain[i,0] + N1.shift[i,0]"),
        ("cats-mha", "Z_cat[2,3]", "Z_cat[i,j] = h1.Z[c,j]"),
        ("decoder", "loss[0,0]", "loss[0,j] = −ln(probs[t_j,j])"),
    ],
)
def test_formulas_of_families(model: str, address: str, formula: str) -> None:
    printed = text(build(load(model, sets=[COLUMN])), address)
    assert formula in re.sub(r"\s+", " ", printed), printed


def test_words_follow(cats: Graph) -> None:
    printed = text(cats, "Q_rot[2,0]")
    assert printed.startswith("Q_rot[0,2]   ") and "row 0, “cats” (column 2)" in printed
    assert "The position is m_j = 2; row 0 belongs to pair p = 0." in printed
    assert "how much “cats” (column 2) attends to “I” (row 0)" in text(cats, "A[2,0]")
    assert "t_j is the number of token j" in text(cats, "X[2,1]")
    assert "each column sums to 1" in render(table(cats, "A"), "text")  # type: ignore[operator]


def test_notations_combine(combined: Graph) -> None:
    printed = text(combined, "A[2,0]")
    assert printed.startswith("A[1,3]   ") and "“cats” (column 3)" in printed
    assert "Σ_{m=1}^{n} e^(S_masked[m,j])" in printed and "A.exp[1,3] / A.sum[1,3]" in printed
    assert "≈ 0,41238" in printed and "[0" not in printed and ",0]" not in printed
    assert "Here H_mid[1,3] ≈ 1,6136" in text(combined, "N2[2,0]")
    assert "Q[2p+1,j]·cos(m_j·θ_p) − Q[2p+2,j]·sin(m_j·θ_p)" in text(combined, "Q_rot[2,0]")


def test_latex_follows(combined: Graph) -> None:
    printed = text(combined, "Z[2,0]", "latex")
    assert r"Z_{i,j} &= \sum_{m=1}^{n}V_{i,m}\,A_{m,j}" in printed, printed
    assert r"\boldmath$Z_{1,3}$" in printed and "row 1, “cats” (column 3)" not in printed
    whole = text(combined, "Z[2,0]", "tex")
    assert "Worked derivation of Z[1,3]" in whole and r"typed \ttfamily Z[2,0]" in whole
    assert r"$m_{j} = 2$" in text(combined, "Q_rot[2,0]", "latex")


def test_json_prints_the_lines_so_and_keeps_the_data(combined: Graph) -> None:
    usual = build(load("cats"))
    one, two = (json.loads(text(graph, "A[2,0]", "json")) for graph in (usual, combined))
    for key in ("cell", "reads", "exact", "decimal", "enclosure", "operation"):
        assert one[key] == two[key]
    assert two["steps"][0]["cell"] == "A[2,0]"
    assert two["steps"][0]["lines"][-1]["text"] == "A[1,3] ≈ 0,41238"
    assert two["steps"][0]["lines"][-1]["latex"] == r"A_{1,3} \approx 0{,}41238"
    for name in ("A", "W_Q", "W_up", "K"):  # a cell stands where its typed address says
        one, two = (json.loads(str(render(table(g, name), "json"))) for g in (usual, combined))
        assert one["shape"] == two["shape"] and one["cells"] == two["cells"]
    assert two["rows"] == ["I", "like", "cats", "too"] and two["columns"] == ["1", "2"]


def test_a_matrix_has_tokens_for_columns(combined: Graph) -> None:
    lines = str(render(table(combined, "K"), "text")).splitlines()
    assert lines[0].endswith("(2×4)") and lines[2].split() == ["I", "like", "cats", "too"]
    assert [line.split()[0] for line in lines[3:]] == ["1", "2"]
    assert lines[4].split()[1:3] == ["0,5", "−0,5"], lines
    assert r"($2 \times 4$)" in str(render(table(combined, "K"), "latex"))
    column = table(combined, "A[cats,:]")
    assert column.shape == (4, 1) and column.columns == ("cats",)


def test_wide_matrices_list_their_cells_in_printed_order(combined: Graph) -> None:
    printed = str(render(table(combined, "A", form="exact"), "text"))
    assert "row 1: I" in printed and "A[1,3] = " in printed and "A[3,1] = 0" in printed
    symbolic = str(render(table(combined, "Q", form="symbolic"), "text"))
    assert "Q[1,3] = W_Q[1,1]·X[1,3]" in symbolic
    assert "Q_{1,3} &= " in str(render(table(combined, "Q", form="symbolic"), "latex"))


def test_bad_vectors() -> None:
    with pytest.raises(ModelError, match="nearest: column"):
        load("cats", sets=["notation.vectors=colum"])

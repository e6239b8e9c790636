"""The Python interface: names, indices, what a notebook shows."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction

import pytest
import sympy as sp

import derive
from derive.blocks import build
from derive.errors import AddressError, DeriveError
from derive.notebook import JSON, CellView, MatrixView, for_mathjax
from derive.render.pdf import compiled


def test_a_loaded_model_is_a_model() -> None:
    model = derive.load("cats")
    assert build(model).matrices.keys() == model.graph.matrices.keys()
    assert model.tokens == ("I", "like", "cats", "too")


def test_matrices_and_cells_by_every_address() -> None:
    m = derive.load("cats")
    cells = [m["A"][2, 0], m["A[2,0]"], m["A[cats,I]"], m["A"]["cats", "I"], m["A"][-2, 0],
             m["b0.h0.A"][2][0]]  # fmt: skip
    assert {c.address for c in cells} == {"A[2,0]"}
    assert [c.address for c in m["A[2,:]"]] == [f"A[2,{j}]" for j in range(4)]
    assert [c.address for c in m["A"][1:3, 0]] == ["A[1,0]", "A[2,0]"]
    assert len(list(m["A"])) == len(m["A"]) == 4
    assert "A" in m and "AA" not in m and next(iter(m)) == "E"


def test_values() -> None:
    m = derive.load("cats")
    cell = m["U"][0, 6]
    assert cell.exact == 0 and cell.decimal() == "0"
    a = m["A"][2, 0]
    low, high = a.enclosure()
    assert low < Fraction(41239, 100000) and high - low < Fraction(1, 10**30)
    assert [r.address for r in a.reads] == ["A.exp[2,0]", "A.sum[2,0]"]
    assert m["Q"].exact == sp.Matrix([[-1, 0], [-1, 0], [1, -1], [-1, 1]])
    assert m["Q"].decimal(3) == [["-1", "0"], ["-1", "0"], ["1", "-1"], ["-1", "1"]]
    assert m["K"].meaning and m["K"].shape == (4, 2) and m["K"].operation == "key projection"


def test_every_cell_has_one_line_of_repr() -> None:
    m = derive.load("gpt")
    for name in m:
        for at in ((0, 0), (-1, -1)):
            text = repr(m[name][at])
            assert "\n" not in text and text.startswith("<") and text.endswith(">")
        assert "\n" not in repr(m[name])
    assert repr(derive.load("cats")["Z"][0, 0]) == "<Z[0,0] = -0.5>"


def test_what_a_notebook_gets() -> None:
    m = derive.load("cats")
    for x in (m["A"], m["A"][2, 0], m["mask"], m["E"]):
        bundle = x._repr_mimebundle_()
        assert set(bundle) == {"text/plain", "text/latex", JSON}
        assert bundle["text/latex"].startswith("$$") and bundle["text/latex"].endswith("$$")
        assert json.loads(json.dumps(bundle[JSON]))["schema"].startswith("derive.")
    assert "text/latex" not in m._repr_mimebundle_()
    assert m["A"][2, 0]._repr_mimebundle_()["text/plain"] == m["A"][2, 0].text().rstrip("\n")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_the_shown_maths_is_latex() -> None:
    m = derive.load("gpt")
    shown = [m[name]._repr_mimebundle_()["text/latex"] for name in list(m)[:12]]
    shown += [for_mathjax(m[name][0, 0].derivation()) for name in ("Q_rot", "N1") if name in m]
    body = "\n".join("{\\tiny " + x + "}" for x in shown)
    source = "\\documentclass{article}\\usepackage{amsmath}\\begin{document}" + body
    assert compiled(source + "\\end{document}")[:4] == b"%PDF"


def test_steps_as_data() -> None:
    step = derive.load("cats")["A"][2, 0].steps[0]
    assert next(line.kind for line in step.lines) == "definition"
    assert derive.load("cats")["A"][2, 0].latex().startswith("\\noindent")


@pytest.mark.parametrize("at", [(9, 0), (0, "nobody"), (0, 0, 0), (0, 1.5)])
def test_outside_of_a_matrix(at: object) -> None:
    with pytest.raises(AddressError):
        derive.load("cats")["A"][at]


def test_a_closed_form_that_is_too_long_says_so() -> None:
    cell = derive.load("mat")["probs"][4, 0]
    with pytest.raises(DeriveError, match="symbols"):
        _ = cell.exact
    assert cell.decimal(3)


def test_free_letters() -> None:
    m = derive.loads('symbols = { w = "positive" }\n[embedding]\nX = [["w", 2]]\n')
    cell = m["X"][0, 0]
    assert cell.exact == sp.Symbol("w", positive=True) or str(cell.exact) == "w"
    assert repr(cell) == "<X[0,0]>"


def test_types() -> None:
    m = derive.load("cats")
    assert isinstance(m["A"], MatrixView) and isinstance(m["A"][0, 0], CellView)


def test_the_example_notebook_shows_what_it_computes() -> None:
    """Every output of worked/notebook.ipynb, computed again."""
    from worked import make_notebook

    assert make_notebook.PATH.read_text(encoding="utf-8") == make_notebook.text()


def test_the_example_notebook_is_of_the_format() -> None:
    from worked import make_notebook

    found = json.loads(make_notebook.PATH.read_text(encoding="utf-8"))
    assert found["nbformat"] == 4
    for cell in found["cells"]:
        assert {"cell_type", "id", "metadata", "source"} <= set(cell)
        assert ("outputs" in cell) == (cell["cell_type"] == "code")

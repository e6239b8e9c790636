"""What other printers get wrong, one row each: SymPy's, TeX's own, and hand-worked sheets'.

The first column says what it is about; the second is what we print, and the third what must
never stand there.
"""

from __future__ import annotations

import shutil

import pytest

from derive.blocks import build
from derive.documents import solution_tex
from derive.documents.solution import solution
from derive.graph import derivation, table
from derive.line import Call, Const, Decimal, Neg, Num, Over, Plus, Power, Root, Shown, Sym, Times
from derive.model import load, loads
from derive.render import latex, tex
from derive.render.escape import latex as escaped
from derive.render.escape import latex_label
from derive.render.latex_maths import LatexPrinter
from derive.render.names import matrix, symbol
from derive.render.pdf import compiled, faults

HALF, MINUS_3 = Num(1, 2), Num(-3)
PRINTED: list[tuple[str, Shown, str, str]] = [
    ("no factor and no term is lost, none moves, no two signs meet",
     Plus((Times((HALF, MINUS_3)), Times((Num(-2), Num(-1, 4))), Times((Num(0), Num(7))))),
     r"\frac{1}{2}\cdot (-3) + (-2)\cdot \left(-\frac{1}{4}\right) + 0\cdot 7", "- -"),
    ("a sum stands as it was written", Plus((Num(3), Neg(Num(2)))), "3 - 2", "-2 + 3"),
    ("a negative number behind a plus", Plus((Num(3), Num(-2))), "3 + (-2)", "-2 + 3"),
    ("the order of powers", Plus((Sym("y"), Power(Sym("x"), Num(2)), Num(3))),
     "y + x^{2} + 3", "x^{2} + y"),
    ("the opposite of a negative number", Neg(MINUS_3), "-(-3)", "- -3"),
    ("a dot between numbers", Times((Num(2), MINUS_3)), r"2\cdot (-3)", r"2 \left"),
    ("arguments keep their places", Call("max", (Num(0), Num(-1, 2))),
     r"\max\left(0,-\frac{1}{2}\right)", r"\max\left(-"),
    ("a root below stays below", Over(Num(1), Root(Num(2))), r"\frac{1}{\sqrt{2}}",
     r"\frac{\sqrt"),
    ("a fraction in an exponent lies", Power(Const("e"), Num(5, 2)), "e^{5/2}", r"e^{\frac"),
    ("e to the one is not e yet", Power(Const("e"), Num(1)), "e^{1}", r"\exp"),
    ("which logarithm", Call("ln", (Sym("x"),)), r"\ln(x)", r"\log"),
    ("a small decimal", Decimal("1.000e-10"), r"1.000\times 10^{-10}", r"\cdot 10"),
    ("no negative zero", Decimal("-0.0000"), "0.0000", "-0"),
    ("hidden is minus infinity", Neg(Const("inf")), r"-\infty", "NaN"),
]  # fmt: skip


@pytest.mark.parametrize(("about", "x", "code", "never"), PRINTED, ids=[x[0] for x in PRINTED])
def test_shown_trees(about: str, x: Shown, code: str, never: str) -> None:
    printed = LatexPrinter({}, numbers=isinstance(x, Times | Plus) and _numeric(x)).line(x)
    assert printed.replace(" ", "") == code.replace(" ", "")
    assert never not in printed


def _numeric(x: Shown) -> bool:
    from derive.line import children

    return isinstance(x, Num) or (bool(children(x)) and all(map(_numeric, children(x))))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("lambda", r"\lambda"), ("xhat", r"\mathrm{xhat}"), ("abar", r"\mathrm{abar}"),
        ("xprime", r"\mathrm{xprime}"), ("beta1", r"\mathrm{beta1}"),
        ("d_model", r"d_{\mathrm{model}}"), ("x_1_2", "x_{1,2}"),
    ],
)  # fmt: skip
def test_nothing_is_read_into_a_name(name: str, code: str) -> None:
    assert symbol(name) == code


def test_double_scripts_are_one() -> None:
    assert matrix("b1.h0.W_Q").with_indices("1,2").count("^") == 1
    assert matrix("Q_rot").with_indices("2,0").count("_") == 1
    assert LatexPrinter({}).line(Power(Power(Sym("x"), Num(1)), Num(2))) == "(x^{1})^{2}"


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("50%", r"50\%"), ("a_b", r"a\_b"), ("#1", r"\#1"), ("a&b", r"a\&b"),
        ("\\n", r"\textbackslash{}n"), ("^", r"\textasciicircum{}"), ("$x$", r"\$x\$"),
        ("{", r"\{"), ("~", r"\textasciitilde{}"), ("<b>", r"\textless{}b\textgreater{}"),
        ('"', r"{\ttfamily\char34}"), ("`", r"{\ttfamily\char96}"), ("--", "{-}{-}"),
        ("猫", r"\fbox{\tiny U+732B}"), ("\u0007", r"\fbox{\tiny U+0007}"),
        ("e\u0301", r"{\'e}"), ("−", r"\ensuremath{-}"), (" the", r"\textvisiblespace{}the"),
    ],
)  # fmt: skip
def test_words_that_tex_would_obey(token: str, code: str) -> None:
    assert escaped(token) == code


def test_an_empty_word_is_seen() -> None:
    assert latex_label("") == r"\textit{(empty)}"
    assert r"\textvisiblespace" in latex_label("  ")


def test_a_row_that_begins_with_a_bracket_is_no_option() -> None:
    code = latex.align(["a &= b", "[1] &= c", "* &= d"])
    assert r"\\" + "\n[" not in code and r"\\" + "\n*" not in code
    assert "\n\n" not in code  # a blank line ends a paragraph, and maths with it


def test_wide_and_long_things() -> None:
    """Matrices of many columns, integers of a thousand digits, sums of many terms."""
    many = ", ".join(str(k) for k in range(14))
    graph = build(loads(f"[embedding]\nX = [[{many}], [{many}]]\n[[block]]\nresidual = false\n"
                        f"[block.ffn]\nW_up = [{', '.join(f'[{k}]' for k in range(14))}]\n"
                        "W_down = [[1]]\n"))  # fmt: skip
    whole = latex.table(table(graph, "X"))
    assert "bmatrix" not in whole and r"\begin{array}" in whole
    long = LatexPrinter({}).line(Num(10**999 + 7))
    assert len(long) < 90 and "1000" in long
    line = next(x for x in derivation(graph, "U[0,0]").steps[0].lines if x.kind == "here")
    assert r"\cdots" in LatexPrinter(derivation(graph, "U[0,0]").names).line(line.right)
    assert "14 terms" in line.note  # and the rule is said


def test_the_preamble() -> None:
    for wanted in (r"[OT1]{fontenc}", r"\allowdisplaybreaks", r"\pdftrailerid{}"):
        assert wanted in tex.PREAMBLE
    for never in ("babel", "nicematrix", "tikz", "breqn", "[T1]"):
        assert never not in tex.PREAMBLE


def test_links_have_plain_names_and_targets_before_their_headings() -> None:
    text = solution_tex.document(solution(build(load("cats")), ["A"]))
    assert r"\paragraph" not in text
    assert all(name.replace(":", "").isalnum() for name in _names(text))


def _names(text: str) -> list[str]:
    return [part.partition("}")[0] for part in text.split(r"\hyperlink{")[1:]]


def test_an_exit_code_of_0_is_no_success() -> None:
    changed = "Label(s) may have changed. Rerun to get cross-references right."
    for line in ("Missing character: x", "Overfull \\hbox (9.5pt too wide)",
                 "LaTeX Warning: There were undefined references.",
                 f"LaTeX Warning: {changed}"):  # fmt: skip
        assert faults(line)


# what hand-worked sheets get wrong


def test_equal_is_exact_and_nearly_is_last() -> None:
    for cell in ("A[2,0]", "Z[2,0]", "N2[2,1]", "U[0,6]"):
        lines = derivation(build(load("cats")), cell).steps[0].lines
        assert [x.relation for x in lines[:-1]] == ["="] * (len(lines) - 1)
        assert lines[-1].relation == "≈" or lines[-1].kind in ("exact", "decimal")


def test_rows_of_weights_are_one_however_they_are_rounded() -> None:
    graph = build(load("mat"))
    cells = [graph[f"A[4,{j}]"] for j in range(5)]
    total = cells[0].node
    for cell in cells[1:]:
        total = total + cell.node
    from derive.exact import decide

    assert decide(total, graph.dag.one).equal


def test_equal_distances_normalise_to_one_exactly() -> None:
    graph = build(loads("[embedding]\nX = [[1, 3]]\n[[block]]\nnorm1 = { kind = 'layernorm' }\n"
                        "[block.attention]\nW_Q = [[1],[0]]\nW_K = [[1],[0]]\n"
                        "W_V = [[1],[0]]\n"))  # fmt: skip
    assert [graph[f"N1[0,{j}]"].decimal(9) for j in (0, 1)] == ["-1", "1"]


def test_where_epsilon_stands_is_printed() -> None:
    inside = derivation(build(load("cats")), "N2.rms[0,0]").steps[0].lines[0]
    outside = (
        derivation(build(load("cats", sets=["norm2.eps_at=outside"])), "N2.rms[0,0]")
        .steps[0]
        .lines[0]
    )
    printer = LatexPrinter({})
    assert printer.line(inside.right).endswith(r"\varepsilon}")  # under the root
    assert printer.line(outside.right).endswith(r"+ \varepsilon")


def test_hidden_weights_are_exactly_zero() -> None:
    graph = build(load("cats"))
    assert graph["S_masked[0,1]"].decimal(5) == "-inf"
    assert graph["A[0,1]"].node.number == (0, 1)


def test_decimals_are_read_from_text() -> None:
    graph = build(loads("[embedding]\nX = [[0.1, 0.2]]\n[[block]]\n[block.ffn]\n"
                        "W_up = [[1], [1]]\nW_down = [[1, 0]]\n"))  # fmt: skip
    assert graph["U[0,0]"].node.number == (3, 10)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_a_sum_of_twelve_terms_and_a_huge_number_stay_on_the_paper() -> None:
    many = ", ".join(f'"10^{40 + k}/7"' for k in range(12))
    threes = ", ".join(["[3]"] * 12)
    graph = build(loads(f"[embedding]\nX = [[{many}]]\n[[block]]\nresidual = false\n[block.ffn]\n"
                        f"W_up = [{threes}]\nW_down = [[1]]\n"))  # fmt: skip
    assert compiled(tex.derivation(derivation(graph, "U[0,0]", 1)))[:4] == b"%PDF"

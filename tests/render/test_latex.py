# ruff: noqa: E501  (rows of LaTeX as they are written)
"""Fragments: one align* a step, rows that fit, names for what can't be broken."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from derive.line import Decimal, Num, Over, Plus, Root, Shown, Step, Sym, Times
from derive.render import latex
from derive.render.latex import align
from derive.render.latex_maths import LatexPrinter
from derive.render.latex_rows import rows
from derive.render.metrics import TEXT_WIDTH, size
from derive.render.named_parts import Names
from tests.render.test_latex_maths import assert_balanced
from tests.render.trees import NAMES, TREES
from tests.render.ugly import (
    DERIVATION,
    HOSTILE,
    QUERY,
    ROOTS,
    SOFTMAX,
    WIDE,
    at,
    derivation,
    line,
    long_sum,
    table,
)
from tests.render.ugly import NAMES as UGLY


def test_query() -> None:
    wanted = r"""\noindent\textbf{\boldmath$Q_{2,0}$}\quad the query of ``cats'' (row 2), column 0
\begin{align*}
Q_{i,j} &= \sum_{k=0}^{d-1}X_{i,k}\,W^{Q}_{k,j} \tag*{{\footnotesize formula}} \\
Q_{2,0} &= X_{2,0}\,W^{Q}_{0,0} + X_{2,1}\,W^{Q}_{1,0} + X_{2,2}\,W^{Q}_{2,0} + X_{2,3}\,W^{Q}_{3,0} \tag*{{\footnotesize here}} \\
&= 1\cdot(-1) + 0\cdot(-1) + (-1)\cdot\left(-\frac{1}{2}\right) + (-1)\cdot(-1) \tag*{{\footnotesize numbers}} \\
&= -\frac{1}{2} \tag*{{\footnotesize exact}} \\
&= -0.5 \tag*{{\footnotesize decimal}}
\end{align*}
"""
    assert latex.derivation(derivation(QUERY)) == wanted


def test_a_wide_denominator_gets_a_name() -> None:
    e = SOFTMAX.lines[3].right
    assert isinstance(e, Over)
    wide = Over(e.above, Plus((e.below, e.below)))
    step = replace(SOFTMAX, lines=(line("exact", at("b0.h0.A", 2, 0), wide), SOFTMAX.lines[-1]))
    code = latex.step_maths(derivation(step), step)
    assert r"A_{2,0} &= \frac{e^{\sqrt{2}\cos(2)/4 + 3\sqrt{2}\sin(2)/4}}{D}" in code
    assert r"\text{where } D &= " in code
    assert r"A_{2,0} &\approx 0.41238" in code  # the left side is said again


def test_names_that_are_taken_are_not_used() -> None:
    wide = Over(Plus((*ROOTS.terms, Sym("N"))), Num(2))
    step = Step("x", "A[0,0]", (line("exact", at("b0.h0.A", 0, 0), wide),))
    assert r"\text{where } Y &=" in latex.step_maths(derivation(step), step)
    two = (line("exact", at("b0.h0.A", 0, 0), x) for x in (Over(ROOTS, Num(2)), Root(long_sum(20))))
    step = Step("x", "A[0,0]", tuple(two))
    code = latex.step_maths(derivation(step), step)
    assert code.count(r"\text{where } N_{1} &=") == 1
    assert code.count(r"\text{where } N_{2} &=") == 1


def test_rows_never_start_an_option() -> None:
    assert align(["[a", "*b", "c"]) == "\\begin{align*}\n{}[a \\\\\n{}*b \\\\\nc\n\\end{align*}\n"


@given(TREES | st.sampled_from(WIDE), st.sampled_from([12000, 20000, 40000]), st.booleans())
def test_rows_say_the_same_and_fit(tree: Shown, room: int, numbers: bool) -> None:
    printer = LatexPrinter(UGLY | NAMES, numbers)
    parts = Names(set(), numbered=True)
    broken = rows(tree, printer, room, parts)
    for row in broken:
        bare = row.replace(r"\bigl", "").replace(r"\bigr", "")
        assert_balanced(bare)
        whole = " + " not in bare and " - " not in bare and r"\cdot" not in bare
        assert size(row).width <= room or whole or room < 20000, row
    if not parts.given:
        assert _bare("".join(broken)) == _bare(printer.line(tree))


def _bare(code: str) -> str:
    """Without what only a broken formula has, or only an unbroken one."""
    return re.sub(
        r"\\quad|\\,|\\cdot ?|\\left(?=\()|\\right(?=\))|\\[Bb]igg?[lr]|\{\}|\s", "", code
    )


def test_a_broken_product_shows_its_sign() -> None:
    factors = tuple(Plus((Sym("x"), Num(k))) for k in range(24))
    broken = rows(Times(factors), LatexPrinter({}), 20000, Names(set()))
    assert all(row.startswith(r"\quad {}\cdot (x") for row in broken[1:])
    assert r"\cdot" not in broken[0]


def test_all_of_it_is_balanced() -> None:
    code = latex.derivation(DERIVATION)
    for maths in re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}", code, re.DOTALL):
        assert_balanced(re.sub(r"\\[Bb]igg?[lr][()]", "", maths))
        assert "\n\n" not in maths
        assert "undefined" not in maths
    assert code.isascii()


def test_notes_below() -> None:
    step = Step(
        "x",
        "A[0,0]",
        (line("here", at("b0.h0.A", 0, 0), Num(1), "two % of it"),),
        "Also A[0,1] ≈ -0.5.",
    )
    end = latex.step_maths(derivation(step), step).splitlines()[-1]
    assert end == r"{\small\noindent two \% of it. Also $A_{0,1} \approx -0.5$.\par}"


def test_table() -> None:
    t = table(
        ((Decimal("0.5"), Num(-1, 3)), (Num(2), Num(3))), ("[I]", "50%")
    )  # points below points
    wanted = r"""\noindent\textbf{\boldmath$A$}\quad attention weights ($2 \times 2$)
\[
\begin{array}{l|rr}
& \text{0} & \text{1} \\ \hline
\text{[I]} & 0.5 & -\frac{1}{3} \\
\text{50\%} & 2\phantom{.0} & 3 \\
\end{array}
\]
"""
    assert latex.table(t) == wanted


def test_large_tables_come_in_blocks() -> None:
    numbers = tuple(tuple(Decimal(f"{i}.{j:05}") for j in range(30)) for i in range(80))
    code = latex.table(table(numbers))
    assert code.count(r"\begin{array}") == 5 * 3
    for row in code.splitlines():
        cells = row.removesuffix(r" \\").split(" & ")
        assert sum(size(cell).width + 1000 for cell in cells) <= TEXT_WIDTH


def test_wide_cells_are_listed() -> None:
    code = latex.table(table(((Over(ROOTS, Num(2)), Num(1)),), HOSTILE[:1]))
    assert "\\noindent row 0: 50\\%\n\\begin{align*}" in code
    assert r"A_{0,0} &= \frac{N_{1}}{2}" in code
    assert r"A_{0,1} &= 1" in code

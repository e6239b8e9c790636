"""Whole derivations and tables as text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.line import Decimal, Num, Plus, Shown, Step, Sym
from derive.render import text
from derive.render.escape import columns
from tests.render.trees import TREES
from tests.render.ugly import (
    DERIVATION,
    HOSTILE,
    MASK,
    QUERY,
    SOFTMAX,
    STEPS,
    WIDE,
    at,
    derivation,
    line,
    long_sum,
    table,
)


def test_softmax() -> None:
    wanted = """\
A[2,0]   how much “cats” (row 2) attends to “I” (column 0)

  formula  A[i,j] = A.exp[i,j] / A.sum[i,0]
  here     A[2,0] = A.exp[2,0] / A.sum[2,0]
  exact           = e^(√2·cos(2)/4 + 3·√2·sin(2)/4)
                    / (e^(√2·cos(2)/4 + 3·√2·sin(2)/4)
                      + e^(√2·cos(1)/4 − 3·√2·sin(1)/4) + 1)
  decimal         ≈ 0.41238
"""
    assert text.derivation(derivation(SOFTMAX)) == wanted


def test_product_and_mask() -> None:
    wanted = """\
Q[2,0]   the query of “cats” (row 2), column 0

  formula  Q[i,j] = Σ_{k=0}^{d−1} X[i,k]·W_Q[k,j]
  here     Q[2,0] = X[2,0]·W_Q[0,0] + X[2,1]·W_Q[1,0] + X[2,2]·W_Q[2,0]
                    + X[2,3]·W_Q[3,0]
  numbers         = 1·(−1) + 0·(−1) + (−1)·(−1/2) + (−1)·(−1)
  exact           = −1/2
  decimal         = −0.5

mask[2,0]   whether “cats” (row 2) may look at “I” (column 0)

  formula  mask[i,j] = ⎧ 0    if j ≤ i
                       ⎩ −∞   if j > i
  here     mask[2,0] = 0
"""
    assert text.derivation(derivation(QUERY, MASK)) == wanted


def test_notes_stand_in_words() -> None:
    elided = line("here", at("b0.h0.Q", 2, 0), long_sum(30, (0, 1, 29)), "30 terms; printed: three")
    step = Step("a sum", "Q[2,0]", (elided,), "One note below the lines.")
    d = replace(derivation(step), exact=None, exact_guard="more than 400 symbols")
    wanted = """\
Q[2,0]   a sum

  here     Q[2,0] = X[2,0]·W_Q[0,0] + X[2,1]·W_Q[1,0] + … + X[2,29]·W_Q[29,0]
                    (30 terms; printed: three)
  One note below the lines.
"""
    assert text.derivation(d) == wanted
    guarded = replace(d, steps=(replace(step, note=""),))
    assert text.derivation(guarded).endswith("\n  No closed form: more than 400 symbols.\n")


def test_lines_that_say_the_same_stand_once() -> None:
    left = at("b0.X", 2, 3)
    same = (line("substituted", left, Num(-1)), line("exact", left, Num(-1)))
    decimal = replace(line("exact", left, Decimal("-1")), kind="decimal")
    page = text.derivation(derivation(Step("x", "X[2,3]", (*same, decimal))))
    assert page == "X[2,3]   x\n\n  exact    X[2,3] = −1\n"


def test_narrow_pages() -> None:
    page = text.derivation(derivation(QUERY), width=40)
    assert max(map(columns, page.splitlines())) <= 40
    assert "formula" not in page
    assert page.startswith("Q[2,0]   the query of “cats” (row 2),\n    column 0\n")


def test_color_is_only_added() -> None:
    plain = text.derivation(derivation(SOFTMAX))
    colored = text.derivation(derivation(SOFTMAX), color=True)
    assert "\x1b[1mA[2,0]\x1b[0m" in colored
    assert re.sub(r"\x1b\[\dm", "", colored) == plain


def test_hostile_titles_steer_nothing() -> None:
    page = text.derivation(DERIVATION)
    page.encode()
    assert not any(ord(c) < 32 and c != "\n" for c in page)
    assert "U+001B" in page
    assert "U+D83D" in page
    for row in page.splitlines():
        assert row == row.rstrip()


@given(TREES | st.sampled_from(WIDE), st.sampled_from([40, 60, 80, 120]))
def test_no_line_is_too_wide(tree: Shown, width: int) -> None:
    step = Step("a wide one", "A[0,0]", (line("exact", at("b0.h0.A", 0, 0), tree),))
    for row in text.derivation(derivation(step), width).splitlines():
        inside = row.strip().lstrip("+−·/ ")
        bare = re.sub(r"\d/\d", "", inside)
        atom = not any(sign in bare for sign in (" + ", " − ", "·", "/", ", "))
        assert columns(row) <= width or atom or "," in row, row


def test_a_number_stays_whole() -> None:
    number = Num(10**300 + 1)
    step = Step("long", "A[0,0]", (line("exact", at("b0.h0.A", 0, 0), Plus((Sym("x"), number))),))
    assert str(number.p) in text.derivation(derivation(step))


@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_the_same_twice(step: Step) -> None:
    assert text.derivation(derivation(step)) == text.derivation(derivation(step))


# tables


def decimals(*rows: str) -> tuple[tuple[Shown, ...], ...]:
    return tuple(tuple(map(Decimal, row.split())) for row in rows)


def test_table() -> None:
    t = table(decimals("1 0 -0.25", "0.123 0.5 12"), ("I", "猫"))
    t = replace(t, columns=("I", "like", "cats"), notes=("a note",))
    wanted = """\
A   attention weights (2×3)

        I  like   cats
I   1       0    −0.25
猫  0.123   0.5  12

a note
"""
    assert text.table(t) == wanted


def test_wide_tables_come_in_blocks() -> None:
    t = table(decimals(" ".join(f"{k}.25" for k in range(30))))
    page = text.table(t, width=40)
    assert max(map(columns, page.splitlines())) <= 40
    assert page.count("\n\n") == 6
    assert page.index("\n0  0.25") < page.index("29.25")


def test_wide_cells_are_listed() -> None:
    page = text.table(table(((long_sum(5), Num(1)), (Num(2), long_sum(6)))))
    wanted = """\
A   attention weights (2×2)

row 0
  A[0,0] = X[2,0]·W_Q[0,0] + X[2,1]·W_Q[1,0] + X[2,2]·W_Q[2,0] + X[2,3]·W_Q[3,0]
           + X[2,4]·W_Q[4,0]
  A[0,1] = 1

row 1
  A[1,0] = 2
  A[1,1] = X[2,0]·W_Q[0,0] + X[2,1]·W_Q[1,0] + X[2,2]·W_Q[2,0] + X[2,3]·W_Q[3,0]
           + X[2,4]·W_Q[4,0] + X[2,5]·W_Q[5,0]
"""
    assert page == wanted


def test_hostile_labels() -> None:
    t = table(tuple((Num(k),) for k in range(len(HOSTILE))), HOSTILE)
    rows = text.table(t).splitlines()
    assert len(rows) == len(HOSTILE) + 3
    assert len({columns(row) for row in rows[4:13]}) == 1  # numbers below one another
    assert any(row.startswith("∅") for row in rows)

"""Column writing: what the three rewritings do to trees and to words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.line import (
    Bound,
    Call,
    Case,
    Cases,
    Condition,
    Entry,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Shown,
    Sum,
    Times,
    in_words,
    transposed,
    turned,
    value,
)

ROW, COL, K = Letter("i", Num(2)), Letter("j", Num(1)), Bound("k")
D = Letter("d", Num(3))


def test_a_product_of_matrices_turns_round() -> None:
    product = Sum(K, D, Times((Entry("X", (ROW, K)), Entry("W", (K, COL)))))
    turn = turned(product)
    assert turn == Sum(K, D, Times((Entry("W", (K, COL)), Entry("X", (ROW, K)))))
    i, j = Letter("i", Num(1)), Letter("j", Num(2))
    assert transposed(turn) == Sum(K, D, Times((Entry("W", (i, K)), Entry("X", (K, j)))))


def test_only_sums_of_products_turn() -> None:
    gate = Times((Entry("U_gate", (ROW, COL)), Entry("U", (ROW, COL))))
    assert turned(gate) == gate
    scaled = Sum(
        K, D, Times((Num(2), Entry("A", (ROW, K)), Call("exp", (K,)), Entry("V", (K, COL))))
    )
    body = turned(scaled).body  # type: ignore[union-attr]
    assert body == Times((Num(2), Entry("V", (K, COL)), Call("exp", (K,)), Entry("A", (ROW, K))))


def test_letters_of_positions_follow_their_token() -> None:
    entry = Entry("E", (Letter("t_i", Num(5)), COL))
    assert transposed(entry) == Entry("E", (Letter("i", Num(1)), Letter("t_j", Num(5))))
    assert transposed(Letter("2p+1", Num(1))) == Letter("2p+1", Num(1))
    assert transposed(Letter("i+1", Num(3))) == Letter("j+1", Num(3))
    assert transposed(Letter("d_k", Num(3))) == Letter("d_k", Num(3))


def test_conditions_turn_too() -> None:
    mask = Cases((Case(Num(0), Condition(COL, "<=", ROW), True),))
    (branch,) = transposed(mask).branches  # type: ignore[union-attr]
    assert branch.condition == Condition(Letter("i", Num(1)), "<=", Letter("j", Num(2)))


def test_the_first_axis_of_three_becomes_the_last() -> None:
    assert transposed(Entry("flash.o", (Num(2), Num(1), Num(0)))) == Entry(
        "flash.o", (Num(0), Num(1), Num(2))
    )


indices = st.sampled_from([Num(0), Num(1), ROW, COL])
leaves = st.one_of(
    st.integers(-3, 3).map(Num),
    st.builds(lambda m, a, b: Entry(m, (a, b)), st.sampled_from(["X", "W"]), indices, indices),
)


def grown(parts: st.SearchStrategy[Shown]) -> st.SearchStrategy[Shown]:
    pair = st.tuples(parts, parts)
    return st.one_of(
        pair.map(Plus),
        pair.map(Times),
        parts.map(Neg),
        parts.map(lambda x: Over(x, Num(7))),
        st.builds(
            lambda x, m: Sum(K, D, Times((x, Entry(m, (ROW, K)), Entry("W", (K, COL))))),
            parts,
            st.sampled_from(["X", "W"]),
        ),
    )


@given(st.recursive(leaves, grown, max_leaves=8))
def test_turning_keeps_the_value_and_transposing_reads_the_transposed_cells(x: Shown) -> None:
    f = Dag()

    def cells(name: str, at: tuple[int, ...]) -> object:
        return f.symbol(f"{name}{at[0]}{at[1]}")

    before = value(x, f, cells)
    after = value(transposed(turned(x)), f, lambda name, at: cells(name, at[::-1]))
    assert decide(f.node(before), f.node(after)).verdict == "equal"
    assert transposed(transposed(x)) == x


@pytest.mark.parametrize(
    ("said", "in_columns"),
    [
        ("attention weights: each row sums to 1", "attention weights: each column sums to 1"),
        ("RoPE of the first 4 columns", "RoPE of the first 4 rows"),
        ("t_i is the column of the word", "t_j is the row of the word"),
        ("how much {row} attends to {column}", "how much {row} attends to {column}"),
        ("Column 2 is column c = 0 of head 1.", "Row 2 is row c = 0 of head 1."),
        ("The text “row i” stays, the row goes.", "The text “row i” stays, the column goes."),
        ("narrow brows, columned", "narrow brows, columned"),
        ("the number inside is 1", "the number inside is 1"),
    ],
)
def test_words(said: str, in_columns: str) -> None:
    assert in_words(said) == in_columns
    assert in_words(in_columns) == said

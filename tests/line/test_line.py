"""Shown trees: from the general formula to the cell to its value."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.line import (
    Bound,
    Case,
    Cases,
    Condition,
    Const,
    Entry,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Sum,
    Times,
    at_cell,
    constant,
    entries,
    from_text,
    value,
    with_entries,
)
from derive.text import parse

K = Bound("k")
ROW = Letter("i", Num(2))
DOT = Sum(K, Letter("d", Num(3)), Times((Entry("X", (ROW, K)), Entry("W", (K, Num(1))))))


def test_a_sum_is_written_out_in_order() -> None:
    here = at_cell(DOT)
    assert isinstance(here, Plus)
    assert [e.indices for e in entries(here)] == [
        (Num(2), Num(k)) if m == "X" else (Num(k), Num(1)) for k in range(3) for m in "XW"
    ]


def test_a_sum_of_one_term_is_the_term() -> None:
    assert at_cell(Sum(K, Letter("d", Num(1)), Entry("X", (ROW, K)))) == Entry(
        "X", (Num(2), Num(0))
    )


def test_the_case_that_holds_is_taken() -> None:
    cases = Cases(
        (
            Case(Num(0), Condition(ROW, "<=", Num(1)), False),
            Case(Neg(Const("inf")), Condition(ROW, ">", Num(1)), True),
        )
    )
    assert at_cell(cases) == Neg(Const("inf"))


def test_value_of_the_general_formula_is_that_of_its_cell() -> None:
    f = Dag()

    def cells(matrix: str, at: tuple[int, ...]) -> object:
        return f.rational(at[0] + 1) if matrix == "W" else f.rational(10 * at[0] + at[1])

    assert value(DOT, f, cells) == value(at_cell(DOT), f, cells) == f.rational(20 + 42 + 66)


def test_numbers_put_in() -> None:
    put = with_entries(at_cell(DOT), lambda e: Num(int(e.matrix == "X")))
    assert put == Plus((Times((Num(1), Num(0))),) * 3)
    assert with_entries(put, lambda e: Num(9)) == put


def test_elided_terms_still_count() -> None:
    f = Dag()
    assert constant(Plus(tuple(map(Num, range(10))), (0, 1, 9)), f) == f.rational(45)


def test_texts_keep_their_form() -> None:
    assert from_text(parse("2/4")) == Over(Num(2), Num(4))
    assert from_text(parse("-3/7")) == Num(-3, 7)
    assert from_text(parse("0.25")) == Num(1, 4)
    assert from_text(parse("1 - 2*x")) != from_text(parse("-2*x + 1"))
    assert from_text(parse("e^2")) == from_text(parse("exp(2)")) == Power(Const("e"), Num(2))
    assert from_text(parse("1/sqrt(k)"), {"k": Letter("d_k", Num(4))}) == Over(
        Num(1), Root(Letter("d_k", Num(4)))
    )


def test_a_written_number_has_its_value() -> None:
    f = Dag()
    assert constant(from_text(parse("sqrt(2)/2 + cos(0) - 1")), f) == f.sqrt(f.rational(2)) / 2

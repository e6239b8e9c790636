"""One answer marked: policies, forms, regions, cells, rounded steps, and that no key is shown."""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import derive
from derive.answers.check import check
from derive.answers.policy import Policy, PolicyError
from derive.answers.rounded_steps import Steps
from derive.answers.spans import Span, Spans, point
from derive.answers.verdict import text
from derive.blocks import build
from derive.errors import AddressError, ModelError, UndefinedCell
from derive.graph import Graph
from derive.model import load, loads

CATS = build(load("cats"))


def graph(q: list[list[object]], **more: Any) -> Graph:
    return build(loads(json.dumps({**more, "given": {"Q": q}}), "key.json"))


# who calls it


def test_it_is_a_function_of_the_package() -> None:
    assert derive.check is check
    assert derive.check("cats", "A[2,0]", "0.412", "dp:3")
    assert not derive.check(load("cats"), "A[2,0]", "0.413", "dp:3")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"dps": 3}, "nearest: dp"),
        ({"dp": 3, "sf": 2}, "dp and sf"),
        ({"dp": -1}, "from 0"),
        ({"sf": 0}, "from 1"),
        ({"dp": True}, "found True"),
        ({"tolerance": "2"}, "abs:X"),
        ({"tolerance": "abs:x"}, "x"),
        ({"tolerance": "rel:2"}, "below 1"),
        ({"require": "exakt"}, "nearest: exact"),
        ("dp", "dp:N"),
    ],
)
def test_policies_that_make_no_sense(wrong: Any, words: str) -> None:
    with pytest.raises(Exception, match=words) as caught:
        Policy.of(wrong)
    assert caught.value.exit_code == 2  # type: ignore[attr-defined]


def test_what_the_lecturer_wrote_raises() -> None:
    with pytest.raises(AddressError):
        check(CATS, "B[0,0]", "1")
    with pytest.raises(PolicyError):
        check(CATS, "A[0,0]", "1", "dp:x")
    with pytest.raises(UndefinedCell):
        check(normed("0", "0"), "N2[0,0]", "1")


def normed(*row: str) -> Graph:
    """RMSNorm of one row, before a feed-forward pass."""
    block = {"residual": False, "norm2": {"kind": "rmsnorm"},
             "ffn": {"W_up": [[1], [1]], "W_down": [[1, 1]]}}  # fmt: skip
    return build(loads(json.dumps({"embedding": {"X": [row]}, "block": [block]}), "norm.json"))


def test_zero_places() -> None:
    assert check(graph([["5/2"]]), "Q[0,0]", "3", {"dp": 0}).verdict == "right"
    assert check(graph([["7/3"]]), "Q[0,0]", "2.", "dp:0").verdict == "right"
    assert check(graph([["7/3"]]), "Q[0,0]", "2.3", "dp:0").form is False


# rows, columns, matrices


def test_a_row_as_vector_list_or_matrix() -> None:
    g = graph([[1, "1/2", 3], [4, 5, 6]])
    for answer in ("[1, 0.5, 3]", "(1, 1/2, 3)", "[[1, 1/2, 3]]", "[[1],[1/2],[3]]",
                   "\\begin{pmatrix}1&\\frac12&3\\end{pmatrix}", "[1, ½, 3]"):  # fmt: skip
        assert check(g, "Q[0,:]", answer).verdict == "right", answer
    found = check(g, "Q[0,:]", "[1, 2, 3]")
    assert (found.verdict, found.message) == ("wrong", "2 of 3 entries are right.")
    assert [(p.index, p.verdict) for p in found.entries] == [
        ((0,), "right"),
        ((1,), "wrong"),
        ((2,), "right"),
    ]
    assert check(g, "Q[:,1]", "[1/2, 5]").verdict == "right"
    for answer in ("[1, 2]", "1", "[1, [2], 3]", "[[1, 2], [3, 4]]"):
        assert check(g, "Q[0,:]", answer).verdict in ("wrong", "invalid")


def test_a_matrix_place_by_place() -> None:
    g = graph([[1, "1/3"], [-2, "sqrt(2)"]])
    assert check(g, "Q", "[[1, 1/3], [-2, √2]]").verdict == "right"
    found = check(g, "Q", "[[1.000, 0.333], [-2.000, 1.41]]", "dp:3")
    assert (found.verdict, found.value, found.form) == ("wrong", "equal", False)
    assert found.entries[3].message.endswith("3 decimal places asked for, and it shows 2.")
    assert (
        check(g, "Q", "[[1, 1/3]]").message
        == "A matrix of 2 rows and 2 columns is asked for, not a matrix of 1 rows and 2 columns."
    )


def test_column_notation_turns_a_matrix() -> None:
    try:
        g = graph([[1, 2], [3, 4]], notation={"vectors": "column"})
    except ModelError as why:
        pytest.skip(str(why))
    assert check(g, "Q", "[[1, 3], [2, 4]]").verdict == "right"
    assert check(g, "Q", "[[1, 2], [3, 4]]").verdict == "wrong"


def test_an_infinity_is_an_answer() -> None:
    for answer in ("-inf", "-∞", "-\\infty", "-oo"):
        assert check(CATS, "S_masked[0,1]", answer).verdict == "right"
        assert check(CATS, "S_masked[0,1]", answer, "dp:2").verdict == "right"
    assert check(CATS, "S_masked[0,1]", "inf").verdict == "wrong"


def test_a_comma_where_the_model_writes_commas() -> None:
    g = graph([["1/4"]], notation={"decimal": "comma"})
    assert check(g, "Q[0,0]", "0,25", "dp:2").verdict == "right"
    assert check(g, "Q[0,0]", "0.25", "dp:2").verdict == "invalid"


def test_a_unit_where_it_is_asked_for() -> None:
    g = graph([[12]])
    for answer in ("12 bytes", "12\\text{bytes}", "12\\,bytes", "12"):
        assert check(g, "Q[0,0]", answer, {"unit": "bytes"}).verdict == "right"
    assert check(g, "Q[0,0]", "12 bytes").verdict == "invalid"


# letters


def test_letters_of_the_model() -> None:
    g = graph([["a^2"]], symbols={"a": "positive", "m": "integer"})
    assert check(g, "Q[0,0]", "sqrt(a^4)").verdict == "right"
    assert check(g, "Q[0,0]", "A^2").verdict == "wrong"
    assert "A is not one of the letters" in check(g, "Q[0,0]", "A^2").notes[0]
    assert check(g, "Q[0,0]", "a_1^2").verdict == "wrong"
    assert check(g, "Q[0,0]", "z^2").verdict == "invalid"
    assert check(g, "Q[0,0]", "a^2 + cos(2 pi m) - 1").verdict == "right"


# cells


def test_cells_only_where_they_are_allowed() -> None:
    assert check(CATS, "A[2,0]", "A.exp[2,0]/A.sum[2,0]", {"cells": True}).verdict == "right"
    assert check(CATS, "A[2,0]", "A.exp[2,1]/A.sum[2,0]", {"cells": True}).verdict == "wrong"
    assert check(CATS, "A[2,0]", "A.exp[cats,I]/A.sum[cats,0]", {"cells": True}).verdict == "right"
    assert check(CATS, "A[2,0]", "A.exp[2,0]/A.sum[2,0]").verdict == "invalid"
    for answer in ("A[2,0]", "b0.h0.A[2,0]", "Z[2,0]", "H[2,0]", "A[cats,I]"):
        found = check(CATS, "A[2,0]", answer, {"cells": True})
        assert (found.verdict, "may not be used" in found.message) == ("invalid", True)
    assert check(CATS, "A[2,0]", "A[2,1]", {"cells": True}).verdict == "wrong"
    assert "nearest" in check(CATS, "A[2,0]", "A.ex[2,0]", {"cells": True}).message


# rounded steps


def by_hand(n: int) -> Fraction:
    """A[1,0] of scores 1/3 and 2/3 (causal), each step rounded to n places."""
    from decimal import ROUND_HALF_UP, Decimal, localcontext

    with localcontext() as context:
        context.prec = 50
        unit = Decimal(1).scaleb(-n)

        def r(x: Decimal) -> Decimal:
            return x.quantize(unit, rounding=ROUND_HALF_UP)

        scores = [r(Decimal(k) / 3) for k in (1, 2)]
        powers = [r(x.exp()) for x in scores]
        return Fraction(r(powers[0] / r(sum(powers, Decimal(0)))))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_what_is_reached_by_hand(n: int) -> None:
    g = _weights()
    found = Steps(g, n).reach(g["A[1,0]"])
    exact = g["A[1,0]"].enclosure()
    assert found.low <= by_hand(n) <= found.high
    assert found.low <= exact[0] and exact[1] <= found.high
    assert found.high - found.low < 3 * Fraction(10) ** -n
    places = {"dp": n, "rounded_steps": n}
    answer = f"{_decimal(by_hand(n), n)}"
    assert check(g, "A[1,0]", answer, places).verdict == "right"
    assert check(g, "A[1,0]", f"{2:.{n}f}", places).verdict == "wrong"


def _decimal(x: Fraction, n: int) -> str:
    digits = str(int(x * 10**n)).rjust(n + 1, "0")
    return f"{digits[:-n]}.{digits[-n:]}"


def _weights() -> Graph:
    return build(
        loads(
            json.dumps(
                {
                    "given": {"Q": [[1], [1]], "K": [["1/3"], ["2/3"]], "V": [[1], [2]]},
                    "block": [{"residual": False, "attention": {"scale": 1}}],
                }
            ),
            "softmax.json",
        )
    )


def test_a_relu_that_could_go_either_way() -> None:
    doc = {
        "embedding": {"X": [[1, "-0.333"]]},
        "block": [{"residual": False, "ffn": {"W_up": [["1/3"], [1]], "W_down": [[1]]}}],
    }
    g = build(loads(json.dumps(doc), "relu.json"))
    found = check(g, "G[0,0]", "0.00", {"dp": 2, "rounded_steps": 2})
    assert found.verdict == "right"
    assert check(g, "G[0,0]", "0.000333333", {"dp": 9}).verdict == "right"
    assert check(g, "G[0,0]", "0.50", {"dp": 2, "rounded_steps": 2}).verdict == "wrong"


def test_a_largest_score_that_could_be_another_is_said() -> None:
    doc = {
        "given": {"Q": [[1]], "K": [["0.501"], ["0.504"]], "V": [[0], [1]]},
        "block": [{"residual": False, "attention": {"scale": 1, "weights": "hard"}}],
    }
    g = build(loads(json.dumps(doc), "hard.json"))
    found = check(g, "A[0,1]", "0.5", {"dp": 1, "rounded_steps": 2})
    assert found.verdict == "right"
    assert "could go either way in A[0,1]" in found.notes[0]
    assert check(g, "A[0,1]", "0.5", "dp:1").verdict == "wrong"
    assert check(g, "A[0,1]", "0.5", {"dp": 1, "rounded_steps": 3}).verdict == "wrong"


def test_a_step_without_a_value_is_left_to_a_person() -> None:
    g = normed("0.001", "0.002")
    assert check(g, "N2[0,0]", "1", {"dp": 0, "rounded_steps": 1}).verdict == "undecided"


fractions = st.fractions(min_value=-4, max_value=4, max_denominator=50)


@given(st.lists(fractions, min_size=4, max_size=4), st.sampled_from("+-*/"))
def test_spans_hold_what_they_should(ends: list[Fraction], op: str) -> None:
    a, b = Span(*sorted(ends[:2])), Span(*sorted(ends[2:]))
    if op == "/" and b.low <= 0 <= b.high:
        return
    both = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
            "/": lambda x, y: x / y}[op]  # fmt: skip
    found = both(a, b)
    for x in (a.low, a.high, (a.low + a.high) / 2):
        for y in (b.low, b.high, (b.low + b.high) / 2):
            assert found.low <= both(x, y) <= found.high


@given(fractions, st.sampled_from(("exp", "tanh", "sigmoid", "erf", "sin", "cos", "sqrt", "log")))
def test_functions_of_spans_hold_those_of_their_points(x: Fraction, name: str) -> None:
    from derive.exact.balls import Balls

    if name in ("sqrt", "log"):
        x = abs(x) + 1
    f = Spans()
    wide = getattr(f, name)(Span(x - Fraction(1, 10), x + Fraction(1, 10)))
    thin = getattr(f, name)(point(x))
    with Balls(128) as balls:
        exact = getattr(balls, name)(balls.rational(*x.as_integer_ratio()))
        assert not exact < balls.rational(*thin.low.as_integer_ratio())
        assert not exact > balls.rational(*thin.high.as_integer_ratio())
    assert wide.low <= thin.low and thin.high <= wide.high


# the key stays secret

ANSWERS = ("0.4", "0.41", "0.412", "0.4123", "0.4124", "0.41238", "0.5", "e", "1/", "", "x", "{1}", "[1, 2]",
           "1/0", "9^9^9^9", "A[2,0]", "41.2%", "sqrt(-2)", "cos(0)")  # fmt: skip
POLICIES = ("exact", "dp:3", "sf:4", "abs:0.00001", "rel:0.00001", {"dp": 4, "places": "at-least"},
            {"dp": 2, "rounded_steps": 3}, {"require": "simplified"}, {"cells": True}, {"sf": 3, "percent": True})  # fmt: skip


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_no_artefact_shows_the_key(policy: Any) -> None:
    cell = CATS["A[2,0]"]
    digits = [f"0.{'412380'[:k]}" for k in (3, 4, 5)] + ["41.23", "41.24"]
    exact = "e^(sqrt(2)"
    for answer in ANSWERS:
        marked = check(CATS, "A[2,0]", answer, policy)
        artefacts = [text(marked), json.dumps(marked.data()), repr(marked), str(asdict(marked))]
        for artefact in artefacts:
            assert exact not in artefact
            assert not [d for d in digits if d in artefact and d not in answer], (answer, artefact)
            assert str(cell.enclosure()[0]) not in artefact
    assert "accepted" in json.dumps(check(CATS, "A[2,0]", "1", policy, reveal=True).data())


def test_the_record_has_its_fields() -> None:
    data = check(CATS, "A[2,:]", "[1, 2, 3, 4]", "dp:1").data()
    assert list(data) == ["schema", "verdict", "value", "form", "rounding", "mistake", "carried", "read",
                          "message", "error", "entries"]  # fmt: skip
    assert data["schema"] == "derive.verdict/1"
    bad = check(CATS, "A[2,0]", "1 + @").data()
    assert bad["verdict"] == "invalid"
    assert bad["error"]["position"] == 5 and "COMMERCIAL AT" in bad["error"]["found"]


def test_truncation_is_named() -> None:
    found = check(graph([["2/3"]]), "Q[0,0]", "0.66", "dp:2")
    assert found.mistake is not None and found.mistake.name == "truncated"
    assert check(graph([["1/3"]]), "Q[0,0]", "0.33", "dp:2").mistake is None
    assert check(graph([["1/3"]]), "Q[0,0]", "0.34", "dp:2").mistake is None
    assert check(graph([["-2/3"]]), "Q[0,0]", "-0.66", "dp:2").mistake is not None

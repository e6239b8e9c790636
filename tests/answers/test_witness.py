"""Keys that state properties: worked by hand, with neighbours that fail."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.answers.limits import NoLimit, limit
from derive.answers.verdict import text
from derive.answers.witness import PropertyError, judge_properties
from derive.exact.dag import Dag
from derive.exact.reading import evaluate
from derive.model import Model
from derive.model.reading import loads
from derive.text import parse


def keys(query: str = "", symbols: str = "") -> Model:
    """Three keys in the plane; the query is given, or looked for."""
    rows = f"Q = {query}\n" if query else "Q = [[1, 0]]\n"
    return loads(
        f"{symbols}\n[given]\n{rows}K = [[1, 0], [0, 1], [-1, 0]]\nV = [[1, 2], [3, 4], [5, 6]]"
    )


LETTERS = keys('[["q0", "q1"]]', 'symbols = { q0 = "real", q1 = "real" }')


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("beta*[1, 1]", "right"),
        ("[beta, beta]", "right"),
        ("Q = [[3 beta, 3 beta]]", "right"),
        ("[2 beta, beta]", "wrong"),  # all on the first key
        ("-beta*[1, 1]", "wrong"),
        ("[1, 1]", "wrong"),  # no letter, so no limit moves
        ("[beta]", "invalid"),
        ("[beta,", "invalid"),
        ("[1/0, 1]", "invalid"),
    ],
)
def test_a_query_that_gives_the_mean_of_two_values(answer: str, verdict: str) -> None:
    asked = ["limit(beta, inf, A[0,1]) = 1/2", "limit(beta, inf, Z[0,0]) = 2"]
    assert judge_properties(keys(), ["Q[1,2]"], asked, answer).verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict", "holding"),
    [
        ("[1, 1]", "right", 3),
        ("q[1] = sqrt(2); q[0] = sqrt(2)", "right", 3),
        ("[2, 1]", "wrong", 2),
        ("[-1, -1]", "wrong", 1),
        ("[0, 0]", "wrong", 1),
    ],
)
def test_letters_of_the_model_are_replaced(answer: str, verdict: str, holding: int) -> None:
    asked = ["A[0,1] = A[0,0]", "A[0,0] > A[0,2]", "q[0] > 0"]
    marked = judge_properties(LETTERS, ["q[2]"], asked, answer)
    assert (marked.verdict, [p.verdict for p in marked.entries].count("right")) == (
        verdict,
        holding,
    )
    assert text(marked).startswith(verdict)


def test_several_unknowns_and_chains() -> None:
    asked = ["0 < c < 1", "M[0,0] + c = 1", "M[0,1] != M[1,0]", "v = [c, 2*c]"]
    unknowns = ["c", "M[2,2]", "v[2]"]
    right = "c = 1/3; M = [[2/3, 1], [0, 5]]; v = (1/3, 2/3)"
    assert judge_properties("cats", unknowns, asked, right).verdict == "right"
    wrong = right.replace("c = 1/3", "c = 4/3")
    assert judge_properties("cats", unknowns, asked, wrong).verdict == "wrong"
    missing = judge_properties("cats", unknowns, asked, "c = 1/3; v = [1, 2]")
    assert (missing.verdict, "M" in missing.message) == ("invalid", True)


@pytest.mark.parametrize(
    ("unknowns", "asked"),
    [
        (["q[2"], ["q[0] > 0"]),
        (["q[2]"], ["q[0]"]),
        (["q[2]"], ["q[2] > 0"]),
        (["q[2]"], ["B[0,0] > 0"]),
        (["q[2]"], ["q[0] > "]),
        (["q[2]"], ["limit(beta, inf) = 0"]),
        (["q[2]"], ["w > 0"]),
        (["Q[2,2]"], ["Q[0,0] > 0"]),
    ],
)
def test_what_the_lecturer_wrote_is_refused(unknowns: list[str], asked: list[str]) -> None:
    with pytest.raises(PropertyError):
        judge_properties(keys(), unknowns, asked, "[1, 2]")


@pytest.mark.parametrize(
    ("expression", "place", "value"),
    [
        ("exp(b)/(2*exp(b) + exp(-b))", "inf", "1/2"),
        ("exp(b)/(2*exp(b) + exp(-b))", "-inf", "0"),
        ("exp(sqrt(2)*b)/(exp(7*b/5) + 1)", "inf", "inf"),  # 7/5 < sqrt(2)
        ("(b^2 + 1)/(3*b^2 - b)", "inf", "1/3"),
        ("b^5/exp(b)", "inf", "0"),
        ("tanh(b)", "-inf", "-1"),
        ("(exp(b) - exp(b))/b", "inf", "0"),
        ("(b + 1)^2 - b^2 - 2*b", "inf", "1"),  # what grows cancels
        ("-b", "inf", "-inf"),
        ("relu(3 - b)", "inf", "0"),
        ("exp(b)/(1 + exp(b))", "0", "1/2"),
    ],
)
def test_limits(expression: str, place: str, value: str) -> None:
    f = Dag()
    x, at, end = (evaluate(parse(text), f) for text in (expression, place, value))
    assert limit(x, "b", at) is end


@pytest.mark.parametrize("expression", ["exp(b^2)/exp(b)", "sin(b)", "c*b", "exp(c*b)"])
def test_limits_that_are_not_found(expression: str) -> None:
    f = Dag()
    with pytest.raises(NoLimit):
        limit(evaluate(parse(expression), f), "b", f.infinity(1))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=2, max_size=5))
def test_a_softmax_ends_on_its_largest_scores(scores: list[int]) -> None:
    f = Dag()
    b = f.symbol("b")
    total = f.add(*(f.exp(s * b) for s in scores))
    best = [s == max(scores) for s in scores]
    for s, is_best in zip(scores, best, strict=True):
        share = f.rational(1, best.count(True)) if is_best else f.zero
        assert limit(f.exp(s * b) / total, "b", f.infinity(1)) is share

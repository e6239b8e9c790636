"""Two typed sides: places, shapes, assumptions, how they are read."""

from __future__ import annotations

import pytest

from derive.answers.equality import UnreadableError, equality


def test_every_place_has_its_verdict() -> None:
    found = equality("[[1, sqrt(4)], [3, x]]", "[[1, 2], [4, x]]")
    verdicts = {entry.index: entry.verdict.verdict for entry in found.entries}
    assert verdicts == {(0, 0): "equal", (0, 1): "equal", (1, 0): "different", (1, 1): "equal"}
    assert found.verdict == "different"


def test_one_difference_settles_it_whatever_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    from derive.answers import equality as module
    from derive.exact.verdict import Verdict

    verdicts = iter(("equal", "undecided", "different", "undecided", "equal"))
    monkeypatch.setattr(module, "decide_where_defined", lambda *_: Verdict(next(verdicts), "told"))
    assert equality("[1, 2, 3]", "[1, 2, 3]").verdict == "different"
    assert equality("[1, 2]", "[1, 2]").verdict == "undecided"


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        ("[1]", "1", "a vector of 1 against a number"),
        ("[1, 2]", "[[1, 2]]", "a vector of 2 against a matrix with rows of 2"),
    ],
)
def test_shapes(left: str, right: str, words: str) -> None:
    found = equality(left, right)
    assert (found.verdict, found.decisive.reason) == ("different", words)


@pytest.mark.parametrize(
    ("assume", "verdict"),
    [
        ([], "different"),
        (["x >= 0"], "equal"),
        (["0 <= x"], "equal"),
        (["x = 3"], "equal"),
        (["x < 0"], "different"),
        (["-x < 0"], "equal"),
    ],
)
def test_assumptions(assume: list[str], verdict: str) -> None:
    assert equality("abs(x)", "x", assume).verdict == verdict


def test_indexed_names_and_sums() -> None:
    assert equality("sum(k, 0, 2, s[k])", "s[2] + s[1] + s[0]").verdict == "equal"


def test_both_sides_share_letters_and_the_order_does_not_matter() -> None:
    assert equality("y + x", "x + y").verdict == "equal"
    assert equality("x", "y").verdict == equality("y", "x").verdict == "different"


def test_a_long_text_is_shown_around_its_fault() -> None:
    with pytest.raises(UnreadableError) as caught:
        equality("1+" * 100 + "*" + "1" * 100, "1")
    shown, mark = str(caught.value).splitlines()[1:]
    assert shown[mark.index("^")] == "*"
    assert len(shown) < 70


@pytest.mark.parametrize(
    ("left", "right", "assume", "needs"),
    [
        ("x/x", "1", [], {"A": ["x != 0"], "B": []}),
        ("x + 1", "(x^2 - 1)/(x - 1)", [], {"A": [], "B": ["x - 1 != 0"]}),
        ("exp(ln(x))", "x", [], {"A": ["x != 0"], "B": []}),
        ("exp(ln(x))", "x", ["x > 0"], None),
        ("x/x", "1", ["x != 0"], None),
        ("tan(x)", "sin(x)/cos(x)", [], None),
        ("sigmoid(x)", "1/(1 + exp(-x))", [], None),
        ("1/(x^2 - 1)", "1/((x - 1)(x + 1))", [], None),
        ("x^-1", "1/x", [], None),
        ("1/(2x)", "1/x/2", [], None),
    ],
)
def test_where_the_two_are_defined(
    left: str, right: str, assume: list[str], needs: dict[str, list[str]] | None
) -> None:
    found = equality(left, right, assume)
    assert (found.verdict, found.domain) == ("equal", needs)

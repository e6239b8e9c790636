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
    monkeypatch.setattr(module, "_verdict", lambda *_: Verdict(next(verdicts), "told"))
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


@pytest.mark.parametrize(
    ("left", "right", "assume"),
    [
        ("(1 - 2x)^(1/3)", "((1 - 2x)^(1/6))^2", ["x < 1/2"]),
        ("x^n/x^(n - 1)", "x", ["n integer"]),
        ("(a*(x+I*y)^n+b*(x+I*y)^(n-1))/(x+I*y)^n", "a+b/(x+I*y)", ["n integer"]),
        ("{1, 2}", "{2, 1}", []),
        ("abs(x) < 2", "-2 < x and x < 2", []),
        ("m \\in [\\sqrt{2}, +\\infty)", "m \\geq \\sqrt{2}", []),
        ("2x + 2y = 4", "x + y - 2 = 0", []),
        ("1/(1+e^(-1))", "\\frac{e}{1+e}", []),
    ],
)
def test_alike_in_another_notation(left: str, right: str, assume: list[str]) -> None:
    assert equality(left, right, assume).verdict == equality(right, left, assume).verdict == "equal"


@pytest.mark.parametrize(
    ("left", "right"),
    [("3x + 4y + 14=0", "3*x-1*y+13=0"), ("x<=7", "x<=5"), ("2021", "\\pm 2021"), ("1:00", "12:00"),
     ("(1,3)", "\\{1,3\\}"), ("1728", "1331 and 1728"), ("x > 0", "x >= 0"), ("x^3 > 1", "x^3 > 2")],
)  # fmt: skip
def test_statements_that_differ(left: str, right: str) -> None:
    assert equality(left, right).verdict == equality(right, left).verdict == "different"


def test_a_side_that_is_nowhere_real() -> None:
    with pytest.raises(UnreadableError, match="not a real number"):
        equality("sqrt(-x^2)", "1/x-1")
    assert equality("2 ln(x)", "ln(x^2)", ["x < 0"]).verdict == "different"
    assert equality("sqrt(-4)", "2i").verdict == "equal"

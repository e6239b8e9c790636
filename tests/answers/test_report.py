"""What is printed of an equality."""

from __future__ import annotations

import json

import pytest

from derive.answers import report
from derive.answers.equality import equality


@pytest.mark.parametrize(
    ("left", "right", "line"),
    [
        ("1/3", "sqrt(1/10)", "values   A ≈ 0.333, B ≈ 0.316"),
        ("sqrt(2)", "1.41421356237", "values   A ≈ 1.414213562373, B ≈ 1.414213562370"),
        ("exp(-1000)", "exp(-1001)", "values   A ≈ 5e-435, B ≈ 2e-435"),
        ("i sqrt(4)", "-i pi", "values   A = 0 + 2 i, B ≈ 0 - 3.142 i"),
        ("exp(x) exp(y)", "exp(x + y)", "made of  2 letters, 2 exponentials"),
        ("x/x", "1", "where    A needs x != 0"),
        ("[1, x]", "[1, x + 1]", "entry    [1]"),
    ],
)
def test_text(left: str, right: str, line: str) -> None:
    assert f"  {line}\n" in report.text(equality(left, right))


def test_a_point_is_named() -> None:
    text = report.text(equality("sqrt(x^2)", "x"))
    assert "at x = -" in text
    assert "values   A ≈ " in text


def test_numbers_past_any_page_are_not_written_out() -> None:
    assert "values" not in report.text(equality("exp(exp(20))", "1"))


def test_json_has_the_evidence() -> None:
    found = json.loads(report.json(equality("sqrt(8)", "2 sqrt(2)")))
    assert list(found) == [
        "schema", "verdict", "method", "reason", "evidence", "read", "domain"
    ]  # fmt: skip
    assert found["evidence"]["kind"] == "equal"
    assert found["read"] == ["sqrt(8)", "2*sqrt(2)"]


def test_json_of_vectors_has_entries() -> None:
    found = json.loads(report.json(equality("[[1, 2]]", "[[1, 3]]")))
    assert found["evidence"] is None
    assert [(e["index"], e["verdict"]) for e in found["entries"]] == [
        ([0, 0], "equal"),
        ([0, 1], "different"),
    ]

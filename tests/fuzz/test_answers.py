"""A slice of the fuzz run of answers, and a check that it would see a fault."""

from __future__ import annotations

import pytest

from tests.fuzz import answers


def test_ten_seconds() -> None:
    result = answers.run(seed=7, seconds=10)
    assert not result.problems, result.problems[:5]
    assert result.slowest < answers.SLOWEST
    assert result.read > 50 and len(result.corpus) > len(answers.SEEDS)


def test_a_fault_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "parse_statement", lambda _: 1 // 0)
    assert answers.run(seed=1, texts=3).problems

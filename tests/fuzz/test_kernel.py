"""A short run of the fuzz command, and a check that it would see a wrong verdict."""

from __future__ import annotations

import pytest

from derive.exact.verdict import Verdict
from tests.fuzz import kernel


def test_300_pairs() -> None:
    result = kernel.run(seed=1, pairs=300)
    assert not result.counts["wrong"] + result.counts["crash"], result.problems
    assert not result.counts["faulty rule"], result.problems
    assert result.counts["equal"] > 50 and result.counts["different"] > 50
    assert result.counts["undecided"] <= 6, result.problems


@pytest.mark.parametrize("verdict", ["equal", "different"])
def test_wrong_verdicts_would_be_seen(monkeypatch: pytest.MonkeyPatch, verdict: str) -> None:
    monkeypatch.setattr(kernel, "decide", lambda a, b, known: Verdict(verdict, "guess"))
    result = kernel.run(seed=1, pairs=40)
    assert result.counts["wrong"] > 5 and "derive equal" in result.problems[0]


def test_a_seed_means_one_pair() -> None:
    assert kernel.make_pair("3:14") == kernel.make_pair("3:14") != kernel.make_pair("3:15")

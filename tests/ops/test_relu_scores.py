"""Hand-worked numbers: relu scores."""

from __future__ import annotations

from derive.ops.relu_scores import ReLUScores
from tests.ops.helpers import assert_gives


def test_negative_and_hidden_scores_are_zero() -> None:
    assert_gives(ReLUScores(s="s"), [["0", "2", "0"]], s=[["-1", "2", "-inf"]])

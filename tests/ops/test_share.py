"""Hand-worked numbers: share."""

from __future__ import annotations

from derive.ops.share import Share
from tests.ops.helpers import assert_gives


def test_shares_of_scores() -> None:
    """Scores 1, 2, 5 of 8; a share may be negative."""
    operation = Share("share of scores", part="s", sum="t")
    assert_gives(operation, [["1/8", "1/4", "5/8"]], part=[["1", "2", "5"]], sum=[["8"]])
    assert_gives(operation, [["-1", "2"]], part=[["-3", "6"]], sum=[["3"]])

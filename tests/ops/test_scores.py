"""Hand-worked numbers: scores."""

from __future__ import annotations

from derive.ops.scores import Scores
from tests.ops.helpers import assert_gives


def test_published_score_of_cats_with_itself() -> None:
    """Sections 2 and 4: q = [1, -1], k = [0, -1.5], score 1.5."""
    assert_gives(
        Scores(q="Q", k="K"), [["3/2", "1/2"]], q=[["1", "-1"]], k=[["0", "-3/2"], ["1", "1/2"]]
    )

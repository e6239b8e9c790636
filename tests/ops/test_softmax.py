"""Hand-worked numbers: softmax."""

from __future__ import annotations

from derive.ops.softmax import Softmax
from tests.ops.helpers import assert_gives


def test_shares() -> None:
    """Scores ln 1, ln 2, ln 3: shares 1/6, 2/6, 3/6."""
    operation = Softmax(scores="S", exp="exp", sum="sum")
    assert_gives(operation, [["1/6", "1/3", "1/2"]], exp=[["1", "2", "3"]], sum=[["6"]])

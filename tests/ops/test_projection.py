"""Hand-worked numbers: projection."""

from __future__ import annotations

from derive.ops.projection import Projection
from tests.ops.helpers import assert_gives


def test_published_query_of_cats() -> None:
    """Section 2 of the source: the query of "cats" is [1, -1]."""
    W_Q = [["0", "-1/2"], ["0", "0"], ["0", "1/2"], ["-1", "0"]]
    assert_gives(
        Projection("query", "d", x="X", w="W"), [["1", "-1"]], x=[["1", "1", "-1", "-1"]], w=W_Q
    )


def test_bias_is_added_to_every_row() -> None:
    operation = Projection("up", "d", x="X", w="W", b="b")
    assert_gives(
        operation,
        [["6", "5", "3"], ["2", "3", "3"]],
        x=[["1", "2"], ["1", "0"]],
        w=[["1", "2", "3"], ["2", "1", "0"]],
        b=[["1", "1", "0"]],
    )

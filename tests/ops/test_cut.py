"""Hand-worked numbers: cut."""

from __future__ import annotations

from derive.ops.cut import Cut
from tests.ops.helpers import assert_gives


def test_what_stays_shares_the_whole_chance() -> None:
    operation = Cut("top-k with k = 2", lambda i: (1, 0), p="p")
    assert_gives(operation, [["2/5", "3/5", "0"]], p=[["1/3", "1/2", "1/6"]])

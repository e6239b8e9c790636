"""Hand-worked numbers: zero where hidden."""

from __future__ import annotations

from derive.ops.zero_where_hidden import ZeroWhereHidden
from tests.ops.helpers import assert_gives


def test_only_hidden_scores_change() -> None:
    operation = ZeroWhereHidden(frozenset({(0, 1)}), s="s")
    assert_gives(operation, [["3", "0"], ["4", "5"]], s=[["3", "-inf"], ["4", "5"]])

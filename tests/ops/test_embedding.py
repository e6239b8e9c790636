"""Hand-worked numbers: embedding."""

from __future__ import annotations

from derive.ops.embedding import Embedding
from tests.ops.helpers import assert_gives


def test_rows_of_the_table_in_the_order_of_the_tokens() -> None:
    table = [["1", "2"], ["3", "4"], ["5", "6"]]
    assert_gives(
        Embedding((2, 0, 2, 1), table="E"),
        [["5", "6"], ["1", "2"], ["5", "6"], ["3", "4"]],
        table=table,
    )

"""Hand-worked numbers: row total."""

from __future__ import annotations

from derive.ops.row_total import RowTotal
from tests.ops.helpers import assert_gives


def test_one_number_a_row() -> None:
    assert_gives(RowTotal(x="A.exp"), [["6"], ["9/2"]], x=[["1", "2", "3"], ["0", "4", "1/2"]])

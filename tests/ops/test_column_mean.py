"""Hand-worked numbers: column mean."""

from __future__ import annotations

from derive.ops.column_mean import ColumnMean
from tests.ops.helpers import assert_gives


def test_mean_of_a_text() -> None:
    assert_gives(ColumnMean(x="loss"), [["ln(6)/3"]], x=[["ln(2)"], ["ln(3)"], ["0"]])

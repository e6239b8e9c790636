"""Hand-worked numbers: mean."""

from __future__ import annotations

from derive.ops.mean import Mean
from tests.ops.helpers import assert_gives


def test_one_number_a_row() -> None:
    assert_gives(Mean(x="X"), [["2"], ["-1/2"]], x=[["1", "2", "3"], ["1", "-2", "-1/2"]])

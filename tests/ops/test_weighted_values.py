"""Hand-worked numbers: weighted values."""

from __future__ import annotations

from derive.ops.weighted_values import WeightedValues
from tests.ops.helpers import assert_gives


def test_weights_times_values() -> None:
    assert_gives(
        WeightedValues(a="A", v="V"),
        [["5/2", "-1", "4"]],
        a=[["1/2", "1/2"]],
        v=[["1", "0", "6"], ["4", "-2", "2"]],
    )

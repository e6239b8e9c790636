"""Hand-worked numbers: running total."""

from __future__ import annotations

from derive.ops.running_total import RunningTotal
from tests.ops.helpers import assert_gives


def test_added_from_the_left() -> None:
    assert_gives(RunningTotal(p="p"), [["1/2", "5/6", "1"]], p=[["1/2", "1/3", "1/6"]])

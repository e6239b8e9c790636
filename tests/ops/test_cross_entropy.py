"""Hand-worked numbers: cross entropy."""

from __future__ import annotations

from derive.ops.cross_entropy import CrossEntropy
from tests.ops.helpers import assert_gives


def test_in_nats() -> None:
    """A chance of 1/2 is a surprise of ln 2."""
    operation = CrossEntropy((1, 0), p="p")
    assert_gives(operation, [["ln(2)"], ["0"]], p=[["1/3", "1/2", "1/6"], ["1", "0", "0"]])

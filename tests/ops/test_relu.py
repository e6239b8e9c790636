"""Hand-worked numbers: relu."""

from __future__ import annotations

from derive.ops.relu import ReLU
from tests.ops.helpers import assert_gives


def test_signs_are_decided_exactly() -> None:
    """The third number is exactly 0, the fourth a hair above it."""
    u = [
        ["-1/2", "3", "sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6))", "sqrt(2) - 1.41421356237309504880"]
    ]
    expected = [["0", "3", "0", "sqrt(2) - 1.41421356237309504880"]]
    assert_gives(ReLU(u="U"), expected, u=u)

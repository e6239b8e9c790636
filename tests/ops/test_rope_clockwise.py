"""Hand-worked numbers: rope clockwise."""

from __future__ import annotations

from derive.line import Const, Num, Over
from derive.ops.rope_clockwise import RopeClockwise, RopeHalvesClockwise
from tests.ops.helpers import assert_gives

QUARTER = (Over(Const("pi"), Num(2)),)


def test_a_quarter_turn_clockwise() -> None:
    """(1, 0) turned by -pi/2 is (0, -1); (0, 1) is (1, 0)."""
    operation = RopeClockwise(QUARTER, 1, x="Q")
    assert_gives(operation, [["0", "-1"]], x=[["1", "0"]])
    assert_gives(operation, [["1", "0"]], x=[["0", "1"]])


def test_halves_clockwise() -> None:
    operation = RopeHalvesClockwise((*QUARTER, Num(0)), 1, x="Q")
    assert_gives(operation, [["3", "2", "-1", "4"]], x=[["1", "2", "3", "4"]])

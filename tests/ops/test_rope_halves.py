"""Hand-worked numbers: rope halves."""

from __future__ import annotations

from derive.line import Const, Num, Over
from derive.ops.rope_halves import RopeHalves
from tests.ops.helpers import assert_gives


def test_column_0_turns_with_column_2() -> None:
    """(1, 0, 0, 1): pairs (1, 0) and (0, 1), turned by pi/2 and by pi."""
    quarter, half = Over(Const("pi"), Num(2)), Const("pi")
    assert_gives(RopeHalves((quarter, half), 1, x="Q"), [["0", "0", "1", "-1"]],
                 x=[["1", "0", "0", "1"]])  # fmt: skip


def test_a_part_of_the_columns() -> None:
    """Two of four columns turn by a quarter: (1, 2) becomes (-2, 1)."""
    operation = RopeHalves((Over(Const("pi"), Num(2)),), 1, x="Q")
    assert_gives(operation, [["-2", "1", "3", "4"]], x=[["1", "2", "3", "4"]])
    assert operation.name == "RoPE in halves of the first 2 columns"
    assert "Only the first 2" in operation.remark(None, 0, 3)  # type: ignore[arg-type]


def test_position_of_the_first_row() -> None:
    """Row 0 at position 2 turns twice: a quarter and a quarter are a half."""
    operation = RopeHalves((Over(Const("pi"), Num(2)),), 2, x="Q")
    assert_gives(operation, [["-1", "-2"]], x=[["1", "2"]])

"""Hand-worked numbers: the running total."""

from __future__ import annotations

from derive.ops import FlashTotal
from derive.ops.tiles import Tiles
from tests.ops.helpers import assert_gives


def test_total() -> None:
    """Scores ln 1, ln 2 | ln 6: 1/2 + 1, then (3/2)(1/3) + 1."""
    operation = FlashTotal(Tiles(1, 2, 1, 3, frozenset()), s="S", m="m", alpha="a", l="l")
    assert_gives(
        operation,
        [["3/2", "3/2"]],
        s=[["0", "ln(2)", "ln(6)"]],
        m=[["ln(2)", "ln(6)"]],
        alpha=[["0", "1/3"]],
        l=[["3/2", "3/2"]],
    )

"""Hand-worked numbers: the running maximum."""

from __future__ import annotations

from derive.ops import FlashMaximum
from derive.ops.tiles import Tiles
from tests.ops.helpers import assert_gives

TILES = Tiles(1, 2, 2, 3, frozenset({(0, 2)}))  # keys 0, 1 | 2; row 0 does not see key 2


def test_maximum() -> None:
    """Row 0: max(1, 3), then nothing new; row 1: max(2, -1), then 5."""
    operation = FlashMaximum(TILES, s="S", m="m")
    s = [["1", "3", "-inf"], ["2", "-1", "5"]]
    assert_gives(operation, [["3", "3"], ["2", "5"]], s=s, m=[["3", "3"], ["2", "5"]])

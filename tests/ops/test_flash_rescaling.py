"""Hand-worked numbers: the rescaling factor."""

from __future__ import annotations

from derive.line import Num
from derive.ops import FlashRescaling
from derive.ops.tiles import Tiles
from tests.ops.helpers import assert_gives


def test_factor() -> None:
    """Nothing before the first tile; a maximum that grows from ln 2 to ln 6 is worth 1/3."""
    operation = FlashRescaling(Tiles(1, 2, 2, 3, frozenset({(0, 2)})), m="m")
    assert_gives(operation, [["0", "1"], ["0", "1/3"]], m=[["7", "7"], ["ln(2)", "ln(6)"]])


def test_another_base() -> None:
    """3^(1 - 3) = 1/9."""
    operation = FlashRescaling(Tiles(1, 1, 1, 2, frozenset(), Num(3)), m="m")
    assert_gives(operation, [["0", "1/9"]], m=[["1", "3"]])

"""Hand-worked numbers: the quotient after the last tile."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.ops import FlashResult
from derive.ops.tiles import Tiles
from tests.ops.helpers import Filled, over, read


def test_quotient() -> None:
    """(35/3) / (3/2) = 70/9, of the last tile alone."""
    f = Dag()
    o = Filled([[[read("8", f)], [read("35/3", f)]]])
    total = Filled([[read("5", f), read("3/2", f)]])
    out = over(FlashResult(Tiles(1, 2, 1, 3, frozenset()), o="o", l="l"), f, {"o": o, "l": total})
    assert {at: x.number for at, x in out.items()} == {(0, 0): (70, 9)}

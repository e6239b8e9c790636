"""Hand-worked numbers: alibi."""

from __future__ import annotations

from derive.line import Num, Power
from derive.ops.alibi import Alibi, slope
from tests.ops.helpers import assert_gives


def test_distance_times_slope() -> None:
    operation = Alibi(Num(1, 2), 3, 3)
    assert_gives(operation, [["0", "-1/2", "-1"], ["-1/2", "0", "-1/2"], ["-1", "-1/2", "0"]])


def test_published_slopes() -> None:
    """Press et al., section 3: for 8 heads 1/2, 1/4 … 1/256; for 16 the first is 2^(-1/2)."""
    assert [slope(k, 8) for k in range(8)] == [Num(1, 2 ** (k + 1)) for k in range(8)]
    assert slope(0, 16) == Power(Num(2), Num(-1, 2))
    assert slope(0, 1) == Num(1, 256)

"""Hand-worked numbers: rmsnorm."""

from __future__ import annotations

from derive.ops.rmsnorm import RMSNorm
from tests.ops.helpers import assert_gives


def test_row_over_its_size() -> None:
    assert_gives(RMSNorm(x="X", rms="r"), [["3/5", "-4/5"]], x=[["3", "-4"]], rms=[["5"]])


def test_gain() -> None:
    operation = RMSNorm(x="X", rms="r", gain="g")
    assert_gives(operation, [["6/5", "-2/5"]], x=[["3", "-4"]], rms=[["5"]], gain=[["2", "1/2"]])

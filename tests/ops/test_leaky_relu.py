"""Hand-worked numbers: leaky relu."""

from __future__ import annotations

from derive.line import Num
from derive.ops.leaky_relu import LeakyReLU
from tests.ops.helpers import assert_gives


def test_a_tenth_below_zero() -> None:
    assert_gives(LeakyReLU(Num(1, 10), u="U"), [["2", "0", "-3/10"]], u=[["2", "0", "-3"]])

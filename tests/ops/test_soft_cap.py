"""Hand-worked numbers: soft cap."""

from __future__ import annotations

from derive.line import Num
from derive.ops.soft_cap import SoftCap
from tests.ops.helpers import assert_gives


def test_tanh_of_ln_2_is_three_fifths() -> None:
    assert_gives(SoftCap(Num(5), x="S"), [["3", "0"]], x=[["5*ln(2)", "0"]])

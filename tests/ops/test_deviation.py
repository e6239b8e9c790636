"""Hand-worked numbers: deviation."""

from __future__ import annotations

from derive.line import Num
from derive.ops.deviation import Deviation
from tests.ops.helpers import assert_gives


def test_epsilon_inside_and_outside() -> None:
    """Section 3 of the source of `mat`: variance 0.600, root 0.775."""
    assert_gives(Deviation(var="v"), [["sqrt(3/5)"], ["2"]], var=[["0.6"], ["4"]])
    assert_gives(Deviation(Num(5), var="v"), [["3"]], var=[["4"]])
    assert_gives(Deviation(Num(5), False, var="v"), [["7"]], var=[["4"]])

"""Hand-worked numbers: scale."""

from __future__ import annotations

from derive.line import Num, Over, Root
from derive.ops.scale import Scale
from tests.ops.helpers import assert_gives


def test_over_the_root_of_d_k() -> None:
    """Section 5: 1.5/sqrt(2) = 1.061 (printed in section 14)."""
    operation = Scale(Over(Num(1), Root(Num(2))), s="S")
    assert_gives(operation, [["3*sqrt(2)/4", "0", "-1"]], s=[["3/2", "0", "-sqrt(2)"]])


def test_any_factor() -> None:
    assert_gives(Scale(Num(3, 2), s="S"), [["3", "-3/4"]], s=[["2", "-1/2"]])

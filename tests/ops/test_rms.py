"""Hand-worked numbers: rms."""

from __future__ import annotations

from derive.line import Num
from derive.ops.rms import RootMeanSquare
from tests.ops.helpers import assert_gives


def test_rows_of_signs_have_size_one() -> None:
    """Section 12 of the source: every embedding of plus and minus ones has RMS 1."""
    assert_gives(RootMeanSquare(x="X"), [["1"], ["5*sqrt(2)/2"]], x=[["1", "-1"], ["3", "-4"]])


def test_epsilon_inside_and_outside_the_root() -> None:
    inside = RootMeanSquare(Num(11, 2), x="X")
    outside = RootMeanSquare(Num(1, 2), False, x="X")
    assert_gives(inside, [["3"]], x=[["1", "2", "2", "1", "2", "1", "1", "sqrt(12)"]])
    assert_gives(outside, [["5/2"]], x=[["2", "-2", "2"]])

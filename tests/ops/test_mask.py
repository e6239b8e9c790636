"""Hand-worked numbers: mask."""

from __future__ import annotations

from derive.ops.mask import CausalMask, MaskedScores
from tests.ops.helpers import assert_gives


def test_a_row_sees_itself_and_what_came_before() -> None:
    assert_gives(CausalMask(2, 3), [["0", "-inf", "-inf"], ["0", "0", "-inf"]])


def test_a_hidden_score_is_minus_infinity() -> None:
    operation = MaskedScores(s="S", mask="mask")
    assert_gives(operation, [["5", "-inf"]], s=[["5", "7"]], mask=[["0", "-inf"]])

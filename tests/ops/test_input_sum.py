"""Hand-worked numbers: input sum."""

from __future__ import annotations

from derive.ops.input_sum import InputSum
from tests.ops.helpers import assert_gives


def test_word_position_and_type() -> None:
    assert_gives(InputSum("x0", "x1", "x2"), [["111", "0"]], x0=[["1", "1"]], x1=[["10", "-3"]],
                 x2=[["100", "2"]])  # fmt: skip

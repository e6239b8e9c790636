"""Hand-worked numbers: powers."""

from __future__ import annotations

from derive.line import Num
from derive.ops.powers import Powers
from tests.ops.helpers import assert_gives


def test_three_instead_of_e() -> None:
    """AI by Hand: scores 2, 0, -1 with base 3; a hidden one is 0."""
    operation = Powers(Num(3), s="s")
    scores = [["2", "0", "-1", "1/2", "-inf"]]
    assert_gives(operation, [["9", "1", "1/3", "sqrt(3)", "0"]], s=scores)

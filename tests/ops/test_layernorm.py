"""Hand-worked numbers: layernorm."""

from __future__ import annotations

from derive.ops.layernorm import LayerNorm
from tests.ops.helpers import assert_gives


def test_two_numbers_become_plus_and_minus_one() -> None:
    operation = LayerNorm(x="X", mean="m", root="r")
    assert_gives(operation, [["-1", "1"]], x=[["3", "7"]], mean=[["5"]], root=[["2"]])


def test_gain_and_shift() -> None:
    operation = LayerNorm(x="X", mean="m", root="r", gain="g", shift="b")
    assert_gives(
        operation,
        [["-2", "6"]],
        x=[["3", "7"]],
        mean=[["5"]],
        root=[["2"]],
        gain=[["3", "5"]],
        shift=[["1", "1"]],
    )

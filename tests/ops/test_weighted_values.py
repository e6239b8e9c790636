"""Hand-worked numbers: weighted values."""

from __future__ import annotations

from derive.ops.weighted_values import WeightedValues
from tests.ops.helpers import assert_gives


def test_weights_times_values() -> None:
    assert_gives(
        WeightedValues(a="A", v="V"),
        [["5/2", "-1", "4"]],
        a=[["1/2", "1/2"]],
        v=[["1", "0", "6"], ["4", "-2", "2"]],
    )


def test_a_ball_that_may_be_zero_still_counts() -> None:
    """Only a weight that is exactly 0 lets its value go."""
    from flint import arb

    from derive.exact.balls import Balls
    from tests.ops.helpers import Filled

    with Balls(64) as f:
        weights, values = Filled([[arb(0, 1), arb(0)]]), Filled([[arb(5)], [arb(7)]])
        out = WeightedValues(a="A", v="V").define(f, 0, 0, a=weights, v=values)
        assert out.contains(5) and out.contains(-5) and not out.contains(7)

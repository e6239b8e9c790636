"""Hand-worked numbers: variance."""

from __future__ import annotations

from derive.ops.variance import Variance
from tests.ops.helpers import assert_gives


def test_population_and_sample() -> None:
    """1, 2, 3: squared distances 1, 0, 1; over 3 or over 2."""
    x, mean = [["1", "2", "3"]], [["2"]]
    assert_gives(Variance(x="X", mean="m"), [["2/3"]], x=x, mean=mean)
    assert_gives(Variance(True, x="X", mean="m"), [["1"]], x=x, mean=mean)

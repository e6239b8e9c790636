"""Hand-worked numbers: residual."""

from __future__ import annotations

from derive.ops.residual import Residual
from tests.ops.helpers import assert_gives


def test_sum_cell_by_cell() -> None:
    assert_gives(
        Residual(stream="X", branch="O"),
        [["3/2", "0", "2"]],
        stream=[["1", "1", "-1"]],
        branch=[["1/2", "-1", "3"]],
    )

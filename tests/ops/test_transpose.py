"""Hand-worked numbers: transpose."""

from __future__ import annotations

from derive.ops.transpose import Transpose
from tests.ops.helpers import assert_gives


def test_rows_become_columns() -> None:
    assert_gives(
        Transpose(x="E"), [["1", "2", "3"], ["4", "5", "6"]], x=[["1", "4"], ["2", "5"], ["3", "6"]]
    )

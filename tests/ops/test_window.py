"""Hand-worked numbers: window."""

from __future__ import annotations

from derive.ops.window import WindowMask
from tests.ops.helpers import assert_gives


def test_two_wide() -> None:
    assert_gives(
        WindowMask(2, 3, 3),
        [["0", "0", "-inf"], ["0", "0", "0"], ["-inf", "0", "0"]],
    )
    assert_gives(WindowMask(1, 2, 2), [["0", "-inf"], ["-inf", "0"]])

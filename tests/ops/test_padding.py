"""Hand-worked numbers: padding."""

from __future__ import annotations

from derive.ops.padding import PaddingMask
from tests.ops.helpers import assert_gives


def test_nobody_sees_padding() -> None:
    assert_gives(PaddingMask((False, True), 2), [["0", "-inf"], ["0", "-inf"]])

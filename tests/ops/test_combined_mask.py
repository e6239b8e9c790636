"""Hand-worked numbers: combined mask."""

from __future__ import annotations

from derive.ops.combined_mask import CombinedMask
from tests.ops.helpers import assert_gives


def test_what_one_hides_is_hidden() -> None:
    assert_gives(
        CombinedMask("m0", "m1"),
        [["0", "-inf", "-inf", "-inf"]],
        m0=[["0", "-inf", "0", "-inf"]],
        m1=[["0", "0", "-inf", "-inf"]],
    )

"""Hand-worked numbers: averaged heads."""

from __future__ import annotations

from derive.ops.averaged_heads import AveragedHeads
from tests.ops.helpers import assert_gives


def test_published_keys_of_two_heads() -> None:
    """Section 7 of the cats article: rows of "I" in W_K of heads 0 and 1, and their mean."""
    assert_gives(AveragedHeads("w0", "w1"), [["-1/4", "-1/2"], ["1/4", "0"]],
                 w0=[["-1/2", "-1"], ["0", "0"]], w1=[["0", "0"], ["1/2", "0"]])  # fmt: skip

"""Hand-worked numbers: concatenation."""

from __future__ import annotations

from derive.ops.concatenation import Concatenation
from tests.ops.helpers import assert_gives


def test_heads_stand_in_their_order() -> None:
    operation = Concatenation("z0", "z1")
    assert_gives(operation, [["1", "2", "5", "6"], ["3", "4", "7", "8"]],
                 z0=[["1", "2"], ["3", "4"]], z1=[["5", "6"], ["7", "8"]])  # fmt: skip
    assert operation.remark(None, 0, 3) == "Column 3 is column c = 1 of head 1."  # type: ignore[arg-type]

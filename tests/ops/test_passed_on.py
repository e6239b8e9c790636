"""Hand-worked numbers: passed on."""

from __future__ import annotations

from derive.ops.passed_on import PassedOn
from tests.ops.helpers import assert_gives


def test_nothing_changes() -> None:
    assert_gives(PassedOn(x="Z"), [["1", "a"]], x=[["1", "a"]])

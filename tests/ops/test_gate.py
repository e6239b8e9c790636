"""Hand-worked numbers: gate."""

from __future__ import annotations

from derive.ops.gate import Gate
from tests.ops.helpers import assert_gives


def test_entry_by_entry() -> None:
    assert_gives(Gate(gate="g", u="u"), [["0", "6", "-1"]], gate=[["0", "2", "1/2"]],
                 u=[["5", "3", "-2"]])  # fmt: skip

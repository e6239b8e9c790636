"""Hand-worked numbers: exponentials."""

from __future__ import annotations

from derive.ops.exponentials import Exponentials
from tests.ops.helpers import assert_gives


def test_powers_of_e() -> None:
    assert_gives(Exponentials(s="S"), [["1", "2", "0", "e^2"]], s=[["0", "ln(2)", "-inf", "2"]])

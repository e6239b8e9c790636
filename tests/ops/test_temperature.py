"""Hand-worked numbers: temperature."""

from __future__ import annotations

from derive.line import Num
from derive.ops.temperature import Tempered
from tests.ops.helpers import assert_gives


def test_logits_are_divided() -> None:
    assert_gives(Tempered(Num(3), x="logits"), [["2", "1"]], x=[["ln(8)", "0"]])

"""Hand-worked numbers: given."""

from __future__ import annotations

from derive.ops.given import Given
from derive.text import parse
from tests.ops.helpers import assert_gives


def test_numbers_and_letters_stay_as_written() -> None:
    rows = tuple(tuple(map(parse, row)) for row in (("1/2", "sqrt(2)"), ("w", "-3")))
    assert_gives(Given(rows), [["0.5", "2/sqrt(2)"], ["w", "-3"]])

"""Hand-worked numbers: token types."""

from __future__ import annotations

from derive.ops.token_types import TokenTypes
from tests.ops.helpers import assert_gives


def test_the_second_sentence_has_the_second_row() -> None:
    operation = TokenTypes((0, 1, 1), table="E_type")
    assert_gives(operation, [["1", "2"], ["3", "4"], ["3", "4"]], table=[["1", "2"], ["3", "4"]])
    assert operation.remark(None, 2, 0) == "t_i is the type of token i: here 1."  # type: ignore[arg-type]

"""Hand-worked numbers: hard."""

from __future__ import annotations

from derive.ops.hard import HardAttention
from tests.ops.helpers import assert_gives

BEST = {0: (1,), 1: (0, 2)}


def test_the_best_takes_all_and_ties_share() -> None:
    operation = HardAttention(BEST.__getitem__, s="s")
    assert_gives(operation, [["0", "1", "0"], ["1/2", "0", "1/2"]],
                 s=[["1", "2", "0"], ["3", "1", "3"]])  # fmt: skip
    assert operation.remark(None, 1, 1).endswith("exactly equal, in columns 0, 2: a tie.")
    assert operation.remark(None, 0, 0) == "The largest score of the row is in column 1."
    operation.index_base = 1
    assert operation.remark(None, 0, 0) == "The largest score of the row is in column 2."


def test_it_depends_on_every_score_of_its_row() -> None:
    operation = HardAttention(BEST.__getitem__, s="s")
    operation.output({"s": (2, 3)})
    assert [e.indices[1].p for e in operation.decided_by(0, 0)] == [0, 1, 2]  # type: ignore[union-attr]

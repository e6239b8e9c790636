"""Hand-worked numbers: top_experts."""

from __future__ import annotations

from derive.ops.top_experts import TopExperts
from tests.ops.helpers import assert_gives

GROUPS = {0: ((3,), (0, 2), (1,)), 1: ((1, 2), (0,), (3,))}  # of the rows below, largest first
ROWS = [["1", "0", "1", "2"], ["1/2", "3", "3", "-1"]]


def test_the_lower_number_wins_a_tie() -> None:
    operation = TopExperts(GROUPS.__getitem__, 2, x="x")
    assert operation.chosen(0) == (0, 3) and operation.chosen(1) == (1, 2)
    assert_gives(operation, [["1", "0", "0", "2"], ["0", "3", "3", "0"]], x=ROWS)
    one = TopExperts(GROUPS.__getitem__, 1, x="x")
    assert_gives(one, [["0", "0", "0", "2"], ["0", "3", "0", "0"]], x=ROWS)


def test_before_a_softmax_what_falls_out_is_hidden() -> None:
    operation = TopExperts(GROUPS.__getitem__, 2, before=True, x="x")
    assert_gives(operation, [["1", "-inf", "-inf", "2"], ["-inf", "3", "3", "-inf"]], x=ROWS)


def test_the_remark_names_places_and_ties() -> None:
    operation = TopExperts(GROUPS.__getitem__, 2, x="x")
    assert operation.remark(None, 0, 2) == (
        "From the largest down the experts of this row are e3, e0, e2, e1, and the first 2 stay; "
        "r_j is the place of e2: 3. e0, e2 are exactly equal: a tie, and the lower number goes "
        "first."
    )
    assert "tie" not in TopExperts(lambda i: ((1,), (0,)), 1, x="x").remark(None, 0, 0)


def test_it_depends_on_every_entry_of_its_row() -> None:
    operation = TopExperts(GROUPS.__getitem__, 2, x="x")
    operation.output({"x": (2, 4)})
    assert [e.indices[1].p for e in operation.decided_by(1, 0)] == [0, 1, 2, 3]  # type: ignore[union-attr]

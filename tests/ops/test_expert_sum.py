"""Hand-worked numbers: expert_sum."""

from __future__ import annotations

from derive.ops.expert_sum import ExpertSum
from tests.ops.helpers import assert_gives

CHOSEN = {0: (0, 2), 1: (1,)}


def test_chosen_experts_by_weight_and_shared_ones_whole() -> None:
    operation = ExpertSum(CHOSEN.__getitem__, ["s"], "x", "y", "z", r="r")
    assert_gives(operation, [["1/4*4 + 3/4*8 + 10", "1/4*0 + 3/4*4 + 20"], ["2 + 30", "3 + 40"]],
                 r=[["1/4", "0", "3/4"], ["0", "1", "0"]],
                 e0=[["4", "0"], ["7", "7"]], e1=[["7", "7"], ["2", "3"]],
                 e2=[["8", "4"], ["7", "7"]], s0=[["10", "20"], ["30", "40"]])  # fmt: skip
    assert operation.remark(None, 0, 0) == (
        "This row goes to e0, e2: the others have weight exactly 0, and what is shared counts "
        "whole."
    )
    assert len(operation.decided_by(0, 0)) == 3


def test_one_expert_alone_has_no_sum() -> None:
    operation = ExpertSum(CHOSEN.__getitem__, [], "x", "y", "z", r="r")
    assert_gives(operation, [["2"], ["5"]], r=[["1", "0", "1"], ["0", "5", "0"]],
                 e0=[["1"], ["7"]], e1=[["7"], ["1"]], e2=[["1"], ["7"]])  # fmt: skip
    everyone = ExpertSum(lambda i: (0, 1), [], "x", "y", r="r")
    assert_gives(everyone, [["3"]], r=[["1", "2"]], e0=[["1"]], e1=[["1"]])
    assert everyone.remark(None, 0, 0) == "This row goes to every expert."

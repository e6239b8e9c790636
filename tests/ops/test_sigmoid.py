"""Hand-worked numbers: sigmoid."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.digits import places
from derive.ops.sigmoid import Sigmoid
from tests.ops.helpers import assert_gives, run


def test_at_zero_and_one() -> None:
    """1/(1 + 0.367879) = 0.73106."""
    operation = Sigmoid(u="U")
    assert_gives(operation, [["1/2", "1/(1 + exp(-1))"]], u=[["0", "1"]])
    assert places(run(operation, Dag(), {"u": [["1"]]})[0, 0], 5) == "0.73106"

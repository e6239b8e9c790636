"""Hand-worked numbers: tanh."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.digits import places
from derive.ops.tanh import Tanh
from tests.ops.helpers import assert_gives, run


def test_at_zero_and_one() -> None:
    """(7.389056 - 1)/(7.389056 + 1) = 0.76159."""
    operation = Tanh(u="U")
    assert_gives(operation, [["0", "(exp(2) - 1)/(exp(2) + 1)"]], u=[["0", "1"]])
    assert places(run(operation, Dag(), {"u": [["1"]]})[0, 0], 5) == "0.76159"

"""Hand-worked numbers: gelu sigmoid."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.digits import places
from derive.ops.gelu_sigmoid import GELUSigmoid
from tests.ops.helpers import assert_gives, run


def test_at_zero_and_one() -> None:
    """1/(1 + e^(-1.702)) = 1/(1 + 0.18232) = 0.84580."""
    operation = GELUSigmoid(u="U")
    assert_gives(operation, [["0", "1/(1 + exp(-1.702))"]], u=[["0", "1"]])
    assert places(run(operation, Dag(), {"u": [["1"]]})[0, 0], 5) == "0.84580"

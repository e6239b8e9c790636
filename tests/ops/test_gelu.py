"""Hand-worked numbers: gelu."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.digits import places
from derive.ops.gelu import GELU
from tests.ops.helpers import assert_gives, run


def test_at_zero_and_one() -> None:
    """Φ(1) = 0.84134 in any table of the normal distribution."""
    operation = GELU(u="U")
    assert_gives(operation, [["0", "(1 + erf(1/sqrt(2)))/2"]], u=[["0", "1"]])
    assert places(run(operation, Dag(), {"u": [["1"]]})[0, 0], 5) == "0.84134"

"""Hand-worked numbers: gelu tanh."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.digits import places
from derive.ops.gelu_tanh import GELUTanh
from tests.ops.helpers import assert_gives, run


def test_at_zero_and_one() -> None:
    """As deep learning libraries print it for the tanh form: 0.84119."""
    operation = GELUTanh(u="U")
    assert_gives(operation, [["0", "(1 + tanh(sqrt(2/pi)*1.044715))/2"]], u=[["0", "1"]])
    assert places(run(operation, Dag(), {"u": [["1"]]})[0, 0], 5) == "0.84119"

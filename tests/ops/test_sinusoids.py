"""Hand-worked numbers: sinusoids."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.digits import places
from derive.line import Num
from derive.ops.sinusoids import Sinusoids
from tests.ops.helpers import assert_gives


def test_position_zero_and_both_layouts() -> None:
    """Vaswani et al., section 3.5, for d = 4: frequencies 1 and 10000^(-1/2) = 1/100."""
    pairs = Sinusoids(2, 4, Num(10000))
    blocks = Sinusoids(2, 4, Num(10000), interleaved=False)
    assert_gives(pairs, [["0", "1", "0", "1"], ["sin(1)", "cos(1)", "sin(1/100)", "cos(1/100)"]])
    assert_gives(blocks, [["0", "0", "1", "1"], ["sin(1)", "sin(1/100)", "cos(1)", "cos(1/100)"]])


def test_published_figure_of_mat() -> None:
    """Row 4, slot 0 of the source: -0.76."""
    f = Dag()
    assert places(Sinusoids(5, 8, Num(10000)).define(f, 4, 0), 2) == "-0.76"

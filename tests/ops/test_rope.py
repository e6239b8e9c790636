"""Hand-worked numbers: rope."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.exact.digits import places
from derive.line import Const, Num, Over, constant
from derive.ops.rope import Rope, frequency
from tests.ops.helpers import assert_gives, run


def test_position_zero_does_not_turn_and_length_stays() -> None:
    operation = Rope((Num(1),), 0, x="Q")
    assert_gives(
        operation,
        [["3", "4"], ["3*cos(1) - 4*sin(1)", "3*sin(1) + 4*cos(1)"]],
        x=[["3", "4"], ["3", "4"]],
    )


def test_a_quarter_turn_is_counter_clockwise() -> None:
    """(1, 0) turned by pi/2 is (0, 1)."""
    quarter = Over(Const("pi"), Num(2))
    assert_gives(Rope((quarter,), 1, x="Q"), [["0", "1"]], x=[["1", "0"]])


def test_published_figures_of_cats() -> None:
    """Section 3 of the source: Q_rot[2,:] = 0.493, 1.325."""
    f = Dag()
    out = run(Rope((Num(1),), 2, x="Q"), f, {"x": [["1", "-1"]]})
    assert [places(out[0, j], 3) for j in range(2)] == ["0.493", "1.325"]


def test_frequencies_fall_from_one_pair_to_the_next() -> None:
    """RoFormer, equation 15: theta_p = 10000^(-2p/d); for d = 4: 1 and 1/100."""
    f = Dag()
    second = constant(frequency(Num(10000), 1, 4), f)
    assert decide(second, f.rational(1, 100)).verdict == "equal"
    assert frequency(Num(10000), 0, 4) == Num(1)

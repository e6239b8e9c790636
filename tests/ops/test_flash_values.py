"""Hand-worked numbers: the running sum of values."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.ops import FlashValues
from derive.ops.tiles import Tiles
from tests.ops.helpers import Filled, over, read


def test_values() -> None:
    """Scores ln 1, ln 2 | ln 6, values 4, 6 | 9: 4/2 + 6, then 8/3 + 9."""
    f = Dag()

    def filled(rows: list[list[str]]) -> Filled:
        return Filled([[read(x, f) for x in row] for row in rows])

    operation = FlashValues(Tiles(1, 2, 1, 3, frozenset()), s="S", m="m", alpha="a", v="V", o="o")
    out = over(
        operation,
        f,
        {
            "s": filled([["0", "ln(2)", "ln(6)"]]),
            "m": filled([["ln(2)", "ln(6)"]]),
            "alpha": filled([["0", "1/3"]]),
            "v": filled([["4", "1"], ["6", "0"], ["9", "2"]]),
            "o": Filled([[[read(x, f) for x in row] for row in (("8", "1/2"), ("35/3", "13/6"))]]),
        },
    )
    expected = {(0, 0, 0): "8", (0, 0, 1): "1/2", (0, 1, 0): "35/3", (0, 1, 1): "13/6"}
    assert out.keys() == expected.keys()
    for at, text in expected.items():
        assert decide(out[at], read(text, f)).verdict == "equal", at

"""Hand-worked numbers: latent, and the absorbed form with letters."""

from __future__ import annotations

from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.line import value
from derive.ops import AbsorbedQueries, LatentScores, LatentValues, Projection, WeightedValues
from tests.ops.helpers import Filled, assert_gives, over


def test_absorbed_queries() -> None:
    assert_gives(AbsorbedQueries(q="q", w="w"), [["5", "2", "11"]],
                 q=[["1", "2"]], w=[["1", "2"], ["0", "1"], ["3", "4"]])  # fmt: skip


def test_scores_of_content_and_position() -> None:
    operation = LatentScores(q="q", k="k", rotary=("x", "y"))
    assert_gives(operation, [["1*3 + 2*4 + 5*7", "1*5 + 2*6 + 5*8"]],
                 q=[["1", "2"]], k=[["3", "4"], ["5", "6"]], q_rope=[["5"]],
                 k_rope=[["7"], ["8"]])  # fmt: skip
    assert_gives(LatentScores(q="q", k="k"), [["11", "17"]],
                 q=[["1", "2"]], k=[["3", "4"], ["5", "6"]])  # fmt: skip


def letters(f: Dag, name: str, rows: int, columns: int) -> Filled:
    return Filled([[f.symbol(f"{name}_{i}_{j}") for j in range(columns)] for i in range(rows)])


def test_absorbed_and_expanded_scores_are_equal_for_all_numbers() -> None:
    """q · (c W_UK) = (q W_UK^T) · c, every entry a free letter, all axes of another length."""
    f = Dag()
    q, c, w = letters(f, "q", 2, 3), letters(f, "c", 4, 5), letters(f, "w", 5, 3)
    x, y = letters(f, "x", 2, 1), letters(f, "y", 4, 1)
    k = over(Projection("up", "r", x="c", w="w"), f, {"x": c, "w": w})
    latent = over(AbsorbedQueries(q="q", w="w"), f, {"q": q, "w": w})
    operation = LatentScores(q="q", k="k", rotary=("x", "y"), absorbed=("latent", "c", 5))
    s = over(operation, f, {"q": q, "k": k, "q_rope": x, "k_rope": y})
    cells = {"q": q, "k": k, "x": x, "y": y, "latent": latent, "c": c}
    for at, computed in s.items():
        absorbed, expanded = operation.formulas(*at)
        for formula in (absorbed, expanded):
            written = value(formula, f, lambda name, where: cells[name][where])
            assert decide(written, computed).verdict == "equal"
        wrong = value(absorbed, f, lambda name, where: cells[name][where]) + q[0, 0]
        assert decide(wrong, computed).verdict == "different"


def test_absorbed_and_expanded_values_are_equal_for_all_numbers() -> None:
    """(A c) W_UV = A (c W_UV)."""
    f = Dag()
    a, c, w = letters(f, "a", 2, 4), letters(f, "c", 4, 5), letters(f, "w", 5, 3)
    v = over(Projection("up", "r", x="c", w="w"), f, {"x": c, "w": w})
    mixed = over(WeightedValues(a="a", v="c"), f, {"a": a, "v": c})
    operation = LatentValues(a="a", v="v", absorbed=("mixed", "w", 5))
    z = over(operation, f, {"a": a, "v": v})
    cells = {"a": a, "v": v, "mixed": mixed, "w": w}
    for at, computed in z.items():
        first, last = operation.formulas(*at)
        for formula in (first, last):
            written = value(formula, f, lambda name, where: cells[name][where])
            assert decide(written, computed).verdict == "equal"
    assert "Both are the same number" in operation.remark(lambda name, at: None, 0, 0)

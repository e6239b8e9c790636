"""What a reader finds beside and below the lines, the same in every format."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.graph import derivation, table
from derive.model import load, loads
from derive.render import render
from derive.render.steps import WORDS


@pytest.mark.parametrize(
    ("model", "address"), [("cats", "Z[2,0]"), ("mat", "F[2,1]"), ("aibyhand", "V[0,1]")]
)
def test_text_and_latex_have_the_same_words(model: str, address: str) -> None:
    """Also where a line is as wide as the page."""
    d = derivation(build(load(model)), address)
    text, latex = str(render(d, "text")), str(render(d, "latex"))
    for word in WORDS.values():
        assert (f"\n  {word} " in text) == (f"footnotesize {word}}}" in latex), word


def test_points_stand_below_points_beside_other_cells() -> None:
    rows = str(render(table(build(load("cats")), "S_masked"), "text")).splitlines()[3:]
    assert [row.split()[2] for row in rows] == ["−∞", "0.70711", "−1.0835", "0.81733"]
    places = [row.index(row.split()[2]) for row in rows[1:]]
    points = [row.index(".", place) for row, place in zip(rows[1:], places, strict=True)]
    assert len(set(points)) == 1


def test_boxed_letters_are_explained_on_the_page() -> None:
    model = "[given]\nQ = [[1]]\nK = [[1], [2]]\nV = [[1], [2]]\n"
    with_tokens = (
        'tokens = ["猫"]\n[embedding]\nX = [[1]]\n[[block]]\n[block.attention]\nW_Q = [[1]]'
    )
    boxed = str(render(derivation(build(loads(with_tokens)), "Q[0,0]"), "tex"))
    assert boxed.count("stands for a character") == 1 and "U+732B" in boxed
    plain = str(render(derivation(build(loads(model)), "S[0,1]"), "tex"))
    assert "stands for a character" not in plain

"""Drawn weights: the generator, the shapes, the places, the errors."""

from __future__ import annotations

from itertools import islice

import pytest

from derive.model import limits, loads
from derive.model.generator import mulberry32, replaced
from derive.text import parse
from tests.model.helpers import errors, rows, values

DRAWN = """[weights]
generator = "mulberry32"
seed = 2
order = ["X", "W_Q"]
map = "u"
sizes = { n = 2, d = 2, k = 1 }
"""


def test_range() -> None:
    """test_bundled.py compares 68 draws with those of the source's own program."""
    for seed in (0, 1, 2**32 - 1):
        draws = list(islice(mulberry32(seed), 1000))
        assert all(0 <= x < 2**32 for x in draws)
        assert len(set(draws)) > 990


def test_places() -> None:
    model = loads(DRAWN)
    draws = [str(x) for x in islice(mulberry32(2), 6)]
    table = rows(" ".join(f"{x}/4294967296" for x in draws))[0]
    assert values(model.embedding["X"]) == [table[:2], table[2:4]]
    assert values(model.blocks[0]["attention"]["W_Q"][0]) == [[table[4]], [table[5]]]


def test_what_the_file_gives_stays_and_the_rest_is_the_same() -> None:
    model = loads(DRAWN + "[embedding]\nX = [[1, 2], [3, 4]]")
    assert values(model.embedding["X"]) == rows("1 2; 3 4")
    assert model.blocks == loads(DRAWN).blocks


def test_a_map_that_is_no_fraction_keeps_its_form() -> None:
    u = loads(DRAWN).embedding["X"][0][0]
    for formula in ("sqrt(u)", "x*u", "2^(u/2)", "max(u, 1/3) - d"):
        text = 'symbols = { x = "real" }\n' + DRAWN.replace('"u"', f'"{formula}"')
        assert loads(text).embedding["X"][0][0] == replaced(parse(formula), u)
    for formula in ("1/2", "u - u + 0.5", "2^-1"):
        assert values(loads(DRAWN.replace('"u"', f'"{formula}"')).embedding["X"])[0][0] == "1/2"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"mulberry32"', '"mulberry"', 'generator: read "mulberry", expected mulberry32; nearest'),
        ("seed = 2", "seed = -1", "seed: read -1, expected a whole number from 0 to 4294967295"),
        ("seed = 2", "seed = 4294967296", "seed: read 4294967296, expected a whole number"),
        ("seed = 2", "", "weights: read no seed, expected seed: where it starts"),
        ('"W_Q"]', '"W_P"]', 'order[1]: read "W_P", expected the name of a matrix'),
        ('"W_Q"]', '"A"]', 'order[1]: read "A", expected a weight'),
        ('"W_Q"]', '"X"]', "order: read a name twice, expected each matrix once"),
        ('"W_Q"]', '"W_up"]', "order[1]: read W_up, whose shape is d × f, expected f in weights"),
        ('"W_Q"]', "3]", "order[1]: read 3, expected a text in quotes"),
        ("k = 1", "q = 1", 'sizes.q: read "q", expected a size letter: n d k v h g f V'),
        ("k = 1", "k = 0", "sizes.k: read 0, expected a whole number from 1 to 1000000"),
        ("k = 1", "k = 1000000", "order: read 2000004 entries to draw, expected at most 1000000"),
        ('"u"', '"w"', 'map: read "w"'),
        ('"u"', '"1/(u-u)"', "map: read \"1/(u-u)\", expected a number for every draw; one"),
        ("{ n", "3 # {", "sizes: read 3, expected a table such as"),
    ],
)  # fmt: skip
def test_errors(old: str, new: str, message: str) -> None:
    found = errors(DRAWN.replace(old, new))
    assert any(f"weights.{message}" in x or f": {message}" in x for x in found), found


def test_entries_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, works in ((7, True), (6, True), (5, False)):
        monkeypatch.setattr(limits, "CELLS", limit)
        if works:
            assert loads(DRAWN)
        else:
            assert "6 entries to draw" in errors(DRAWN)[0]


def test_v_is_k_and_V_follows_from_the_vocabulary() -> None:
    text = """ids = [1]
    vocabulary = ["a", "b", "c"]
    [weights]
    generator = "mulberry32"
    seed = 7
    order = ["E", "W_V", "b_V", "b0.W_O"]
    map = "2*u-1"
    sizes = { d = 2, k = 4 }
    """
    model = loads(text)
    attention = model.blocks[0]["attention"]
    assert len(model.embedding["E"]) == 3
    assert (len(attention["W_V"][0][0]), len(attention["b_V"][0])) == (4, 1)
    assert (len(attention["W_O"]), len(attention["W_O"][0])) == (4, 2)

"""FlashAttention's trace: o/ℓ is Z at every cell, whatever tiles, masks, letters and bases."""

from __future__ import annotations

from itertools import product

import pytest

from derive.blocks import build
from derive.exact.decide import decide
from derive.graph import Cell, Graph, derivation
from derive.model import load, loads
from derive.render import derivation as render

GIVEN = """
[[block]]
[block.attention]
scale = 1
{options}
[given]
Q = [[1, 0], [0, 1], [2, -1], [0, 0], ["1/2", 1]]
K = [[1, 1], [0, 1], [2, "1/3"], [-1, 1], [0, 0]]
V = [[1, 0, 2], [0, 1, -1], [3, 1, 1], ["1/2", 0, 0], [1, 1, 1]]
"""
CROSS = """
[[block]]
[block.attention]
tile = [2, 3]
{options}
[given]
S_masked = [["a", "-inf", "b", "c"], ["b", "a", "-inf", "a"], ["-inf", "-inf", "-inf", "c"]]
V = [[1, "v_0"], [2, 3], ["v_0", 1], ["v_1", 0]]
"""
SYMBOLS = 'symbols = { a = "real", b = "real", c = "real", v_0 = "real", v_1 = "real" }\n'


def graph(options: str) -> Graph:
    return build(loads(GIVEN.format(options=options), "flash"))


def the_end_is_z(found: Graph) -> None:
    z, flash = found.matrix("Z"), found.matrix("flash.Z")
    assert z.shape == flash.shape
    for at in product(*map(range, z.shape)):
        pair = Cell(found, flash, at).node, Cell(found, z, at).node
        assert decide(*pair).verdict == "equal", at


@pytest.mark.parametrize("queries", [1, 2, 9])
@pytest.mark.parametrize("keys", [1, 2, 3, 5, 9])
def test_any_tiles(queries: int, keys: int) -> None:
    found = graph(f'mask = "causal"\ntile = [{queries}, {keys}]')
    assert found.matrix("flash.o").shape == (5, -(-5 // keys), 3)
    the_end_is_z(found)


@pytest.mark.parametrize(
    "options",
    [
        "",
        "window = 2",
        "window = 1",
        'mask = "causal"\nwindow = 2',
        "padding = [true, true, false, false, true]",
        "base = 3",
        'base = "3/2"\nmask = "causal"',
        "soft_cap = 2",
    ],
)
@pytest.mark.parametrize("tile", ["[1, 2]", "[3, 2]"])
def test_any_mask_and_base(options: str, tile: str) -> None:
    the_end_is_z(graph(f"tile = {tile}\n{options}"))


def test_free_letters_and_other_rows_that_are_read() -> None:
    """For all real scores at once: whichever of them is the largest."""
    found = build(loads(SYMBOLS + CROSS.format(options=""), "letters"))
    assert found.matrix("flash.m").shape == (3, 2)
    the_end_is_z(found)


@pytest.mark.parametrize("name", ["cats", "cats-two-blocks", "cats-gqa", "sheet"])
def test_every_head_of_bundled_models(name: str) -> None:
    found = build(load(name))
    heads = [x.removesuffix("flash.Z") for x in found.matrices if x.endswith("flash.Z")]
    assert heads
    for head in heads:
        for at in product(*map(range, found.matrices[f"{head}Z"].shape)):
            pair = [Cell(found, found.matrices[head + x], at).node for x in ("flash.Z", "Z")]
            assert decide(*pair).verdict == "equal", (head, at)


# which pairs of tiles are skipped, against the definition: no open place in the pair


@pytest.mark.parametrize("queries", [1, 2, 3, 4])
@pytest.mark.parametrize("keys", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "options", ['mask = "causal"', "window = 2", 'mask = "causal"\nwindow = 2']
)
def test_pairs_that_are_skipped(queries: int, keys: int, options: str) -> None:
    found = graph(f"tile = [{queries}, {keys}]\n{options}")
    mask, tiles = found.matrix("mask"), found.matrix("flash.m").operation.tiles  # type: ignore[attr-defined]
    minus = found.dag.infinity(-1)
    skipped = 0
    for a, t in product(range(0, 5, queries), range(-(-5 // keys))):
        rows, columns = range(a, min(a + queries, 5)), range(t * keys, min((t + 1) * keys, 5))
        hidden = all(Cell(found, mask, at).node == minus for at in product(rows, columns))
        assert all(tiles.skipped(i, t) == hidden for i in rows)
        skipped += hidden
    assert tiles.pairs_skipped == skipped


def test_larger_tiles_of_queries_skip_less() -> None:
    """Causal, keys one by one: a tile of queries needs every key up to its last row."""
    counts = []
    for queries in (1, 2, 5):
        tiles = graph(f'mask = "causal"\ntile = [{queries}, 1]').matrix("flash.m").operation.tiles  # type: ignore[attr-defined]
        counts.append((tiles.pairs_skipped, tiles.pairs))
    assert counts == [(10, 25), (3 + 1, 15), (0, 5)]


def test_a_skipped_pair_changes_nothing_and_says_so() -> None:
    cats = build(load("cats"))
    step = derivation(cats, "flash.o[1,1,0]").steps[0]
    assert cats["flash.o[1,1,0]"].node == cats["flash.o[1,0,0]"].node
    assert cats["flash.alpha[1,1]"].node == cats.dag.one
    assert step.note == (
        "The mask hides keys 2 and 3 from queries 0 and 1, so this pair of tiles is skipped and "
        "nothing changes; 1 of 4 pairs of tiles is skipped."
    )


def test_the_start_is_minus_infinity() -> None:
    cats = build(load("cats"))
    text = render(derivation(cats, "flash.alpha[2,0]"), "text")
    assert "e^(−∞ − flash.m[2,0])" in text and cats["flash.alpha[2,0]"].node == cats.dag.zero
    assert "max(−∞, " in render(derivation(cats, "flash.m[2,0]"), "text")
    assert "flash.alpha[2,0]·0 + " in render(derivation(cats, "flash.l[2,0]"), "text")


def test_a_row_that_has_seen_nothing_yet_waits() -> None:
    """Row 4 sees only key 4; the tiles before are worked on for other rows of its tile."""
    found = graph("window = 1\ntile = [5, 2]")
    assert [found[f"flash.l[4,{t}]"].decimal(5) for t in (0, 1, 2)] == ["0", "0", "1"]
    assert [found[f"flash.alpha[4,{t}]"].decimal(5) for t in (0, 1, 2)] == ["1", "1", "0"]
    assert found["flash.m[4,1]"].decimal(5) == "-inf"


def test_the_reader_is_told_that_it_is_z() -> None:
    cats = build(load("cats"))
    note = derivation(cats, "flash.Z[2,0]").steps[0].note
    assert note.endswith("1 of 4 pairs of tiles is skipped. Proved: this is Z[2,0].")


def test_a_given_z_is_another() -> None:
    found = build(load("cats", sets=("given.Z=[[1,2],[3,4],[5,6],[7,8]]",)))
    note = derivation(found, "flash.Z[2,0]").steps[0].note
    assert "This is not Z[2,0], because the model gives numbers on the way there." in note


def test_given_maxima_are_used_and_cancel_out() -> None:
    """Any numbers will do as maxima: they only keep the exponentials small."""
    found = build(load("cats", sets=("given.'flash.m'=[[1,1],[0,2],[1,1],[3,4]]",)))
    assert found["flash.m[3,1]"].node.number == (4, 1)
    the_end_is_z(found)


def test_weights_without_exponentials_have_no_trace() -> None:
    found = build(load("cats", sets=("attention.weights=hard",)))
    assert not [name for name in found.matrices if "flash" in name]


def test_many_small_tiles() -> None:
    """One key a tile, a long row: the chain of earlier cells is as long as the row."""
    n = 400
    ones = [[0]] * n
    given = f"[given]\nQ = [[1]]\nK = {ones}\nV = {ones}\n"
    found = build(loads(f"[[block]]\n[block.attention]\ntile = [1, 1]\n{given}", "long"))
    assert found[f"flash.l[0,{n - 1}]"].node.number == (n, 1)

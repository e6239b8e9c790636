"""The decoding as text and as JSON."""

from __future__ import annotations

import json

from derive.blocks.decode import decode
from derive.documents import decoding
from derive.model import load, loads
from tests.blocks.test_decode import WORDS


def test_text() -> None:
    text = decoding.text(list(decode(loads(WORDS, "words"), 2)), 3)
    assert text.splitlines()[0] == "prefill   reads “b a”"
    assert "step 1    reads “b”, row 2" in text
    assert "cache     K[0…1,:], V[0…1,:]" in text
    assert "the new row is exactly the last row of the full pass" in text
    assert "chances   b 0.755, a 0.142, c 0.102" in text
    assert text.endswith("text: b a b b\n")
    assert max(map(len, text.splitlines())) <= 80


def test_print_follows_the_notation_and_json_stays() -> None:
    sets = ["notation.vectors=column", "notation.index_base=1", "notation.decimal=comma"]
    usual = list(decode(loads(WORDS, "words"), 2))
    other = list(decode(loads(WORDS, "words", sets=sets), 2))
    text = decoding.text(other, 3)
    assert "step 1    reads “b”, column 3\n" in text and "row" not in text
    assert "cache     K[:,1…2], V[:,1…2]" in text and "S[:,3]" in text
    assert "the new column is exactly the last column of the full pass" in text
    assert "chances   b 0,755, a 0,142, c 0,102" in text
    assert decoding.data(usual, 5) == decoding.data(other, 5)
    from_one = decoding.text(list(decode(loads(WORDS, "words", sets=sets[1:2]), 2)), 3)
    assert "row 3" in from_one and "K[1…2,:]" in from_one and "S[3,:]" in from_one


def test_json_follows_the_schema() -> None:
    out = json.loads(decoding.data(list(decode(loads(WORDS, "words"), 2)), 5))
    assert list(out) == ["schema", "prompt", "steps", "text"]
    assert out["schema"] == "derive.decode/1" and out["prompt"] == ["b", "a"]
    assert len(out["steps"]) == 2
    assert list(out["steps"][0])[:5] == ["read", "new_cells", "cached", "predicted", "tie"]
    assert out["text"] == "b a b b"
    silent = json.loads(decoding.data(list(decode(load("cats"))), 5))
    assert silent["steps"][-1]["predicted"] is None
    assert silent["text"] == "I like cats too"


def test_what_is_kept_is_a_table() -> None:
    steps = list(decode(load("encoder-decoder"), 2))
    text = decoding.text(steps, 3)
    assert text.endswith(
        "kept in the cache\n"
        "  b0.K    3×3  a row a token\n"
        "  b0.V    3×3  a row a token\n"
        "  b1.K    3×3  the memory's, computed once\n"
        "  b1.V    3×3  the memory's, computed once\n"
        "  in all  36 numbers, 6 more with each token\n"
        "\n"
        "text: the cat sleeps the\n"
    )
    out = json.loads(decoding.data(steps, 3))
    assert out["steps"][1]["kept"][2] == {"matrix": "b1.K", "shape": [3, 3], "memory": True}
    nothing = list(decode(loads(NO_ATTENTION, "plain")))
    assert "kept" not in decoding.text(nothing, 3)


NO_ATTENTION = """
[embedding]
X = [[1, 2], [3, 4]]
[[block]]
[block.ffn]
W_up = [[1], [1]]
W_down = [[1, 1]]
"""

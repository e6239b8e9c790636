"""`derive decode`."""

from __future__ import annotations

import json


def test_the_sentence_is_completed(run) -> None:
    result = run("decode", "mat", "--steps", "2")
    assert result.exit_code == 0
    assert "predicts  “mat”" in result.stdout
    assert result.stdout.endswith("text: the dog sat on the mat .\n")


def test_another_sentence_ends_in_another_word(run) -> None:
    out = json.loads(run("decode", "mat", "--tokens", "the dog ran to the", "--to", "json").stdout)
    assert out["steps"][0]["predicted"] == "park" and out["steps"][0]["tie"] == []
    assert out["text"] == "the dog ran to the park"


def test_a_given_next_token(run) -> None:
    out = json.loads(run("decode", "cats", "--next", "dogs", "--to", "json").stdout)
    assert out["prompt"] == ["I", "like", "cats", "too"]
    assert out["steps"][1]["read"] == ["dogs"]
    assert "K_rot[0,0]" in out["steps"][1]["cached"]
    assert "H[4,0]" in out["steps"][1]["new_cells"]


def test_unknown_words_and_models_that_cannot(run) -> None:
    unknown = run("decode", "cats", "--next", "dog")
    assert unknown.exit_code == 2 and "nearest: dogs" in unknown.stderr
    seeing = run("decode", "cats", "--set", "mask=none")
    assert seeing.exit_code == 2 and "causal" in seeing.stderr

"""Decoding token by token: what is new, what is cached, what is predicted, exactly."""

from __future__ import annotations

import pytest

from derive.blocks.decode import Decoded, DecodeError, decode
from derive.graph import Graph
from derive.model import load, loads

WORDS = """
vocabulary = ["a", "b", "c"]
tokens = ["b", "a"]
[embedding]
E = [[1, 0], [0, 1], [1, 1]]
[[block]]
  [block.attention]
  mask = "causal"
  W_Q = [[1, 0], [0, 1]]
  W_K = [[1, 0], [0, 1]]
  W_V = [[1, 0], [0, 1]]
[output]
W_U = [[1, 2, 1], [1, 1, 0]]
"""


def run(text: str, steps: int = 1, *following: str) -> list[Decoded]:
    return list(decode(loads(text, "words"), steps, following))


def test_prefill_and_two_more_tokens() -> None:
    prefill, second, third = run(WORDS, 3)
    assert prefill.read == ("b", "a") and prefill.cached == ()
    assert "K[0,0]" in prefill.new_cells and "probs[1,2]" in prefill.new_cells
    assert [step.predicted for step in (prefill, second, third)] == ["b", "b", "b"]
    assert second.read == ("b",)
    assert set(second.cached) == {f"{m}[{i},{j}]" for m in "KV" for i in (0, 1) for j in (0, 1)}
    assert all(cell.split("[")[1].startswith("2,") for cell in second.new_cells)
    assert not set(third.new_cells) & set(third.cached)
    assert "K[3,0]" in third.new_cells and "K[2,0]" in third.cached


def test_a_given_token_is_read_instead_of_the_prediction() -> None:
    first, second = run(WORDS, 1, "c")
    assert second.read == ("c",) and first.predicted == "b"
    with pytest.raises(DecodeError, match="nearest"):
        run(WORDS, 1, "aa")


def test_ties_are_named() -> None:
    text = WORDS.replace("[[1, 2, 1], [1, 1, 0]]", "[[1, 2, 2], [1, 1, 1]]")
    (prefill,) = run(text)
    assert prefill.predicted == "b" and prefill.tie == ("b", "c")


@pytest.mark.parametrize("name", ["cats", "cats-two-blocks", "next"])
def test_without_an_output_side_the_last_token_is_decoded(name: str) -> None:
    model = load(name)
    prefill, step = decode(model)
    assert model.tokens is not None
    assert prefill.read == model.tokens[:-1] and step.read == model.tokens[-1:]
    keys = "K" if name == "next" else "K_rot"
    assert any(keys in cell for cell in step.cached) and any("V[" in cell for cell in step.cached)


def test_a_wrong_cache_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check is real: a cached value that is off by one is not accepted."""
    original = Graph.values

    def tampered(self: Graph, name: str, f: object) -> object:
        values = original(self, name, f)
        if name.endswith(".V") and self.model.sizes["n"] == 2 and (0, 0) in values:
            values[0, 0] = self.dag.rational(99)
        return values

    monkeypatch.setattr(Graph, "values", tampered)
    with pytest.raises(DecodeError, match="could not be proved equal"):
        run(WORDS, 2)


@pytest.mark.parametrize(
    ("sets", "message"),
    [(["mask=none"], 'mask = "causal"'), (["given.S=[[1,2],[3,4]]"], "fixed number of rows")],
)
def test_models_that_cannot_be_decoded(sets: list[str], message: str) -> None:
    with pytest.raises(DecodeError, match=message):
        list(decode(loads(WORDS, "words", sets=sets)))

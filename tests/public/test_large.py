"""Two public models that are too large to bundle: their printed numbers, where the files are."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from derive.blocks import build
from derive.graph import Cell, Graph
from worked.large import MANUAL_LLM, NANO_GPT, manual_llm, nano_gpt, path, read, tensor
from worked.public_examples import LARGE, verdict

FLOAT32 = Fraction(5, 10**6)
DECIMALS = Fraction(1, 2 * 10**12)


def flat(numbers: Any) -> list[Any]:
    return [x for part in numbers for x in flat(part)] if isinstance(numbers, list) else [numbers]


def compared(graph: Graph, name: str, printed: Any, half_unit: Fraction) -> int:
    """How many printed numbers of a matrix are right; hidden scores are printed as they are."""
    matrix = graph.matrix(name)
    numbers = flat(printed)
    places = list(product(*map(range, matrix.shape)))
    assert len(places) >= len(numbers)
    for at, number in zip(places, numbers, strict=False):
        cell = Cell(graph, matrix, at)
        assert verdict(cell, Fraction(number), half_unit) is True, cell
    return len(numbers)


@pytest.mark.skipif(not path(MANUAL_LLM).exists(), reason="its file is not beside the checkout")
def test_manual_llm() -> None:
    data = read(MANUAL_LLM)
    graph, printed = build(manual_llm(data)), data["published"]
    pairs = {
        "X": "X", "concat_output": "Z_cat", "multi_head_output": "O", "ffn_output": "F",
        "residual_output": "R2", "layer_norm_output": "H", "logits": "logits", "probs": "probs",
        "losses": "loss",
    }  # fmt: skip
    count = sum(compared(graph, cell, printed[key], DECIMALS) for key, cell in pairs.items())
    for key, cell in {"Q": "Q", "K": "K", "V": "V", "attention_weights": "A",
                      "attention_output": "Z"}.items():  # fmt: skip
        for head in range(2):
            count += compared(graph, f"b0.h{head}.{cell}", printed[key][head], DECIMALS)
    total = sum(graph[f"loss[{i},0]"].ball(128) for i in range(4))
    for name, parts in (("total_loss", 1), ("avg_loss", 4)):
        assert abs(total / parts - float_free(printed[name])) < float_free("1e-12")
        count += 1
    assert count == LARGE[MANUAL_LLM][2]


def float_free(text: str) -> Any:
    from flint import arb, fmpq

    number = Fraction(text)
    return arb(fmpq(number.numerator, number.denominator))


@pytest.mark.skipif(not path(NANO_GPT).exists(), reason="its file is not beside the checkout")
def test_nano_gpt() -> None:
    """The first of the three printed texts."""
    data = read(NANO_GPT)
    printed = {
        key: tensor(value)
        for key, value in data["published"].items()
        if isinstance(value, dict) and "data" in value and key != "att"  # -∞: no fractions
    }
    graph = build(nano_gpt(data, [int(x) for x in printed["idx"][0]]))
    pairs = {
        "tok_emb": "X_tok", "x": "X", "ln1": "b0.N1", "y": "b0.Z_cat", "yProj": "b0.O",
        "attnResid": "b0.H_mid", "ln2": "b0.N2", "fc": "b0.U", "gelu": "b0.G", "mlp": "b0.F",
        "block0": "b0.H", "block1": "b1.H", "block2": "b2.H", "ln_f": "N_out",
        "lm_head": "logits", "probs": "probs",
    }  # fmt: skip
    count = sum(compared(graph, cell, printed[key][0], FLOAT32) for key, cell in pairs.items())
    for head, (key, cell) in product(
        range(3), {"q": "Q", "k": "K", "v": "V", "attSm": "A"}.items()
    ):
        name = f"b0.{'kv' if cell in 'KV' else 'h'}{head}.{cell}"
        count += compared(graph, name, printed[key][0][head], FLOAT32)
    assert count == LARGE[NANO_GPT][2]

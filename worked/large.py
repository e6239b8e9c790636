"""Two public models that are too large to bundle, read from a folder beside the checkout.

`../shared/examples`, or the folder that DERIVE_EXAMPLES names, holds one JSON file each: inputs
and what their authors printed.
"""

from __future__ import annotations

import base64
import json
import os
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

from derive.model import Model, loads

BESIDE = Path(__file__).parents[2] / "shared" / "examples"
NANO_GPT, MANUAL_LLM = "bbycroft-llm-viz-nano-gpt", "zhubert-manual-llm"

Numbers = list[Any]  # nested lists of Fractions


def path(name: str) -> Path:
    """Where the file of an example is, or would be."""
    return Path(os.environ.get("DERIVE_EXAMPLES", BESIDE)) / f"{name}.json"


def read(name: str) -> dict[str, Any]:
    """The file, its decimals as texts: nothing is rounded."""
    found: dict[str, Any] = json.loads(path(name).read_text(encoding="utf-8"), parse_float=str)
    return found


def tensor(entry: dict[str, Any]) -> Numbers:
    """A float32 tensor as nested lists of exact binary fractions."""
    raw = base64.b64decode(entry["data"])
    numbers = [Fraction(x) for (x,) in struct.iter_unpack("<f", raw)]
    for size in reversed(entry["shape"][1:]):
        numbers = [numbers[k : k + size] for k in range(0, len(numbers), size)]  # type: ignore[misc]
    return numbers


def texts(numbers: Any) -> Any:
    """Nested lists of numbers as nested lists of texts."""
    return [texts(x) for x in numbers] if isinstance(numbers, list) else str(numbers)


def transposed(rows: Numbers) -> Numbers:
    """Rows as columns."""
    return [list(column) for column in zip(*rows, strict=True)]


def nano_gpt(data: dict[str, Any], ids: list[int], layers: int = 3) -> Model:
    """bbycroft's nano-gpt: d = 48, three heads, learned positions, LayerNorm before each part."""
    weights = {
        key.removeprefix("transformer."): tensor(value)
        for key, value in data["inputs"].items()
        if isinstance(value, dict) and "data" in value
    }
    return loads(
        json.dumps(
            {
                "ids": ids,
                "embedding": {"E": texts(weights["wte.weight"])},
                "position": {"kind": "learned", "P": texts(weights["wpe.weight"])},
                "block": [_block(weights, f"h.{k}.") for k in range(layers)],
                "output": {
                    "norm": _norm(weights, "ln_f"),
                    "W_U": texts(transposed(weights["lm_head.weight"])),
                },
            }
        ),
        "nano-gpt.json",
    )


def _norm(weights: dict[str, Numbers], name: str) -> dict[str, Any]:
    gain, shift = (texts(weights[f"{name}.{key}"]) for key in ("weight", "bias"))
    return {"kind": "layernorm", "eps": "1/100000", "gain": gain, "shift": shift}


def _block(weights: dict[str, Numbers], at: str) -> dict[str, Any]:
    fused, bias = weights[f"{at}attn.c_attn.weight"], weights[f"{at}attn.c_attn.bias"]
    attention: dict[str, Any] = {"heads": 3, "mask": "causal"}
    for k, letter in enumerate("QKV"):
        cuts = [slice(48 * k + 16 * h, 48 * k + 16 * (h + 1)) for h in range(3)]
        attention[f"W_{letter}"] = [texts(transposed(fused[cut])) for cut in cuts]
        attention[f"b_{letter}"] = [texts(bias[cut]) for cut in cuts]
    ffn: dict[str, Any] = {"activation": "gelu_tanh"}
    for name, table, key in (
        ("attn.c_proj", attention, "O"), ("mlp.c_fc", ffn, "up"), ("mlp.c_proj", ffn, "down"),
    ):  # fmt: skip
        table[f"W_{key}"] = texts(transposed(weights[f"{at}{name}.weight"]))
        table[f"b_{key}"] = texts(weights[f"{at}{name}.bias"])
    norms = {f"norm{k}": _norm(weights, f"{at}ln_{k}") for k in (1, 2)}
    return {**norms, "attention": attention, "ffn": ffn}


def manual_llm(data: dict[str, Any]) -> Model:
    """zhubert's manual-llm: two heads, no addition after attention, LayerNorm after the FFN's."""
    i = data["inputs"]
    names = data["options"]
    attention = {f"W_{x}": i[f"W{x}"] for x in "QKV"}
    words = names["tokens"]
    return loads(
        json.dumps(
            {
                "tokens": words,
                "vocabulary": names["vocab"],
                "targets": [*words[1:], "<PAD>"],
                "embedding": {"E": i["E"]},
                "position": {"kind": "learned", "P": i["P"]},
                "block": [
                    {
                        "residual": [False, True],
                        "post2": {"kind": "layernorm", "eps": "1/100000"},
                        "attention": {
                            "heads": 2, "mask": "causal", **attention,
                            "W_O": transposed(i["WO"]),
                        },
                        "ffn": {
                            "activation": "gelu_tanh",
                            "W_up": transposed(i["W1"]), "b_up": i["b1"],
                            "W_down": transposed(i["W2"]), "b_down": i["b2"],
                        },
                    }
                ],
                "output": {"W_U": transposed(i["WL"])},
            }
        ),
        "manual-llm.json",
    )  # fmt: skip

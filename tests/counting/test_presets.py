"""Counts of presets against real checkpoints: tensor shapes as their files list them."""

from __future__ import annotations

from math import prod

import pytest

from derive.counting.counted import count
from derive.counting.presets import PRESETS
from derive.counting.settings import from_words
from derive.counting.written import plain

TOTALS = {  # parameters of the published weights
    "gpt2": 124_439_808, "gpt2-medium": 354_823_168, "gpt2-large": 774_030_080,
    "gpt2-xl": 1_557_611_200, "bert-base": 109_482_240, "llama-2-7b": 6_738_415_616,
    "llama-2-70b": 68_976_648_192, "llama-3-8b": 8_030_261_248, "llama-3-70b": 70_553_706_496,
    "mistral-7b": 7_241_732_096, "gemma-2-9b": 9_241_705_984, "deepseek-v2": 235_741_434_880,
}  # fmt: skip
Shapes = list[tuple[int, tuple[int, ...]]]  # copies, shape


def gpt2(n: int, d: int) -> Shapes:
    """openai-community/gpt2*: wte, wpe, h.*.{ln_1, attn.c_attn, attn.c_proj, ln_2, mlp}, ln_f."""
    layer = [(d,)] * 2 + [(d, 3 * d), (3 * d,), (d, d), (d,)] + [(d,)] * 2
    layer += [(d, 4 * d), (4 * d,), (4 * d, d), (d,)]
    return [(1, (50257, d)), (1, (1024, d)), *((n, s) for s in layer), (2, (d,))]


def bert() -> Shapes:
    """google-bert/bert-base-uncased: embeddings, encoder.layer.*, pooler."""
    d, f = 768, 3072
    layer = [(d, d), (d,)] * 4 + [(d,)] * 4 + [(f, d), (f,), (d, f), (d,)]
    outside = [(30522, d), (512, d), (2, d), (d,), (d,), (d, d), (d,)]
    return [*((1, s) for s in outside), *((12, s) for s in layer)]


def llama(n: int, d: int, kv: int, f: int, V: int) -> Shapes:
    """model.layers.*.{self_attn.[qkvo]_proj, mlp.{gate,up,down}_proj, two norms}, norm, lm_head."""
    layer = [(d, d), (kv, d), (kv, d), (d, d), (f, d), (f, d), (d, f), (d,), (d,)]
    return [(2, (V, d)), (1, (d,)), *((n, s) for s in layer)]


def gemma() -> Shapes:
    """google/gemma-2-9b: four norms a layer, embedding tied, heads of 256."""
    d, f = 3584, 14336
    layer = [(4096, d), (2048, d), (2048, d), (d, 4096), (f, d), (f, d), (d, f)] + [(d,)] * 4
    return [(1, (256000, d)), (1, (d,)), *((42, s) for s in layer)]


def deepseek() -> Shapes:
    """deepseek-ai/DeepSeek-V2: q_a, q_b, kv_a_proj_with_mqa, kv_b, o; first layer dense."""
    d = 5120
    layer = [(1536, d), (1536,), (24576, 1536), (576, d), (512,), (32768, 512), (d, 16384)]
    layer += [(d,), (d,)]
    dense = [(12288, d), (12288, d), (d, 12288)]
    expert = [(1536, d), (1536, d), (d, 1536)]
    shared = [(3072, d), (3072, d), (d, 3072)]
    return [
        (2, (102400, d)), (1, (d,)), *((60, s) for s in layer), *((1, s) for s in dense),
        (59, (160, d)), *((59 * 160, s) for s in expert), *((59, s) for s in shared),
    ]  # fmt: skip


CHECKPOINTS = {
    "gpt2": gpt2(12, 768), "gpt2-medium": gpt2(24, 1024), "gpt2-large": gpt2(36, 1280),
    "gpt2-xl": gpt2(48, 1600), "bert-base": bert(),
    "llama-2-7b": llama(32, 4096, 4096, 11008, 32000),
    "llama-2-70b": llama(80, 8192, 1024, 28672, 32000),
    "llama-3-8b": llama(32, 4096, 1024, 14336, 128256),
    "llama-3-70b": llama(80, 8192, 1024, 28672, 128256),
    "mistral-7b": llama(32, 4096, 1024, 14336, 32000),
    "gemma-2-9b": gemma(), "deepseek-v2": deepseek(),
}  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_preset(name: str) -> None:
    assert sum(copies * prod(shape) for copies, shape in CHECKPOINTS[name]) == TOTALS[name]
    found = count(*from_words(f"parameters {name}"))
    assert found.number == TOTALS[name]
    assert sum(found.share(p) or 0 for p in found.parts) == 1
    assert PRESETS[name].source


def test_active_parameters_of_deepseek() -> None:
    """The paper says 21B; exact: 21,375,800,320 with both vocabulary tables."""
    found = count(*from_words("parameters deepseek-v2"))
    active = found.extra["active"].put(found.values)  # type: ignore[attr-defined]
    assert plain(active) == "21375800320"


def test_the_latent_cache() -> None:
    """DeepSeek-V2: (512 + 64) numbers a token and layer."""
    found = count(*from_words("kv-cache deepseek-v2 --tokens 1 --bytes 1"))
    assert found.number == 60 * 576

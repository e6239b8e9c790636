"""Public models by name: the dimensions that their configuration files and papers state."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    """The settings of a public model, as `derive count` takes them, and where they stand."""

    title: str
    source: str
    settings: dict[str, str]


def _gpt2(layers: int, width: int, heads: int) -> dict[str, str]:
    return {
        **{"layers": str(layers), "d-model": str(width), "heads": str(heads)},
        **{"d-ff": str(4 * width), "vocab": "50257", "positions": "1024"},
        **{"norm": "layernorm", "bias": "all", "unembedding": "tied"},
    }


def _llama(
    layers: int, width: int, heads: int, kv_heads: int, ff: int, vocab: int
) -> dict[str, str]:
    return {
        **{"layers": str(layers), "d-model": str(width), "heads": str(heads)},
        **{"kv-heads": str(kv_heads), "d-ff": str(ff), "vocab": str(vocab)},
        **{"norm": "rmsnorm", "gated": "true"},
    }


_HUB = "https://huggingface.co"
_GPT2 = "Radford et al. 2019, table 2; config.json at " + _HUB
PRESETS: dict[str, Preset] = {
    "gpt2": Preset("GPT-2 small", f"{_GPT2}/openai-community/gpt2", _gpt2(12, 768, 12)),
    "gpt2-medium": Preset(
        "GPT-2 medium", f"{_GPT2}/openai-community/gpt2-medium", _gpt2(24, 1024, 16)
    ),
    "gpt2-large": Preset(
        "GPT-2 large", f"{_GPT2}/openai-community/gpt2-large", _gpt2(36, 1280, 20)
    ),
    "gpt2-xl": Preset("GPT-2 XL", f"{_GPT2}/openai-community/gpt2-xl", _gpt2(48, 1600, 25)),
    "bert-base": Preset(
        "BERT base, uncased, with its pooler",
        f"Devlin et al. 2019, section 3; config.json at {_HUB}/google-bert/bert-base-uncased",
        {
            **{"layers": "12", "d-model": "768", "heads": "12", "d-ff": "3072"},
            **{"vocab": "30522", "positions": "512", "types": "2"},
            **{"norm": "layernorm", "bias": "all", "embedding-norm": "true"},
            **{"final-norm": "false", "unembedding": "none", "pooler": "true"},
        },
    ),
    "llama-2-7b": Preset(
        "Llama 2 7B",
        f"Touvron et al. 2023, table 1; config.json at {_HUB}/meta-llama/Llama-2-7b-hf",
        _llama(32, 4096, 32, 32, 11008, 32000),
    ),
    "llama-2-70b": Preset(
        "Llama 2 70B",
        f"Touvron et al. 2023, table 1; config.json at {_HUB}/meta-llama/Llama-2-70b-hf",
        _llama(80, 8192, 64, 8, 28672, 32000),
    ),
    "llama-3-8b": Preset(
        "Llama 3 8B",
        f"Llama Team 2024, table 3; config.json at {_HUB}/meta-llama/Meta-Llama-3-8B",
        _llama(32, 4096, 32, 8, 14336, 128256),
    ),
    "llama-3-70b": Preset(
        "Llama 3 70B",
        f"Llama Team 2024, table 3; config.json at {_HUB}/meta-llama/Meta-Llama-3-70B",
        _llama(80, 8192, 64, 8, 28672, 128256),
    ),
    "mistral-7b": Preset(
        "Mistral 7B v0.1",
        f"Jiang et al. 2023, table 1; config.json at {_HUB}/mistralai/Mistral-7B-v0.1",
        {**_llama(32, 4096, 32, 8, 14336, 32000), "window": "4096"},
    ),
    "gemma-2-9b": Preset(
        "Gemma 2 9B",
        f"Gemma Team 2024, table 1; config.json at {_HUB}/google/gemma-2-9b",
        {
            **_llama(42, 3584, 16, 8, 14336, 256000),
            **{"head-dim": "256", "norms": "4", "unembedding": "tied"},
            **{"window": "4096", "window-layers": "21"},
        },
    ),
    "deepseek-v2": Preset(
        "DeepSeek-V2 (latent attention, mixture of experts)",
        f"DeepSeek-AI 2024, section 3.1.2; config.json at {_HUB}/deepseek-ai/DeepSeek-V2",
        {
            **{"layers": "60", "d-model": "5120", "heads": "128", "head-dim": "128"},
            **{"d-ff": "12288", "vocab": "102400", "norm": "rmsnorm", "gated": "true"},
            **{"kv-rank": "512", "q-rank": "1536", "rope-dim": "64"},
            **{"experts": "160", "active": "6", "shared": "2", "expert-ff": "1536"},
            **{"dense-layers": "1"},
        },
    ),
}

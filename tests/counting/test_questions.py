"""Counting questions of exams, homework and books, with the right values.

Where a public key is wrong or states a rounding as the value, the test says so.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from derive.counting import check_count
from derive.counting.counted import count
from derive.counting.polynomial import Poly
from derive.counting.settings import from_words
from derive.counting.shapes import shapes
from derive.counting.tensors import weights
from derive.counting.written import plain

XL = "--vocab 50257 --layers 48 --d-model 1600 --heads 25 --d-ff 6400"
CS336 = f"{XL} --gated --norm rmsnorm"


def ask(words: str):  # type: ignore[no-untyped-def]
    return count(*from_words(words))


def value(words: str) -> Fraction | None:
    found = ask(words)
    return found.number if found.answer is None else found.answer.number


@pytest.mark.parametrize(
    ("words", "right"),
    [
        # CS336 A1: GPT-2 XL with SwiGLU and RMSNorm; fp32
        (f"parameters {CS336}", 2_127_057_600),
        (f"parameters {CS336} --bytes 4 --in bytes", 8_508_230_400),
        (f"flops {CS336} --tokens 1024", 4_513_336_524_800),
        # CS336 A1 adamwAccounting: d_ff = 4d, two FFN matrices: 15517753344·B + 26168601600
        (f"memory {XL} --norm rmsnorm --tokens 1024 --bytes 4 --for training --batch 1",
         26_168_601_600 + 15_517_753_344),
        (f"memory {XL} --norm rmsnorm --tokens 1024 --bytes 4 --for training --solve batch "
         "--within '80 GB'", 3),
        # CS336 A2: naive attention, batch 8, T = 16384, fp32: one score matrix is 8 GiB
        ("scores --layers 1 --heads 1 --batch 8 --tokens 16384 --bytes 4 --in bytes", 8 * 2**30),
        # CS336 A2: one residual stream of xl, batch 4, 512 tokens: 12.5 MiB
        ("memory --layers 1 --d-model 1600 --heads 25 --norm rmsnorm --norms 1 --tokens 512 "
         "--batch 4 --bytes 4 --for training --part 'activations: norms'", 13_107_200),
        # Prince 12.1, D = 5: Q, K, V with biases 3(D² + D)
        ("parameters --layers 1 --heads 1 --d-model 5 --bias qkv --part 'query pro,key pro,"
         "value pro,attention biases'", 90),
        # Prince 12.9: 256 patches of length 512: between patches, between channels
        ("flops --layers 1 --heads 1 --head-dim 512 --tokens 256 --cost macs --part scores", 2**25),
        ("flops --layers 1 --heads 1 --head-dim 256 --tokens 512 --cost macs --part scores", 2**26),
        # Scaling Book 7: 18.5B parameters untied (its 18.4B has one table); 262,144 bytes a token
        ("parameters --layers 64 --d-model 4096 --d-ff 16384 --heads 32 --kv-heads 8 "
         "--head-dim 256 --vocab 32128 --gated --tied", 64 * 285_212_672 + 32_128 * 4096),
        ("kv-cache --layers 64 --kv-heads 8 --head-dim 256 --tokens 1 --bytes int8", 262_144),
        ("kv-cache --layers 64 --kv-heads 1 --head-dim 256 --tokens 1 --bytes int8", 32_768),
        # Scaling Book 8: Llama 3 70B in int8
        ("kv-cache llama-3-70b --tokens 1 --bytes int8", 163_840),
        ("memory llama-3-70b --tokens 8192 --batch 32 --bytes int8",
         42_949_672_960 + 70_553_706_496),
        # Textbook of AI 13.12 and 13.13
        ("parameters --layers 24 --d-model 1024 --heads 16 --d-ff 4096 --vocab 50000", 404_389_888),
        ("flops --parameters 13e9 --training-tokens 2e12", 156 * 10**21),
        # 1cademy: stored values, no bytes
        ("kv-cache --layers 32 --heads 12 --head-dim 64 --tokens 2048 --bytes 1 --in values",
         100_663_296),
        # TorchedUp: Llama 2 7B, fp16: 1 GiB
        ("kv-cache llama-2-7b --tokens 2048 --bytes fp16", 2**30),
        # BERT of 8 layers without biases (the posted solution is wrong)
        ("parameters --layers 8 --d-model 768 --heads 8 --vocab 40000 --d-ff 3072 --positions 512 "
         "--unembedding none", 87_736_320),
        # IETF draft: 70B, 8 KV heads, 4096 tokens, fp16
        ("kv-cache llama-3-70b --tokens 4096 --bytes 2", 1_342_177_280),
    ],
)  # fmt: skip
def test_value(words: str, right: int) -> None:
    assert value(words) == right


def test_the_batch_is_an_inequality() -> None:
    words = f"memory {XL} --norm rmsnorm --tokens 1024 --bytes 4 --for training"
    found = ask(f"{words} --solve batch --within '80 GB'")
    inequality = next(x.text for x in found.lines if x.title == "inequality")
    assert inequality.endswith("15517753344·B ≤ 80,000,000,000") and "26168601600" in inequality
    assert (80 * 10**9 - 26_168_601_600) // 15_517_753_344 == 3


def test_shares_by_size() -> None:
    """CS336 (c, d): the share of attention's own products falls with the model's width."""
    shares = []
    for name in ("gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"):
        found = ask(f"flops {name} --tokens 1024")
        share = sum(
            found.share(p) for p in found.parts if p.name in ("scores QKᵀ", "weighted values AV")
        )
        shares.append(share)
        assert sum(found.share(p) for p in found.parts) == 1
    assert shares == sorted(shares, reverse=True)


def test_attention_equals_projections() -> None:
    """Scaling Book 4, question 5: 4·n²·h·k = 4·n·d·h·k + 4·n·d·g·k, so n = 2d for g = h."""
    found = ask("flops --solve tokens --balance attention=projections")
    assert found.answer is not None and plain(found.answer) == "d + d*g/h"
    assert value("flops llama-2-7b --solve tokens --balance attention=projections") == 2 * 4096


def test_linear_attention_grows_more_slowly() -> None:
    """EECS 182: softmax attention Θ(n²), kernel attention Θ(n) with a state of fixed size."""
    assert ask("flops --part attention --growth n").extra["order"] == "n²"
    assert ask("flops --features m --part attention --growth n").extra["order"] == "n"
    assert "n" not in ask("kv-cache --features m").formula.letters


def test_experts_saved() -> None:
    """Deep-ML 123: 2 of 1000 experts of 512×512: 99.8 % saved (its router isn't counted)."""
    words = (
        "parameters --layers 1 --d-model 512 --expert-ff 512 --d-ff 512 --experts 1000 --active 2"
    )
    _, spec, _ = from_words(words)
    tensors = weights(spec.architecture())
    total = sum((t.entries for t in tensors if t.name == "e.W_up"), Poly()).put(spec.values())
    used = sum((t.active_entries for t in tensors if t.name == "e.W_up"), Poly()).put(spec.values())
    assert 1 - used.number / total.number == Fraction(998, 1000)


def test_grouped_shapes_and_the_reach_of_a_window() -> None:
    """Quiz M5: a cached key is 4×128; 24 layers of 512 see 24·511 tokens back, not 24·512."""
    _, spec, _ = from_words("kv-cache --heads 32 --kv-heads 4 --head-dim 128")
    (cache,) = (x for x in shapes(spec) if x.name == "cache.K")
    assert [plain(s.put(spec.values())) for s in cache.shape] == ["n", "4", "128"]
    lines = ask("scores --layers 24 --window 512").lines
    assert "12,264 tokens" in lines[0].text


def test_the_blocks_of_an_issue_dont_fit() -> None:
    """16K tokens of a 70B model take 5 GiB in fp16; 2,048 blocks of 4 KB are 8 MiB, not 640 MB."""
    assert value("kv-cache llama-3-70b --tokens 16384 --bytes 2") == 5 * 2**30
    assert 2048 * 4096 == 8 * 2**20
    verdict = check_count("kv-cache llama-3-70b --tokens 16384 --bytes 2", "≈ 640 MB")
    assert verdict.verdict == "wrong"


def test_the_formula_of_the_cache() -> None:
    assert plain(ask("kv-cache").formula) == "2*L*g*k*n*b"

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


def test_every_product_of_the_forward_pass() -> None:
    """CS336 A1 (b): each product of GPT-2 XL with 1,024 tokens, 2mnk FLOPs each."""
    found = ask(f"flops {CS336} --tokens 1024")
    n, d, f, layers, vocab = 1024, 1600, 6400, 48, 50257
    each = {p.name: p.formula.put(found.values).number for p in found.parts}
    square, wide = layers * 2 * n * d * d, layers * 2 * n * d * f
    names = ("query projection", "key projection", "value projection", "output projection")
    assert {each[x] for x in names} == {square}
    assert {each[x] for x in ("FFN gate", "FFN up", "FFN down")} == {wide}
    assert each["scores QKᵀ"] == each["weighted values AV"] == layers * 2 * n * n * d
    assert each["unembedding"] == 2 * n * d * vocab
    assert len(each) == 10 and sum(each.values()) == 4_513_336_524_800


def test_best_block_of_checkpoints() -> None:
    """CS336 A2: blocks of c layers keep L/c streams and c layers at once: c grows as √L."""
    found = ask("memory --for training --checkpoint c --solve c --minimize")
    assert found.lines[0].text.startswith("c² = (L·d·n·b)/(")  # so c² is L times a constant
    words = "memory --for training --layers 144 --d-model 4 --heads 1 --d-ff 4 --vocab 2 --tokens 1"
    c = value(f"{words} --bytes 1 --checkpoint c --solve c --minimize")
    # a layer keeps 9·4 + 2 numbers, a stream 4: c(c+1) ≥ 144·4/38 first at 4
    assert c == 4


def test_when_communication_dominates() -> None:
    """CS336 A2: FLOPs and bytes of a gated FFN, per device, and the inequality between them."""
    gathered = ask("intensity --across fsdp --part ffn --gated --layers 1 --bytes 2")
    work, sent = (p.formula.put(gathered.values) for p in gathered.parts)
    assert plain(work) == "6*d*f*n*p^-1" or work == Poly.letter("d") * Poly.letter("f") * (
        6 * Poly.letter("n")
    ).divided(Poly.letter("p"))
    d, f, p = (Poly.letter(x) for x in "dfp")
    assert sent == 6 * d * f - (6 * d * f).divided(p)  # 3·d·f weights, 2 bytes, (p-1)/p of them
    summed = ask("intensity --across tp --part ffn --gated --layers 1 --bytes 2")
    n = Poly.letter("n")
    assert summed.parts[1].formula.put(summed.values) == 4 * n * d - (4 * n * d).divided(p)
    assert any("< C/W" in x.text for x in gathered.lines)
    words = "intensity --across fsdp --part ffn --gated --layers 1 --d-model 8 --d-ff 32 --heads 1"
    # n·2/((p-1)·b) ≥ C/W: n ≥ 2200·7·2/2
    rates = "--bytes 2 --devices 8 --peak 2200 --bandwidth 1"
    assert value(f"{words} {rates} --solve tokens") == 15_400


def test_a_dense_layer_beside_attention() -> None:
    """Prince 12.1: 3(D²+D) weights and biases, N² weights a[·,·]; dense: (DN)² + DN."""
    words = "parameters --layers 1 --heads 1 --d-model 5 --tokens 7 --bias qkv --dense"
    assert "1,260 parameters" in ask(words).lines[-1].text
    assert 35**2 + 35 == 1260
    assert value("scores --layers 1 --heads 1 --tokens 7") == 49


def test_shapes_of_a_multi_head_block() -> None:
    """LLM interview: the dimension of every step, in letters."""
    _, spec, _ = from_words("parameters")
    rows = {x.name: [str(s) for s in x.shape] for x in shapes(spec)}
    expected = {"W_Q": "d k", "Q": "n k", "A": "n n", "Z": "n k", "O": "n d", "W_U": "d V"}
    assert {name: " ".join(rows[name]) for name in expected} == expected


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("flops gpt2 --pass optimizer", 14 * 124_439_808),  # AdamW: 3 + 4 + 5 + 2 operations
        # naive: Q, K, V, Z of 4·2 numbers and four passes over 4×4 scores, one byte each
        ("io --layers 1 --heads 1 --head-dim 2 --tokens 4 --bytes 1", 4 * 8 + 4 * 16),
        # tiles of 2 queries: Q and Z once, K and V twice, 4 row statistics
        ("io --layers 1 --heads 1 --head-dim 2 --tokens 4 --bytes 1 --flash --tile-q 2 --tile-k 2",
         2 * 8 + 2 * 2 * 8 + 4),
        ("tiles --layers 1 --heads 1 --tokens 10 --tile-q 4 --tile-k 3", 3 * 4),
        # rows end at queries 3, 7, 9: tiles of keys up to them 2, 3, 4
        ("tiles --layers 1 --heads 1 --tokens 10 --tile-q 4 --tile-k 3 --causal", 2 + 3 + 4),
        ("scores --layers 1 --heads 1 --tokens 0", 0),
    ],
)  # fmt: skip
def test_by_hand(words: str, right: int) -> None:
    assert value(words) == right


def test_time() -> None:
    """6·13e9·2e12 FLOPs at half of 312 TFLOP/s on 1,000 devices: 10^6 s exactly."""
    words = "flops --parameters 13e9 --training-tokens 2e12 --peak '312 TFLOP/s'"
    assert ask(f"{words} --utilization 50% --devices 1000").extra["seconds"] == 10**6


@pytest.mark.parametrize(
    ("preset", "layers", "d"),
    [("gpt2", 12, 768), ("gpt2-medium", 24, 1024), ("gpt2-large", 36, 1280), ("gpt2-xl", 48, 1600)],
)
def test_shares_by_component(preset: str, layers: int, d: int) -> None:
    """CS336 A1 (c, d): shares of projections, scores, FFN and unembedding, for four sizes."""
    found = ask(f"flops {preset} --tokens 1024")
    each = {p.name: p.formula.put(found.values).number for p in found.parts}
    n, vocab = 1024, 50257
    projections = sum(x for name, x in each.items() if "projection" in name)
    scores = each["scores QKᵀ"] + each["weighted values AV"]
    ffn = each["FFN up"] + each["FFN down"]
    parts = (projections, scores, ffn, each["unembedding"])
    by_hand = (8 * layers * n * d * d, 4 * layers * n * n * d, 16 * layers * n * d * d,
               2 * n * d * vocab)  # fmt: skip
    assert parts == by_hand and sum(parts) == sum(each.values())
    assert Fraction(ffn, projections) == 2  # as the model grows the unembedding's share falls
    small = Fraction(2 * n * 768 * vocab, 291_648_307_200)
    assert Fraction(parts[3], sum(parts)) <= small

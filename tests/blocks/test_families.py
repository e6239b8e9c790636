"""One small model for each family: what makes it one, in operations and wiring."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.blocks.decode import decode
from derive.graph import Graph, derivation
from derive.model import bundled, load

FAMILIES: dict[str, dict[str, str]] = {  # matrix -> its operation; "" where there is none
    "encoder": {
        "X_tok": "embedding look-up", "P": "sinusoidal positions", "mask": "", "N1": "",
        "Z_cat": "heads side by side", "R1": "residual addition", "H_mid": "LayerNorm",
        "G": "ReLU", "H": "LayerNorm", "logits": "",
    },
    "decoder": {
        "mask": "causal mask", "h1.S_masked": "mask", "H_mid": "LayerNorm", "N1": "",
        "H": "LayerNorm", "logits": "unembedding", "probs": "softmax", "loss": "cross-entropy",
    },
    "gpt": {
        "P": "given", "X": "position addition", "N1": "LayerNorm", "h0.b_Q": "given",
        "mask": "causal mask", "N2": "LayerNorm", "G": "GELU by tanh", "N_out": "LayerNorm",
        "W_U": "transpose", "H": "residual addition",
    },
    "llama": {
        "P": "", "N1": "RMSNorm", "h3.Q_rot": "RoPE in halves", "kv1.K_rot": "RoPE in halves",
        "U_gate": "gate projection", "G.gate": "SiLU", "G": "gate", "N_out": "RMSNorm",
        "b_up": "", "h0.b_Q": "",
    },
    "bert": {
        "X_type": "token type look-up", "X_sum": "sum of inputs", "X": "LayerNorm",
        "X_norm.mean": "mean", "mask": "padding mask", "H_mid": "LayerNorm", "G": "GELU",
        "H": "LayerNorm", "N1": "",
    },
    "deepseek": {
        "C_KV": "RMSNorm", "C_Q": "RMSNorm", "K_rope": "RoPE", "h0.Q_latent": "W_UK absorbed",
        "N2": "RMSNorm", "router": "top experts", "e3.G": "gate", "F": "experts by weight",
        "shared0.F": "down projection", "N_out": "RMSNorm", "U": "", "kv0.W_K": "",
    },
    "neox": {"H_mid": "residual addition", "N1": "LayerNorm", "N2": "LayerNorm", "G": "GELU",
             "h0.Q_rot": "RoPE in halves of the first 2 columns"},
    "bloom": {"P": "", "X": "LayerNorm", "h0.bias": "ALiBi bias", "h1.S_masked": "bias and mask"},
    "gemma": {"h0.Q_norm": "RMSNorm", "branch1": "RMSNorm", "h0.S_scaled": "soft cap",
              "mask": "masks added", "logits": "soft cap", "G.gate": "GELU by tanh"},
}  # fmt: skip


@pytest.fixture(scope="module", params=FAMILIES)
def graph(request: pytest.FixtureRequest) -> Graph:
    return build(load(request.param))


def test_operations(graph: Graph) -> None:
    for name, operation in FAMILIES[graph.model.name].items():
        found = [m.operation.name for m in graph if graph.short(m.name) == name]
        assert found == ([operation] if operation else []), name


def test_it_is_small_and_titled(graph: Graph) -> None:
    assert graph.model.sizes["d"] <= 8 and graph.model.blocks[0]["sizes"]["h"] in (2, 4)
    assert len(graph.model.title) > 15 and ":" in graph.model.title


def test_it_derives(graph: Graph) -> None:
    name = "probs" if "probs" in graph.matrices else "H"
    for address in (f"{name}[0,0]", f"{name}[1,1]", "h1.A[1,0]"):
        step = derivation(graph, address).steps[0]
        assert step.lines[-1].relation in ("≈", "=") and step.title


def test_attention_is_wired_to_its_kv_head() -> None:
    graph = build(load("llama"))
    keys = [graph.matrices[f"b0.h{h}.S"].operation.inputs["k"] for h in range(4)]
    assert keys == ["b0.kv0.K_rot", "b0.kv0.K_rot", "b0.kv1.K_rot", "b0.kv1.K_rot"]


def test_side_by_side_both_read_the_input() -> None:
    graph = build(load("neox"))
    assert graph.matrices["b0.N2"].operation.inputs["x"] == "X"
    assert graph.matrices["b0.H"].operation.inputs["stream"] == "b0.H_mid"
    shared = build(load("neox", sets=["norm2.kind=none"]))
    assert shared.matrices["b0.U"].operation.inputs["x"] == "b0.N1", "one norm for both"


def test_nobody_sees_padding() -> None:
    graph = build(load("bert"))
    assert all(graph[f"h{h}.A[{i},7]"].node.number == (0, 1) for h in (0, 1) for i in range(8))
    assert all(graph[f"h0.A[{i},{j}]"].sign == 1 for i in range(8) for j in range(7))


@pytest.mark.parametrize("name", ["decoder", "gpt", "llama", "gemma", "bloom"])
def test_decoders_decode(name: str) -> None:
    prefill, step = decode(load(name), 2)
    assert prefill.predicted and step.read == (prefill.predicted,)


def test_every_bundled_model_has_a_title_of_its_own() -> None:
    titles = [model.title for model in bundled()]
    assert len(set(titles)) == len(titles)

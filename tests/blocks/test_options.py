"""Every option against a forward pass that shares no code with derive's, to 25 digits."""

from __future__ import annotations

import pytest
from mpmath import mp, mpf

from derive.blocks import build
from derive.blocks.ranking import UndecidedRanking
from derive.errors import ModelError, UndefinedCell
from derive.graph import Cell, Graph, derivation
from derive.model import Model, bundled_names, load, loads
from tests.blocks.forward import forward

DIGITS = 25


def assert_same(model: Model) -> Graph:
    """Every matrix of the other pass, cell by cell."""
    graph = build(model)
    for name, rows in forward(model).items():
        matrix = graph.matrices[name]
        assert matrix.shape == (len(rows), len(rows[0])), name
        for i, row in enumerate(rows):
            for j, expected in enumerate(row):
                low, high = Cell(graph, matrix, (i, j)).enclosure(128)
                with mp.workdps(50):
                    error = mpf(10) ** -DIGITS * (1 + abs(expected))
                    ends = [mpf(x.numerator) / x.denominator for x in (low, high)]
                    assert ends[0] - error < expected < ends[1] + error, (name, i, j)
    return graph


@pytest.mark.parametrize("name", sorted({*bundled_names()} - {"attention", "base-3"}))
def test_bundled_models(name: str) -> None:
    assert_same(load(name))


def test_one_attention_step() -> None:
    """By hand: 1/(1 + e^(-1/√2)) = 0.66976, so the first row is 0.66976·1 + 0.33024·3 = 1.66048."""
    graph = build(load("attention"))
    found = [graph[f"Z[{i},{j}]"].decimal(6) for i in (0, 1) for j in (0, 1)]
    assert found == ["1.66048", "2.66048", "2.33952", "3.33952"]


# sets on a small bundled model; {operation: matrix} that the output must name
OPTIONS: list[tuple[str, list[str], dict[str, str]]] = [
    ("cats-mha", ["share=mean", "kv_heads=2"], {"kv1.W_K": "averaged heads"}),
    ("cats-mha", ["share=mean", "kv_heads=1", "kv_map=interleaved"], {"kv0.W_V": "averaged heads"}),
    ("cats-gqa", ["kv_map=interleaved"], {"kv1.K": "key projection"}),
    ("llama", ["position.layout=pairs"], {"h0.Q_rot": "RoPE"}),
    ("llama", ["fraction=1/2"], {"kv1.K_rot": "RoPE in halves of the first 2 columns"}),
    ("llama", ["fraction=1/2", "position.layout=pairs", "clockwise=true"],
     {"h3.Q_rot": "RoPE, clockwise of the first 2 columns"}),
    ("llama", ["clockwise=true", "position.first=7"], {"h0.Q_rot": "RoPE in halves, clockwise"}),
    ("llama", ['angles=["1", "1/3"]'], {"h0.Q_rot": "RoPE in halves"}),
    ("llama", ["position.base=100"], {"h0.Q_rot": "RoPE in halves"}),
    ("gpt", ["position.kind=alibi"], {"h1.bias": "ALiBi bias", "h1.S_masked": "bias and mask"}),
    ("encoder", ["position.kind=alibi"], {}),
    ("encoder", ["window=2"], {"mask": "window"}),
    ("encoder", ["window=1"], {"mask": "window"}),
    ("decoder", ["window=2"], {"mask": "masks added", "mask.window": "window"}),
    ("decoder", ["window=2", "padding=[false, false, true]"], {"mask.padding": "padding mask"}),
    ("encoder", ["padding=[true, false, false]"], {"mask": "padding mask"}),
    ("encoder", ['mask=[[0, "-inf", 0], [0, 0, 0], ["-inf", "-inf", 0]]'], {"mask": "given"}),
    ("encoder", ['mask=[[0, "-inf", 0], [0, 0, 0], ["-inf", "-inf", 0]]', "window=2"],
     {"mask.given": "given"}),
    ("decoder", ["attention.scale=1"], {"h0.S_masked": "mask"}),
    ("decoder", ["attention.scale=1/3"], {"h0.S_scaled": "scale"}),
    ("decoder", ["attention.scale=1/(h*sqrt(n))"], {"h0.S_scaled": "scale"}),
    ("decoder", ["attention.soft_cap=2"], {"h1.S_scaled": "soft cap", "h1.S_scaled.raw": "scale"}),
    ("decoder", ["attention.soft_cap=2", "attention.scale=1"], {"h1.S_scaled": "soft cap"}),
    ("decoder", ["attention.base=3"], {"h0.A": "softmax in another base"}),
    ("decoder", ["attention.base=3/2"], {"h0.A.exp": "powers of the base"}),
    ("decoder", ["attention.weights=hard"], {"h0.A": "hard attention"}),
    ("decoder", ["attention.weights=hard", "attention.scale=1"], {"h1.A": "hard attention"}),
    ("cats", ["attention.weights=relu", "mask=none"], {"A": "share of ReLU scores"}),
    ("encoder", ["attention.weights=sum"], {"h1.A": "share of scores"}),
    ("decoder", ["qk_norm.kind=rmsnorm"],
     {"h0.Q_norm": "RMSNorm", "kv1.K_norm.rms": "root mean square"}),
    ("decoder", ["qk_norm.kind=layernorm", "qk_norm.eps=1/10", "qk_norm.gain=[2, 3]",
                 "qk_norm.shift=[1, 0]"], {"h1.Q_norm": "LayerNorm", "kv0.K_norm.mean": "mean"}),
    ("llama", ["qk_norm.kind=rmsnorm", "qk_norm.eps=1", "qk_norm.eps_at=outside"], {}),
    *[("llama", [f"{place}.kind=layernorm", f"{place}.eps=1/100"], {name: "LayerNorm"})
      for place, name in (("norm1", "N1"), ("norm2", "N2"), ("branch1", "branch1"),
                          ("branch2", "branch2"), ("post1", "H_mid"), ("post2", "H"))],
    ("decoder", ["post1.variance=sample", "post2.eps_at=outside"], {"H_mid": "LayerNorm"}),
    *[("decoder", [f"activation={name}"], {"G": words}) for name, words in (
        ("leaky_relu", "leaky ReLU"), ("gelu", "GELU"), ("gelu_tanh", "GELU by tanh"),
        ("gelu_sigmoid", "GELU by sigmoid"), ("silu", "SiLU"), ("sigmoid", "sigmoid"),
        ("tanh", "tanh"), ("relu", "ReLU"))],
    ("decoder", ["activation=identity"], {"F": "down projection"}),
    ("decoder", ["activation=leaky_relu", "slope=1/5"], {"G": "leaky ReLU"}),
    *[("llama", [f"activation={name}"], {"G": "gate"})
      for name in ("relu", "gelu", "sigmoid", "identity")],
    ("llama", ["b_gate=[1, 2, 3, -1, -2, -3]"], {"U_gate": "gate projection"}),
    ("decoder", ["after=relu"], {"F": "ReLU", "F.raw": "down projection"}),
    ("gpt", ["after=gelu"], {"F": "GELU"}),
    ("decoder", ["after=identity"], {"F": "down projection"}),
    ("llama", ["parallel=true"], {}),
    ("llama", ["parallel=true", "norm2.kind=none"], {}),
    ("decoder", ["parallel=true", "post1.kind=none"], {}),
    ("encoder", ["residual=[false, true]"], {"R1": "passed on"}),
    ("encoder", ["residual=[true, false]"], {"R2": "passed on"}),
    ("encoder", ["embedding.scale=3/2"], {"X_tok": "embedding look-up"}),
    ("encoder", ["embedding.norm.kind=layernorm", "position.kind=none"], {}),
    ("encoder", ["embedding.norm.kind=rmsnorm", "embedding.norm.gain=[1, 2, 3, 4]"],
     {"X": "RMSNorm", "X_norm.rms": "root mean square", "X_sum": "position addition"}),
    ("encoder", ["embedding.E_type=[[1, 2, 3, 4], [0, 1, 0, 1]]", "embedding.type_ids=[1, 0, 1]"],
     {"X": "sum of inputs", "X_type": "token type look-up"}),
    ("cats", ["embedding.E_type=[[1, 2, 3, 4]]", "embedding.type_ids=[0, 0, 0, 0]"],
     {"X": "token type addition"}),
    ("encoder", ["position.layout=blocks", "position.first=2", "position.base=100"], {}),
    ("gpt", ["position.first=2"], {"P": "given"}),
    ("decoder", ["output.soft_cap=3", "temperature=2"], {"logits": "soft cap"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "sets", "operations"), OPTIONS, ids=[f"{m}-{'-'.join(s)}"[:60] for m, s, _ in OPTIONS]
)
def test_option(name: str, sets: list[str], operations: dict[str, str]) -> None:
    graph = assert_same(load(name, sets=sets))
    for matrix, words in operations.items():
        assert graph.matrix(matrix).operation.name == words


# one block of numbers that can be worked by hand; {} takes more keys of attention
HAND = """
tokens = ["a", "b", "c"]
[embedding]
X = [[2, 0], [0, 1], [1, 1]]
[[block]]
residual = false
[block.attention]
scale = 1
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
"""  # S = X X^T = [[4, 0, 2], [0, 1, 1], [2, 1, 2]]


@pytest.mark.parametrize(
    ("options", "cells"),
    [
        ('weights = "sum"', {"A[0,0]": "2/3", "A[0,2]": "1/3", "A[2,1]": "1/5", "Z[2,0]": "6/5"}),
        ('weights = "sum"\nmask = "causal"', {"A[0,0]": "1", "A[2,0]": "2/5", "A[1,2]": "0"}),
        ('weights = "relu"\nmask = "causal"', {"A[2,0]": "2/5", "A[1,1]": "1", "A[0,1]": "0"}),
        ('weights = "hard"', {"A[0,0]": "1", "A[1,1]": "1/2", "A[1,2]": "1/2", "Z[2,0]": "3/2"}),
        ('weights = "hard"\nmask = "causal"', {"A[1,1]": "1", "A[2,0]": "1/2", "A[2,2]": "1/2"}),
        ("base = 3", {"A[0,0]": "81/91", "A[1,2]": "3/7", "A[2,1]": "1/7", "A.sum[2,0]": "21"}),
        ('base = 3\nmask = "causal"', {"A[1,0]": "1/4", "A.exp[0,1]": "0", "A[2,0]": "3/7"}),
        ("base = 2\nwindow = 2", {"A[0,0]": "16/17", "A[0,2]": "0", "A[1,1]": "2/5"}),
        ("base = 2\npadding = [true, false, false]", {"A[0,1]": "1/5", "A[2,2]": "2/3"}),
    ],
)  # fmt: skip
def test_by_hand(options: str, cells: dict[str, str]) -> None:
    graph = build(loads(f"{HAND}{options}\n", "hand"))
    for address, value in cells.items():
        p, _, q = value.partition("/")
        assert graph[address].node.number == (int(p), int(q or 1)), address


def test_hard_attention_reads_and_names_what_decides() -> None:
    graph = build(loads(f'{HAND}weights = "hard"\n', "hand"))
    step = derivation(graph, "A[1,1]").steps[0]
    assert step.note == "The largest scores of the row are exactly equal, in columns 1, 2: a tie."
    assert [cell.address for cell in graph["A[1,1]"].reads] == ["S[1,0]", "S[1,1]", "S[1,2]"]
    assert derivation(graph, "A[0,1]").exact == "0"


def test_hard_attention_with_letters_is_undecided() -> None:
    text = HAND.replace("[2, 0]", '["x", 0]').replace("tokens", 'symbols = { x = "real" }\ntokens')
    graph = build(loads(f'{text}weights = "hard"\n', "hand"))
    with pytest.raises(UndecidedRanking, match="free letters"):
        graph["A[0,1]"].node  # noqa: B018
    assert graph["A[1,1]"].address == "A[1,1]"


def test_shares_of_nothing_have_no_value() -> None:
    text = HAND.replace("W_Q = [[1, 0], [0, 1]]", "W_Q = [[-1, 0], [0, -1]]")
    graph = build(loads(f'{text}weights = "relu"\n', "hand"))
    with pytest.raises(UndefinedCell, match=r"A\[0,0\] has no value"):
        graph["A[0,0]"].node  # noqa: B018


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HAND + 'weights = "hard"\nbase = 3', 'base with weights = "hard", expected weights = "so'),
        (HAND + "base = 1", "expected e, or a rational number above 1"),
        (HAND + 'base = "1/2"', "expected e, or a rational number above 1"),
        (HAND + 'mask = "causal"\npadding = [true, false, false]',
         "a row 0 that sees something: mask and padding hide all of it"),
        (HAND + 'window = 1\nmask = [[0, 0, 0], [0, "-inf", 0], [0, 0, 0]]',
         "a row 1 that sees something: mask and window hide all of it"),
        (HAND + "padding = [true, true, true]", "a row 0 that sees something: padding hide all"),
        (HAND + "padding = [true]", "read 1 flag, expected 3: n_k is 3"),
        (HAND + "padding = 3", "expected a list of true and false"),
        (HAND + "window = 0", "expected a whole number from 1 up"),
        (HAND + 'qk_norm = { kind = "rmsnorm", shift = [1, 2] }',
         'shift with kind "rmsnorm", expected kind = "layernorm" beside it'),
        (HAND + '[position]\nkind = "alibi"\nslopes = [1, 2]',
         "read 2 slopes, expected 1, one for each head of block 0"),
        (HAND + '[position]\nkind = "rope"\nfraction = "1/2"', "read 1/2 of 2 columns, "),
        (HAND + '[position]\nkind = "alibi"\nlayout = "halves"', "expected no layout"),
        (HAND + "[block.ffn]\nW_gate = [[1], [2]]", "W_gate without a gate, expected gated = true"),
        (HAND + "[block.ffn]\nslope = 1", 'slope with activation = "relu", expected activation = '),
        (HAND + '[block.ffn]\nactivation = "gelo"', "nearest: gelu"),
        (HAND.replace("residual", "parallel = true\nresidual") + "[block.ffn]\n",
         "parallel = true without addition, expected residual = true beside it"),
        (HAND.replace("residual = false", "parallel = true\npost1 = { kind = 'rmsnorm' }")
         + "[block.ffn]\n", "parallel = true with post1, expected no post1"),
        ("ids = [0]\n[embedding]\nE = [[1]]\nE_type = [[1]]", "E_type alone, expected type_ids"),
        ("ids = [0]\n[embedding]\nE = [[1]]\ntype_ids = [0]", "type_ids alone, expected E_type"),
        ("ids = [0]\n[embedding]\nE = [[1]]\ntype_ids = [1]\nE_type = [[1]]",
         "read 1, expected 0 to 0: E_type has 1 rows"),
        ("ids = [0]\n[embedding]\nE = [[1]]\ntype_ids = [0, 0]\nE_type = [[1]]",
         "read 2 type ids, expected 1: n is 1"),
        ("ids = [0]\n[embedding]\nE = [[1]]\ntype_ids = [0]\nE_type = [[1, 2]]",
         "read 2 columns, expected 1: d is 1"),
    ],
)  # fmt: skip
def test_clashes_are_one_error(text: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        loads(text, "m.toml")
    (line,) = str(caught.value).splitlines()
    assert message in line

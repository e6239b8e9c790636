"""Second sequences, latent attention and experts in a file: what fits, and what doesn't."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.errors import ModelError
from derive.model import load, loads
from derive.text import show
from tests.model.helpers import errors, rows, values

HEAD = "[embedding]\nX = [[1, 2], [3, 4], [5, 6]]\n[[block]]\n"  # three lines
CROSS = HEAD + '[block.attention]\nreads = "memory"\n'
ATTENTION = HEAD + "[block.attention]\n"
EXPERTS = (
    HEAD + "[block.ffn]\nexperts = [{W_up = [[1], [1]], W_down = [[1, 1]]}, "
    "{W_up = [[1, 3], [2, 4]], W_down = [[1, 0], [0, 1]]}]\n"
)
ROUTED = EXPERTS + "W_R = [[1, 1], [1, 1]]\n"
MEMORY = "[memory]\nX = [[1], [2]]\n"
LATENT = ATTENTION + "W_DKV = [[1], [2]]\nW_UK = [[1, 2]]\nW_UV = [[1]]\nW_Q = [[1, 1], [0, 1]]\n"


def test_a_memory_has_sizes_of_its_own() -> None:
    model = loads(
        MEMORY + CROSS + "W_K = [[1, 2, 3]]\nW_V = [[1, 2]]\nW_Q = [[1, 0, 1], [1, 1, 0]]"
    )
    sizes = model.blocks[0]["sizes"]
    assert (sizes["n"], sizes["m"], sizes["d"], sizes["k"], sizes["v"]) == (3, 2, 2, 3, 2)
    assert model.memory is not None and values(model.memory["X"]) == rows("1; 2")
    assert load("cats").memory is None


def test_an_encoder_is_a_stack_of_its_own() -> None:
    model = load("encoder-decoder")
    assert model.memory is not None
    assert model.memory["ids"] == (0, 1, 4) and model.ids == (0, 1)
    (encoder,) = model.memory["blocks"]
    assert encoder["attention"]["heads"] == 2 and encoder["sizes"]["f"] == 6
    assert encoder["sizes"]["n"] == 3 and model.blocks[1]["sizes"]["m"] == 3


def test_memory_tokens_are_looked_up_in_the_models_table() -> None:
    text = 'vocabulary = ["a", "b", "c"]\ntokens = ["a"]\n[embedding]\nE = [[1], [2], [3]]\n'
    cross = '[memory]\ntokens = ["c", "b"]\n[[block]]\n[block.attention]\nreads = "memory"\n'
    model = loads(text + cross + "W_K = [[1]]")
    assert model.memory is not None and model.memory["ids"] == (2, 1)
    (error,) = errors(text + cross.replace('"b"', '"bb"'))
    assert error == (
        'm.toml:6: memory.tokens[1]: read "bb", expected an entry of the vocabulary; nearest: b'
    )
    assert (
        "expected 0 to 2: the vocabulary has 3"
        in errors(
            text + "[memory]\nids = [3]\n" + CROSS.partition("[[block]]")[2].join(["[[block]]", ""])
        )[0]
    )


def test_experts_have_inner_widths_of_their_own() -> None:
    ffn = loads(ROUTED + "shared = [{W_up = [[1], [1]], W_down = [[2, 2]]}]").blocks[0]["ffn"]
    assert [len(expert["W_up"][0]) for expert in ffn["experts"]] == [1, 2]
    assert ffn["gate"] == "softmax-then-top" and "top" not in ffn and len(ffn["shared"]) == 1


def test_the_usual_top_is_two_or_all() -> None:
    one = ROUTED.replace("W_R = [[1, 1], [1, 1]]", "W_R = [[1], [1]]").replace(
        ", {W_up = [[1, 3], [2, 4]], W_down = [[1, 0], [0, 1]]}", ""
    )
    graph = build(loads(one))
    assert graph["router[2,0]"].node.number == (1, 1)


def test_given_names() -> None:
    given = loads(
        ROUTED + "[given]\n'e1.U' = [[1, 2], [3, 4], [5, 6]]\nF = [[0, 0], [1, 1], [2, 2]]"
    ).given
    assert set(given) == {"b0.e1.U", "b0.F"}
    encoder = loads(
        'extends = "encoder-decoder"\n[given]\n"mem.b0.h1.A" = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]'
    )
    assert set(encoder.given) == {"mem.b0.h1.A"}
    memory = loads(CROSS + "W_K = [[1, 1]]\n[given]\nX_mem = [[1], [2], [3], [4]]")
    assert set(memory.given) == {"X_mem"} and memory.blocks[0]["sizes"]["m"] == 4


def test_set_reaches_experts_and_encoders() -> None:
    model = load(
        "moe", sets=["block.0.ffn.experts.1.W_up=[[1, 2], [3, 4], [5, 6]]", "block.1.ffn.top=1"]
    )
    assert values(model.blocks[0]["ffn"]["experts"][1]["W_up"]) == rows("1 2; 3 4; 5 6")
    assert model.blocks[1]["ffn"]["top"] == 1
    encoder = load("encoder-decoder", sets=["memory.block.0.attention.mask=causal"])
    assert encoder.memory is not None
    assert encoder.memory["blocks"][0]["attention"]["mask"] == "causal"
    with pytest.raises(ModelError, match="read expert 7, expected expert 0 to 4: the model has 5"):
        load("moe", sets=["block.0.ffn.experts.7.W_up=[[1]]"])


def test_drawn_weights_of_experts_latents_and_encoders() -> None:
    text = """
[weights]
generator = "mulberry32"
seed = 1
map = "2*u-1"
sizes = { n = 3, d = 4, k = 2, v = 3, r = 5, f = 6, m = 7 }
order = ["X", "W_DKV", "W_UK", "W_UV", "W_Q", "e0.W_up", "e1.W_up", "e0.W_down", "e1.W_down",
  "W_R", "X_mem"]
[[block]]
[block.attention]
heads = 2
[block.ffn]
experts = [{}, {}]
"""
    model = loads(text)
    attention, ffn = model.blocks[0]["attention"], model.blocks[0]["ffn"]
    assert (len(attention["W_UV"]), len(attention["W_UV"][0]), len(attention["W_UV"][0][0])) == (
        2,
        5,
        3,
    )
    assert [len(expert["W_down"]) for expert in ffn["experts"]] == [6, 6]
    assert ffn["experts"][0]["W_up"] != ffn["experts"][1]["W_up"]
    assert len(ffn["W_R"][0]) == 2 and model.memory is not None and len(model.memory["X"]) == 7
    error = errors(text.replace(", r = 5", ""))[0]
    assert "whose shape is d × r, expected r in weights.sizes" in error
    assert "a size letter: n d k v h g f V m r e" in errors(text.replace("r = 5", "q = 5"))[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CROSS, '5: block.0.attention.reads: read "memory" without a second sequence, '
         "expected [memory] with X, or with tokens and blocks"),
        (HEAD + '[block.attention]\nreads = "memry"', "5: block.0.attention.reads: read "
         '"memry", expected self | memory; nearest: memory'),
        (MEMORY + CROSS + 'mask = "causal"', '8: block.0.attention.mask: read "causal" with '
         'reads = "memory", expected none, or a matrix of 0 and "-inf": the rows of two '
         "sequences have no common order"),
        (MEMORY + CROSS + "window = 2", "8: block.0.attention.window: read a window with "),
        (MEMORY + CROSS + "W_K = [[1, 2], [3, 4]]", "8: block.0.attention.W_K: read 2 rows, "
         "expected 1: d is 1, the width of memory.X (line 2)"),
        (MEMORY + CROSS + "padding = [true, false, false]", "8: block.0.attention.padding: read "
         "3 flags, expected 2: n_k is 2, the number of rows of memory.X (line 2)"),
        (MEMORY + CROSS + "padding = [true, true]", "8: block.0.attention.padding: read a list "
         "of 2, expected a row 0 that sees something"),
        (MEMORY + CROSS + "mask = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]", "8: block.0.attention.mask:"
         " read 3 columns, expected 2: n_k is 2, the number of rows of memory.X (line 2)"),
        ('[memory]\ntokens = ["a"]\n' + CROSS, "1: memory: read a second sequence without rows"),
        ('[memory]\ntokens = ["a"]\nX = [[1], [2]]\n' + CROSS, "2: memory.tokens: read 1 token, "
         "expected 2: n_k is 2, the number of rows of memory.X (line 3)"),
        ('[memory]\nX = [[1]]\nnorm = { kind = "rmsnorm" }\n' + CROSS, "3: memory.norm: read a "
         "norm without an encoder, expected [[memory.block]] before it"),
        ('[memory]\nX = [[1]]\n[[memory.block]]\n[memory.block.attention]\nreads = "memory"\n'
         + CROSS, '5: memory.block.0.attention.reads: read "memory" in the encoder itself'),
        ("[memory]\nX = [[1]]\n[[memory.block]]\n[memory.block.attention]\nW_Q = [[1], [2]]\n"
         + CROSS, "5: memory.block.0.attention.W_Q: read 2 rows, expected 1: d is 1, the width of "
         "memory.X (line 2)"),
        ("[memory]\nX = [[1]]\n[[memory.block]]\n[memory.block.atention]\n" + CROSS, "4: memory."
         'block.0.atention: read an unknown key "atention", expected a key of memory.block.0; '
         "nearest: attention"),
        ("[memory]\nXx = [[1]]\n" + CROSS, '2: memory.Xx: read an unknown key "Xx", expected a '
         "key of memory; nearest: X"),
        (ATTENTION + "W_UK = [[1], [2]]", "5: block.0.attention.W_UK: read W_UK alone, expected "
         "W_DKV beside it; nearest: W_DKV"),
        (ATTENTION + "W_DKV = [[1], [2]]\nW_UK = [[1, 1]]", "5: block.0.attention.W_DKV: read "
         "W_DKV alone, expected W_UV beside it; nearest: W_UV"),
        (LATENT.replace("[[1]]", "[[1], [1]]"), "7: block.0.attention.W_UV: read 2 rows, expected "
         "1: r is 1, the width of W_DKV (line 5)"),
        (LATENT + "W_QR = [[1], [1]]", "9: block.0.attention.W_QR: read W_QR alone, expected W_KR "
         "beside it; nearest: W_KR"),
        (LATENT + "W_QR = [[1, 1], [1, 1]]\nW_KR = [[1], [1]]", "10: block.0.attention.W_KR: read "
         "1 column, expected 2: r is 2, the width of W_QR (line 9)"),
        (LATENT + "W_DQ = [[1], [1]]", "9: block.0.attention.W_DQ: read W_DQ alone, expected W_UQ "
         "beside it; nearest: W_UQ"),
        (LATENT + "W_DQ = [[1], [1]]\nW_UQ = [[1, 1]]", "8: block.0.attention.W_Q: read W_Q and "
         "W_UQ, expected one of the two"),
        (LATENT + "W_K = [[1, 2], [1, 1]]", "9: block.0.attention.W_K: read W_K and W_UK"),
        (LATENT + "b_K = [1, 2]", "9: block.0.attention.b_K: read b_K with latent attention"),
        (LATENT + 'qk_norm = { kind = "rmsnorm" }', "9: block.0.attention.qk_norm: read qk_norm "
         'with latent attention, expected { kind = "none" }'),
        ('[position]\nkind = "rope"\n' + LATENT + "W_QR = [[1], [1]]\nW_KR = [[1], [1]]", "2: "
         'position.kind: read "rope" with 1 columns, expected an even number: r is 1, the width'),
        (ATTENTION + 'norm_KV = { kind = "rmsnorm" }', "5: block.0.attention.norm_KV: read norm_KV "
         "without C_KV, expected W_DKV beside it; nearest: W_DKV"),
        (LATENT + 'norm_Q = { kind = "rmsnorm" }', "9: block.0.attention.norm_Q: read norm_Q "
         "without C_Q, expected W_DQ beside it; nearest: W_DQ"),
        (LATENT + 'norm_KV = { kind = "rmsnorm", gain = [1, 2] }', "9: block.0.attention.norm_KV."
         "gain: read 2 columns, expected 1: r is 1, the width of W_DKV (line 5)"),
        (ATTENTION + "W_DKW = [[1], [2]]", '5: block.0.attention.W_DKW: read an unknown key '
         '"W_DKW", expected a key of block.0.attention; nearest: W_DKV'),
        (EXPERTS, "5: block.0.ffn.experts: read experts without a router, expected W_R beside "
         "them; nearest: W_R"),
        (EXPERTS + "W_R = [[1], [1]]", "6: block.0.ffn.W_R: read 1 column, expected 2: e is 2, "
         "the number of experts (line 5)"),
        (EXPERTS + "W_R = [[1, 1]]", "6: block.0.ffn.W_R: read 1 row, expected 2: d is 2, "),
        (ROUTED + "top = 3", "7: block.0.ffn.top: read 3, expected at most 2: there are 2 experts"),
        (ROUTED + "top = 0", "7: block.0.ffn.top: read 0, expected a whole number from 1 to 1000"),
        (ROUTED + "W_up = [[1], [1]]", "7: block.0.ffn.W_up: read W_up beside experts, expected "
         "W_up in each of them"),
        (ROUTED + 'gate = "softmax-then-tops"', '7: block.0.ffn.gate: read "softmax-then-tops", '
         "expected softmax-then-top | top-then-softmax; nearest: softmax-then-top"),
        (HEAD + "[block.ffn]\ntop = 2", "5: block.0.ffn.top: read top without experts, expected "),
        (HEAD + "[block.ffn]\nshared = [{}]", "5: block.0.ffn.shared: read shared without experts"),
        (HEAD + '[block.ffn]\ngate = "top-then-softmax"', "5: block.0.ffn.gate: read gate "),
        (HEAD + "[block.ffn]\nexperts = []", "5: block.0.ffn.experts: read an empty list"),
        (HEAD + "[block.ffn]\nexperts = 3", "5: block.0.ffn.experts: read 3, expected a list of "),
        (ROUTED.replace(", W_down = [[1, 1]]", ""), "5: block.0.ffn.experts.0: read expert 0 "
         "without W_down, expected W_down in it; nearest: W_down"),
        (ROUTED.replace("[[1, 0], [0, 1]]", "[[1, 0]]"), "5: block.0.ffn.experts.1.W_down: read 1 "
         "row, expected 2: f is 2, the width of e1.W_up (line 5)"),
        (ROUTED.replace("W_down = [[1, 1]]", "W_donw = [[1, 1]]"), "5: block.0.ffn.experts.0."
         'W_donw: read an unknown key "W_donw", expected a key of block.0.ffn.experts.0; nearest: '
         "W_down"),
        (ROUTED.replace("W_down = [[1, 1]]", "W_down = [[1, 1]], W_gate = [[1], [1]]"), "5: block."
         "0.ffn.experts.0.W_gate: read W_gate without a gate, expected gated = true beside it"),
        (ROUTED + "[given]\nU = [[1]]", '8: given.U: read "U", expected one of b0.e0.U, b0.e1.U'),
        (ROUTED + "[given]\n'e2.U' = [[1]]", '8: given."e2.U": read "e2.U", expected a matrix of'),
        (ROUTED + "[given]\n'e1.router' = [[1]]", '8: given."e1.router": read "e1.router", '
         "expected a name such as b0.router (no expert has its own); nearest: b0.router"),
        (ROUTED + "[given]\n'e1.U' = [[1], [1], [1]]", '8: given."e1.U": read 1 column, expected '
         "2: f is 2, the width of e1.W_up (line 5)"),
        (ROUTED + "[given]\n'mem.logits' = [[1]]", '8: given."mem.logits": read "mem.logits", '
         "expected logits without a prefix: an encoder has none; nearest: logits"),
        (CROSS + "W_K = [[1]]\n[given]\nX_mem = [[1, 1]]", "8: given.X_mem: read 2 columns, "
         "expected 1: d is 1, the number of rows of W_K (line 6)"),
    ],
)  # fmt: skip
def test_errors(text: str, message: str) -> None:
    found = errors(text)
    assert any(error.startswith(f"m.toml:{message}") for error in found), found
    assert len(found) == 1, found


def test_each_of_several_errors_is_told() -> None:
    found = errors(LATENT.replace("[block.attention]\n", "[block.attention]\nheads = 2\n"))
    ends = [f"{name}: read 1 matrix, expected 2: heads is 2" for name in ("W_UK", "W_UV", "W_Q")]
    assert [error.split("attention.")[1] for error in found] == ends
    weights = "W_DKV = [[1]]\nW_UK = [[1]]\nW_UV = [[1]]\nW_QR = [[1], [1]]\nW_KR = [[1]]"
    for error, name in zip(errors(MEMORY + CROSS + weights), ("W_QR", "W_KR"), strict=True):
        assert f'{name}: read {name} with reads = "memory", expected none: the rows of two' in error


def test_what_is_given_need_not_be_made() -> None:
    """An exercise may start at C_KV, at the router's weights, or at keys of a memory."""
    assert loads(ATTENTION + "W_UK = [[1], [2]]\n[given]\nC_KV = [[1, 2], [0, 1], [1, 1]]")
    assert loads(EXPERTS + "[given]\nrouter = [[1, 0], [0, 1], ['1/2', '1/2']]")
    assert (
        loads(CROSS + "W_Q = [[1], [1]]\n[given]\nK = [[1], [2], [3], [4]]").blocks[0]["sizes"]["m"]
        == 4
    )


def test_setting_a_memorys_words_clears_its_ids() -> None:
    text = """vocabulary = ["a", "b", "c"]
tokens = ["a"]
[embedding]
E = [[1], [2], [3]]
[memory]
ids = [0, 1]
[[block]]
[block.attention]
reads = "memory"
"""
    for key in ("memory.ids=[2]", 'memory.tokens=["c"]'):
        memory = loads(text, sets=[key]).memory
        assert memory is not None and memory["ids"] == (2,) and memory["tokens"] == ("c",)


def test_a_memorys_tokens_may_label_given_keys() -> None:
    keys = "[given]\nQ = [[1]]\nK = [[1], [2]]\nV = [[1], [2]]\n"
    for reads in ("", '[[block]]\n[block.attention]\nreads = "memory"\n'):
        graph = build(loads(f'tokens = ["x"]\n[memory]\ntokens = ["a", "b"]\n{reads}{keys}'))
        assert graph["A[x,b]"].indices == (0, 1) and graph["V[a,0]"].indices == (0, 0)
    cross = '[[block]]\n[block.attention]\nreads = "memory"\n'
    error = errors('[memory]\ntokens = ["a"]\n' + cross + keys)[0]
    assert "K: read 2 rows, expected 1: n_k is 1, the number of the memory's tokens" in error


def test_the_scale_of_a_latent_head_may_be_written_out() -> None:
    assert show(loads(LATENT).blocks[0]["attention"]["scale"]) == "1/sqrt(k)"

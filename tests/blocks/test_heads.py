"""Several heads: names, prefixes, which KV head a head reads, sizes, weights, decoding."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.blocks.decode import DecodeError, decode
from derive.errors import AddressError, ModelError
from derive.graph import Graph, derivation
from derive.model import load, loads
from derive.model.heads import Heads

TWO = """
tokens = ["a", "b"]
[embedding]
X = [[1, 2], [3, 4]]
[[block]]
residual = false
[block.attention]
heads = 2
scale = 1
W_Q = [[[1], [0]], [[0], [1]]]
W_K = [[[1], [0]], [[0], [1]]]
W_V = [[[1], [0]], [[0], [1]]]
"""


@pytest.fixture(scope="module")
def gqa() -> Graph:
    return build(load("cats-gqa"))


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("h2.A", "b0.h2.A"),
        ("b0.h2.A", "b0.h2.A"),
        ("kv1.K", "b0.kv1.K"),
        ("b0.h2.K", "b0.kv1.K"),
        ("h1.K_rot", "b0.kv0.K_rot"),
        ("h3.V", "b0.kv1.V"),
        ("h3.W_V", "b0.h3.W_V"),
        ("kv0.W_V", "b0.kv0.W_V"),
        ("mask", "b0.mask"),
        ("h2.mask", "b0.mask"),
        ("Z_cat", "b0.Z_cat"),
        ("b0.O", "b0.O"),
        ("E", "E"),
    ],
)
def test_names(gqa: Graph, typed: str, full: str) -> None:
    assert gqa.matrix(typed).name == full


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("A", "A is not one matrix; say which: b0.h0.A, b0.h1.A, b0.h2.A, b0.h3.A"),
        ("K", "K is not one matrix; say which: b0.kv0.K, b0.kv1.K"),
        ("W_K", "W_K is not one matrix; say which: b0.h0.W_K, .*, b0.kv0.W_K, b0.kv1.W_K"),
        ("kv2.K", "no matrix kv2.K; nearest: kv[01].K"),
        ("h4.A", "no matrix h4.A; nearest: h[0-3].A"),
        ("kv0.A", "no matrix kv0.A"),
        ("h0.O", "no matrix h0.O"),
        ("h9.mask", "no matrix h9.mask"),
    ],
)
def test_names_that_mean_several_or_none(gqa: Graph, typed: str, message: str) -> None:
    with pytest.raises(AddressError, match=message):
        gqa.matrix(typed)


def test_short_names_are_the_shortest_that_are_clear(gqa: Graph) -> None:
    for full in gqa.matrices:
        assert gqa.matrix(gqa.short(full)).name == full
    assert [gqa.short(x) for x in ("b0.h1.A", "b0.kv1.K", "b0.O", "b0.mask", "b0.kv0.W_K")] == [
        "h1.A", "kv1.K", "O", "mask", "kv0.W_K"
    ]  # fmt: skip


def test_blocks_heads_and_kv_heads_together() -> None:
    text = 'extends = "cats-gqa"\n[[block]]\n[[block]]\n'
    two = "[[1, 0], [0, 1], [0, 0], [0, 0]]"
    text += f"[block.attention]\nW_Q = {two}\nW_K = {two}\n"
    graph = build(loads(text, "two"))
    assert graph.matrix("b0.h3.K").name == "b0.kv1.K" and graph.matrix("h1.A").name == "b0.h1.A"
    assert graph.matrix("b1.S").name == "b1.h0.S" and graph.short("b1.h0.S") == "b1.S"
    with pytest.raises(AddressError, match=r"b0.h0.S, b1.h0.S"):
        graph.matrix("h0.S")


@pytest.mark.parametrize(
    ("sets", "keys"),
    [([], [0, 0, 1, 1]), (["kv_map=interleaved"], [0, 1, 0, 1]), (["kv_heads=4"], [0, 1, 2, 3])],
)
def test_which_keys_a_head_reads(sets: list[str], keys: list[int]) -> None:
    graph = build(load("cats-gqa", sets=sets))
    for head, kv in enumerate(keys):
        assert graph.matrices[f"b0.h{head}.S"].operation.inputs["k"] == f"b0.kv{kv}.K_rot"
        assert graph.matrices[f"b0.h{head}.Z"].operation.inputs["v"] == f"b0.kv{kv}.V"


def test_one_kv_head_for_each_map() -> None:
    assert [Heads(6, 3).kv_of(k) for k in range(6)] == [0, 0, 1, 1, 2, 2]
    assert [Heads(6, 3, True).kv_of(k) for k in range(6)] == [0, 1, 2, 0, 1, 2]


def test_worked_lines_name_the_heads(gqa: Graph) -> None:
    d = derivation(gqa, "kv0.W_K[0,1]")
    assert (d.operation, d.exact) == ("averaged heads", "-1/2")
    assert d.reads == ("h0.W_K[0,1]", "h1.W_K[0,1]")
    step = derivation(gqa, "Z_cat[2,3]").steps[0]
    assert step.note.startswith("Column 3 is column c = 1 of head 1.")
    assert derivation(gqa, "O[2,0]").reads[0] == "Z_cat[2,0]"


def test_without_output_weights_the_stream_is_all_heads() -> None:
    graph = build(loads(TWO, "two"))
    assert graph.matrices["b0.H"].shape == (2, 2)
    assert graph.matrices["b0.H_mid"].operation.inputs == {"x": "b0.Z_cat"}
    wide = TWO.replace("residual = false", "norm2 = { kind = 'rmsnorm' }\nresidual = false")
    wide += "[block.ffn]\nW_up = [[1], [2], [3]]\n"
    with pytest.raises(ModelError, match="W_up: read 3 rows, expected 2"):
        loads(wide, "two")


def test_the_scale_may_use_numbers_of_heads() -> None:
    graph = build(loads(TWO.replace("scale = 1", 'kv_heads = 2\nscale = "1/(h + g)"'), "two"))
    assert graph["h1.S[0,1]"].node.number == (8, 1)
    assert graph["h1.S_scaled[0,1]"].node.number == (2, 1)
    assert load("cats-gqa").blocks[0]["sizes"]["h"] == 4
    assert load("cats-gqa").blocks[0]["sizes"]["g"] == 2


def test_given_matrices_of_one_head() -> None:
    graph = build(loads(TWO + "[given]\n'h1.A' = [[1, 0], [1, 0]]\n", "two"))
    assert graph.matrices["b0.h1.A"].operation.name == "given"
    assert graph.matrices["b0.h0.A"].operation.name == "softmax"
    assert graph["h1.Z[1,0]"].node.number == (2, 1)
    replaced = TWO.replace("heads = 2", "heads = 2\nkv_heads = 1").replace(
        "W_K = [[[1], [0]], [[0], [1]]]\nW_V = [[[1], [0]], [[0], [1]]]",
        "W_V = [[1], [0]]",
    )
    graph = build(loads(replaced + "[given]\n'h1.K' = [[5], [7]]\n", "two"))
    assert graph["h0.S[1,1]"].node.number == (21, 1), "both heads read the given KV head"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("K = [[1], [2]]", "one of b0.kv0.K, b0.kv1.K"),
        ("'h2.A' = [[1]]", r"a matrix of this model \(1 block, 2 heads"),
        ("'kv0.K' = [[1], [2]]\n'h0.K' = [[1], [2]]", "b0.kv0.K a second time"),
        ("'kv0.A' = [[1]]", "each head has one"),
    ],
)
def test_given_names(given: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        loads(f"{TWO}[given]\n{given}\n", "two")


DRAWN = """
tokens = ["a", "b"]
[weights]
generator = "mulberry32"
seed = 5
order = ["X", "W_Q", "W_K", "W_V", "W_O"]
map = "u"
sizes = { d = 3, k = 2, n = 2 }
[[block]]
[block.attention]
heads = 4
kv_heads = 2
"""


def test_drawn_weights_of_every_head() -> None:
    attention = loads(DRAWN).blocks[0]["attention"]
    assert [len(attention[name]) for name in ("W_Q", "W_K", "W_V")] == [4, 2, 2]
    assert len(attention["W_O"]) == 8
    shared = loads(DRAWN.replace("kv_heads = 2", 'kv_heads = 2\nshare = "mean"'))
    assert [len(shared.blocks[0]["attention"][x]) for x in ("W_Q", "W_K")] == [4, 4]
    one_by_one = DRAWN.replace('"W_Q"', '"h0.W_Q", "h1.W_Q", "b0.h2.W_Q", "h3.W_Q"')
    assert loads(one_by_one).blocks == loads(DRAWN).blocks
    with pytest.raises(ModelError, match=r"W_Q: read 1 matrix, expected 4: heads is 4"):
        loads(DRAWN.replace('"W_Q"', '"h2.W_Q"'))


def test_biases_are_a_row_for_each_head() -> None:
    graph = build(loads(TWO + "b_Q = [[10], [20]]\nb_V = [[1], [2]]\n", "two"))
    assert graph["h0.Q[0,0]"].node.number == (11, 1)
    assert graph["h1.Q[0,0]"].node.number == (22, 1)
    assert graph["kv1.V[1,0]"].node.number == (6, 1)
    averaged = TWO.replace("heads = 2", 'heads = 2\nkv_heads = 1\nshare = "mean"')
    graph = build(loads(averaged + "b_K = [[1], [2]]\n", "two"))
    assert graph["kv0.b_K[0,0]"].node.number == (3, 2)
    assert graph["K[0,0]"].node.number == (3, 1)


@pytest.mark.parametrize(("name", "caches"), [("cats-mha", 8), ("cats-gqa", 4), ("llama", 4)])
def test_decoding_caches_every_kv_head(name: str, caches: int) -> None:
    model = load(name)
    following = ("on",) if name == "llama" else ()
    step = list(decode(model, next_tokens=following))[-1]
    assert len({cell.partition("[")[0] for cell in step.cached}) == caches
    assert not set(step.cached) & set(step.new_cells)


HEAD_OF_DECODER = 'extends = "decoder"\n[[block]]\n[block.attention]\n'


def test_decoding_what_has_a_fixed_number_of_rows() -> None:
    text = HEAD_OF_DECODER + "padding = [false, false, false]\n"
    with pytest.raises(DecodeError, match="padding"):
        list(decode(loads(text, "p")))
    with pytest.raises(DecodeError, match="the table of positions P ends at 5"):
        list(decode(load("gpt", tokens="the cat sat on the mat"), 2))


def test_a_new_token_is_of_the_type_of_the_last() -> None:
    types = "[embedding]\nE_type = [[1, 0, 0, 0], [0, 1, 0, 0]]\ntype_ids = [0, 1, 1]\n"
    steps = list(decode(loads('extends = "decoder"\n' + types, "types"), 2))
    assert steps[1].graph.matrices["X_type"].operation.ids == (0, 1, 1, 1)  # type: ignore[attr-defined]

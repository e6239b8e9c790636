"""Models that are right: what their Sections hold, and which sizes follow."""

from __future__ import annotations

import pickle

import pytest

from derive.model import loads, schema_keys
from derive.model.schema import SCHEMA
from derive.text import show
from tests.model.helpers import errors, rows, values


def test_only_queries_keys_and_values() -> None:
    text = "[given]\nQ = [[1, 0]]\nK = [[1, 2], [3, 4], [5, 6]]\nV = [[1], [2], [3]]"
    model = loads(text)
    (block,) = model.blocks
    assert show(block["attention"]["scale"]) == "1/sqrt(k)"
    assert block["attention"]["mask"] == "none"
    assert block["ffn"] is None
    assert dict(block["sizes"]) == {"n": 1, "m": 3, "k": 2, "v": 1, "h": 1, "g": 1}
    assert set(model.given) == {"b0.h0.Q", "b0.kv0.K", "b0.kv0.V"}
    assert loads(text, sets=["mask=[[0, '-inf', 0]]"]).blocks[0]["attention"]["mask"]


def test_one_question_of_given_rows() -> None:
    model = loads("[given]\nU = [[1, -1]]\nW_down = [[1], [2]]\nb_down = [3]")
    assert model.blocks[0]["attention"] is None
    assert model.blocks[0]["ffn"]["activation"] == "relu"
    assert values(model.given["b0.b_down"]) == rows("3")


def test_given_columns_and_infinities() -> None:
    model = loads('[given]\n"A.sum" = [1, 2]\nS_masked = [[1, "-inf"], [0, "1/2"]]')
    assert values(model.given["b0.h0.A.sum"]) == rows("1; 2")
    assert show(model.given["b0.h0.S_masked"][0][1]) == "-inf"
    (error,) = errors('[given]\nS_masked = [[1, "-inf"], ["-inf", "-inf"]]')
    assert "S_masked[1,:]: read a row that hides everything" in error
    (error,) = errors('[given]\nS = [[1, "-inf"]]')
    assert "given.S[0,1]" in error


def test_given_names_the_block_that_has_the_part() -> None:
    text = "[embedding]\nX = [[1]]\n[[block]]\n[block.attention]\n[[block]]\n[block.ffn]\n"
    assert set(loads(text + "[given]\nU = [[1]]\nA = [[1]]").given) == {"b1.U", "b0.h0.A"}
    (error,) = errors(text + "[given]\nH = [[1]]")
    assert "one of b0.H, b1.H" in error
    model = loads(text + "[given]\n'b0.U' = [[1, 2]]")
    assert model.blocks[0]["ffn"] is not None


def test_bias_forms() -> None:
    for bias in ("[1, 2]", "[[1, 2]]", "[[[1, 2]]]"):
        model = loads(f"[[block]]\n[block.attention]\nW_Q = [[1, 0]]\nb_Q = {bias}")
        assert values(model.blocks[0]["attention"]["b_Q"][0]) == rows("1 2")


def test_heads_as_a_list() -> None:
    model = loads("[[block]]\n[block.attention]\nW_Q = [[[1, 0]]]")
    assert values(model.blocks[0]["attention"]["W_Q"][0]) == rows("1 0")


def test_symbols() -> None:
    text = """symbols = { w_00 = "real", x = "positive", e = "nonzero" }
    [embedding]
    X = [["w_00", "2x + e"], ["sqrt(x)/d", 0.5]]"""
    model = loads(text)
    assert dict(model.symbols) == {"w_00": "real", "x": "positive", "e": "nonzero"}
    assert [show(x) for x in model.embedding["X"][1]] == ["sqrt(x)/d", "0.5"]
    assert "y" in errors(text.replace("2x", "2y"))[0]


def test_positions_and_norms() -> None:
    model = loads(
        """[embedding]
        X = [[1, 2]]
        [position]
        kind = "rope"
        base = 100
        angles = ["pi/4"]
        first = 7
        fraction = 1
        clockwise = false
        [[block]]
        norm1 = { kind = "rmsnorm", eps = 1e-5, eps_at = "outside", gain = [2, "1/3"] }
        [block.attention]
        heads = 1
        scale = 1
        W_Q = [[1, 0], [0, 1]]"""
    )
    assert (model.position["base"].p, model.position["first"]) == (100, 7)
    norm = model.blocks[0]["norm1"]
    assert (norm["eps"].q, norm["eps_at"]) == (100_000, "outside")
    assert values(norm["gain"]) == rows("2 1/3")
    assert set(model.blocks[0]["norm2"]) == {"kind", "eps", "eps_at", "variance"}
    assert {"scale", "mask", "W_Q"} <= set(model.blocks[0]["attention"])
    assert not {"kv_heads", "padding", "W_K"} & set(model.blocks[0]["attention"])


def test_without_addition_the_stream_takes_the_width_of_the_result() -> None:
    text = """[embedding]
    X = [[1, 2]]
    [[block]]
    residual = false
    [block.attention]
    W_V = [[1, 0, 0], [0, 1, 0]]
    [block.ffn]
    W_up = [[1], [2], [3]]
    W_down = [[1, 2, 3, 4, 5]]
    [[block]]
    [block.attention]
    W_Q = [[1], [1], [1], [1], [1]]"""
    first, second = loads(text).blocks
    assert (first["sizes"]["d"], second["sizes"]["d"]) == (2, 5)
    assert "d is 3, the width of W_V" in errors(text.replace("[3]]", "[3], [4]]"))[0]
    one = text.replace("residual = false", "residual = [false, true]")
    assert any("W_down: read 5 columns, expected 3" in error for error in errors(one))


def test_head_wider_than_the_stream_is_no_error() -> None:
    """Attention alone, without W_O: what can't be added just isn't."""
    loads("[embedding]\nX = [[1, 2]]\n[[block]]\n[block.attention]\nW_V = [[1], [2]]")


@pytest.mark.parametrize(
    ("lines", "tokens", "ids"),
    [
        ('tokens = ["b", "a"]', ("b", "a"), (1, 0)),
        ("ids = [1, 1]", ("b", "b"), (1, 1)),
        ('text = " b\\n a "', ("b", "a"), (1, 0)),
        ('tokens = ["odd", ""]\nids = [2, 0]', ("odd", ""), (2, 0)),
    ],
)
def test_words(lines: str, tokens: tuple[str, ...], ids: tuple[int, ...]) -> None:
    table = '\nvocabulary = ["a", "b", "a"]\n[embedding]\nE = [[1], [2], [3]]'
    model = loads(lines + table)
    assert (model.tokens, model.ids) == (tokens, ids)


def test_odd_words() -> None:
    words = '["", " ", "the", "the", "\\n", "\\u0000", "π", "[0,1]", "-3"]'
    text = f"vocabulary = {words}\ntokens = {words}\n[embedding]\nE = [{'[1],' * 9}]"
    model = loads(text)
    assert model.ids == (0, 1, 2, 2, 4, 5, 6, 7, 8)  # a text that stands twice: its first place
    assert model.tokens == model.vocabulary


def test_words_only_label_the_rows_of_X() -> None:
    model = loads('tokens = ["new", "words"]\n[embedding]\nX = [[1], [2]]')
    assert (model.tokens, model.ids, model.vocabulary) == (("new", "words"), None, None)
    model = loads('tokens = ["new"]\nvocabulary = ["a"]\n[given]\nX = [[1]]')
    assert (model.tokens, model.ids, model.sizes["V"]) == (("new",), None, 1)
    model = loads("ids = [1]\n[embedding]\nE = [[1], [2]]\nX = [[1]]", "x")
    assert model.sizes["n"] == 1


def test_a_table_without_vocabulary_needs_ids() -> None:
    model = loads("ids = [1, 0]\n[embedding]\nE = [[1], [2]]")
    assert (model.tokens, model.ids, dict(model.sizes)) == (None, (1, 0), {"n": 2, "d": 1, "V": 2})


def test_model_is_frozen_and_can_be_sent_to_a_process() -> None:
    model = loads("title = 'x'\nnote = 'y'\n[embedding]\nX = [[1]]\n[output]")
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.output is not None and model.output["top_k"] == "none"
    with pytest.raises(AttributeError):
        model.title = "z"  # type: ignore[misc]
    with pytest.raises(TypeError):
        model.embedding["X"] = 1  # type: ignore[index]
    with pytest.raises(KeyError):
        model.embedding["E"]


def test_title_defaults_to_the_name() -> None:
    model = loads("[embedding]\nX = [[1]]", "my.toml")
    assert (model.name, model.title, model.source) == ("my", "my", "")


def test_schema_table() -> None:
    paths = [key.path for key in SCHEMA]
    assert len(set(paths)) == len(paths)
    assert all(key.meaning for key in SCHEMA)
    assert "block.1.ffn.W_up" in schema_keys(2)
    assert "block.1.ffn.W_up" not in schema_keys()
    assert not any("*" in key for key in schema_keys(3))

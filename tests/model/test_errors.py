"""Each kind of error in a file: line, key, what was read, what was expected, nearest."""

from __future__ import annotations

import pytest

from derive.model import limits, loads
from tests.model.helpers import errors

ONE = "[embedding]\nX = [[1, 2], [3, 4]]\n"
HEAD = ONE + "[[block]]\n[block.attention]\n"


def test_all_errors_at_once() -> None:
    text = """titel = "x"
tokens = ["the", "modle"]
vocabulary = ["the", "model"]
symbols = { a = "reel", n = "real" }
[embedding]
E = [
  [1, 2],
  [1],
  ["abc", nan],
]
[position]
kind = "rop"
[[block]]
[block.attention]
W_Q = [[1], [2], [3]]
reads = "memory"
[given]
"b0.h0.AA" = [[1]]
"""
    number = 'a number such as 3, 0.5 or "1/3"'
    found = errors(text)
    assert [line for line in found if '"abc"' not in line] == [
        'm.toml:1: titel: read an unknown key "titel", expected a key of a model file; '
        "nearest: title",
        'm.toml:2: tokens[1]: read "modle", expected an entry of the vocabulary; nearest: model',
        'm.toml:4: symbols.a: read "reel", expected real | positive | nonnegative | nonzero '
        "| integer; nearest: real",
        "m.toml:4: symbols.n: read the size letter n, expected a name other than n d k v h g f V",
        "m.toml:8: embedding.E[1,:]: read 1 entry, expected 2, as in the first row",
        f"m.toml:9: embedding.E[2,1]: read nan, expected {number}",
        'm.toml:12: position.kind: read "rop", expected none | rope | sinusoidal | learned '
        "| alibi; nearest: rope",
        'm.toml:16: block.0.attention.reads: read "memory" without a second sequence, '
        "expected [memory] with X, or with tokens and blocks",
        'm.toml:18: given."b0.h0.AA": read "b0.h0.AA", expected the name of a matrix, '
        "such as X, W_Q or A; nearest: b0.h0.A",
    ]
    (unknown,) = (line for line in found if '"abc"' in line)
    assert unknown.startswith('m.toml:9: embedding.E[2,0]: read "abc": ')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('mask = "none"', "1: mask: read an unknown key \"mask\", expected a key of a model file; "
         "nearest: block.attention.mask"),
        ("xyzzy = 1", "1: xyzzy: read an unknown key \"xyzzy\", expected one of title, source, "),
        ("[[blocks]]", "1: blocks: read an unknown key \"blocks\", expected a key of a model file; "
         "nearest: block"),
        ("[block]\nresidual = true", "1: block: read a table, expected a list of tables"),
        ("block = 3", "1: block: read 3, expected a list of tables: [[block]]"),
        ("embedding = 3", "1: embedding: read 3, expected a table of keys"),
        ("title = 3", "1: title: read 3, expected a text in quotes"),
        ("title = 1979-05-27", "1: title: read the date or time 1979-05-27, expected a text"),
        ('tokens = "the dog"', '1: tokens: read "the dog", expected a list of texts'),
        ("tokens = []", "1: tokens: read an empty list, expected a list of texts"),
        ('tokens = ["a",\n 3]', "2: tokens[1]: read 3, expected a text in quotes"),
        ('text = " "', '1: text: read " ", expected at least one word'),
        ('text = "a"\ntokens = ["a"]', "1: text: read both text and tokens, expected one of the"),
        ("ids = [0, -1]", "1: ids[1]: read -1, expected a whole number from 0 up"),
        ("ids = [true]", "1: ids[0]: read true, expected a whole number from 0 up"),
        ("ids = 3", "1: ids: read 3, expected a list of whole numbers"),
        ("symbols = 3", "1: symbols: read 3, expected a table such as"),
        ('symbols = { "a-b" = "real" }', '1: symbols.a-b: read "a-b", expected a letter (a-z)'),
        ("weights = 3", "1: weights: read 3, expected a table of keys"),
        ("weights = {}", "1: weights: read no seed, expected seed: where it starts"),
        ("given = 3", "1: given: read 3, expected a table of named matrices"),
        ("[position]\nfirst = -1", "2: position.first: read -1, expected a whole number from 0"),
        ("[position]\nfirst = 0.5", "2: position.first: read 0.5, expected a whole number from 0"),
        ("[position]\nbase = 0", "2: position.base: read 0, expected a number above 0"),
        ('[position]\nbase = "-1/2"', '2: position.base: read "-1/2", expected a number above 0'),
        ("[position]\nangles = 1", "2: position.angles: read 1, expected a list of numbers"),
        ('[position]\nlayout = "halfs"', '2: position.layout: read "halfs", expected pairs | hal'),
        ("[position]\nfraction = 0", "2: position.fraction: read 0, expected a rational number "),
        ("[[block]]\nresidual = 1", "2: block.0.residual: read 1, expected true, false, or [att"),
        ("[[block]]\nnorm1 = { eps = -1 }", "2: block.0.norm1.eps: read -1, expected 0 or more"),
        ("[[block]]\nnorm1 = { eps = 1 }", "2: block.0.norm1: read no kind, expected kind: which "),
        ("[[block]]\nnorm1 = 'rmsnorm'", '2: block.0.norm1: read "rmsnorm", expected a table'),
        ('{"title": null}', "1: title: read null, expected a text in quotes"),
    ],
)  # fmt: skip
def test_options(text: str, message: str) -> None:
    assert any(error.startswith(f"m.toml:{message}") for error in errors(text)), errors(text)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("nan", "read nan, expected a number such as"),
        ("inf", "read inf, expected a number such as"),
        ("-inf", "read -inf, expected a number such as"),
        ('"nan"', 'read "nan": '),
        ('"inf"', 'read "inf": an infinity, expected a number'),
        ('"-inf"', 'read "-inf": an infinity, expected a number'),
        ('"1 + inf"', 'read "1 + inf": an infinity'),
        ('"i"', 'read "i": the imaginary unit i'),
        ('"1/0"', 'read "1/0": a division by zero'),
        ('"1/(2-2)"', 'read "1/(2-2)": a division by zero'),
        ('"0^0"', 'read "0^0": 0^0'),
        ('"0^-1"', 'read "0^-1": a division by zero'),
        ('"[1, 2]"', 'read "[1, 2]": a vector'),
        ('"x"', 'read "x": '),
        ('"2 +"', 'read "2 +": '),
        ('""', 'read "": '),
        ('"e^x"', 'read "e^x": '),
        ("true", "read true, expected a number"),
        ("[3]", "read a list of 1, expected a number"),
        ("{ a = 1 }", "read a table, expected a number"),
        ("1979-05-27", "read the date or time 1979-05-27, expected a number"),
    ],
)
def test_entries(entry: str, message: str) -> None:
    (error,) = errors(f"[embedding]\nX = [\n[1, 2],\n[3, {entry}]]")
    assert error.startswith(f"m.toml:4: embedding.X[1,1]: {message}")


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ("3", "embedding.X: read 3, expected a matrix: a list of rows"),
        ('"x"', 'embedding.X: read "x", expected a matrix'),
        ("[]", "embedding.X: read an empty list, expected a matrix"),
        ("[1, 2]", "embedding.X[0]: read 1, expected a row: a list of numbers"),
        ("[[]]", "embedding.X[0,:]: read an empty list, expected a row"),
        ("[[1, 2], [3]]", "embedding.X[1,:]: read 1 entry, expected 2, as in the first row"),
        ("[[1], 2]", "embedding.X[1]: read 2, expected a row"),
        ("{}", "embedding.X: read a table, expected a matrix"),
        ("[{}]", "embedding.X: read a table"),
    ],
)
def test_matrices(matrix: str, message: str) -> None:
    found = errors(f"[embedding]\nX = {matrix}")
    if matrix == "[{}]":
        assert (
            found[0] == "m.toml:2: embedding.X[0]: read a table, expected a row: a list of numbers"
        )
    else:
        assert found[0].startswith(f"m.toml:2: {message}")


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ('[[0, "-inf"], [0, 1]]', "block.0.attention.mask[1,1]: read 1, expected 0 or"),
        ('[[0, "-inf"], [0, "inf"]]', 'block.0.attention.mask[1,1]: read "inf": an infinity, '),
        ('[[0, "-inf"], ["-inf", "-inf"]]', "block.0.attention.mask[1,:]: read a row that hides"),
        ("[[0, -inf], [0, 0]]", 'block.0.attention.mask[0,1]: read -inf, expected a number such '
         'as 3, 0.5 or "1/3" or "-inf"'),
        ("[[0, 0]]", "block.0.attention.mask: read 1 row, expected 2: n is 2, the number of rows"),
        ('"nne"', 'block.0.attention.mask: read "nne", expected none | causal | a matrix of 0 and '
         '"-inf"; nearest: none'),
        ("true", "block.0.attention.mask: read true, expected none | causal"),
    ],
)  # fmt: skip
def test_masks(mask: str, message: str) -> None:
    (error,) = errors(HEAD + f"mask = {mask}\nW_K = [[1], [2]]")
    assert error.startswith(f"m.toml:5: {message}")


def test_explicit_mask() -> None:
    model = loads(HEAD + 'mask = [[0, "-inf"], [0.0, "0"]]')
    assert len(model.blocks[0]["attention"]["mask"]) == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("W_Q = [[1, 2]]", "5: block.0.attention.W_Q: read 1 row, expected 2: d is 2, "
         "the width of X (line 2)"),
        ("W_Q = [[1], [2]]\nW_K = [[1, 2], [3, 4]]", "6: block.0.attention.W_K: read 2 columns, "
         "expected 1: k is 1, the width of W_Q (line 5)"),
        ("W_V = [[1], [2]]\nW_O = [[1, 2], [3, 4]]", "6: block.0.attention.W_O: read 2 rows, "
         "expected 1: v is 1, the width of W_V (line 5)"),
        ("W_O = [[1, 2, 3]]", "5: block.0.attention.W_O: read 3 columns, expected 2: d is 2, "),
        ("W_Q = [[1], [2]]\nb_Q = [1, 2]", "6: block.0.attention.b_Q: read 2 columns, expected 1: "
         "k is 1, the width of W_Q (line 5)"),
        ("b_Q = [[1], [2]]", "5: block.0.attention.b_Q: read 2 matrices, expected 1: heads is 1"),
        ("W_Q = [[[1], [2]], [[1], [2]]]", "5: block.0.attention.W_Q: read 2 matrices, expected 1: "
         "heads is 1"),
        ("heads = 2\nkv_heads = 1\nW_K = [[[1], [2]], [[1], [2]]]", "7: block.0.attention.W_K: "
         "read 2 matrices, expected 1: kv_heads is 1"),
        ("heads = 2\nkv_heads = 1\nshare = 'mean'\nW_K = [[1], [2]]", "8: block.0.attention.W_K: "
         "read 1 matrix, expected 2: heads is 2, and share = \"mean\" averages over heads"),
        ("heads = 4\nkv_heads = 3", "6: block.0.attention.kv_heads: read 3, expected a divisor of "
         "heads = 4"),
        ("heads = 2\nW_Q = [[[1], [2]], [[1, 2], [3, 4]]]", "6: block.0.attention.W_Q: read 2 "
         "columns, expected 1: k is 1, the width of h0.W_Q (line 6)"),
        ("heads = 2\nW_V = [[[1], [2]], [[1], [2]]]\nW_O = [[1, 2]]", "7: block.0.attention.W_O: "
         "read 1 row, expected 2: v is 1, the width of kv0.W_V (line 6)"),
        ("[block.ffn]\nW_up = [[1, 2, 3], [4, 5, 6]]\nW_down = [[1, 2]]", "7: block.0.ffn.W_down: "
         "read 1 row, expected 3: f is 3, the width of W_up (line 6)"),
        ("[block.norm2]\ngain = [1, 2, 3]", "6: block.0.norm2.gain: read 3 columns, expected 2: "),
        ("[[block]]\n[block.attention]\nW_Q = [[1]]", "7: block.1.attention.W_Q: read 1 row, "),
        ("[given]\nA = [[1, 0]]", "6: given.A: read 1 row, expected 2: n is 2, the number of"),
        ("[given]\nX = [[1]]\nN1 = [[1, 2]]", "7: given.N1: read 2 columns, expected 1: d is 1, "),
    ],
)  # fmt: skip
def test_shapes(lines: str, message: str) -> None:
    found = errors(HEAD + lines)
    assert any(error.startswith(f"m.toml:{message}") for error in found), found


def test_words_must_fit_the_rows() -> None:
    assert errors('tokens = ["a"]\n' + ONE) == [
        "m.toml:1: tokens: read 1 token, expected 2: n is 2, the number of rows of X (line 3)"
    ]
    text = 'vocabulary = ["a", "b", "c"]\ntokens = ["a"]\n[embedding]\nE = [[1], [2]]'
    assert errors(text) == [
        "m.toml:1: vocabulary: read 3 texts, expected 2: V is 2, the number of rows of E (line 4)"
    ]


def test_ids_outside_the_vocabulary() -> None:
    table = "\n[embedding]\nE = [[1], [2]]"
    (error,) = errors("ids = [0, 2]" + table)
    assert error == "m.toml:1: ids[1]: read 2, expected 0 to 1: the vocabulary has 2"
    assert "ids: read 1 ids, expected 2, one for each token" in "".join(
        errors('ids = [0]\ntokens = ["a", "b"]' + table)
    )


def test_words_to_look_up() -> None:
    table = "\n[embedding]\nE = [[1], [2]]"
    assert "expected a vocabulary to look them up in" in errors('tokens = ["a"]' + table)[0]
    assert 'expected tokens = ["…"], text = "…" or ids' in errors(table)[0]


def test_rope_turns_pairs() -> None:
    rope = '[position]\nkind = "rope"\n'
    odd = rope + HEAD + "W_Q = [[1, 2, 3], [1, 2, 3]]"
    assert "expected an even number: k is 3, the width of W_Q (line 7)" in errors(odd)[0]
    many = rope + 'angles = ["1", "pi/4"]\n' + HEAD + "W_Q = [[1, 2], [1, 2]]"
    assert errors(many) == [
        "m.toml:3: position.angles: read 2 angles, expected 1, one for each pair: "
        "k is 2, the width of W_Q (line 8)"
    ]


def test_causal_needs_as_many_queries_as_keys() -> None:
    text = "[given]\nQ = [[1]]\nK = [[1], [2]]\nV = [[1], [2]]"
    assert loads(text)
    (error,) = errors(text, sets=("mask=causal",))
    assert '"causal" for 1 queries and 2 keys' in error


def test_empty_models() -> None:
    for text in ("", "title = 'x'", "[position]\nkind = 'rope'", "block = []"):
        assert errors(text) == [
            "m.toml: read a model without a matrix, expected [embedding], [[block]] or [given]"
        ]


def test_long_lists_of_errors_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROBLEMS", 3)
    for count in (2, 3):
        assert len(errors("\n".join(f"x{i}x = 1" for i in range(count)))) == count
    found = errors("\n".join(f"x{i}x = 1" for i in range(4)))
    assert found[3:] == ["… and 1 more errors"]
    monkeypatch.setattr(limits, "GIVE_UP", 8)
    assert errors("\n".join(f"x{i}x = 1" for i in range(7)))[3:] == ["… and 4 more errors"]
    for count in (8, 9, 1000):
        found = errors("\n".join(f"x{i}x = 1" for i in range(count)))
        assert found[3:] == ["… and at least 5 more errors"]


def test_unknown_words_are_compared_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'vocabulary = ["aa", "bb"]\ntokens = ["ab", "ba"]\n[embedding]\nE = [[1], [2]]'
    for limit, told in ((4, 2), (3, 1), (2, 1), (1, 0)):
        monkeypatch.setattr(limits, "COMPARISONS", limit)
        assert sum("nearest" in error for error in errors(text)) == told


def test_odd_keys_and_texts_stay_on_one_line() -> None:
    assert len(errors('"a\\nb" = 1\n[given]\n"c\\u001b" = [[1]]')) == 2
    assert all(line.isprintable() for line in errors('title = ["\\u0007"]\n"\\t" = "\\r"'))

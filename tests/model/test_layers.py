"""`extends`, `--set` and `--tokens`: what stands on top replaces or adds."""

from __future__ import annotations

from pathlib import Path

import pytest

from derive.errors import ModelError
from derive.model import load, loads
from tests.model.helpers import errors, rows, values

BASE = """
title = "base"
source = "somewhere"
vocabulary = ["a", "b", "c"]
tokens = ["a", "b"]
[embedding]
E = [[1, 2], [3, 4], [5, 6]]
[[block]]
norm1 = { kind = "rmsnorm", eps = 1 }
[block.attention]
mask = "causal"
W_Q = [[1], [2]]
[block.ffn]
activation = "identity"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.toml").write_text(BASE)
    return tmp_path


def extend(folder: Path, text: str, name: str = "top.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_tables_merge_by_key(folder: Path) -> None:
    model = load(extend(folder, 'extends = "base.toml"\nnote = "new"\n[position]\nfirst = 3'))
    assert (model.name, model.title, model.source, model.note) == (
        "top",
        "base",
        "somewhere",
        "new",
    )
    assert model.position["first"] == 3
    assert values(model.embedding["E"]) == rows("1 2; 3 4; 5 6")


def test_blocks_merge_by_position_and_the_rest_is_appended(folder: Path) -> None:
    text = """extends = "base.toml"
    [[block]]
    norm1 = { eps = 2 }
    [block.attention]
    mask = "none"
    [[block]]
    residual = false"""
    first, second = load(extend(folder, text)).blocks
    assert (first["norm1"]["kind"], first["norm1"]["eps"].p) == ("rmsnorm", 2)
    assert first["attention"]["mask"] == "none"
    assert values(first["attention"]["W_Q"][0]) == rows("1; 2")
    assert first["ffn"]["activation"] == "identity"
    assert second["attention"] is None
    assert second["residual"] == (False, False)


@pytest.mark.parametrize(
    ("line", "tokens", "ids"),
    [
        ('tokens = ["c"]', ("c",), (2,)),
        ("ids = [1, 1, 2]", ("b", "b", "c"), (1, 1, 2)),
        ('text = "c b a"', ("c", "b", "a"), (2, 1, 0)),
        ('ids = [0]\ntokens = ["word"]', ("word",), (0,)),
    ],
)
def test_words_replace_one_another(
    folder: Path, line: str, tokens: tuple[str, ...], ids: tuple[int, ...]
) -> None:
    model = load(extend(folder, f'extends = "base.toml"\n{line}'))
    assert (model.tokens, model.ids) == (tokens, ids)


def test_chains_bundled_names_and_folders(folder: Path) -> None:
    (folder / "below").mkdir()
    middle = extend(folder, 'extends = "../base.toml"\ntitle = "middle"', "below/middle.toml")
    assert load(middle).title == "middle"
    top = extend(folder, '{"extends": "below/middle.toml", "note": "top"}', "top.json")
    assert (load(top).title, load(top).note, load(top).ids) == ("middle", "top", (0, 1))
    assert load(extend(folder, 'extends = "cats"')).ids == load("cats").ids


def test_circle(folder: Path) -> None:
    extend(folder, 'extends = "two.toml"', "one.toml")
    extend(folder, 'title = "2"\nextends = "./one.toml"', "two.toml")
    with pytest.raises(ModelError) as caught:
        load(folder / "one.toml")
    assert "two.toml:2: read a circle" in str(caught.value)
    assert str(caught.value).count("one.toml") == 2
    with pytest.raises(ModelError, match="circle"):
        load(extend(folder, 'extends = "top.toml"'))


def test_missing_base(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"top.toml:2: .*top.toml extends \"cat\": no model"):
        load(extend(folder, '\nextends = "cat"'))
    with pytest.raises(ModelError, match="a bundled model or a path in quotes"):
        load(extend(folder, "extends = 3"))
    with pytest.raises(ModelError, match="a bundled model or a path"):
        load(extend(folder, 'extends = "-"'))


def test_errors_name_the_file_that_they_stand_in(folder: Path) -> None:
    (folder / "base.toml").write_text(BASE + 'W_up = "no"\n')
    with pytest.raises(ModelError) as caught:
        load(extend(folder, 'extends = "base.toml"\n[position]\nkind = "rop"'))
    first, second = str(caught.value).splitlines()
    assert first.startswith(f"{folder / 'base.toml'}:15: block.0.ffn.W_up: ")
    assert second.startswith(f"{folder / 'top.toml'}:3: position.kind: ")


def test_given_twice_in_two_files_is_an_override(folder: Path) -> None:
    extend(folder, "[given]\nA = [[1]]", "low.toml")
    top = extend(folder, 'extends = "low.toml"\n[given]\n"b0.h0.A" = [[2]]')
    assert values(load(top).given["b0.h0.A"]) == [["2"]]
    assert values(load(top, sets=["given.h0.A=[[3]]"]).given["b0.h0.A"]) == [["3"]]


# --set


@pytest.mark.parametrize(
    ("assignment", "path", "value"),
    [
        ("block.0.attention.mask=none", ("attention", "mask"), "none"),
        ("mask=none", ("attention", "mask"), "none"),
        ('mask = "none"', ("attention", "mask"), "none"),
        ("activation=relu", ("ffn", "activation"), "relu"),
        ("norm2.kind=rmsnorm", ("norm2", "kind"), "rmsnorm"),
        ("residual=[false, true]", ("residual",), (False, True)),
        ('block.0."norm1".kind=none', ("norm1", "kind"), "none"),
    ],
)
def test_set(assignment: str, path: tuple[str, ...], value: object) -> None:
    found = loads(BASE, sets=[assignment]).blocks[0]
    for key in path:
        found = found[key]
    assert found == value


def test_set_words_clears_the_others() -> None:
    assert loads(BASE, sets=["ids=[2]"]).tokens == ("c",)
    assert loads(BASE, sets=["text=c a"]).ids == (2, 0)
    assert loads(BASE, sets=['tokens=["c"]', "ids=[1]"]).tokens == ("b",)


def test_set_tables_symbols_and_given() -> None:
    model = loads(
        BASE,
        sets=[
            "symbols.x=positive",
            "given.b0.h0.A=[['x', 0], [1, '1/2']]",
            'position={kind = "rope", angles = []}',
            "position.angles=[1]",
            'given."b0.h0.Q"=[[1, 2], [3, 4]]',
            "W_Q=[[1, 2], [3, 4]]",
        ],
    )
    assert dict(model.symbols) == {"x": "positive"}
    assert set(model.given) == {"b0.h0.A", "b0.h0.Q"}
    assert model.position["kind"] == "rope"


def test_later_sets_win_and_zero_is_exact() -> None:
    model = loads(BASE, sets=["attention.scale=0.1", "attention.scale=0.3"])
    scale = model.blocks[0]["attention"]["scale"]
    assert (scale.p, scale.q) == (3, 10)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("scale=2", "which several keys end in, expected one of embedding.scale, block.0.att"),
        ("eps=2", "expected one of embedding.norm.eps, block.0.norm1.eps, block.0.norm2.eps"),
        ("maks=none", 'no key "maks" of this model, expected a key of the model file; nearest: '),
        ("block.1.attention.mask=none", "read block 1, expected block 0: the model has 1"),
        ("block.x.attention.mask=none", "read block x, expected block 0"),
        ("mask", "expected KEY=VALUE"),
        ("=3", "expected KEY=VALUE"),
        ("a b=3", "expected KEY=VALUE"),
        ("temperature=0", "output.temperature: read 0, expected a number above 0"),
        ("reads=memry", 'block.0.attention.reads: read "memry", expected self | memory; nearest: '),
        ("mask=cusal", 'block.0.attention.mask: read "cusal", expected none | causal'),
        ("first=-1", "position.first: read -1, expected a whole number from 0 up"),
        ("position.base=inf", "position.base: read inf, expected a number"),
        ("extends=cats", "expected a key that --set can change"),
        ("title=\udcff", "expected a text in UTF-8"),
    ],
)
def test_set_errors(assignment: str, message: str) -> None:
    (error,) = errors(BASE, sets=(assignment,))
    assert error.startswith("--set ")
    assert message in error


def test_set_is_ambiguous_in_two_blocks_only() -> None:
    assert load("cats", sets=["mask=none"]).blocks[0]["attention"]["mask"] == "none"
    with pytest.raises(ModelError, match=r"block\.0\.attention\.mask, block\.1\.attention\.mask"):
        load("cats-two-blocks", sets=["mask=none"])
    assert load("cats-two-blocks", sets=["block.1.attention.mask=none"])
    assert load("next", sets=["seed=3"]) != load("next")


def test_several_wrong_sets_are_told_at_once() -> None:
    assert len(errors(BASE, sets=("maks=1", "scale=1", "kind=2"))) == 3


# --tokens


def test_tokens() -> None:
    model = loads(BASE, tokens=" c  a\tc ")
    assert (model.tokens, model.ids, model.sizes["n"]) == (("c", "a", "c"), (2, 0, 2), 3)


def test_tokens_unknown() -> None:
    assert errors(BASE, tokens="a dd b") == [
        '--tokens: text: read "dd", expected an entry of the vocabulary'
    ]
    with pytest.raises(ModelError, match="nearest: like"):
        load("cats", tokens="I lik cats")
    assert "at least one word" in errors(BASE, tokens="  ")[0]


def test_tokens_need_a_vocabulary_and_a_table() -> None:
    with pytest.raises(ModelError, match="this one gives its rows as X"):
        load("next", tokens="the model predicts the next")
    text = "ids = [0]\n[embedding]\nE = [[1]]"
    assert "a model with E and a vocabulary" in errors(text, tokens="a")[0]


# standard input


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    class Piped:
        buffer = io.BytesIO(b'extends = "cats"\ntitle = "piped"')

    monkeypatch.setattr("sys.stdin", Piped())
    model = load("-")
    assert (model.name, model.title) == ("model", "piped")
    monkeypatch.setattr("sys.stdin", io.StringIO("title = 3"))
    with pytest.raises(ModelError, match="-:1: title: read 3"):
        load("-")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="can't read the file"):
        load(tmp_path)
    with pytest.raises(ModelError, match="no model"):
        load(tmp_path / "missing.toml")
    with pytest.raises(ModelError, match="can't read the file"):
        load("a\0b")
    assert load(str(extend(tmp_path, BASE, "cats"))).tokens == ("a", "b")

"""Files as data: sizes are checked before anything is built, and no float ever exists."""

from __future__ import annotations

import pytest

from derive.errors import ModelError
from derive.model import Model, limits, loads
from derive.model.document import decode, read_document
from derive.model.exact_numbers import rational
from tests.model.helpers import errors, values


def cell(number: str) -> Model:
    return loads(f"[embedding]\nX = [[{number}]]", "m.toml")


def json_cell(number: str) -> Model:
    return loads('{"embedding": {"X": [[' + number + "]]}}")


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("make", [cell, json_cell])
def test_digits(make: object, quote: str) -> None:
    assert callable(make)
    for digits in (limits.DIGITS - 1, limits.DIGITS):
        x = make(quote + "7" * digits + quote).embedding["X"][0][0]
        assert x.p == int("7" * digits)
    with pytest.raises(ModelError, match="a number of 4001 digits"):
        make(quote + "7" * (limits.DIGITS + 1) + quote)


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("make", [cell, json_cell])
@pytest.mark.parametrize("sign", ["", "-"])
def test_exponent(make: object, quote: str, sign: str) -> None:
    assert callable(make)
    for size in (limits.EXPONENT - 1, limits.EXPONENT):
        x = make(f"{quote}1e{sign}{size}{quote}").embedding["X"][0][0]
        assert (x.q if sign else x.p) == 10**size
    for size in ("10001", "9" * 5000):
        with pytest.raises(ModelError, match=r"the exponent .* between -10000 and 10000"):
            make(f"{quote}1e{sign}{size}{quote}")


@pytest.mark.parametrize("number", ["0x" + "f" * 4000, "0o" + "7" * 5000, "0b" + "1" * 14000])
def test_digits_in_other_bases(number: str) -> None:
    with pytest.raises(ModelError, match="at most 4000 digits"):
        cell(number)


def test_nesting() -> None:
    def nested(depth: int) -> str:
        return "title = " + "[" * depth + "]" * depth

    assert "a text in quotes" in errors(nested(limits.NESTING - 1))[0]
    assert "a text in quotes" in errors(nested(limits.NESTING))[0]
    assert "brackets inside one another" in errors(nested(limits.NESTING + 1))[0]
    assert "a key of more than 32 parts" in errors(".".join("a" * 33) + " = 1")[0]
    assert "unknown key" in errors(".".join("a" * 32) + " = 1")[0]
    assert "brackets" in errors("[" * 100_000)[0] or "TOML" in errors("[" * 100_000)[0]


def test_file_size() -> None:
    for size in (limits.FILE_BYTES - 1, limits.FILE_BYTES):
        assert len(decode(b"#" * size, "m.toml")) == size
    with pytest.raises(ModelError, match=r"m.toml: read a file of more than 10000000 bytes"):
        decode(b"#" * (limits.FILE_BYTES + 1), "m.toml")


def test_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CELLS", 6)
    assert loads("[embedding]\nX = [[1, 2, 3], [4, 5, 6]]").sizes["n"] == 2
    assert loads("[embedding]\nX = [[1, 2, 3, 4, 5]]").sizes["d"] == 5
    (error,) = errors("[embedding]\nX = [[1, 2, 3, 4, 5, 6, 7]]")
    assert error == "m.toml:2: embedding.X: read a matrix of 1 × 7 entries, expected at most 6"


def test_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRITTEN", 3000)
    cell("1e1400, 1e1500")
    cell("1e1400, 1e1400, 1e1400")  # equal numbers are kept once
    assert "more than 3000 digits in all" in errors("embedding.X = [[1e1400, 1e1600]]")[0]


def test_text_length() -> None:
    long = "1" + " + 1" * 2499  # 9997 characters
    with pytest.raises(ModelError, match="at character"):  # too deep for a tree, all the same
        cell(f'"{long}"')
    (error,) = errors(f'embedding.X = [["{long} + 1"]]')
    assert "a text of 10001 characters (at most 10000)" in error


def test_not_utf_8() -> None:
    with pytest.raises(ModelError, match=r"m.toml:2: read bytes that are not UTF-8"):
        decode(b"a = 1\nb = \xff", "m.toml")


def test_byte_order_mark_and_windows_lines() -> None:
    text = "\ufeff[embedding]\r\nX = [\r\n  [1, 2],\r\n  [3],\r\n]\r\n"
    assert errors(text)[0].startswith("m.toml:4: embedding.X[1,:]: read 1 entry")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("title = \n", "m.toml:1: read a text that is not TOML"),
        ("[block\n", "m.toml:1: read a text that is not TOML"),
        ("a = 1\na = 2", "m.toml:2: read a text that is not TOML"),
        ('{"title": }', "m.toml:1: read a text that is not JSON"),
        ('{"title": "a",\n "title": "b"}', "m.toml: read a text that is not JSON"),
        ('{"title": "\\ud800"}', "m.toml: read a text that is not JSON"),
        ('{"title": 1} x', "m.toml:1: read a text that is not JSON"),
        ('{"a":' * 50_000, "m.toml:1: read more than 32"),
        ('{"a":' + "[" * 50_000, "m.toml:1: read more than 32"),
    ],
)
def test_neither_toml_nor_json(text: str, start: str) -> None:
    assert errors(text)[0].startswith(start)


def test_json_needs_an_object() -> None:
    with pytest.raises(ModelError, match="not a JSON object"):
        read_document("[1, 2]", "m.json")


def test_json_is_the_same_model() -> None:
    toml = '[embedding]\nX = [[0.5, "sqrt(2)"]]\n[[block]]\n[block.attention]\nmask = "causal"'
    json = """{"embedding": {"X": [[0.5, "sqrt(2)"]]},
              "block": [{"attention": {"mask": "causal"}}]}"""
    assert loads(toml) == loads(json)


def test_json_lines() -> None:
    text = '{"embedding": {"X": [\n[1, 2],\n[3]]},\n"block": [{},\n{"attention": {"maks": 1}}]}'
    assert errors(text) == [
        "m.toml:3: embedding.X[1,:]: read 1 entry, expected 2, as in the first row",
        'm.toml:5: block.1.attention.maks: read an unknown key "maks", '
        "expected a key of block.1.attention; nearest: mask",
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0.1", "1/10"),
        ("-0.0", "0"),
        ("+2.50", "5/2"),
        ("1_000.5", "2001/2"),
        ("1e3", "1000"),
        ("25e-4", "1/400"),
        ("0x10", "16"),
        ('"1/3"', "1/3"),
        ('" -2/4 "', "-1/2"),
        ('"0.1 + 0.2"', "3/10"),
        ('"2^-3"', "1/8"),
        ('"(1/2 - 1/3) * 6"', "1"),
        ("0.1234567890123456789", "1234567890123456789/10000000000000000000"),
    ],
)
def test_exact_numbers(written: str, value: str) -> None:
    assert values(cell(written).embedding["X"]) == [[value]]


@pytest.mark.parametrize("written", ["sqrt(2)/2", "pi", "10^10000", "exp(1)", "2^(1/2)"])
def test_other_numbers_stay_as_written(written: str) -> None:
    assert rational(cell(f'"{written}"').embedding["X"][0][0]) is None

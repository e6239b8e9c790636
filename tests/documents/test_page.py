"""The page's file and data, without a browser."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest

import derive
from derive.blocks import build
from derive.documents.page import page
from derive.documents.page_data import first_digits, sentence
from derive.documents.page_words import GLOSSARY, glossary
from derive.errors import OutputError
from derive.graph import Cell

HOSTILE = [
    "</script><script>alert(1)</script>", "<!--", '"quotes\'', "\u202eright\u2066", "", " ",
    "\U0001f600\u200d\U0001f525", "x" * 400, "&lt;", "\u2028",
]  # fmt: skip


def hostile(tokens: list[str] = HOSTILE) -> str:
    """A model file whose tokens try to break out."""
    rows = [[str(k), "1"] for k in range(len(tokens))]
    return json.dumps(
        {"title": "<b>&</b></title>\u202e", "note": "</p><img src=x onerror=alert(1)>",
         "tokens": tokens, "embedding": {"X": rows},
         "block": [{"attention": {"W_Q": [["1", "0"], ["0", "1"]], "W_K": [["1", "0"], ["0", "1"]],
                                  "W_V": [["1", "2"], ["0", "1"]]}}]}
    )  # fmt: skip


class Elements(HTMLParser):
    """All start tags of a page, and the text of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        tag, attributes = self.tags[-1] if self.tags else ("", {})
        if tag == "script":
            key = attributes.get("id") or "code"
            self.data[key] = self.data.get(key, "") + data


def test_nothing_leaves_the_file() -> None:
    text = page([derive.load("cats")])
    for tag, attributes in Elements(text).tags:
        assert "src" not in attributes, tag
        assert (attributes.get("href") or "#").startswith("#"), tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert tag != "link"
    assert set(re.findall(r"url\((\w+):", text)) == {"data"}
    assert "@import" not in text
    assert "default-src 'none'" in text
    assert "unsafe" not in text


def test_font_is_renamed_and_its_licence_named() -> None:
    text = page([derive.load("attention")])
    assert "Derive Math" in text
    assert "Bitstream, Inc." in text


def test_hostile_tokens_stay_data() -> None:
    model = derive.loads(hostile())
    text = page([model])
    found = Elements(text)
    scripts = [attributes for tag, attributes in found.tags if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "data"}, {}]
    assert [tag for tag, _ in found.tags if tag in ("img", "b")] == []
    assert "<" not in found.data["data"]
    data = json.loads(found.data["data"])
    assert len(data["sentences"][0]["tokens"]) == len(HOSTILE)
    assert max(map(len, data["sentences"][0]["tokens"])) < 100
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", text)
    text.encode("utf-8")


def test_same_page_every_time() -> None:
    assert page([derive.load("attention")]) == page([derive.load("attention")])


@pytest.mark.parametrize("name", ["cats", "weights", "sampling"])
def test_first_digits_are_those_of_the_value(name: str) -> None:
    """Cut off, not rounded: the value is at least that, and less than one unit more."""
    graph = build(derive.load(name))
    matrix = next(m for m in graph if m.name.endswith(("A", "H")))
    for i in range(matrix.shape[0]):
        cell = Cell(graph, matrix, (i, 0))
        text = first_digits(cell, 6)
        if text is None:
            continue
        found = re.fullmatch(r"(-?)(\d+)e(-?\d+)(\+?)", text)
        assert found
        unit = Fraction(10) ** (int(found[3]) - len(found[2]) + 1)
        size = int(found[2]) * unit
        low, high = sorted(map(abs, cell.enclosure(400)))
        if found[4]:
            assert size < low <= high < size + unit
        else:
            assert cell.equals(-size if found[1] else size) is True


def test_equal_formulas_stand_once() -> None:
    data = sentence(build(derive.load("cats")))
    scores = next(m for m in data["matrices"] if m["name"] == "S")
    assert len(scores["patterns"]) == 1
    assert scores["patterns"][0][1]["i"] == "i"


@pytest.mark.parametrize("text", ["0", "-1", "x", "1/0", "1e9", ""])
def test_a_temperature_that_is_none(text: str) -> None:
    with pytest.raises(OutputError, match="a positive number"):
        page([derive.load("mat")], temperatures=[text])


def test_too_many_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derive.documents.page.MOST_CELLS", 10)
    with pytest.raises(OutputError, match="too large"):
        page([derive.load("attention")])


def test_glossary_knows_only_what_the_model_has() -> None:
    assert len({term for term, _, _ in GLOSSARY}) == len(GLOSSARY)
    assert [term for term, _ in glossary({"logits"})] == ["logit"]

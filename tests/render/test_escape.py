"""User text: nothing steers the terminal, TeX or JSON, and nothing is invisible."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.render.escape import columns, cut, dumps, label, latex, latex_label, terminal
from tests.render.ugly import HOSTILE

ANY = st.text(st.characters(codec=None), max_size=30) | st.sampled_from(HOSTILE)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("50%", r"50\%"),  # raw: the rest of the line is a comment
        ("a_b", r"a\_b"),
        ("#1", r"\#1"),
        ("a&b", r"a\&b"),
        ("\\n", r"\textbackslash{}n"),
        ("^", r"\textasciicircum{}"),
        ("~", r"\textasciitilde{}"),
        ("$x$", r"\$x\$"),
        ("{", r"\{"),
        ("<b>", r"\textless{}b\textgreater{}"),
        ('"', r"{\ttfamily\char34}"),  # raw: a closing quote
        ("`", r"{\ttfamily\char96}"),
        ("--", "{-}{-}"),  # raw: a dash
        ("a-b", "a-b"),
        ("''", "{'}{'}"),
        ("?`", r"?{\ttfamily\char96}"),
        ("猫", r"\fbox{\tiny U+732B}"),
        ("😀", r"\fbox{\tiny U+1F600}"),
        ("\x07", r"\fbox{\tiny U+0007}"),
        ("\ufffd", r"\fbox{\tiny U+FFFD}"),
        ("\ud83d", r"\fbox{\tiny U+D83D}"),
        ("\n", r"\fbox{\tiny U+000A}"),
        ("e\u0301", r"{\'e}"),  # one letter in two characters
        ("\u0301", r"\fbox{\tiny U+0301}"),
        ("ï", r"{\"\i}"),
        ("ǐ", r"{\v\i}"),
        ("š", r"{\v s}"),
        ("ģ", r"{\c g}"),
        ("Ġthe", r"{\.G}the"),
        ("▁the", r"\rule{0.5em}{0.12ex}the"),
        (" the", r"\textvisiblespace{}the"),
        ("a  b", r"a\textvisiblespace{}\textvisiblespace{}b"),
        ("a b", "a b"),
        ("“cats” −∞ θ ½", r"``cats'' \ensuremath{-}\ensuremath{\infty} \ensuremath{\theta} \ensuremath{\frac{1}{2}}"),  # noqa: E501
    ],
)  # fmt: skip
def test_latex(text: str, code: str) -> None:
    assert latex(text) == code


def test_labels() -> None:
    assert latex_label("") == r"\textit{(empty)}"
    assert latex_label("x" * 1000).endswith(r"x\ldots{}")
    assert label("") == "∅"
    assert label("   ") == "␣␣␣"
    assert label("\u0301") == "◌\u0301"
    assert columns(label("猫" * 1000)) <= 24
    assert label("猫" * 1000).endswith("…")


@given(ANY)
def test_latex_is_ascii_balanced_and_breakable(text: str) -> None:
    code = latex(text)
    assert code.isascii()
    assert code.isprintable()
    assert _depth(code) == 0
    assert "%" not in code.replace(r"\%", "")
    assert all(len(word) < 260 for word in code.replace("\\allowbreak{}", " ").split(" "))


def _depth(code: str) -> int:
    bare = code.replace(r"\{", "").replace(r"\}", "").replace(r"\\", "")
    return bare.count("{") - bare.count("}")


@given(ANY)
def test_terminal_is_steered_by_nothing(text: str) -> None:
    shown = terminal(text)
    assert shown.isprintable() or not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in shown)
    assert not any(0xD800 <= ord(c) < 0xE000 or ord(c) in range(0x202A, 0x202F) for c in shown)
    shown.encode()


def test_terminal() -> None:
    assert terminal("\x1b[31mred\u202e\r\n") == "U+001B[31mredU+202EU+000DU+000A"
    assert terminal("a\u200bb\u00a0c") == "aU+200BbU+00A0c"
    assert terminal("👩\u200d🔬") == "👩U+200D🔬"
    assert terminal("naïve 猫 שלום") == "naïve 猫 שלום"


def test_columns() -> None:
    assert [columns(x) for x in ("abc", "猫", "e\u0301", "😀", "…", "−")] == [3, 2, 1, 2, 1, 1]
    assert cut("猫猫猫", 5) == "猫猫"


@given(st.dictionaries(ANY, ANY))
def test_json_is_read_back(value: dict[str, str]) -> None:
    text = dumps(value)
    text.encode()
    assert json.loads(text) == value
    assert text.endswith("}\n")
    assert not any(ord(c) < 32 and c != "\n" for c in text)


def test_json_shows_unicode_and_hides_what_steers() -> None:
    assert dumps(["猫", "\ud83d", "\u202e", "\x9b"]) == (
        '[\n  "猫",\n  "\\ud83d",\n  "\\u202e",\n  "\\u009b"\n]\n'
    )

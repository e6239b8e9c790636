"""Lines of keys, rows and tables, in every form that TOML has."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from derive.model import bundled_names, bundled_text
from derive.model.scanner import KeyPath, find_line, json_lines, toml_lines

TRICKY = '''\
# a comment with [brackets] = "and quotes
title = "a # no comment [x]"          # but this is one
"quoted key" = 'c:\\path[0]'
dotted . "key.with.dots" = 1
long = """first
[second] = 3
"""

literal = \'\'\'
# not a comment
\'\'\'
after = 1

[table]
matrix = [
    [1, 2],  # row 0
    # between
    ["]", '['],
    [[5, 6],
     [7, 8]],
]
inline = { a = [1,
    2], "b" = { c = 3 } }

[[list]]
x = 1
[list.inside]
y = 1979-05-27 07:32:00
[[list.deep]]
z = -1.5e3
[[list]]
[list.inside]
y = 2
[[list.deep]]
[[list.deep]]
z = 3
'''


def paths(value: object, at: KeyPath = ()) -> Iterator[KeyPath]:
    """Every key of parsed data."""
    if isinstance(value, dict):
        for key, x in value.items():
            yield (*at, key)
            yield from paths(x, (*at, key))
    elif isinstance(value, list):
        for i, x in enumerate(value):
            yield from paths(x, (*at, i))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("quoted key",), 3),
        (("dotted", "key.with.dots"), 4),
        (("long",), 5),
        (("literal",), 9),
        (("after",), 12),
        (("table",), 14),
        (("table", "matrix"), 15),
        (("table", "matrix", 0), 16),
        (("table", "matrix", 1), 18),
        (("table", "matrix", 2, 0), 19),
        (("table", "matrix", 2, 1), 20),
        (("table", "matrix", 2, 1, 1), 20),
        (("table", "inline", "a", 1), 23),
        (("table", "inline", "b", "c"), 23),
        (("list", 0, "x"), 26),
        (("list", 0, "inside", "y"), 28),
        (("list", 0, "deep", 0, "z"), 30),
        (("list", 1), 31),
        (("list", 1, "inside", "y"), 33),
        (("list", 1, "deep", 1, "z"), 36),
    ],
)
def test_toml(path: KeyPath, line: int) -> None:
    assert find_line(toml_lines(TRICKY), path) == line


def test_every_key_has_a_line() -> None:
    texts = [TRICKY, *map(bundled_text, bundled_names())]
    for text in texts:
        lines, here = toml_lines(text), text.splitlines()
        for path in paths(tomllib.loads(text)):
            assert path in lines
            if isinstance(path[-1], str):
                assert path[-1] in here[lines[path] - 1]


def test_json() -> None:
    text = '{\n"a": [1, 2],\n"b\\"c": {"d":\n[{"e": 1},\n {"e": [3,\n4]}]}}'
    lines = json_lines(text)
    assert lines[("a",)] == 2
    assert lines[('b"c', "d", 1)] == 5
    assert find_line(lines, ('b"c', "d", 1, "e", 1)) == 6


@pytest.mark.parametrize(
    "text",
    ['"', "a", "a = ", "[", "[a", "[[a]", "a = [1", "a = {b", "a = '''x", "= 1", "a = [1 2]"],
)
def test_wrong_text_is_left_to_the_reader(text: str) -> None:
    toml_lines(text)
    json_lines(text)

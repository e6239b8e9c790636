"""A model file as plain data with a line for each key: no float, nothing too large.

Numbers stay as they are written: whole numbers are `int`, all others are `NumberText`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from derive.errors import ModelError
from derive.model import limits
from derive.model.problems import NumberText, Place, fail, printable, quoted
from derive.model.scanner import KeyPath, Oversize, find_line, json_lines, toml_lines

_AT_LINE = re.compile(r"(.*?)\s*\(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """One file that has been read: its data, and where things stand in it."""

    name: str  # as messages call it
    data: Mapping[str, Any]
    lines: dict[KeyPath, int] = field(default_factory=dict)
    folder: Path | None = None  # what a path in `extends` is relative to

    def place(self, path: KeyPath = ()) -> Place:
        """File and line of a key."""
        return Place(self.name, find_line(self.lines, path))


def read_document(text: str, name: str, folder: Path | None = None) -> Document:
    """Reads a text as JSON where its first sign is a brace (or its name says so), else as TOML.

    Raises ModelError with file and line where the text is neither, or holds a number that is
    too large to be built.

    >>> read_document("a = 0.1", "my.toml").data
    {'a': '0.1'}
    >>> read_document("a = \\n", "my.toml")
    Traceback (most recent call last):
    ...
    derive.errors.ModelError: my.toml:1: read a text that is not TOML (Invalid value), expected TOML
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    is_json = name.endswith(".json") or text.lstrip()[:1] == "{"
    try:
        lines = json_lines(text) if is_json else toml_lines(text)
    except Oversize as error:
        raise fail(Place(name, error.line), error.read, error.expected) from None
    data = _json(text, name) if is_json else _toml(text, name)
    return Document(name, data, lines, folder)


def decode(data: bytes, name: str) -> str:
    """The text of a file; raises ModelError where it is too long or not UTF-8."""
    if len(data) > limits.FILE_BYTES:
        read = f"a file of more than {limits.FILE_BYTES} bytes"
        raise fail(Place(name, None), read, f"at most {limits.FILE_BYTES}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise fail(Place(name, line), "bytes that are not UTF-8", "a text in UTF-8") from None


def toml_value(text: str) -> object:
    """The value of one TOML text such as `3`, `"x"` or `[1, 2]`; raises ValueError."""
    try:
        toml_lines(f"v = {text}")
        data = tomllib.loads(f"v = {text}", parse_float=NumberText)
    except (Oversize, RecursionError) as error:
        raise ValueError(str(error)) from None
    if list(data) != ["v"]:
        raise ValueError(text)
    return data["v"]


def _toml(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=NumberText)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.fullmatch(str(error))
        reason, line = (found[1], found[2]) if found else (str(error), None)
        if not line:
            reason, line = f"{reason} at the end", str(text.count("\n") + 1)
        raise _not(name, "TOML", reason, int(line)) from None
    except (ValueError, RecursionError) as error:
        raise _not(name, "TOML", str(error), None) from None


def _json(text: str, name: str) -> dict[str, Any]:
    try:
        data = json.loads(
            text,
            parse_float=NumberText,
            parse_int=_whole,
            parse_constant=NumberText,
            object_pairs_hook=_object,
        )
        json.dumps(data, ensure_ascii=False).encode()  # half of a character can't be printed
    except json.JSONDecodeError as error:
        raise _not(name, "JSON", error.msg, error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise _not(name, "JSON", str(error), None) from None
    if not isinstance(data, dict):
        raise _not(name, "a JSON object", "it is one value", 1)
    return data


def _whole(text: str) -> int:
    if fault := limits.number_fault(text):
        raise ValueError(fault[0])
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise ValueError(f"the key {quoted(key)} stands twice in one object")
        data[key] = value
    return data


def _not(name: str, language: str, reason: str, line: int | None) -> ModelError:
    read = f"a text that is not {language} ({printable(reason)})"
    return fail(Place(name, line), read, language)

"""On which line each key stands: a light reader of TOML and JSON beside the real ones.

The readers of the standard library give values without lines.  This one gives lines without
values.  It also looks at the size of each number and the depth of each nesting, so that the
real reader never sees one too large.  Where it can't follow (the text is wrong) it stops: the
real reader then says what is wrong.
"""

from __future__ import annotations

import json
import re

from derive.model import limits

KeyPath = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_STRING = re.compile(
    # no possessive quantifiers around groups: Python 3.11.2 mismatches them
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]++")
_SMALL_NUMBERS = re.compile(r"(?:[ \t]*+-?[0-9]{1,9}+(?:\.[0-9]{1,20}+)?+[ \t]*+,)++")
_BARE_VALUE = re.compile(r"[^,\]}#\n]++")


class Oversize(Exception):
    """A number or a nesting is too large to be built."""

    def __init__(self, line: int, read: str, expected: str) -> None:
        super().__init__(read)
        self.line, self.read, self.expected = line, read, expected


class _Lost(Exception):
    """The text is not what the scanner thought."""


def toml_lines(text: str) -> dict[KeyPath, int]:
    """The line of each key, table and matrix row of a TOML text; lines count from 1.

    Raises Oversize.

    >>> toml_lines("[a]\\nb.c = 1\\nd = [\\n  [1],\\n  [2],\\n]\\n[[block]]")[("a", "d", 1)]
    5
    """
    scanner = _Scanner(text)
    try:
        scanner.toml()
    except _Lost:
        pass
    return scanner.lines


def json_lines(text: str) -> dict[KeyPath, int]:
    """The same for a JSON text.

    >>> json_lines('{"a":\\n {"b": 1,\\n "c": [1,\\n 2]}}')[("a", "c", 1)]
    4
    """
    scanner = _Scanner(text)
    try:
        scanner.value((), 0)
    except _Lost:
        pass
    return scanner.lines


def find_line(lines: dict[KeyPath, int], path: KeyPath) -> int | None:
    """The line of a path, or of the nearest thing around it that has one."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1
        self.lines: dict[KeyPath, int] = {}
        self.tables: dict[KeyPath, int] = {}  # [[name]] -> how many so far

    # --- small steps -------------------------------------------------------------------
    def peek(self, length: int = 1) -> str:
        return self.text[self.at : self.at + length]

    def take(self, pattern: re.Pattern[str]) -> str:
        """The text that a pattern matches here, "" where it doesn't; lines are counted."""
        found = pattern.match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        self.line += found[0].count("\n")
        return found[0]

    def want(self, *signs: str) -> None:
        self.take(_SPACE)
        for sign in signs:
            if self.text.startswith(sign, self.at):
                self.at += len(sign)
                return
        raise _Lost

    def note(self, path: KeyPath, line: int) -> None:
        """Notes the line of a path, and of tables around it that no header has named."""
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], line)

    # --- TOML --------------------------------------------------------------------------
    def toml(self) -> None:
        table: KeyPath = ()
        while True:
            self.take(_SPACE)
            if self.at >= len(self.text):
                return
            if self.peek(2) == "[[":
                table = self.header("[[", "]]")
            elif self.peek() == "[":
                table = self.header("[", "]")
            else:
                self.pair(table, 0)

    def header(self, opening: str, closing: str) -> KeyPath:
        line = self.line
        self.at += len(opening)
        path: KeyPath = ()
        parts = self.key()
        for part in parts:
            if path in self.tables:
                path += (self.tables[path] - 1,)
            path += (part,)
        self.want(closing)
        self.note(path, line)
        if opening == "[[":
            self.tables[path] = self.tables.get(path, 0) + 1
            path += (self.tables[path] - 1,)
            self.note(path, line)
        return path

    def pair(self, table: KeyPath, depth: int) -> None:
        line = self.line
        path = table + self.key()
        self.want("=", ":")
        self.note(path, line)
        self.value(path, depth)

    def key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self.take(_SPACE)
            part = self.take(_BARE_KEY) or unquoted(self.take(_STRING))
            parts.append(part)
            if len(parts) > limits.NESTING:
                read = f"a key of more than {limits.NESTING} parts"
                raise Oversize(self.line, read, f"at most {limits.NESTING}")
            self.take(_SPACE)
            if self.peek() != ".":
                return tuple(parts)
            self.at += 1

    # --- values (JSON's are so like TOML's that one reader serves both) ------------------
    def value(self, path: KeyPath, depth: int) -> None:
        self.take(_SPACE)
        sign = self.peek()
        if depth == limits.NESTING and sign in ("[", "{"):
            read = f"more than {limits.NESTING} brackets inside one another"
            raise Oversize(self.line, read, f"at most {limits.NESTING}")
        if sign == "[":
            self.array(path, depth + 1)
        elif sign == "{":
            self.inline(path, depth + 1)
        elif sign in ("'", '"'):
            if not self.take(_STRING):
                raise _Lost
        else:
            self.bare()

    def bare(self) -> None:
        line, token = self.line, self.take(_BARE_VALUE).strip()
        if not token:
            raise _Lost
        if fault := limits.number_fault(token):
            raise Oversize(line, *fault)

    def array(self, path: KeyPath, depth: int) -> None:
        self.at += 1
        around = self.line
        index = 0
        while True:
            self.take(_SPACE)
            if self.line == around:  # the bulk of a file: rows of small numbers
                index += self.take(_SMALL_NUMBERS).count(",")
                self.take(_SPACE)
            if self.peek() == "]":
                self.at += 1
                return
            if self.line != around or self.peek() == "{":  # else the line of the list will do
                self.lines[(*path, index)] = self.line
            self.value((*path, index), depth)
            index += 1
            self.take(_SPACE)
            if self.peek() != "]":
                self.want(",")

    def inline(self, path: KeyPath, depth: int) -> None:
        self.at += 1
        while True:
            self.take(_SPACE)
            if self.peek() == "}":
                self.at += 1
                return
            self.pair(path, depth)
            self.take(_SPACE)
            if self.peek() != "}":
                self.want(",")


def unquoted(text: str) -> str:
    """A key without its quotes; raises _Lost where there is none."""
    if len(text) < 2:
        raise _Lost
    if "\\" not in text or text[0] == "'":
        return text[1:-1]
    try:
        return str(json.loads(text))
    except ValueError:
        raise _Lost from None

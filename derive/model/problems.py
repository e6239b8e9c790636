"""Errors of a model file: collected, then told all at once, one a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import NamedTuple

from derive.errors import ModelError
from derive.model import limits

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Place(NamedTuple):
    """A file as the user calls it (or `--set …`), and the line where it is known."""

    file: str
    line: int | None

    def __str__(self) -> str:
        return printable(self.file) + (f":{self.line}" if self.line else "")


class Problems:
    """The errors found so far.

    >>> problems = Problems()
    >>> problems.add(Place("my.toml", 3), "mask", '"nne"', "none | causal", "none")
    >>> problems.check()
    Traceback (most recent call last):
    ...
    derive.errors.ModelError: my.toml:3: mask: read "nne", expected none | causal; nearest: none
    """

    def __init__(self) -> None:
        self._found: dict[str, Place] = {}  # message -> place; equal messages are told once

    def add(
        self, place: Place, key: str, read: str, expected: str, nearest: str | None = None
    ) -> None:
        """Notes one error: where, at which key, what stood there, what could stand there.

        Raises ModelError where there are too many to go on.
        """
        where = f"{place}: {printable(key)}: " if key else f"{place}: "
        hint = f"; nearest: {printable(nearest)}" if nearest else ""
        self._found.setdefault(f"{where}read {read}, expected {expected}{hint}", place)
        if len(self._found) >= limits.GIVE_UP:
            self.check()

    def __bool__(self) -> bool:
        return bool(self._found)

    def check(self) -> None:
        """Raises ModelError with every error noted so far, in the order of the lines."""
        if not self._found:
            return
        found = sorted(self._found, key=lambda m: (self._found[m].file, self._found[m].line or 0))
        more = len(found) - limits.PROBLEMS
        least = "at least " if len(found) >= limits.GIVE_UP else ""
        rest = [f"… and {least}{more} more errors"] if more > 0 else []
        lines = found[: limits.PROBLEMS] + rest
        raise ModelError("\n".join(lines))


def fail(place: Place, read: str, expected: str, nearest: str | None = None) -> ModelError:
    """The error of a file that can't be read at all, so that nothing else can be said of it."""
    hint = f"; nearest: {printable(nearest)}" if nearest else ""
    return ModelError(f"{place}: read {read}, expected {expected}{hint}")


def printable(text: str) -> str:
    """The text on one line: what a terminal can't show is written as an escape.

    >>> printable("a\\nb")
    'a\\\\nb'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text
    )


def quoted(text: str) -> str:
    """A text as messages quote it: in double quotes, shortened.

    >>> quoted("cats")
    '"cats"'
    """
    short = text if len(text) <= 60 else text[:57] + "…"
    return '"' + printable(short.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def dotted(parts: Iterable[str | int]) -> str:
    """A key as it is typed: `block.0.attention.mask`, odd names in quotes.

    >>> dotted(["given", "b0.h0.A"])
    'given."b0.h0.A"'
    """
    return ".".join(str(p) if _BARE.fullmatch(str(p)) else quoted(str(p)) for p in parts)


def joined(key: str, name: str) -> str:
    """The key of an entry of a table: `given."b0.h0.A"`.

    >>> joined("", "block"), joined("given", "b0.h0.A")
    ('block', 'given."b0.h0.A"')
    """
    return f"{key}.{dotted([name])}" if key else dotted([name])


def shown(value: object) -> str:
    """A value of a file as messages name it.

    >>> shown(3), shown("x"), shown([1, 2]), shown({}), shown(True), shown([])
    ('3', '"x"', 'a list of 2', 'a table', 'true', 'an empty list')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        digits = value.bit_length() * 30103 // 100_000 + 1
        return str(value) if digits < 40 else f"a whole number of about {digits} digits"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (date, datetime, time)):
        return f"the date or time {value.isoformat()}"
    return str(value)[:60] if isinstance(value, NumberText) else quoted(str(value))


class NumberText(str):
    """The text of a number with a point or an exponent, exactly as it stands in the file."""

    __slots__ = ()

"""What can stand at a key: each kind reads one value, or notes what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Protocol

from derive.model import limits
from derive.model.layers import Item, tables_of
from derive.model.problems import NumberText, shown
from derive.model.section import Section
from derive.model.spot import SIZE_LETTERS, Spot, Unusable
from derive.text import tree
from derive.text.functions import ARGUMENTS, SPELLINGS
from derive.text.nearest import nearest
from derive.text.tree import Tree

SYMBOL_KINDS = ("real", "positive", "nonnegative", "nonzero", "integer")
NONE = "none"  # the word of an option that is off
DRAWN_LETTERS = ("m", "r", "e")  # sizes of drawn matrices: rows of the memory, latent, experts
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class Kind(Protocol):
    """One kind of value."""

    def read(self, spot: Spot) -> Any:
        """The value as the model keeps it; raises Unusable after noting an error."""


@dataclass(frozen=True)
class Table:
    """A table of keys; an optional one that is left out is None and not an empty table."""

    optional: bool = False

    def read(self, spot: Spot) -> dict[str, Any]:
        """The Items of the table; validate.py reads them key by key."""
        if isinstance(spot.item.value, dict):
            return dict(spot.item.value)
        raise spot.wrong("a table of keys")


@dataclass(frozen=True)
class Tables:
    """A list of tables, in a file `[[name]]`."""

    def read(self, spot: Spot) -> list[Item]:
        """The tables' Items; validate.py reads them key by key."""
        tables = tables_of(spot.item)
        if tables or spot.item.value == []:
            return tables
        name = spot.key.rpartition(".")[2]
        raise spot.wrong(f"a list of tables: [[{name}]]")


@dataclass(frozen=True)
class Text:
    """A text in quotes."""

    def read(self, spot: Spot) -> str:
        if is_text(spot.raw):
            return str(spot.raw)
        raise spot.wrong("a text in quotes")


@dataclass(frozen=True)
class Texts:
    """A list of texts; each may be anything, also empty, also repeated."""

    def read(self, spot: Spot) -> tuple[str, ...]:
        raw = spot.raw
        if not isinstance(raw, list) or not raw:
            raise spot.wrong('a list of texts such as ["I", "like"]')
        for i, text in enumerate(raw):
            if not is_text(text):
                spot.bad(shown(text), "a text in quotes", at=(i,))
        return spot.all_of([x if is_text(x) else None for x in raw])


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, spot: Spot) -> str:
        raw, expected = spot.raw, " | ".join(self.words)
        if not is_text(raw):
            raise spot.wrong(expected)
        if raw in self.words:
            return str(raw)
        raise spot.wrong(expected, nearest(raw, self.words))


@dataclass(frozen=True)
class Flag:
    """true or false."""

    def read(self, spot: Spot) -> bool:
        if isinstance(spot.raw, bool):
            return spot.raw
        raise spot.wrong("true or false")


@dataclass(frozen=True)
class OrNone:
    """A value, or the word "none"."""

    kind: Kind

    def read(self, spot: Spot) -> Any:
        return NONE if spot.raw == "none" else self.kind.read(spot)


@dataclass(frozen=True)
class Residual:
    """Addition after attention and after the FFN: one flag for both, or one for each."""

    def read(self, spot: Spot) -> tuple[bool, bool]:
        raw = spot.raw
        if isinstance(raw, bool):
            return raw, raw
        if isinstance(raw, list) and [type(x) for x in raw] == [bool, bool]:
            return raw[0], raw[1]
        raise spot.wrong("true, false, or [attention, ffn] such as [false, true]")


@dataclass(frozen=True)
class Count:
    """A whole number in a range."""

    least: int
    most: int | None = None

    def read(self, spot: Spot) -> int:
        if self.fits(spot.raw):
            return int(spot.raw)
        raise spot.wrong(self.expected)

    def fits(self, raw: object) -> bool:
        """Whether a value is a whole number in the range."""
        if isinstance(raw, bool) or not isinstance(raw, int):
            return False
        return self.least <= raw and (self.most is None or raw <= self.most)

    @property
    def expected(self) -> str:
        """The range in words."""
        upto = "up" if self.most is None else f"to {self.most}"
        return f"a whole number from {self.least} {upto}"


@dataclass(frozen=True)
class Counts:
    """A list of whole numbers from 0 up."""

    def read(self, spot: Spot) -> tuple[int, ...]:
        raw, one = spot.raw, Count(0)
        if not isinstance(raw, list) or not raw:
            raise spot.wrong("a list of whole numbers such as [0, 2, 3]")
        for i, x in enumerate(raw):
            if not one.fits(x):
                spot.bad(shown(x), one.expected, at=(i,))
        return spot.all_of([x if one.fits(x) else None for x in raw])


@dataclass(frozen=True)
class Tile:
    """Two whole numbers from 1 up: how many queries and how many keys a tile has."""

    def read(self, spot: Spot) -> tuple[int, int]:
        raw, one = spot.raw, Count(1)
        if not isinstance(raw, list) or len(raw) != 2:
            raise spot.wrong("a tile of queries and keys such as [2, 2]")
        for i, x in enumerate(raw):
            if not one.fits(x):
                spot.bad(shown(x), one.expected, at=(i,))
        queries, keys = spot.all_of([x if one.fits(x) else None for x in raw])
        return queries, keys


@dataclass(frozen=True)
class Flags:
    """A list of true and false."""

    def read(self, spot: Spot) -> tuple[bool, ...]:
        raw = spot.raw
        if isinstance(raw, list) and raw and all(isinstance(x, bool) for x in raw):
            return tuple(raw)
        raise spot.wrong("a list of true and false such as [false, false, true]")


@dataclass(frozen=True)
class Scalar:
    """One exact number; a sign is checked where the number is rational."""

    sign: str = ""  # "", "positive" or "nonnegative"

    def read(self, spot: Spot) -> Tree:
        x = spot.scalar()
        below = isinstance(x, tree.Negative) and isinstance(x.x, tree.Number)
        zero = isinstance(x, tree.Number) and not x.p
        if (self.sign and below) or (self.sign == "positive" and zero):
            raise spot.wrong("a number above 0" if self.sign == "positive" else "0 or more")
        return x


@dataclass(frozen=True)
class Base:
    """The base of a softmax: e, or a rational number above 1."""

    def read(self, spot: Spot) -> Tree:
        x = spot.scalar()
        if x == tree.Constant("e") or (isinstance(x, tree.Number) and x.p > x.q):
            return x
        raise spot.wrong("e, or a rational number above 1")


@dataclass(frozen=True)
class Part:
    """A rational number above 0, at most 1."""

    def read(self, spot: Spot) -> Tree:
        x = spot.scalar()
        if isinstance(x, tree.Number) and 0 < x.p <= x.q:
            return x
        raise spot.wrong("a rational number above 0, at most 1")


@dataclass(frozen=True)
class Scalars:
    """A list of exact numbers."""

    def read(self, spot: Spot) -> tuple[Tree, ...]:
        if isinstance(spot.raw, list) and spot.raw:
            return spot.numbers(spot.raw)
        raise spot.wrong('a list of numbers such as ["1", 0.5]')


@dataclass(frozen=True)
class Symbols:
    """A table of letters, each with what is known of it."""

    def read(self, spot: Spot) -> Section:
        if not isinstance(spot.item.value, dict):
            raise spot.wrong('a table such as { a = "real", b = "positive" }')
        kind, found = Choice(SYMBOL_KINDS), {}
        for name in spot.item.value:
            if not _NAME.fullmatch(name):
                spot.inside(name).bad(shown(name), "a letter (a-z), then letters, digits or _")
            elif name in ARGUMENTS or name in SPELLINGS:
                spot.inside(name).bad(f"the function {name}", "a name that is no function")
            elif name in SIZE_LETTERS:
                expected = f"a name other than {' '.join(SIZE_LETTERS)}"
                spot.inside(name).bad(f"the size letter {name}", expected)
            try:
                found[name] = kind.read(spot.inside(name))
            except Unusable:
                found[name] = "real"  # declared all the same: one error is enough
        return Section(found)


@dataclass(frozen=True)
class Sizes:
    """A table of size letters with their sizes."""

    def read(self, spot: Spot) -> Section:
        if not isinstance(spot.item.value, dict):
            raise spot.wrong("a table such as { n = 5, d = 4 }")
        kind, found = Count(1, limits.CELLS), {}
        letters = (*SIZE_LETTERS, *DRAWN_LETTERS)
        for name in spot.item.value:
            if name in letters:
                found[name] = kind.read(spot.inside(name))
            else:
                spot.inside(name).bad(shown(name), f"a size letter: {' '.join(letters)}")
        return Section(found)


@dataclass(frozen=True)
class Formula:
    """A number written with one free letter, such as 2*u-1."""

    letter: str

    def read(self, spot: Spot) -> Tree:
        names = (*spot.reading.names, self.letter)
        free = replace(spot, reading=replace(spot.reading, names=names, numbers={}))
        return free.scalar()


@dataclass(frozen=True)
class Named:
    """A table of named matrices; given.py reads them once the model's blocks are known."""

    def read(self, spot: Spot) -> Section:
        if isinstance(spot.item.value, dict):
            return Section({})
        raise spot.wrong('a table of named matrices such as Q = [[1, 2]] or "b0.h0.A" = [[1]]')


def is_text(raw: object) -> bool:
    """Whether a value stands in quotes in the file."""
    return isinstance(raw, str) and not isinstance(raw, NumberText)

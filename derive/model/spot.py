"""One value being read: where it stands, and how to complain about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from derive.errors import TextError
from derive.model import limits
from derive.model.document import Document
from derive.model.exact_numbers import NotANumber, from_decimal, from_int, settled, simple
from derive.model.layers import Item
from derive.model.problems import NumberText, Problems, joined, shown
from derive.text import parse
from derive.text.tree import Tree

SIZE_LETTERS = ("n", "d", "k", "v", "h", "g", "f", "V")
NUMBER = 'a number such as 3, 0.5 or "1/3"'
T = TypeVar("T")


class Unusable(Exception):
    """A value can't be used; what is wrong with it has been noted."""


@dataclass
class Reading:
    """What all values of one model share while they are read."""

    documents: tuple[Document, ...] = ()  # the lowest layer first
    problems: Problems = field(default_factory=Problems)
    names: Collection[str] = SIZE_LETTERS  # that a number written as a text may use
    spots: dict[str, Spot] = field(default_factory=dict)  # key -> where it stands
    written: int = 0  # digits of the different numbers so far
    numbers: dict[tuple[object, ...], Tree] = field(default_factory=dict)

    def number(self, raw: object, infinite: bool = False) -> Tree:
        """One exact number; equal texts give the same tree.  Raises NotANumber, TextError."""
        key = (type(raw), raw, infinite) if isinstance(raw, (int, str)) else ()
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = self._number(raw, infinite)
        return found

    def _number(self, raw: object, infinite: bool) -> Tree:
        if isinstance(raw, bool) or not isinstance(raw, (int, str)):
            raise NotANumber(shown(raw))
        if isinstance(raw, int):
            self.written += raw.bit_length() * 30103 // 100_000
        else:
            self.written += limits.number_cost(raw)
        if self.written > limits.WRITTEN:
            raise NotANumber(f"numbers of more than {limits.WRITTEN} digits in all")
        if isinstance(raw, int):
            return from_int(raw)
        try:
            return self._decimal(raw) if isinstance(raw, NumberText) else self._text(raw, infinite)
        except ValueError:  # PYTHONINTMAXSTRDIGITS can be below our own limit
            raise NotANumber("a number of more digits than this Python is set to read") from None

    def _decimal(self, raw: str) -> Tree:
        if raw.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise NotANumber(raw)
        return from_decimal(raw)

    def _text(self, raw: str, infinite: bool) -> Tree:
        if len(raw) > limits.TEXT:
            raise NotANumber(f"a text of {len(raw)} characters (at most {limits.TEXT})")
        if fault := limits.number_fault(raw):
            raise NotANumber(f"{fault[0]} (allowed: {fault[1]})")
        try:
            return simple(raw) or settled(parse(raw, names=self.names), infinite)
        except RecursionError:
            raise NotANumber("a text of too many brackets") from None


@dataclass(frozen=True)
class Spot:
    """A key of a model file with its value."""

    reading: Reading
    key: str  # as it is typed: block.0.attention.mask
    item: Item

    @property
    def raw(self) -> Any:
        return self.item.raw

    def bad(
        self, read: str, expected: str, nearest: str | None = None, at: Sequence[int] = ()
    ) -> Unusable:
        """Notes an error at this key, or at an entry inside its value; raise the result."""
        self.reading.problems.add(
            self.item.place(*at), self.key + self._index(at), read, expected, nearest
        )
        return Unusable(self.key)

    def wrong(self, expected: str, nearest: str | None = None) -> Unusable:
        """Notes that the whole value is not what was expected; raise the result."""
        return self.bad(shown(self.raw), expected, nearest)

    def number(self, raw: object, at: Sequence[int] = (), infinite: bool = False) -> Tree | None:
        """One exact number, or None after noting what is wrong with it."""
        try:
            return self.reading.number(raw, infinite)
        except NotANumber as error:
            what = str(error) if str(error) == shown(raw) else f"{shown(raw)}: {error}"
            self.bad(what, NUMBER + (' or "-inf"' if infinite else ""), at=at)
        except TextError as error:
            where = f"{shown(raw)}: {error.found} at character {error.position + 1}"
            letter = "; a letter of one's own is declared in [symbols]"
            expected = error.expected + (letter if "unknown name" in error.found else "")
            self.bad(where, expected, at=at)
        return None

    def scalar(self) -> Tree:
        """The whole value as one exact number; raises Unusable after noting what is wrong."""
        x = self.number(self.raw)
        if x is None:
            raise Unusable(self.key)
        return x

    def numbers(
        self, raw: Sequence[object], at: Sequence[int] = (), infinite: bool = False
    ) -> tuple[Tree, ...]:
        """Exact numbers; raises Unusable after noting each that is none."""
        found = tuple(self.number(x, (*at, i), infinite) for i, x in enumerate(raw))
        return self.all_of(found)

    def all_of(self, values: Sequence[T | None]) -> tuple[T, ...]:
        """The values; raises Unusable where one is missing, which has been noted."""
        there = tuple(x for x in values if x is not None)
        if len(there) < len(values):
            raise Unusable(self.key)
        return there

    def inside(self, name: str) -> Spot:
        """The spot of a key inside this table."""
        return Spot(self.reading, joined(self.key, name), self.item.value[name])

    def _index(self, at: Sequence[int]) -> str:
        """An entry as addresses write it: [2] in a list, [2,0] in a matrix, [2,:] for a row."""
        if len(at) == 1 and isinstance(self.raw[at[0]], list):
            return f"[{at[0]},:]"
        return f"[{','.join(map(str, at))}]" if at else ""

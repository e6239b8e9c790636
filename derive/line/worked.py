"""Worked lines, steps, derivations and tables as data: what every renderer reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from derive.line.tree import Shown


class Names(dict[str, str]):
    """Full name of every matrix -> shortest unambiguous name, and how things are printed.

    `index_base`: what printed indices count from; `comma`: decimals have a comma; `columns`:
    tokens are columns, so the lines and tables that are printed are those of the transposed
    matrices.
    """

    index_base = 0
    comma = False
    columns = False


Kind = Literal["definition", "here", "substituted", "exact", "decimal"]


@dataclass(frozen=True)
class Line:
    """One line of a worked step: left = right, or left ≈ right for a rounded decimal."""

    kind: Kind
    left: Shown
    relation: Literal["=", "≈"]
    right: Shown
    note: str = ""  # plain words, e.g. the rule by which a long sum is elided


@dataclass(frozen=True)
class Step:
    """The worked lines of one cell."""

    title: str
    cell: str  # the address, as typed
    lines: tuple[Line, ...]
    note: str = ""  # plain words below the lines


@dataclass(frozen=True)
class Derivation:
    """A worked cell as data: what every renderer turns into its format."""

    cell: str  # the address, shortest unambiguous form
    operation: str
    reads: tuple[str, ...]  # addresses of the cells it reads
    steps: tuple[Step, ...]  # the asked cell first
    exact: str | None  # plain grammar; None past the size guard
    exact_guard: str | None  # why exact is None
    decimal: str | None  # None for cells with free letters
    digits: int  # significant digits asked for
    enclosure: tuple[str, str] | None  # exact rationals around the value
    names: dict[str, str]  # full name of every matrix -> shortest unambiguous name


@dataclass(frozen=True)
class Table:
    """A whole matrix as data."""

    name: str  # shortest unambiguous name
    operation: str
    meaning: str
    shape: tuple[int, ...]
    rows: tuple[str, ...]  # labels: token texts, or numbers
    columns: tuple[str, ...]
    cells: tuple[tuple[Shown, ...], ...]
    plain: tuple[tuple[str, ...], ...]  # the cells as strings, for JSON
    names: dict[str, str]
    notes: tuple[str, ...] = ()

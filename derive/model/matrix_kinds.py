"""Matrices at a key of a model file: one, one for each head, masks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.model import limits
from derive.model.kinds import is_text
from derive.model.problems import shown
from derive.model.spot import Spot, Unusable
from derive.text import tree
from derive.text.nearest import nearest
from derive.text.tree import Tree

Matrix = tuple[tuple[Tree, ...], ...]

_ZERO, _HIDDEN = tree.Number(0, 1), tree.Negative(tree.Constant("inf"))


@dataclass(frozen=True)
class Rows:
    """A matrix: a list of rows of equal length; `flat` also takes one bare list.

    A bare list is a row where `flat` is "row", a column where it is "column".
    """

    flat: str = ""
    infinite: bool = False  # -inf may stand in it

    def read(self, spot: Spot) -> Matrix:
        raw = spot.raw
        if self.flat and depth(raw) == 1:
            numbers = spot.numbers(raw, infinite=self.infinite)
            return (numbers,) if self.flat == "row" else tuple((x,) for x in numbers)
        return self.rows(raw, spot, ())

    def rows(self, raw: object, spot: Spot, at: tuple[int, ...]) -> Matrix:
        """The matrix at an entry of the value (at: the head, or nothing)."""
        if not isinstance(raw, list) or not raw:
            expected = "a matrix: a list of rows such as [[1, 2], [3, 4]]"
            raise spot.bad(shown(raw), expected, at=at)
        if sum(len(row) for row in raw if isinstance(row, list)) > limits.CELLS:
            widest = max(len(row) for row in raw if isinstance(row, list))
            read = f"a matrix of {len(raw)} × {widest} entries"
            raise spot.bad(read, f"at most {limits.CELLS}", at=at)
        good = self._rectangular(raw, spot, at)
        rows = spot.all_of([self._row(row, spot, (*at, i)) for i, row in enumerate(raw)])
        if good:
            return rows
        raise Unusable(spot.key)

    def _row(self, row: object, spot: Spot, at: tuple[int, ...]) -> tuple[Tree, ...] | None:
        try:
            return spot.numbers(row, at, self.infinite) if isinstance(row, list) else None
        except Unusable:  # so that the other rows' errors are noted too
            return None

    def _rectangular(self, raw: list[Any], spot: Spot, at: tuple[int, ...]) -> bool:
        """Notes each row that is no list, is empty, or is shorter or longer than the first."""
        good = True
        width = next((len(row) for row in raw if isinstance(row, list)), 0)
        for i, row in enumerate(raw):
            if not isinstance(row, list) or not row:
                read, expected = shown(row), "a row: a list of numbers"
            elif len(row) != width:
                read, expected = entries(len(row)), f"{width}, as in the first row"
            else:
                continue
            spot.bad(read, expected, at=(*at, i))
            good = False
        return good


@dataclass(frozen=True)
class PerHead:
    """One matrix for each head: one head's matrix alone, or a list of matrices.

    A bias is a row, so several are a list of rows.
    """

    one: Rows

    def read(self, spot: Spot) -> tuple[Matrix, ...]:
        raw, levels = spot.raw, depth(spot.raw)
        if self.one.flat == "row" and levels == 2:
            bias = tuple((row,) for row in self.one.rows(raw, spot, ()))
            return bias
        if levels < 3:
            return (self.one.read(spot),)
        return tuple(self.one.rows(x, spot, (i,)) for i, x in enumerate(raw))


@dataclass(frozen=True)
class Mask:
    """none, causal, or a matrix of 0 and -inf that leaves something to see in each row."""

    def read(self, spot: Spot) -> str | Matrix:
        if isinstance(spot.raw, list):
            return checked_mask(Rows(infinite=True).read(spot), spot)
        words = ("none", "causal")
        if is_text(spot.raw) and spot.raw in words:
            return str(spot.raw)
        near = nearest(spot.raw, words) if is_text(spot.raw) else None
        raise spot.wrong('none | causal | a matrix of 0 and "-inf"', near)


def depth(raw: object) -> int:
    """How many lists stand inside one another, looking at the first entry of each.

    >>> depth(3), depth([3]), depth([[3]])
    (0, 1, 2)
    """
    levels = 0
    while isinstance(raw, list) and raw:
        raw, levels = raw[0], levels + 1
    return levels


def entries(count: int) -> str:
    """A number of entries in words.

    >>> entries(1), entries(2)
    ('1 entry', '2 entries')
    """
    return f"{count} entr{'y' if count == 1 else 'ies'}"


def checked_mask(matrix: Matrix, spot: Spot) -> Matrix:
    """The mask itself, where each entry is 0 or -inf and no row is -inf all along."""
    good = True
    for i, row in enumerate(matrix):
        for j, x in enumerate(row):
            if x not in (_ZERO, _HIDDEN):
                spot.bad(shown(spot.raw[i][j]), '0 or "-inf"', at=(i, j))
                good = False
    if good:
        return checked_rows(matrix, spot)
    raise Unusable(spot.key)


def checked_rows(matrix: Matrix, spot: Spot) -> Matrix:
    """The scores themselves, where no row is -inf all along: its softmax would be 0/0."""
    hidden = [i for i, row in enumerate(matrix) if all(x == _HIDDEN for x in row)]
    for i in hidden:
        spot.bad("a row that hides everything", "a row with something to see", at=(i,))
    if hidden:
        raise Unusable(spot.key)
    return matrix

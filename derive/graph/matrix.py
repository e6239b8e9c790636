"""Named matrices, and their cells in one arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from derive.operation import Operation
from derive.shapes import Shape

if TYPE_CHECKING:
    from derive.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class Matrix:
    """A named matrix: its full name, shape, the operation that makes it, what it means."""

    name: str
    shape: Shape
    operation: Operation
    meaning: str
    axes: tuple[str, ...]  # letters of its axes: n tokens, V vocabulary, d …

    @property
    def places(self) -> Iterator[tuple[int, ...]]:
        """The indices of all its cells, row by row."""
        return product(*map(range, self.shape))


class Values(dict[tuple[int, ...], Any]):
    """The cells of one matrix in one arithmetic; a missing one is computed and kept."""

    def __init__(self, graph: Graph, matrix: Matrix, f: Any) -> None:
        self.graph, self.matrix, self._f = graph, matrix, f
        self.rows, self.columns = matrix.shape[0], matrix.shape[1]
        self._define = matrix.operation.define
        self._views: dict[str, Values] | None = None
        self._by_row = hasattr(f, "matrix")

    def __missing__(self, at: tuple[int, ...]) -> Any:
        if self._views is None:
            self._views = {
                role: self.graph.values(name, self._f)
                for role, name in self.matrix.operation.inputs.items()
            }
        if self._by_row:
            row = self.matrix.operation.row(self._f, at[0], **self._views)
            if row is not None:
                self.update({(at[0], j): value for j, value in enumerate(row)})
                return row[at[1]]
        value = self[at] = self._define(self._f, *at, **self._views)
        return value

    @cached_property
    def whole(self) -> Any:
        """All cells as one matrix of the arithmetic, None where it has none."""
        if not self._by_row:
            return None
        given = self.matrix.operation.whole(self._f)
        if given is not None:
            return given
        columns = range(self.columns)
        return self._f.matrix([[self[i, j] for j in columns] for i in range(self.rows)])

"""The cells that a question asks for, and the cells that an answer may use."""

from __future__ import annotations

from dataclasses import dataclass

from derive.errors import AddressError
from derive.graph import Cell, Graph, ancestors

MOST_CELLS = 10_000


@dataclass(frozen=True)
class Region:
    """A cell, a row, a column or a matrix: its cells as rows, as an answer writes them."""

    cells: tuple[tuple[Cell, ...], ...]
    axes: int  # 0 one number, 1 a vector, 2 a matrix
    turned: bool = False  # a matrix that is printed with tokens as columns

    @property
    def single(self) -> bool:
        return self.axes == 0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.cells), len(self.cells[0])

    @property
    def words(self) -> str:
        rows, columns = self.shape
        if self.axes == 0:
            return "One number"
        if self.axes == 1:
            return f"A vector of {rows * columns}"
        return f"A matrix of {rows} rows and {columns} columns"

    def index(self, i: int, j: int) -> tuple[int, ...]:
        """The place of an entry as an answer has it: of a vector one number, of one cell none."""
        if self.axes == 0:
            return ()
        return (max(i, j),) if self.axes == 1 else (i, j)


def asked_for(graph: Graph, address: str) -> Region:
    """The cells of an address; raises AddressError."""
    known = graph.kept.setdefault("regions", {})
    if address not in known:
        known[address] = _region(graph, address)
    return known[address]  # type: ignore[no-any-return]


def _region(graph: Graph, address: str) -> Region:
    if "[" in address:
        matrix, indices = graph.addresses.parts(address)
    else:
        matrix = graph.matrix(address)
        indices = (None,) * len(matrix.shape)
    if len(matrix.shape) == 3:
        return _deep(graph, address, indices)
    places = [
        range(size) if k is None else range(k, k + 1)
        for k, size in zip(indices, matrix.shape, strict=True)
    ]
    axes = sum(k is None and size > 1 for k, size in zip(indices, matrix.shape, strict=True))
    if len(places[0]) * len(places[1]) > MOST_CELLS:
        raise AddressError(f"{address}: more than {MOST_CELLS} cells")
    turned = axes == 2 and graph.model.notation.get("vectors") == "column"
    cells = tuple(tuple(Cell(graph, matrix, (i, j)) for j in places[1]) for i in places[0])
    return Region(tuple(zip(*cells, strict=True)) if turned else cells, axes, turned)


def _deep(graph: Graph, address: str, indices: tuple[int | None, ...]) -> Region:
    if None not in indices:
        return Region(((graph[address],),), 0)
    raise AddressError(f"{address}: a question about a matrix with three indices asks for one cell")


def depends(cell: Cell, targets: set[tuple[str, tuple[int, ...]]]) -> bool:
    """Is a cell one of the targets, or made from one?"""
    names = {name for name, _ in targets}
    seen: set[tuple[str, tuple[int, ...]]] = set()
    waiting = [cell]
    while waiting:
        x = waiting.pop()
        place = (x.matrix.name, x.indices)
        if place in targets:
            return True
        if place not in seen and (names & ancestors(x.graph, x.matrix.name)):
            seen.add(place)
            waiting += x.reads
    return False

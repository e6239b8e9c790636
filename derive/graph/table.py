"""A whole matrix, a row or a column as data, in one form."""

from __future__ import annotations

from itertools import product

from derive.graph.cell import Cell, TooLong
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.graph.worked import DIGITS, printed_value, short_names
from derive.line import Const, Decimal, Neg, Shown, Table, transposed


def table(graph: Graph, name: str, form: str = "decimal", digits: int = DIGITS) -> Table:
    """The cells of a matrix in one form: symbolic (the formula at the cell), exact, decimal.

    `name` may be an address with ":" for a whole row or column: A[2,:].  Where a cell has no
    value in the form asked for (free letters, a closed form that is too long), it stands in
    the nearest form that it has, and a note says so.
    """
    matrix, places = _selected(graph, name)
    notes: dict[str, None] = {}
    *before, columns = places
    rows = [
        [_in_form(Cell(graph, matrix, (*at, j)), form, digits, notes) for j in columns]
        for at in product(*before)
    ]
    base = graph.model.notation["index_base"]
    labels = [
        tuple(texts[k] if texts else str(k + base) for k in axis)
        for texts, axis in zip(graph.addresses.labels(matrix), places, strict=True)
    ]
    if len(before) > 1:  # one row for each row and tile
        labels[:-1] = [tuple(f"{row}, tile {tile}" for row, tile in product(*labels[:-1]))]
    shape = tuple(map(len, places))
    if graph.columns:
        rows = [[(transposed(x), text) for x, text in column] for column in zip(*rows, strict=True)]
        labels.reverse()
    return Table(
        name=graph.short(matrix.name),
        operation=matrix.operation.name,
        meaning=graph.said(matrix.meaning),
        shape=graph.printed_shape(shape),
        rows=labels[0],
        columns=labels[-1],
        cells=tuple(tuple(x for x, _ in row) for row in rows),
        plain=tuple(tuple(text for _, text in row) for row in rows),
        names=short_names(graph),
        notes=tuple(notes),
    )


def _selected(graph: Graph, name: str) -> tuple[Matrix, list[range]]:
    """The matrix, and the rows and columns that an address asks for."""
    if "[" not in name:
        matrix = graph.matrix(name)
        return matrix, [range(n) for n in matrix.shape]
    matrix, indices = graph.addresses.parts(name)
    return matrix, [
        range(n) if k is None else range(k, k + 1)
        for n, k in zip(matrix.shape, indices, strict=True)
    ]


def _in_form(cell: Cell, form: str, digits: int, notes: dict[str, None]) -> tuple[Shown, str]:
    from derive.exact.plain import plain

    if form == "symbolic":
        return cell.formula, plain(cell.one_step)
    if form == "decimal" and (decimal := cell.decimal(digits)) is not None:
        if decimal == "-inf":
            return Neg(Const("inf")), decimal
        return Decimal(decimal), decimal
    try:
        return printed_value(cell), plain(cell.closed)
    except TooLong:
        notes["closed forms that are too long stand in terms of earlier cells"] = None
    return cell.formula, plain(cell.one_step)

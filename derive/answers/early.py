"""Rounded too early: every cell on the way rounded to so few places, and then the next one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq

from derive.answers.by_hand import MARGIN, ByHand, Infinite
from derive.errors import DeriveError
from derive.exact.dag import UndefinedValue
from derive.graph import Cell, Graph
from derive.graph.matrix import Matrix
from derive.operation import Operation, worked_as
from derive.ops import Cut, ExpertSum, Given, HardAttention, TopExperts

SENTENCE = "It looks as if numbers on the way were rounded too early."
FEWEST, MOST = 1, 8  # places
RANKED = (HardAttention, Cut, TopExperts, ExpertSum)  # what is largest may change by rounding
FAULTS = (DeriveError, UndefinedValue, ArithmeticError, AttributeError, TypeError, ValueError)


class _Unclear(DeriveError):
    """Which way a step is rounded is not certain."""


class _Early:
    """The cells of a graph, each rounded once to the nearest decimal and then used."""

    def __init__(self, graph: Graph, places: int) -> None:
        self.graph, self.scale = graph, fmpq(10) ** places
        self.views: dict[str, _View] = {}

    def view(self, name: str) -> _View:
        if name not in self.views:
            self.views[name] = _View(self, self.graph.matrices[name])
        return self.views[name]

    def cell(self, matrix: Matrix, at: tuple[int, ...]) -> tuple[Any, bool]:
        """The cell worked out from rounded cells, and whether that is exact."""
        operation = matrix.operation
        if isinstance(operation, RANKED):
            raise _Unclear
        f = ByHand()
        views = {role: self.view(name) for role, name in operation.inputs.items()}
        return operation.define(f, *at, **views), not f.inexact

    def rounded(self, x: Any, exact: bool) -> Any:
        """The nearest decimal, half away from 0, as by hand."""
        if isinstance(x, Infinite):
            return x
        size = abs(fmpq(x)) * self.scale + fmpq(1, 2)
        whole = size.floor()
        if not exact and (size - whole < MARGIN or size - whole > 1 - MARGIN):
            raise _Unclear
        return whole / self.scale if x >= 0 else -whole / self.scale


class _View(dict[tuple[int, ...], Any]):
    """The rounded cells of one matrix; what the model gives stays as it is."""

    def __init__(self, early: _Early, matrix: Matrix) -> None:
        self.early, self.matrix = early, matrix
        self.rows, self.columns = matrix.shape[:2]

    def __missing__(self, at: tuple[int, ...]) -> Any:
        value, exact = self.early.cell(self.matrix, at)
        if not isinstance(self.matrix.operation, Given):
            value = self.early.rounded(value, exact)
        self[at] = value
        return value


def early(cell: Cell, decimals: int | None) -> Iterator[tuple[str, str, Mapping[str, Operation]]]:
    """The results of rounding every step before this one to a few places."""
    graph = cell.graph
    if graph.free or decimals is None or not cell.matrix.operation.inputs:
        return
    for places in dict.fromkeys((*range(decimals + 1, decimals - 3, -1), 2, 3)):
        if FEWEST <= places <= MOST:
            found = _result(graph, cell, places)
            if found is not None:
                yield "rounded-early", SENTENCE, {cell.matrix.name: _fixed(cell, found)}


def _result(graph: Graph, cell: Cell, places: int) -> Fraction | None:
    """The cell worked out from rounded cells, itself not rounded; kept with the graph."""
    kept: dict[Any, Any] = graph.kept.setdefault("early", {})
    if places not in kept:
        kept[places] = _Early(graph, places)
    at = (places, cell.matrix.name, cell.indices)
    if at not in kept:
        kept[at] = _unrounded(kept[places], cell)
    return kept[at]  # type: ignore[no-any-return]


def _unrounded(steps: _Early, cell: Cell) -> Fraction | None:
    try:
        found, _ = steps.cell(cell.matrix, cell.indices)
        if isinstance(found, Infinite):
            return None
        number = fmpq(found)
    except FAULTS:
        return None
    return Fraction(int(number.p), int(number.q))


def _fixed(cell: Cell, number: Fraction) -> Operation:
    define = worked_as(lambda op, f, *at, **views: f.rational(*number.as_integer_ratio()))
    return define(cell.matrix.operation)

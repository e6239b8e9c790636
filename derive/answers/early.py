"""Rounded too early: every cell on the way rounded to so few places, and then the next one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from derive.answers.rounded_steps import Steps
from derive.answers.spans import Span
from derive.errors import DeriveError
from derive.exact.dag import UndefinedValue
from derive.graph import Cell, Graph
from derive.operation import Operation, worked_as
from derive.ops import Given

SENTENCE = "It looks as if numbers on the way were rounded too early."
FEWEST, MOST = 1, 8  # places


class _Unclear(Exception):
    """Which way a step is rounded is not certain."""


class _Early(Steps):
    """The cells of a graph, each rounded once to the nearest decimal and then used."""

    def step(self, operation: Operation, x: Span) -> Span:
        return x if isinstance(operation, Given) else self.rounded(x)

    def rounded(self, x: Span) -> Span:
        if x.infinite:
            return x
        low, high = (_nearest(end, self.unit) for end in (x.low, x.high))
        if low != high:
            raise _Unclear
        return Span(low, low)


def _nearest(x: Fraction, unit: Fraction) -> Fraction:
    """The nearest decimal, half away from 0, as by hand."""
    whole = (abs(x) / unit + Fraction(1, 2)) // 1 * unit
    return whole if x >= 0 else -whole


def early(cell: Cell, decimals: int | None) -> Iterator[tuple[str, str, Mapping[str, Operation]]]:
    """The results of rounding every step before this one to a few places."""
    graph = cell.graph
    if graph.free or decimals is None or not cell.matrix.operation.inputs:
        return
    for places in dict.fromkeys((decimals, decimals - 1, decimals + 1, 2, 3)):
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
    operation = cell.matrix.operation
    try:
        views: dict[str, Any] = {role: steps.view(name) for role, name in operation.inputs.items()}
        found = operation.define(steps.arithmetic, *cell.indices, **views)
    except (_Unclear, DeriveError, UndefinedValue, ZeroDivisionError, AttributeError, TypeError):
        return None
    return None if found.infinite else (found.low + found.high) / 2


def _fixed(cell: Cell, number: Fraction) -> Operation:
    define = worked_as(lambda op, f, *at, **views: f.rational(*number.as_integer_ratio()))
    return define(cell.matrix.operation)

"""What an honest hand calculation can reach that rounds every step to so many places.

Every cell on the way is worked out from the rounded cells before it and then rounded itself; it
may also have been carried on unrounded, and a tie may have gone up or down.  All these results
lie in one interval with exact ends, which is certified: nothing outside can be reached.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.answers.spans import Span, Spans, hull, point
from derive.errors import UndefinedCell
from derive.exact.dag import UndefinedValue
from derive.graph import Cell, Graph
from derive.graph.matrix import Matrix
from derive.ops.cut import Cut
from derive.ops.hard import HardAttention

FRAMES = 12  # Python frames that one matrix on the way can cost


@dataclass(frozen=True)
class Reach:
    """All reachable results lie between low and high; forks: cells where a choice was open."""

    low: Fraction
    high: Fraction
    forks: tuple[str, ...] = ()


class Steps:
    """The cells of a graph with every step rounded to so many places, each computed once."""

    def __init__(self, graph: Graph, places: int) -> None:
        self.graph, self.places = graph, places
        self.unit = Fraction(1, 10**places)
        self.arithmetic = Spans()
        self.views: dict[str, _View] = {}
        self.forks: dict[str, None] = {}
        least = 1_000 + FRAMES * len(graph.matrices)
        if sys.getrecursionlimit() < least:
            sys.setrecursionlimit(least)

    def reach(self, cell: Cell) -> Reach:
        """The results for one cell; raises UndefinedCell where a step may have none."""
        self.forks.clear()
        try:
            span = self.view(cell.matrix.name)[cell.indices]
        except UndefinedValue as why:
            steps = f"steps rounded to {self.places} places"
            raise UndefinedCell(f"{cell.address} can't be worked out with {steps}: {why}") from None
        if span.infinite:
            raise UndefinedCell(f"{cell.address} is infinite")
        return Reach(span.low, span.high, tuple(sorted(self.forks)))

    def view(self, name: str) -> _View:
        if name not in self.views:
            self.views[name] = _View(self, self.graph.matrices[name])
        return self.views[name]

    def rounded(self, x: Span) -> Span:
        """The step as it is, or rounded: its nearest decimals on both sides of a tie."""
        if x.infinite:
            return x
        down = -((-x.low / self.unit + Fraction(1, 2)) // 1) * self.unit
        up = ((x.high / self.unit + Fraction(1, 2)) // 1) * self.unit
        return Span(min(x.low, down), max(x.high, up))


class _View(dict[tuple[int, ...], Span]):
    """The cells of one matrix."""

    def __init__(self, steps: Steps, matrix: Matrix) -> None:
        self.steps, self.matrix = steps, matrix
        self.rows, self.columns = matrix.shape[:2]

    def __missing__(self, at: tuple[int, ...]) -> Span:
        steps, operation = self.steps, self.matrix.operation
        views = {role: steps.view(name) for role, name in operation.inputs.items()}
        f = steps.arithmetic
        before = f.forks
        special = SPECIAL.get(type(operation))
        value = (
            special(operation, f, *at, **views) if special else operation.define(f, *at, **views)
        )
        if f.forks > before:
            steps.forks[Cell(steps.graph, self.matrix, at).address] = None
        self[at] = found = steps.rounded(value)
        return found


def _hard(operation: HardAttention, f: Spans, i: int, j: int, *, s: _View) -> Span:
    """Weights of the largest score, where rounding may make another one largest, or a tie."""
    row = [s[i, m] for m in range(s.columns)]
    lows = [x.low for x in row if not x.infinite]
    if not lows or row[j].infinite:
        return f.zero
    best = max(lows)
    may = [m for m, x in enumerate(row) if not x.infinite and x.high >= best]
    if j not in may:
        return f.zero
    sure = [m for m in may if row[m].exact and row[m].low == best]
    if len(sure) == len(may):
        return point(Fraction(1, len(may)))
    f.forks += 1
    return Span(Fraction(0), Fraction(1))


def _cut(operation: Cut, f: Spans, i: int, j: int, *, p: _View) -> Span:
    """Chances of the words that stay, where rounding may let another word stay."""
    kept = set(operation.kept(i))
    row = [p[i, m] for m in range(p.columns)]
    least = min(row[m].low for m in kept)
    most = max((x.high for m, x in enumerate(row) if m not in kept), default=Fraction(-1))
    open_ = {m for m, x in enumerate(row) if x.low <= most and x.high >= least}
    if j not in kept | open_:
        return f.zero
    if not open_:
        return row[j] / f.add(*(row[m] for m in sorted(kept)))
    f.forks += 1
    others = [f.zero if m in open_ else row[m] for m in sorted(kept - {j})]
    largest = row[j] / f.add(row[j], *others)
    smallest = row[j] / f.add(*(row[m] for m in sorted(kept | open_)))
    found = hull(largest, smallest)
    return hull(f.zero, found) if j in open_ else found


SPECIAL: dict[type, Callable[..., Any]] = {HardAttention: _hard, Cut: _cut}

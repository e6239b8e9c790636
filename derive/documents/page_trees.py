"""Shown trees in a page's data: every tree once, formulas as patterns with their letters apart.

A tree is an array whose parts are numbers of other trees; `assets/page.js` reads them.  The
formulas of a matrix differ from cell to cell only in the values of letters (i, j, d_k, θ_p), so
a page has each general formula once, and for each letter how its value follows from the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from derive.line import (
    Bound,
    Call,
    Case,
    Cases,
    Const,
    Decimal,
    Entry,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Sym,
    Times,
    children,
)

At = tuple[int, ...]
SAFE = 2**53  # larger whole numbers stand as texts: JavaScript's numbers end here
UNIT = object()


class Trees:
    """The trees of one page; equal ones are one."""

    def __init__(self, matrices: dict[str, int]) -> None:
        self.matrices = matrices  # full name -> number
        self.nodes: list[Any] = []
        self._numbers: dict[Hashable, int] = {}

    def add(self, x: Shown, inline: Callable[[str], bool] = lambda name: True) -> int:
        """The number of a tree; letters that are not `inline` go without their value."""
        return self._keep(self._node(x, lambda part: self.add(part, inline), inline))

    def _keep(self, node: Any) -> int:
        key = repr(node)
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[key]

    def _node(self, x: Shown, add: Callable[[Shown], int], inline: Callable[[str], bool]) -> Any:
        match x:
            case Num(p=p, q=q):
                return p if q == 1 and abs(p) < SAFE else f"{p}/{q}"
            case Letter(name=name, value=value):
                return ["l", name, add(value)] if inline(name) else ["l", name]
            case Entry(matrix=matrix, indices=indices):
                return ["e", self.matrices[matrix], *map(add, indices)]
            case Cases(branches=branches):
                return ["c", *(self._branch(b, add) for b in branches)]
            case Sum(index=index, count=count, body=body):
                return ["s", index.name, add(count), add(body)]
            case Call(function=name, args=args):
                return ["f", name, *map(add, args)]
            case Root(x=part, n=n):
                return ["r", add(part), n]
        return _leaf(x) or [SIGNS[type(x)], *map(add, children(x))]

    def _branch(self, b: Case, add: Callable[[Shown], int]) -> list[Any]:
        c = b.condition
        sides = [None if x is None else add(x) for x in (c.left, c.right)]
        return [add(b.value), sides[0], c.relation, sides[1]]


SIGNS: dict[type, str] = {Plus: "+", Times: "*", Neg: "-", Over: "/", Power: "^"}


def _leaf(x: Shown) -> list[Any] | None:
    match x:
        case Const(name=name):
            return ["k", name]
        case Sym(name=name):
            return ["y", name]
        case Bound(name=name):
            return ["b", name]
        case Decimal(text=text):
            return ["d", text]
    return None


class Patterns:
    """The general formulas of one matrix, and the values of their letters at each cell."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        self.found: dict[Hashable, int] = {}
        self.letters: list[dict[str, dict[At, int]]] = []  # a pattern's letters: value by cell
        self.formulas: list[list[int]] = []
        self.of_cell: dict[At, int] = {}
        self.branches: dict[At, list[int]] = {}

    def add(self, at: At, formulas: Sequence[Shown]) -> None:
        """The formulas of one cell."""
        values: dict[str, Shown | None] = {}
        for x in formulas:
            _collect(x, values)
        free = {name: x for name, x in values.items() if x is not None}
        numbers = [self.trees.add(x, lambda name: name not in free) for x in formulas]
        key = tuple(numbers)
        if key not in self.found:
            self.found[key] = len(self.formulas)
            self.formulas.append(numbers)
            self.letters.append({})
        number = self.of_cell[at] = self.found[key]
        for name, x in free.items():
            self.letters[number].setdefault(name, {})[at] = self.trees.add(x)
        if held := _held(formulas[-1]):
            self.branches[at] = held

    def data(self) -> list[Any]:
        """Formulas and letters of each pattern, the letters by the rule they follow."""
        return [
            [numbers, {name: self._rule(x) for name, x in letters.items()}]
            for numbers, letters in zip(self.formulas, self.letters, strict=True)
        ]

    def _rule(self, found: dict[At, int]) -> Any:
        """An axis ("i" is axis 0), a tree, a list by one axis, or one by cells."""
        axes = range(len(next(iter(found))))
        for axis in axes:
            if len(found) > 1 and all(self.trees.nodes[x] == at[axis] for at, x in found.items()):
                return "ijk"[axis]
        first = next(iter(found.values()))
        if all(x == first for x in found.values()):
            return first
        for axis in axes:
            lists: dict[int, int] = {}
            if all(lists.setdefault(at[axis], x) == x for at, x in found.items()):
                return [axis, *(lists.get(k, -1) for k in range(max(lists) + 1))]
        return {",".join(map(str, at)): x for at, x in found.items()}


def _collect(x: Shown | None, values: dict[str, Shown | None]) -> None:
    """The values of all letters; None for one that has several here."""
    match x:
        case None:
            return
        case Letter(name=name, value=value):
            if values.setdefault(name, value) != value:
                values[name] = None
            return
        case Cases(branches=branches):
            for b in branches:
                for part in (b.value, b.condition.left, b.condition.right):
                    _collect(part, values)
            return
    for part in children(x):
        _collect(part, values)


def _held(x: Shown) -> list[int]:
    """Which branch holds, for every definition by cases on the way, outer ones first."""
    if isinstance(x, Cases):
        k = next(k for k, b in enumerate(x.branches) if b.holds)
        return [k, *_held(x.branches[k].value)]
    if isinstance(x, Letter):
        return _held(x.value)
    return [k for part in children(x) for k in _held(part)]

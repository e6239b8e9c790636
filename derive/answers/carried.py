"""Errors carried forward: a later answer judged by what the student's own earlier ones give.

The earlier answers take the place of their cells, and everything after them is worked out anew.
Wrong earlier answers that remove the later work (zeros, infinities, a row of equal numbers) are
not carried.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add, mul
from pathlib import Path
from typing import TYPE_CHECKING, Any

from derive.answers.answer import Unreadable, read
from derive.answers.cells import Region, asked_for, depends
from derive.answers.policy import Policy
from derive.answers.verdict import RIGHT, UNDECIDED, WRONG, Marked, Part
from derive.errors import DeriveError, UndefinedCell
from derive.exact.dag import Node, UndefinedValue
from derive.exact.points import reach
from derive.graph import Cell, Graph, Variant, ancestors
from derive.operation import Operation, worked_as

if TYPE_CHECKING:
    from derive.answers.check import Marker

Given = Mapping[str, str] | Sequence[tuple[str, str]]
Place = tuple[str, tuple[int, ...]]
CARRIED = "Right, given your earlier answers."
TRIVIAL = (
    "Your earlier answers leave too little of the work to be done, so they are not carried forward."
)


class GivenError(DeriveError):
    """An earlier answer that can't be read, or can't be used."""


def carry(
    marker: Marker, marked: Marked, cell: str, answer: str, policy: Policy, given: Given
) -> Marked:
    """The verdict on an answer, with the student's earlier answers carried forward."""
    region = asked_for(marker.graph, cell)
    values = earlier(marker.graph, region, given)
    used = {x: v for x, v in values.items() if _read_by(marker.graph, region, x[0])}
    if marked.verdict != WRONG or not used:
        return replace(marked, carried=False)
    variant = with_earlier(marker.graph, used)
    kind = type(marker)
    try:
        again = kind(variant, marker.explain).check(cell, answer, policy)
    except UndefinedCell:
        return replace(marked, carried=False)
    if region.single:
        if again.verdict != RIGHT:
            return _not_carried(marked, again)
        if trivial(marker.graph, variant, region, used):
            return replace(marked, carried=False, message=f"{marked.message} {TRIVIAL}")
        return replace(again, carried=True, message=CARRIED)
    return _by_entry(marked, again, trivial(marker.graph, variant, region, used))


def _not_carried(marked: Marked, again: Marked) -> Marked:
    """Wrong both ways; a slip after an earlier error is named too."""
    if again.verdict == UNDECIDED:
        return replace(again, carried=False)
    if marked.mistake is None and again.mistake is not None:
        marked = marked.with_mistake(again.mistake)
    return replace(marked, carried=False)


def _by_entry(marked: Marked, again: Marked, is_trivial: bool) -> Marked:
    """Every entry right by itself, or right given the earlier answers."""
    if is_trivial:
        if again.verdict == RIGHT:
            marked = replace(marked, message=f"{marked.message} {TRIVIAL}")
        return replace(marked, carried=False)
    parts: list[Part] = []
    carried = False
    for mine, other in zip(marked.entries, again.entries, strict=True):
        better = mine.verdict != RIGHT and other.verdict == RIGHT
        carried |= better
        parts.append(replace(other, message=CARRIED) if better else mine)
    if not carried:
        return replace(marked, carried=False)
    verdicts = [part.verdict for part in parts]
    verdict = next((v for v in (WRONG, UNDECIDED) if v in verdicts), RIGHT)
    count = verdicts.count(RIGHT)
    message = CARRIED if verdict == RIGHT else f"{count} of {len(parts)} entries are right."
    value = "equal" if verdict == RIGHT else marked.value
    mistake = None if verdict == RIGHT else marked.mistake
    return replace(
        marked, verdict=verdict, value=value, entries=tuple(parts), message=message,
        mistake=mistake, carried=True,
    )  # fmt: skip


def _read_by(graph: Graph, region: Region, name: str) -> bool:
    """Is a matrix on the way to what is asked for?"""
    return name in ancestors(graph, region.cells[0][0].matrix.name)


# the student's earlier answers


def earlier(graph: Graph, region: Region, given: Given) -> dict[Place, Node]:
    """The cells that a student has given, with their values.

    Raises GivenError for one that can't be read, has another shape, or is made from what is
    asked for.
    """
    targets = {(c.matrix.name, c.indices) for row in region.cells for c in row}
    pairs: Iterable[tuple[str, str]] = given.items() if isinstance(given, Mapping) else given
    values: dict[Place, Node] = {}
    for address, text in pairs:
        mine = asked_for(graph, address)
        if any(depends(c, targets) for row in mine.cells for c in row):
            raise GivenError(f"{address} is what is asked for, or made from it")
        try:
            answer = read(graph, mine, text, Policy())
        except Unreadable as why:
            raise GivenError(f"the earlier answer {address}: {why}") from None
        places = None if answer.kind is not None else answer.places(mine)
        if places is None:
            raise GivenError(f"the earlier answer {address}: {mine.words.lower()} is expected")
        for i, j, value, _ in places:
            cell = mine.cells[i][j]
            values[cell.matrix.name, cell.indices] = value
    return values


def pair(text: str) -> tuple[str, str]:
    """CELL=ANSWER as cell and answer; raises GivenError.

    >>> pair("Q[2,0]=-1/2")
    ('Q[2,0]', '-1/2')
    """
    quoted = False
    for k, c in enumerate(text):
        quoted ^= c == '"'
        if c == "=" and not quoted:
            return text[:k].strip(), text[k + 1 :].strip()
    raise GivenError(f"{text[:40]!r}: expected CELL=ANSWER such as Q[2,0]=1/2, or @file.csv")


def sheet(path: str) -> list[tuple[str, str]]:
    """Earlier answers of a CSV file with the columns cell and answer.

    Raises GivenError where it can't be read.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not {"cell", "answer"} <= set(rows.fieldnames or ()):
                raise GivenError(f"{path}: expected a first line with the columns cell,answer")
            return [(row["cell"] or "", row["answer"] or "") for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as why:
        raise GivenError(f"{path}: {why}") from None


def with_earlier(graph: Graph, values: Mapping[Place, Node]) -> Variant:
    """The graph with given cells in the place of its own."""
    tables: dict[str, dict[tuple[int, ...], Node]] = {}
    for (name, indices), value in values.items():
        tables.setdefault(name, {})[indices] = value
    return Variant(
        graph,
        {name: _overlaid(graph.matrices[name].operation, table) for name, table in tables.items()},
    )


def _overlaid(operation: Operation, table: Mapping[tuple[int, ...], Node]) -> Operation:
    def define(op: Operation, f: Any, *at: int, **views: Any) -> Any:
        return in_arithmetic(table[at], f) if at in table else op.define(f, *at, **views)

    return worked_as(define)(operation)


def in_arithmetic(node: Node, f: Any) -> Any:
    """The value of a node of any Dag in the arithmetic f."""
    made: dict[Node, Any] = {}
    for x in reach(node):
        args = [made[y] for y in x.args]
        if x.op in ("add", "mul"):
            made[x] = reduce(add if x.op == "add" else mul, args)
        elif x.op == "rational":
            p, q = x.number or (0, 1)
            made[x] = f.rational(p, q)
        elif not args and x.data is None:
            made[x] = getattr(f, x.op)
        else:
            more = x.data if isinstance(x.data, tuple) else () if x.data is None else (x.data,)
            made[x] = getattr(f, x.op)(*args, *more)
    return made[node]


# trivial earlier answers


def trivial(graph: Graph, variant: Variant, region: Region, values: Mapping[Place, Node]) -> bool:
    """Do earlier answers remove the later work?"""
    wrong = {at: v for at, v in values.items() if _differs(graph, at, v)}
    if any(v.op == "infinity" or _is(v, 0) for v in wrong.values()):
        return True
    for (name, indices), value in wrong.items():
        row = [
            values.get((name, (*indices[:-1], j))) for j in range(graph.matrices[name].shape[-1])
        ]
        if len(row) > 1 and all(x is not None and _same(x, value) for x in row):
            return True
    return any(_infinite(variant, cell) for cells in region.cells for cell in cells)


def _infinite(variant: Variant, cell: Cell) -> bool:
    """Is what is asked for infinite now, and wasn't before?"""
    after = Cell(variant, variant.matrices[cell.matrix.name], cell.indices).node
    return after.op == "infinity" and cell.node.op != "infinity"


def _differs(graph: Graph, at: Place, value: Node) -> bool:
    cell = Cell(graph, graph.matrices[at[0]], at[1])
    try:
        return not _same_node(cell.node, in_arithmetic(value, cell.node.dag))
    except (UndefinedCell, UndefinedValue):
        return True


def _same_node(a: Node, b: Node) -> bool:
    return a is b or (a.number is not None and a.number == b.number)


def _same(a: Node, b: Node) -> bool:
    return a.number is not None and a.number == b.number


def _is(x: Node, n: int) -> bool:
    return x.number == (n, 1)

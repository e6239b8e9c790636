"""A complete worked solution as data: the model in words, every matrix, cells worked in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from derive.documents.in_words import Facts, in_words
from derive.errors import UndefinedCell
from derive.graph import Cell, derivation, table
from derive.graph.address import split
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.graph.worked import DIGITS, named_value, short_names
from derive.line import Derivation, Entry, Line, Names, Place, Shown, Table, cell_of, children
from derive.model.names import MATRICES
from derive.ops import Given

LONG = 60  # printed symbols; a longer exact value stands in the appendix
SHORT = 4  # decimal places
PARTS = {
    "attention": "attention",
    "ffn": "feed-forward pass",
    "output": "output",
    "input": "input",
}
OUTPUT = {"N_out", "W_U", "b_U", "logits", "probs", "probs_cut", "loss"}  # not before a block
PART_OF = {matrix.base: (matrix.scope, matrix.part) for matrix in MATRICES}


@dataclass(frozen=True)
class Part:
    """One matrix: a table of its values, and the cells that are worked."""

    name: str  # full name
    table: Table
    shape: tuple[int, ...]
    worked: tuple[Derivation, ...]


@dataclass(frozen=True)
class Section:
    """Matrices that belong together: the input, attention of a block …"""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Long:
    """An exact value too long for its place: the cell, its lines, in the appendix."""

    derivation: Derivation
    number: int  # from 1


@dataclass(frozen=True)
class Solution:
    """What a solution document has, in order."""

    title: str
    author: str
    source: str
    note: str
    facts: Facts
    notation: tuple[tuple[str, str, str], ...]  # short name, shape in letters, meaning
    sections: tuple[Section, ...]
    appendix: tuple[Long, ...]
    names: Names
    every_cell: bool


def solution(
    graph: Graph,
    matrices: Sequence[str] = (),
    every_cell: bool = False,
    digits: int = DIGITS,
    title: str = "",
    author: str = "",
) -> Solution:
    """The worked solution of a model, or of some of its matrices.

    One cell of each computed matrix is worked (every cell with `every_cell`), the rest stands
    in tables.  Raises AddressError for an unknown matrix, UndefinedCell for a cell without a
    value.

    >>> import derive
    >>> from derive.blocks import build
    >>> s = solution(build(derive.load("cats")), ["A"])
    >>> [part.name for section in s.sections for part in section.parts]
    ['b0.h0.A']
    """
    chosen = [graph.matrix(name) for name in matrices] or list(graph)
    wanted = {matrix.name for matrix in chosen}
    appendix: list[Long] = []
    sections = []
    titled = zip(headings(list(graph)), graph, strict=True)
    kept = [(heading, m) for heading, m in titled if m.name in wanted]
    for heading, group in groupby(kept, lambda pair: pair[0]):
        parts = [_part(graph, m, every_cell, digits, appendix) for _, m in group]
        sections.append(Section(heading, tuple(parts)))
    model = graph.model
    return Solution(
        title=title or model.title,
        author=author,
        source=model.source,
        note=model.note,
        facts=in_words(model),
        notation=tuple(_notation(graph, chosen)),
        sections=tuple(sections),
        appendix=tuple(appendix),
        names=short_names(graph),
        every_cell=every_cell,
    )


def headings(matrices: Sequence[Matrix]) -> list[str]:
    """Under which heading each matrix stands.

    What belongs to no part of its block stands with what follows in the block, else with
    what goes before: a gain before its norm, the stream after the addition.
    """
    found: list[tuple[str, str]] = [_belongs(matrix) for matrix in matrices]
    for order in (range(len(found) - 2, -1, -1), range(1, len(found))):
        for k in order:
            near = found[k + 1] if order.step < 0 else found[k - 1]
            where, part = found[k]
            if not part and near[0] == where and near[1]:
                found[k] = near
    return [", ".join(filter(None, x)).capitalize() for x in found]


def _belongs(matrix: Matrix) -> tuple[str, str]:
    """Where a matrix is: its block or encoder in words, and the part of it."""
    prefixes, base = split(matrix.name)
    scope, part = PART_OF.get(base, ("", ""))
    where = ", ".join(filter(None, map(_place, prefixes)))
    if scope == "model" and not part:
        part = "output" if base.partition(".")[0] in OUTPUT else "input"
    return where, PARTS.get(part, "")


def _place(prefix: str) -> str:
    if prefix == "mem":
        return "memory"
    return f"block {prefix[1:]}" if prefix[0] == "b" else ""


def _notation(graph: Graph, chosen: Iterable[Matrix]) -> Iterator[tuple[str, str, str]]:
    """Each base name once: several heads and blocks share a meaning."""
    seen: set[str] = set()
    for matrix in chosen:
        base = split(matrix.name)[1]
        if base not in seen:
            seen.add(base)
            axes = matrix.axes[::-1] if graph.columns else matrix.axes
            yield base, "×".join(axes), graph.said(matrix.meaning)


# one matrix


def _part(
    graph: Graph, matrix: Matrix, every_cell: bool, digits: int, appendix: list[Long]
) -> Part:
    given = isinstance(matrix.operation, Given)
    form, n = given_form(graph, matrix, digits) if given else ("decimal", digits)
    shown = table(graph, matrix.name, form, n)
    if given:
        places = []
    elif every_cell:
        places = list(matrix.places)
    else:
        places = [_telling(graph, matrix)]
    worked = tuple(_worked(graph, matrix, at, digits, appendix) for at in places)
    return Part(matrix.name, shown, matrix.shape, worked)


def given_form(graph: Graph, matrix: Matrix, digits: int) -> tuple[str, int]:
    """How given numbers are printed: short decimals as they are, which is exact; else exact."""
    nodes = (Cell(graph, matrix, at).node for at in matrix.places)
    if all(x.number is not None and 10**SHORT % x.number[1] == 0 for x in nodes):
        return "decimal", SHORT + digits
    return "exact", digits


def _telling(graph: Graph, matrix: Matrix) -> tuple[int, ...]:
    """The cell of the last row that shows the most: the first that is no plain 0, 1 or -inf."""
    last = [at for at in matrix.places if at[0] == matrix.shape[0] - 1]
    for at in last:
        node = Cell(graph, matrix, at).node
        if node.op != "infinity" and node.number not in ((0, 1), (1, 1)):
            return at
    return last[0]


def _worked(
    graph: Graph, matrix: Matrix, at: tuple[int, ...], digits: int, appendix: list[Long]
) -> Derivation:
    """The derivation of a cell; long exact lines go to the appendix, and the note says so."""
    cell = Cell(graph, matrix, at)
    try:
        d = derivation(graph, f"{matrix.name}[{','.join(map(str, at))}]", 0, digits)
    except UndefinedCell as fault:
        raise UndefinedCell(f"no solution: {fault}") from None
    (step,) = d.steps
    exact = next((x for x in step.lines if x.kind == "exact"), None)
    if exact is None or length(exact.right) <= LONG:
        return d
    moved = tuple(x for x in step.lines if x.kind in ("substituted", "exact"))
    number = len(appendix) + 1
    appendix.append(Long(replace(d, steps=(replace(step, lines=moved, note=""),)), number))
    words = f"The numbers put in and the exact value: appendix, number {number}."
    values = [named_value(read, digits) for read in cell.reads] if not graph.free else []
    if 0 < len(values) <= 8:
        words = f"Here {', '.join(values)}. {words}"
    kept = tuple(x for x in step.lines if x not in moved)
    return replace(d, steps=(replace(step, lines=kept, note=f"{step.note} {words}".strip()),))


def length(x: Shown) -> int:
    """How many leaves and operations a shown tree prints."""
    return 1 + sum(map(length, children(x)))


def sources(lines: Iterable[Line]) -> dict[int, Place]:
    """Where each number put in comes from: the id of its tree to the cell it stands for.

    The line with numbers is the line with names, cell by cell; a tree that stands for two
    different cells leads nowhere.
    """
    by_kind = {line.kind: line.right for line in lines}
    found: dict[int, Place | None] = {}
    if "here" in by_kind and "substituted" in by_kind:
        _walk(by_kind["here"], by_kind["substituted"], found)
    return {place: cell for place, cell in found.items() if cell is not None}


def _walk(named: Shown, numbers: Shown, found: dict[int, Place | None]) -> None:
    if isinstance(named, Entry):
        cell = cell_of(named)
        before = found.get(id(numbers), cell)
        found[id(numbers)] = cell if before == cell else None
        return
    for one, other in zip(children(named), children(numbers), strict=False):
        _walk(one, other, found)


def place_of(entry: Shown, names: Names) -> Place | None:
    """The cell that a printed entry means: in column writing its indices stand turned round."""
    found = cell_of(entry)
    return (found[0], found[1][::-1]) if found and names.columns else found

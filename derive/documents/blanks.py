"""Which cells a sheet asks for, and which numbers it may print beside them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.errors import AddressError, DeriveError
from derive.graph import Cell
from derive.graph.address import split
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.line import Entry, Place, Shown, children
from derive.ops import Given
from derive.text.nearest import nearest

LEVELS = {"easy": 15, "medium": 40, "hard": 100}  # per cent of the computed cells
SHARE = re.compile(r"(\d{1,3})\s*%")


class BlankError(DeriveError):
    """`--blank` names nothing that can be asked."""


@dataclass(frozen=True)
class Blanks:
    """The cells that are asked, in the order of the pass, and those that are not printed."""

    asked: tuple[Place, ...]
    hidden: frozenset[Place]  # neither asked nor printed
    needed: frozenset[str]  # matrices that the asked ones are made from, and these

    @property
    def matrices(self) -> tuple[str, ...]:
        """The matrices with a cell that is asked, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.asked))


def blanks(graph: Graph, matrices: Sequence[str] = (), spec: str = "", seed: int = 0) -> Blanks:
    """What a sheet asks.

    `spec` is a list of matrices, rows and cells ("A, Z[2,:]"), a share of all computed cells
    ("40%"), or easy, medium, hard (15, 40, 100 %); with easy no blank is needed for another.
    `matrices` are those that may be asked; without `spec` all of their cells are.

    Named matrices are asked whole, so their parts (the exponentials and totals of A) and
    whatever is computed from them are not printed.  With a share the later numbers are
    printed, to check oneself by, except those that only repeat a blank.

    Raises AddressError for an unknown name, BlankError for a spec that asks nothing.
    """
    allowed = [graph.matrix(name) for name in matrices] or list(graph)
    own = [m for m in allowed if _computed(m) and not _again(m)]
    cells = [(m.name, at) for m in own for at in m.places]
    share = SHARE.fullmatch(spec.strip())
    percent = int(share[1]) if share else LEVELS.get(spec.strip())
    if not spec and not matrices:
        spec, percent = "medium", LEVELS["medium"]
    if percent is None:
        names = list(_parts(spec)) if spec else [m.name for m in allowed]
        return _named(graph, names)
    if not 1 <= percent <= 100:
        raise BlankError(f"--blank {spec}: expected a share from 1% to 100%")
    return _shared(graph, cells, percent, seed, apart=spec.strip() == "easy")


def _parts(spec: str) -> Iterator[str]:
    """Names and addresses of a list; commas inside brackets belong to an address."""
    for part in re.split(r",(?![^\[]*\])", spec):
        if part.strip():
            yield part.strip()


def _computed(matrix: Matrix) -> bool:
    return not isinstance(matrix.operation, Given)


def _again(matrix: Matrix) -> bool:
    """FlashAttention's steps come to the same numbers by another way, and give them away."""
    return split(matrix.name)[1].startswith("flash.")


# named matrices


def _named(graph: Graph, names: Sequence[str]) -> Blanks:
    asked: dict[Place, None] = {}
    for name in names:
        for place in _cells_of(graph, name):
            asked[place] = None
    if not asked:
        raise BlankError("no blanks: expected names of matrices, a share such as 40%, or a level")
    parents = {name for name, _ in asked}
    after = _downstream(graph, set(asked))
    parts = {
        (m.name, at)
        for m in graph
        if _computed(m) and _parent(graph, m.name) in parents
        for at in m.places
    }
    ordered = [(m.name, at) for m in graph for at in m.places if (m.name, at) in asked]
    hidden = frozenset((after | parts) - set(asked))
    return Blanks(tuple(ordered), hidden, frozenset(_upstream(graph, parents)))


def _cells_of(graph: Graph, name: str) -> Iterator[Place]:
    """The cells of a matrix, a row or one cell, by its address."""
    try:
        matrix, indices = graph.addresses.parts(name) if "[" in name else (graph.matrix(name), ())
    except AddressError as error:
        near = nearest(name, LEVELS)
        raise AddressError(f"{error}" + (f"; or did you mean {near}?" if near else "")) from None
    if not _computed(matrix):
        raise BlankError(f"--blank {name}: the model gives this matrix, so it can't be asked")
    if len(matrix.shape) != 2:
        raise BlankError(f"--blank {name}: a sheet asks for matrices of two indices")
    for at in matrix.places:
        if all(k is None or k == i for k, i in zip(indices, at, strict=False)):
            yield matrix.name, at


def _parent(graph: Graph, name: str) -> str:
    """A for A.exp, N1 for N1.rms: the matrix that a part belongs to, in the same head."""
    prefixes, base = split(name)
    head, dot, _ = base.partition(".")
    whole = ".".join([*prefixes, head])
    return whole if dot and whole in graph.matrices else ""


def _upstream(graph: Graph, names: set[str]) -> set[str]:
    """These matrices and all that they are made from."""
    found = set(names)
    for matrix in reversed(list(graph)):
        if matrix.name in found:
            found |= set(matrix.operation.inputs.values())
    return found


def _downstream(graph: Graph, blank: set[Place]) -> set[Place]:
    """Every computed cell that needs one of these, directly or not."""
    found = set(blank)
    for matrix in graph:
        if _computed(matrix):
            for at in matrix.places:
                if any(read in found for read in _reads(graph, matrix, at)):
                    found.add((matrix.name, at))
    return found


def _reads(graph: Graph, matrix: Matrix, at: tuple[int, ...]) -> list[Place]:
    return [(c.matrix.name, c.indices) for c in Cell(graph, matrix, at).reads]


# a share of all cells


def _shared(graph: Graph, cells: list[Place], percent: int, seed: int, apart: bool) -> Blanks:
    """So many per cent of the cells that take some work, drawn by the seed."""
    worth = [place for place in cells if _work(graph, place)]
    count = max(1, -(-len(worth) * percent // 100))
    order = sorted(range(len(worth)), key=lambda k: _draw(seed, worth[k]))
    chosen: list[Place] = []
    taken: set[Place] = set()
    for k in order:
        if len(chosen) == count:
            break
        if not (apart and _near(graph, worth[k], taken)):
            chosen.append(worth[k])
            taken.add(worth[k])
    if not chosen:
        raise BlankError("no blanks: no cell of these matrices takes a calculation")
    picked = set(chosen)
    ordered = tuple(p for p in worth if p in picked)
    shown = frozenset(m.name for m in graph if not _again(m))
    return Blanks(ordered, frozenset(_copies(graph, picked)), shown)


def _work(graph: Graph, place: Place) -> bool:
    """Whether a cell takes a calculation: it is no bare copy and no constant."""
    cell = Cell(graph, graph.matrices[place[0]], place[1])
    return bool(cell.reads) and cell.node.op != "infinity" and not isinstance(cell.formula, Entry)


def _near(graph: Graph, place: Place, taken: set[Place]) -> bool:
    """Whether a blank needs this cell, or this cell needs a blank, in one step."""
    reads = set(_reads(graph, graph.matrices[place[0]], place[1]))
    return bool(reads & taken) or any(
        place in _reads(graph, graph.matrices[name], at) for name, at in taken
    )


def _draw(seed: int, place: Place) -> bytes:
    """A number that looks drawn, the same on every machine."""
    return hashlib.sha256(f"{seed}:{place}".encode()).digest()


def _copies(graph: Graph, blank: set[Place]) -> Iterator[Place]:
    """Cells whose value is that of a blank that they read, or of a copy of it."""
    repeated = set(blank)
    for matrix in graph:
        if not _computed(matrix):
            continue
        for at in matrix.places:
            place = (matrix.name, at)
            if place in blank:
                continue
            node = Cell(graph, matrix, at).node
            for name, indices in _reads(graph, matrix, at):
                if (name, indices) in repeated:
                    other = Cell(graph, graph.matrices[name], indices).node
                    if other is node or other == -node:
                        repeated.add(place)
                        yield place


def effort(graph: Graph, asked: Sequence[Place]) -> int:
    """How much there is to calculate: numbers put in over all blanks, those that are 0 left out.

    The measure by which variants of a sheet are held to the same difficulty.
    """
    return sum(_numbers(graph, place) for place in asked)


def _numbers(graph: Graph, place: Place) -> int:
    cell = Cell(graph, graph.matrices[place[0]], place[1])
    return _count(graph, cell, cell.formula)


def _count(graph: Graph, cell: Cell, x: Shown) -> int:
    if isinstance(x, Entry):
        return int(cell.at(x).node.number != (0, 1))
    return sum(_count(graph, cell, part) for part in children(x))

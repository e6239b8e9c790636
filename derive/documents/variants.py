"""A variant for each student: the same model with small weights of their own.

A variant has the same blanks as the sheet, no blank that is 0 by accident, no ties, and
nearly the same amount to calculate; the same seed and name give the same variant everywhere.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.blocks import build
from derive.documents.blanks import Blanks, effort
from derive.errors import DeriveError, UndefinedCell
from derive.graph import Cell
from derive.graph.graph import Graph
from derive.line import Place
from derive.model import Model, load
from derive.model.matrix_kinds import PerHead, Rows
from derive.model.schema import SCHEMA
from derive.text.tree import Number

HALVES = ("-1", "-0.5", "0.5", "1")  # what is nicest by hand
STAGES = (  # tries with halves; where zeros or ties come up again and again, with more digits
    (60, HALVES),
    (60, ("-1.5", "-1", "-0.5", "0.5", "1", "1.5", "2", "-2", "0.25", "-0.25")),
    (60, tuple(f"{s}{d}.{t}" for s in ("", "-") for d in (0, 1) for t in (1, 2, 3, 4, 6, 7, 8, 9))),
)
TOLERANCE = Fraction(1, 5)  # of the effort of the model itself
FIXED = ("gain", "shift", "mask", "P")  # norms and positions stay those of the model


class NoVariant(DeriveError):
    """No weights were found that make as good a sheet as the model's own."""


@dataclass(frozen=True)
class Variant:
    """One student's weights, as texts of `--set`, and the graph they make."""

    student: str
    sets: tuple[str, ...]
    graph: Graph


def variant(
    source: str,
    sets: Sequence[str],
    tokens: str | None,
    blanks: Blanks,
    student: str,
    seed: int,
    base: Graph,
) -> Variant:
    """A student's variant; `base` is the graph of the model's own sheet.

    Raises NoVariant where no drawing is good enough.
    """
    places = list(weights(base.model))
    if not places:
        raise NoVariant(f"{source}: the model gives no weights that could vary")
    tries = [(k, numbers) for count, numbers in STAGES for k in range(count)]
    for number, numbers in tries:
        draw = draws(f"{seed}:{student}:{len(numbers)}:{number}", numbers)
        own = tuple(f"{path}={_matrix(value, draw)}" for path, value in places)
        graph = build(load(source, sets=[*sets, *own], tokens=tokens))
        if good(graph, blanks, base):
            return Variant(student, own, graph)
    raise NoVariant(
        f"no variant for {student!r}: {len(tries)} drawings had zeros, ties or another difficulty; "
        "ask for fewer blanks or another --seed"
    )


def weights(model: Model) -> Iterator[tuple[str, Any]]:
    """Paths and values of the matrices that vary: tables, projections, biases, given ones."""
    for key in SCHEMA:
        if not isinstance(key.kind, Rows | PerHead) or key.path.rpartition(".")[2] in FIXED:
            continue
        roots = {"embedding": model.embedding, "position": model.position, "memory": model.memory,
                 "output": model.output, "block": model.blocks}  # fmt: skip
        for path, value in _found(roots, key.path.split(".")):
            yield path, value if isinstance(key.kind, Rows) else _heads(value)
    for name, value in model.given.items():
        if not name.endswith(FIXED):
            yield f'given."{name}"', value


def _heads(value: Any) -> Any:
    """One head's matrix alone, several as a list; a bias as rows, as a file gives them."""
    return value[0] if len(value) == 1 else value


def _found(value: Any, parts: Sequence[str], path: str = "") -> Iterator[tuple[str, Any]]:
    """The values at a path of the schema; `*` stands for every entry of a list."""
    if value is None:
        return
    if not parts:
        yield path, value
        return
    name, *rest = parts
    if name == "*":
        for number, inside in enumerate(value):
            yield from _found(inside, rest, f"{path}.{number}")
    else:
        inside = value.get(name, value.get("blocks") if name == "block" else None)
        yield from _found(inside, rest, f"{path}.{name}" if path else name)


def draws(text: str, numbers: Sequence[str]) -> Iterator[str]:
    """Some of these numbers without end, the same on every machine."""
    limit = 256 - 256 % len(numbers)  # so that all numbers are as likely
    for count in itertools.count():
        for byte in hashlib.sha256(f"{text}:{count}".encode()).digest():
            if byte < limit:
                yield numbers[byte % len(numbers)]


def _matrix(value: Any, draw: Iterator[str]) -> str:
    """The shape of a value filled with drawn numbers, as TOML; what is 0 stays 0.

    So a variant has as many terms to add up as the model itself.
    """
    if isinstance(value, tuple):
        return "[" + ", ".join(_matrix(x, draw) for x in value) + "]"
    return "0" if value == Number(0, 1) else next(draw)


def good(graph: Graph, blanks: Blanks, base: Graph) -> bool:
    """No blank that is 0 by accident, no ties in a row of blanks, as much work as the base."""
    target = effort(base, blanks.asked)
    try:
        if not _accidents(graph, blanks.asked, base):
            return abs(effort(graph, blanks.asked) - target) <= TOLERANCE * target
    except UndefinedCell:
        pass
    return False


def _accidents(graph: Graph, asked: Sequence[Place], base: Graph) -> bool:
    """Whether a blank is 0 that isn't in the base, or two numbers of a ranked row are equal.

    A ReLU may be 0 in other places than in the base, but not in all.
    """
    for name, group in itertools.groupby(asked, lambda place: place[0]):
        places = [at for _, at in group]
        zero, before = _zeros(graph, name, places), _zeros(base, name, places)
        moves = graph.matrices[name].operation.name.startswith(MOVING)
        if moves and all(zero) and not all(before):
            return True
        if not moves and any(z and not b for z, b in zip(zero, before, strict=True)):
            return True
        if name.endswith(RANKED):
            cells = [Cell(graph, graph.matrices[name], at) for at in places]
            open_ = [cell for cell, none in zip(cells, zero, strict=True) if not none]
            rows = itertools.groupby(open_, lambda cell: cell.indices[0])
            if any(_tied(list(row)) for _, row in rows):
                return True
    return False


def _zeros(graph: Graph, name: str, places: Sequence[tuple[int, ...]]) -> list[bool]:
    return [Cell(graph, graph.matrices[name], at).sign == 0 for at in places]


def _tied(cells: Sequence[Cell]) -> bool:
    """Whether two of these numbers are equal, or nearly."""
    ends = sorted(cell.enclosure(64) for cell in cells if cell.node.op != "infinity")
    return any(one[1] >= other[0] for one, other in itertools.pairwise(ends))


MOVING = ("ReLU", "leaky", "hard", "shares")  # 0 or not depends on the numbers
RANKED = (".A", ".S", ".S_scaled", ".S_masked", "logits", "probs")  # rows whose largest decides

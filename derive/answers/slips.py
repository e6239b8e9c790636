"""Which slip gives exactly this wrong answer?

Every slip is the graph with other operations for some matrices (`derive.blocks.slips`); here are
added those of reading off (a neighbouring cell) and of arithmetic at the last step.  Enclosures
rule out nearly all of them; what is left is judged like an answer, with the slip's value for key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from derive.answers.early import early
from derive.answers.keys import Key
from derive.answers.verdict import Mistake
from derive.blocks.slips import Candidate, candidates, makable
from derive.errors import DeriveError
from derive.exact.amounts import TooLarge
from derive.exact.dag import UndefinedValue
from derive.graph import Cell, Graph, Variant, ancestors
from derive.graph.address import split
from derive.line import Neg, Plus, Shown, at_cell, rebuild, value
from derive.operation import Operation, worked_as

if TYPE_CHECKING:
    from derive.answers.sought import Sought

MOST_CELLS = 60_000  # computed for the slips of one cell
MOST_PAIR_CELLS = 6_000  # and for two slips together
MOST_TERMS = 24  # of a sum whose terms may be left out
SURE_FIGURES = 3  # significant figures of an answer that is compared with two slips together
BITS = 64
LEAD = "It looks as if "
USUAL = ("no-scale", "no-mask", "wrong-axis", "rope-reversed", "no-residual", "no-bias")
COMMON = frozenset({
    "no-scale", "scale-without-root", "no-mask", "mask-off-by-one", "wrong-axis", "not-normalised",
    "rope-reversed", "no-rope", "positions-from-one", "no-residual", "branch-left-out", "no-norm",
    "no-bias", "no-gain", "no-shift", "eps-forgotten", "no-activation", "relu-wrong-side",
    "k-v-swapped", "no-position", "no-temperature", "temperature-multiplied", "base-two",
    "base-ten", "frequency-not-paired", "no-alibi", "no-gate", "sample-variance", "no-soft-cap",
    "mean-not-subtracted",
})  # fmt: skip


@dataclass(frozen=True)
class Suspect:
    """A slip at one cell: what it is called, what is said, and the cell that has its value."""

    name: str
    sentence: str
    key: Key
    graph: Graph
    enclosure: Any  # a ball; None for letters


class Slips:
    """The slips of one graph, each made once, and their values at the cells asked for."""

    def __init__(self, graph: Graph, apart_at: Callable[[Any], Any] | None = None) -> None:
        self.graph = graph
        self.enclose = apart_at or _ball
        self.spent = 0  # answers looked at
        self._candidates: list[Candidate] | None = None
        self._variants: dict[int, Variant | None] = {}
        self._suspects: dict[tuple[Any, ...], list[Suspect]] = {}
        self._pairs: dict[tuple[Any, ...], list[Suspect]] = {}

    def mistake(self, cell: Cell, sought: Sought) -> Mistake | None:
        """The slip that explains an answer, with all that give the same; None where none does."""
        found = [x for x in self.suspects(cell, sought) if sought.fits(x)]
        if not found:
            cut = [x for x in self._suspects_of(cell, sought) if sought.fits(x, "truncated")]
            found = [_with_truncation(x) for x in cut]
        if not found and sought.figures >= SURE_FIGURES:
            found = [x for x in self.pairs(cell, sought) if sought.fits(x)]
        return _mistake(found) if found else None

    def candidates(self) -> list[Candidate]:
        if self._candidates is None:
            self._candidates = candidates(self.graph)
        return self._candidates

    def variant(self, k: int) -> Variant | None:
        if k not in self._variants:
            self._variants[k] = makable(self.graph, self.candidates()[k].changes)
        return self._variants[k]

    def suspects(self, cell: Cell, sought: Sought) -> list[Suspect]:
        """Single slips with their values at a cell, from the most telling to the vaguest."""
        at = (cell.matrix.name, cell.indices, sought.percent)
        if at not in self._suspects:
            self._suspects[at] = [*self._found(cell, sought.percent)]
        early_ones = [
            found
            for name, sentence, changes in early(cell, sought.decimals)
            if (found := self._suspect(name, sentence, changes, cell, sought.percent)) is not None
        ]
        return [*self._suspects[at], *early_ones]

    def _suspects_of(self, cell: Cell, sought: Sought) -> list[Suspect]:
        """The usual slips among the suspects: those that a second one is looked for with."""
        return [x for x in self.suspects(cell, sought) if x.name in COMMON]

    def _found(self, cell: Cell, percent: bool) -> Iterator[Suspect]:
        before, work = ancestors(self.graph, cell.matrix.name), 0
        for k, candidate in enumerate(self.candidates()):
            if before.isdisjoint(candidate.changes):
                continue
            variant = self.variant(k)
            if variant is None or work > MOST_CELLS:
                continue
            done = variant.work
            found = self._at(candidate.name, candidate.sentence, variant, cell, percent)
            work += variant.work - done
            if found is not None:
                yield found
        for name, sentence, other in _read_off(cell):
            found = self._at(name, sentence, self.graph, other, percent)
            if found is not None:
                yield found
        for name, sentence, changes in _arithmetic(cell):
            found = self._suspect(name, sentence, changes, cell, percent)
            if found is not None:
                yield found

    def pairs(self, cell: Cell, sought: Sought) -> list[Suspect]:
        """Two slips together, as far as the budget goes."""
        at = (cell.matrix.name, cell.indices, sought.percent)
        if at not in self._pairs:
            self._pairs[at] = [] if self.graph.free else [*self._two(cell, sought.percent)]
        return self._pairs[at]

    def _two(self, cell: Cell, percent: bool) -> Iterator[Suspect]:
        before, work = ancestors(self.graph, cell.matrix.name), 0
        here = [
            x for x in self.candidates() if x.name in COMMON and not before.isdisjoint(x.changes)
        ]
        for a, b in combinations(here, 2):
            if a.name == b.name or not a.changes.keys().isdisjoint(b.changes):
                continue
            variant = makable(self.graph, {**a.changes, **b.changes})
            if variant is None:
                continue
            sentence = _both(a.sentence, b.sentence)
            found = self._at(f"{a.name}-and-{b.name}", sentence, variant, cell, percent)
            work += variant.work
            if found is not None:
                yield found
            if work > MOST_PAIR_CELLS:
                return

    def _suspect(
        self,
        name: str,
        sentence: str,
        changes: Mapping[str, Operation],
        cell: Cell,
        percent: bool,
    ) -> Suspect | None:
        variant = makable(self.graph, changes)
        return None if variant is None else self._at(name, sentence, variant, cell, percent)

    def _at(
        self, name: str, sentence: str, graph: Graph, cell: Cell, percent: bool
    ) -> Suspect | None:
        """The suspect at a cell; None where the slip has no value there."""
        key = Key(Cell(graph, graph.matrices[cell.matrix.name], cell.indices), percent)
        try:
            return Suspect(name, sentence, key, graph, self.enclose(key))
        except (DeriveError, UndefinedValue, TooLarge, ZeroDivisionError):
            return None


def _both(first: str, second: str) -> str:
    one, two = (x.removeprefix(LEAD).removesuffix(".") for x in (first, second))
    return f"{LEAD}two things went wrong: {one}; and {two}."


def _with_truncation(x: Suspect) -> Suspect:
    sentence = _both(x.sentence, "the digits were cut off where the last one should be rounded.")
    return replace(x, name=f"{x.name}-and-truncated", sentence=sentence)


def _ball(key: Key) -> Any:
    return key.cell.ball(BITS) * key.factor


def _mistake(found: list[Suspect]) -> Mistake:
    """The most usual slip is named, all are listed."""
    found = sorted(found, key=lambda x: (x.name not in USUAL, x.name not in COMMON))
    first = found[0]
    names = [x for x in dict.fromkeys(y.name for y in found) if x != first.name]
    sentence = first.sentence
    if names and any(_apart(first, x) for x in found[1:]):
        sentence += " With so few digits this can't be told from other slips."
    elif names:
        sentence += " Other slips give exactly the same here."
    return Mistake(first.name, sentence, tuple(names))


def _apart(a: Suspect, b: Suspect) -> bool:
    from derive.exact.balls import disjoint

    if a.enclosure is None or b.enclosure is None:
        return False
    return bool(disjoint(a.enclosure, b.enclosure))


# reading off


def _read_off(cell: Cell) -> Iterator[tuple[str, str, Cell]]:
    """Cells that are easily taken for the one asked for."""
    graph, matrix = cell.graph, cell.matrix
    if len(cell.indices) != 2:
        return
    yield from _neighbours(cell)
    prefixes, base = split(matrix.name)
    for name, other in graph.matrices.items():
        have, what = split(name)
        alike = what == base and name != matrix.name and len(have) == len(prefixes)
        if not alike or other.shape != matrix.shape:
            continue
        differ = [x for x, y in zip(have, prefixes, strict=True) if x != y]
        if len(differ) == 1:
            block = differ[0].startswith("b")
            word, said = ("wrong-block", "block") if block else ("wrong-head", "head")
            text = f"It looks as if another {said} was taken."
            yield word, text, Cell(graph, other, cell.indices)
    for read in dict.fromkeys(matrix.operation.inputs.values()):
        if graph.matrices[read].shape == matrix.shape:
            text = "It looks as if the last step was left out."
            yield "step-left-out", text, Cell(graph, graph.matrices[read], cell.indices)


def _neighbours(cell: Cell) -> Iterator[tuple[str, str, Cell]]:
    """Other cells of the same matrix."""
    (i, j), (rows, columns) = cell.indices, cell.matrix.shape[:2]
    places = [("indices-swapped", "It looks as if row and column were swapped.", (j, i))]
    for by in (1, -1):
        text = "It looks as if a neighbouring row was taken."
        places.append(("wrong-row", text, (i + by, j)))
    for by in (1, -1):
        text = "It looks as if a neighbouring column was taken."
        places.append(("wrong-column", text, (i, j + by)))
    for name, sentence, at in places:
        if at != (i, j) and 0 <= at[0] < rows and 0 <= at[1] < columns:
            yield name, sentence, Cell(cell.graph, cell.matrix, at)


# arithmetic


def _arithmetic(cell: Cell) -> Iterator[tuple[str, str, Mapping[str, Operation]]]:
    """Slips of the last step: a sign, a term, the decimal point."""
    operation = cell.matrix.operation

    def with_factor(p: int, q: int) -> Mapping[str, Operation]:
        made = worked_as(lambda op, f, *at, **views: op.define(f, *at, **views) * f.rational(p, q))
        return {cell.matrix.name: made(operation)}

    text = "It looks as if a minus sign was lost, or put where none belongs."
    yield "minus-dropped", text, with_factor(-1, 1)
    try:
        formula = at_cell(cell.formulas[-1])
    except DeriveError:
        return
    for name, sentence, tree in _miscounted(formula):
        yield name, sentence, {cell.matrix.name: _by_tree(cell, tree)}
    for p, q in ((10, 1), (1, 10), (100, 1), (1, 100)):
        text = "It looks as if the decimal point slipped."
        yield "decimal-point", text, with_factor(p, q)


def _by_tree(cell: Cell, tree: Shown) -> Operation:
    graph = cell.graph

    def define(op: Operation, f: Any, *at: int, **views: Any) -> Any:
        return value(tree, f, lambda name, place: graph.values(name, f)[place])

    return worked_as(define)(cell.matrix.operation)


def _miscounted(x: Shown) -> Iterator[tuple[str, str, Shown]]:
    """The formula with one term of a sum left out, or with the wrong sign."""
    for tree in _sums(x):
        for k in range(len(tree.terms)):
            rest = tree.terms[:k] + tree.terms[k + 1 :]
            left = rest[0] if len(rest) == 1 else Plus(rest)
            text = "It looks as if one term of the sum was left out."
            yield "term-left-out", text, _put(x, tree, left)
            flipped = (*tree.terms[:k], Neg(tree.terms[k]), *tree.terms[k + 1 :])
            text = "It looks as if one term of the sum has the wrong sign."
            yield "wrong-sign", text, _put(x, tree, Plus(flipped))


def _sums(x: Shown) -> Iterator[Plus]:
    """The sums in a formula that are short enough to lose a term by hand."""
    if isinstance(x, Plus):
        if 1 < len(x.terms) <= MOST_TERMS:
            yield x
        return
    found: list[Plus] = []

    def look(part: Shown) -> Shown:
        found.extend(_sums(part))
        return part

    rebuild(x, look)
    yield from found[:2]


def _put(x: Shown, old: Shown, new: Shown) -> Shown:
    return new if x is old else rebuild(x, lambda part: _put(part, old, new))


def fraction_span(value: Fraction, far: Fraction) -> tuple[Any, Any]:
    """The two ends of value ± far as exact balls."""
    from flint import arb, fmpq

    low, high = value - far, value + far
    return tuple(arb(fmpq(x.numerator, x.denominator)) for x in (low, high))  # type: ignore[return-value]

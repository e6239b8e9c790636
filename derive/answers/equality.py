"""Two typed sides and one verdict: are they equal wherever the assumptions hold?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from derive.answers.deciding import decided
from derive.answers.domain import Domain, decide_where_defined, domain
from derive.answers.matching import compared
from derive.answers.reality import never_real
from derive.errors import DeriveError, TextError
from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.reading import evaluate
from derive.exact.sums.language import about_sums
from derive.exact.verdict import Verdict
from derive.render.escape import columns, terminal
from derive.text import Tree, parse_assumption
from derive.text.statements import (
    CONDITIONS,
    VALUES,
    Statement,
    parse_statement,
    show_statement,
)
from derive.text.tree import Integer, Relation, Vector

FLIPPED = {"<": ">", "<=": ">="}  # a < b is kept as b - a > 0
AROUND = 30  # characters shown on each side of a fault


class UnreadableError(DeriveError):
    """A side or an assumption can't be read, or has no value."""


@dataclass(frozen=True)
class Entry:
    """One place of two vectors or matrices; two numbers have the one place ()."""

    index: tuple[int, ...]
    verdict: Verdict


@dataclass(frozen=True)
class Equality:
    """The verdict on two sides, place by place, and how the sides were read."""

    verdict: str  # equal, different, undecided
    decisive: Verdict  # the place that settles it
    entries: tuple[Entry, ...]
    read: tuple[str, str]
    domain: Domain | None = None  # of equal sides: what only one of them needs


def equality(left: str, right: str, assume: Sequence[str] = ()) -> Equality:
    """Are two texts equal at every point that the assumptions allow?

    Vectors and matrices are equal if all their places are.  Raises UnreadableError, with the
    place of the fault.

    >>> equality("(x+1)^2", "x^2 + 2x + 1").verdict
    'equal'
    >>> equality("sqrt(x^2)", "x").verdict, equality("sqrt(x^2)", "x", ["x > 0"]).verdict
    ('different', 'equal')
    >>> equality("[1, 1/2]", "[1, 0.5]").read
    ('[1, 1/2]', '[1, 0.5]')
    """
    reader = _Reader()
    trees: tuple[Any, Any] = (reader.tree(left, "A"), reader.tree(right, "B"))
    read = (show_statement(trees[0]), show_statement(trees[1]))
    if any(isinstance(tree, (*VALUES, *CONDITIONS)) for tree in trees):
        known = [known for text in assume for known in reader.assumptions(text)]
        try:
            verdict = compared(*trees, reader.dag, known)
        except UndefinedValue as why:
            raise UnreadableError(f"a side has no value: {why}") from None
        return Equality(verdict.verdict, verdict, (Entry((), verdict),), read)
    if any(map(about_sums, trees)):
        return _of_sums(trees, assume)
    known = [known for text in assume for known in reader.assumptions(text)]
    a, b = reader.value(trees[0], left, "A"), reader.value(trees[1], right, "B")
    if _shape(a) != _shape(b):
        verdict = Verdict("different", "shape", reason=f"{_words(a)} against {_words(b)}")
        return Equality("different", verdict, (), read)
    entries = tuple(Entry(at, _verdict(x, y, trees, known)) for at, x, y in _places(a, b))
    order = ("different", "undecided", "equal")
    decisive = min((e.verdict for e in entries), key=lambda v: order.index(v.verdict))
    if decisive.different and not known:
        _must_be_real(a, b, left)
        _must_be_real(b, a, right)
    where = domain(trees[0], trees[1], reader.dag, known) if decisive.equal else None
    return Equality(decisive.verdict, decisive, entries, read, where)


def _of_sums(trees: tuple[Tree, Tree], assume: Sequence[str]) -> Equality:
    """Two sides with sums over ranges whose sizes are letters, decided for all sizes."""
    from derive.exact.sums.prove import decide_trees, statement

    told: list[Relation | Integer] = []
    for text in assume:
        try:
            told += parse_assumption(text)
        except TextError as error:
            raise _faulty(text, error, "assumption") from None
    out, facts = statement(trees, told)
    a, b = map(_entries, out)
    read = show_statement(trees[0]), show_statement(trees[1])
    if _shape(a) != _shape(b):
        verdict = Verdict("different", "shape", reason=f"{_words(a)} against {_words(b)}")
        return Equality("different", verdict, (), read)
    entries = tuple(Entry(at, decide_trees(x, y, facts)) for at, x, y in _places(a, b))
    order = ("different", "undecided", "equal")
    decisive = min((e.verdict for e in entries), key=lambda v: order.index(v.verdict))
    return Equality(decisive.verdict, decisive, entries, read)


def _entries(t: Tree) -> Any:
    """A vector as a tuple of its entries."""
    return tuple(map(_entries, t.items)) if isinstance(t, Vector) else t


class _Reader:
    """Texts to nodes of one Dag, faults shown in their place."""

    def __init__(self) -> None:
        self.dag = Dag()

    def tree(self, text: str, side: str) -> Statement:
        """A side as it is understood; errors name it."""
        try:
            return parse_statement(text)
        except TextError as error:
            raise _faulty(text, error, side) from None

    def assumptions(self, text: str) -> Iterator[Assumption]:
        """What one `--assume` says: a relation, a chain of them, or "n integer"."""
        try:
            parts = parse_assumption(text)
        except TextError as error:
            raise _faulty(text, error, "assumption") from None
        for part in parts:
            yield self._assumption(part, text)

    def _assumption(self, part: Relation | Integer, text: str) -> Assumption:
        if isinstance(part, Integer):
            return Assumption(self.dag.symbol(part.name), "integer")
        a, b = (self.value(x, text, "assumption") for x in (part.left, part.right))
        if isinstance(a, tuple) or isinstance(b, tuple):
            raise UnreadableError(f"{text}: an assumption is about numbers, not vectors")
        if part.op in FLIPPED:
            return Assumption(b - a, FLIPPED[part.op])
        return Assumption(a - b, part.op)

    def value(self, tree: Any, text: str, side: str) -> Any:
        """A node, or tuples of nodes for a vector."""
        try:
            return evaluate(tree, self.dag)
        except UndefinedValue as why:
            raise UnreadableError(f"{side}: {_cut(text)} has no value: {why}") from None


def _verdict(x: Any, y: Any, trees: Sequence[Any], known: Sequence[Assumption]) -> Verdict:
    found = decide_where_defined(x, y, trees, known)
    return decided(x, y, known) if found.verdict == "undecided" else found


def _must_be_real(value: Any, other: Any, text: str) -> None:
    """A side that is real nowhere, beside one that is, is a slip and no number."""
    if isinstance(value, Node) and isinstance(other, Node) and never_real(value, other):
        raise UnreadableError(f"{_cut(text)} is not a real number, whatever its letters are")


def _faulty(text: str, error: TextError, side: str) -> UnreadableError:
    """The fault and whose it is, and below it the text with a mark where it is."""
    at = error.position
    before, after = terminal(text[max(0, at - AROUND) : at]), terminal(text[at : at + AROUND])
    return UnreadableError(f"{side}, {error}\n  {before}{after}\n  {' ' * columns(before)}^")


def _cut(text: str) -> str:
    return text if len(text) <= 2 * AROUND else f"{text[: 2 * AROUND]}…"


def _shape(x: Any) -> Any:
    return tuple(map(_shape, x)) if isinstance(x, tuple) else "number"


def _words(x: Any) -> str:
    if not isinstance(x, tuple):
        return "a number"
    rows = [len(row) if isinstance(row, tuple) else 0 for row in x]
    if not any(rows):
        return f"a vector of {len(x)}"
    return f"a matrix with rows of {', '.join(map(str, rows))}"


def _places(a: Any, b: Any, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """Index and both values of every place, in reading order."""
    if not isinstance(a, tuple):
        yield at, a, b
        return
    for k, (x, y) in enumerate(zip(a, b, strict=True)):
        yield from _places(x, y, (*at, k))

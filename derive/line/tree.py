"""Shown trees: what a reader sees, frozen, in written order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Num:
    """An exact rational p/q in lowest terms, q > 0."""

    p: int
    q: int = 1


@dataclass(frozen=True)
class Const:
    """pi, e, i or inf."""

    name: str


@dataclass(frozen=True)
class Sym:
    """A symbol that the model declares."""

    name: str


@dataclass(frozen=True)
class Letter:
    """A letter of a general formula (i, d_k, ε); at a cell its value stands instead."""

    name: str
    value: Shown


@dataclass(frozen=True)
class Bound:
    """The running index of a Sum."""

    name: str


@dataclass(frozen=True)
class Entry:
    """An entry of a named matrix (full name); indices count from 0."""

    matrix: str
    indices: tuple[Shown, ...]


@dataclass(frozen=True)
class Plus:
    """A sum in written order; where it is elided, `shown` lists the terms that are printed."""

    terms: tuple[Shown, ...]
    shown: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Times:
    """A product in written order; `dot` False for a coefficient set beside its factor."""

    factors: tuple[Shown, ...]


@dataclass(frozen=True)
class Neg:
    """The opposite; as a term of a Plus it prints as subtraction."""

    x: Shown


@dataclass(frozen=True)
class Over:
    """A fraction."""

    above: Shown
    below: Shown


@dataclass(frozen=True)
class Power:
    """A power; e to something prints as e^… or exp(…), whichever reads better."""

    base: Shown
    exponent: Shown


@dataclass(frozen=True)
class Root:
    """The principal n-th root."""

    x: Shown
    n: int = 2


@dataclass(frozen=True)
class Call:
    """A named function of one or more arguments: exp, cos, max, relu …"""

    function: str
    args: tuple[Shown, ...]


@dataclass(frozen=True)
class Sum:
    """The sum of body over index = 0 … count - 1; count is a Letter with the size as value."""

    index: Bound
    count: Letter
    body: Shown


@dataclass(frozen=True)
class Case:
    """One branch of a definition by cases: its value, the condition, whether it holds here."""

    value: Shown
    condition: Condition
    holds: bool


@dataclass(frozen=True)
class Condition:
    """A relation between two shown things, or the rest of the cases (relation "otherwise")."""

    left: Shown | None
    relation: Literal["<", "<=", ">", ">=", "=", "!=", "otherwise"]
    right: Shown | None


@dataclass(frozen=True)
class Cases:
    """A definition by cases; exactly one of them holds at a cell."""

    branches: tuple[Case, ...]


@dataclass(frozen=True)
class Decimal:
    """A correctly rounded decimal, or a decimal that is exact, as printed."""

    text: str


Shown = (
    Num | Const | Sym | Letter | Bound | Entry | Plus | Times | Neg | Over | Power | Root | Call
    | Sum | Cases | Decimal
)  # fmt: skip


def children(x: Shown) -> tuple[Shown, ...]:
    """The parts of a tree, in written order."""
    match x:
        case Letter(value=part) | Neg(x=part) | Root(x=part):
            return (part,)
        case Entry(indices=parts) | Plus(terms=parts) | Times(factors=parts) | Call(args=parts):
            return parts
        case Over(above=a, below=b) | Power(base=a, exponent=b):
            return (a, b)
        case Sum(count=count, body=body):
            return (count, body)
        case Cases(branches=branches):
            return tuple(b.value for b in branches)
    return ()


def rebuild(x: Shown, change: Callable[[Shown], Shown]) -> Shown:
    """The same tree with every direct part changed."""
    match x:
        case Neg(x=part):
            return Neg(change(part))
        case Root(x=part, n=n):
            return Root(change(part), n)
        case Over(above=a, below=b):
            return Over(change(a), change(b))
        case Power(base=a, exponent=b):
            return Power(change(a), change(b))
        case Sum(index=index, count=count, body=body):
            return Sum(index, count, change(body))
        case Cases(branches=branches):
            return Cases(tuple(Case(change(b.value), b.condition, b.holds) for b in branches))
    return _rebuild_many(x, change)


def _rebuild_many(x: Shown, change: Callable[[Shown], Shown]) -> Shown:
    match x:
        case Entry(matrix=m, indices=parts):
            return Entry(m, tuple(map(change, parts)))
        case Plus(terms=parts, shown=shown):
            return Plus(tuple(map(change, parts)), shown)
        case Times(factors=parts):
            return Times(tuple(map(change, parts)))
        case Call(function=name, args=parts):
            return Call(name, tuple(map(change, parts)))
    return x

"""From a general formula to its cell, and from a shown tree to its value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import factorial
from typing import Any

from derive.exact.functions import WRITTEN
from derive.line.tree import (
    Bound,
    Call,
    Cases,
    Const,
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
    rebuild,
)


def at_cell(x: Shown) -> Shown:
    """A general formula at its cell: letters by their values, sums written out, case taken.

    >>> k = Bound("k")
    >>> at_cell(Sum(k, Letter("d", Num(2)), Entry("X", (Letter("i", Num(5)), k)))).terms[1]
    Entry(matrix='X', indices=(Num(p=5, q=1), Num(p=1, q=1)))
    """
    match x:
        case Letter(value=value):
            return at_cell(value)
        case Sum(index=index, count=count, body=body):
            size = at_cell(count)
            assert isinstance(size, Num)
            terms = tuple(at_cell(_put(body, index, Num(k))) for k in range(size.p))
            return terms[0] if len(terms) == 1 else Plus(terms)
        case Cases(branches=branches):
            return at_cell(next(b.value for b in branches if b.holds))
    return rebuild(x, at_cell)


def _put(x: Shown, index: Bound, number: Num) -> Shown:
    return number if x == index else rebuild(x, lambda part: _put(part, index, number))


def entries(x: Shown) -> Iterator[Entry]:
    """The matrix entries of a formula at its cell, in written order."""
    if isinstance(x, Entry):
        yield x
    else:
        for part in children(x):
            yield from entries(part)


Place = tuple[str, tuple[int, ...]]  # full name of a matrix, indices


def cell_of(x: Shown | None) -> Place | None:
    """The place that an entry with numbers for indices stands for; None for anything else.

    >>> cell_of(Entry("A", (Num(2), Num(0)))), cell_of(Entry("A", (Bound("k"), Num(0))))
    (('A', (2, 0)), None)
    """
    if not isinstance(x, Entry):
        return None
    indices = tuple(k.p for k in x.indices if isinstance(k, Num))
    return (x.matrix, indices) if len(indices) == len(x.indices) else None


def with_entries(x: Shown, put: Callable[[Entry], Shown]) -> Shown:
    """The numbers put in: every entry replaced."""
    return put(x) if isinstance(x, Entry) else rebuild(x, lambda part: with_entries(part, put))


Cells = Callable[[str, tuple[int, ...]], Any]


def value(x: Shown, f: Any, cells: Cells) -> Any:
    """A tree as a value of the arithmetic f; `cells` gives the value of an entry.

    A general formula gets the value that it has at its cell.  Decimals have no exact value.
    """
    match x:
        case Num(p=p, q=q):
            return f.rational(p, q)
        case Const(name=name):
            return f.infinity(1) if name == "inf" else getattr(f, name)
        case Sym(name=name):
            return f.symbol(name)
        case Entry(matrix=matrix, indices=indices):
            return cells(matrix, tuple(_index(k) for k in indices))
        case Plus(terms=parts):
            first, *rest = (value(part, f, cells) for part in parts)
            for part in rest:
                first = first + part
            return first
        case Times(factors=parts):
            first, *rest = (value(part, f, cells) for part in parts)
            for part in rest:
                first = first * part
            return first
        case Letter() | Sum() | Cases():
            return value(at_cell(x), f, cells)
    return _function_value(x, f, cells)


def _function_value(x: Shown, f: Any, cells: Cells) -> Any:
    match x:
        case Neg(x=part):
            return -value(part, f, cells)
        case Over(above=a, below=b):
            return value(a, f, cells) / value(b, f, cells)
        case Root(x=part, n=n):
            return f.root(value(part, f, cells), n)
        case Power(base=base, exponent=Num(p=n, q=1)):
            return value(base, f, cells) ** n
        case Power(base=Const(name="e"), exponent=exponent):
            return f.exp(value(exponent, f, cells))
        case Power(base=base, exponent=exponent):
            return _power(base, value(exponent, f, cells), f, cells)
        case Call(function="factorial", args=(Num(p=n, q=1),)):
            return f.rational(factorial(n))
        case Call(function=name, args=parts):
            values = [value(part, f, cells) for part in parts]
            return WRITTEN[name](f, *values) if name in WRITTEN else getattr(f, name)(*values)
    raise TypeError(f"{x!r} has no exact value")


def _power(base: Shown, exponent: Any, f: Any, cells: Cells) -> Any:
    if isinstance(base, Num) and base.p > base.q and exponent == f.infinity(-1):
        return f.rational(0)  # what e^-∞ is, too
    return f.general_power(value(base, f, cells), exponent)


def constant(x: Shown, f: Any) -> Any:
    """The value of a tree without entries, such as a scale, an angle or an epsilon.

    Every cell of an operation asks for it again, so an arithmetic keeps what it has computed.
    """
    known = vars(f).setdefault("constants", {})
    if x not in known:
        known[x] = value(at_cell(x), f, _no_cells)
    return known[x]


def _no_cells(matrix: str, indices: tuple[int, ...]) -> Any:
    raise TypeError(f"{matrix}{list(indices)} stands in a constant")


def _index(x: Shown) -> int:
    number = at_cell(x)
    assert isinstance(number, Num) and number.q == 1
    return number.p

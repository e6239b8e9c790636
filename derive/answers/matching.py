"""Statements that are no plain numbers compared: sets, lists, ratios, intervals, relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from derive.answers.regions import condition, same_solutions
from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.decide import decide
from derive.exact.reading import evaluate
from derive.exact.verdict import Verdict
from derive.text.statements import (
    CONDITIONS,
    Interval,
    Listed,
    Ratio,
    SetOf,
    Statement,
    Union,
    letters,
)
from derive.text.tree import Tree, Vector

MOST_ITEMS = 100
ORDER = ("different", "undecided", "equal")


def compared(
    a: Statement, b: Statement, dag: Dag, assumptions: Sequence[Assumption] = ()
) -> Verdict:
    """Do two statements say the same?  At least one of them is more than an expression.

    >>> from derive.text.statements import parse_statement
    >>> compared(*map(parse_statement, ("{1, 2}", "{2, 1}")), Dag()).verdict
    'equal'
    >>> compared(*map(parse_statement, ("abs(x) < 2", "-2 < x < 2")), Dag()).verdict
    'equal'
    """
    if isinstance(a, CONDITIONS) or isinstance(b, CONDITIONS):
        return _conditions(a, b, dag, assumptions)
    a, b = _alike(a, b), _alike(b, a)
    if isinstance(a, Interval | Union) and isinstance(b, Interval | Union | SetOf):
        return same_solutions(condition(a, "x"), condition(b, "x"), dag)
    if isinstance(b, Interval | Union) and isinstance(a, SetOf):
        return same_solutions(condition(a, "x"), condition(b, "x"), dag)
    if isinstance(a, SetOf) and isinstance(b, SetOf):
        return _sets(a.items, b.items, dag, assumptions)
    if isinstance(a, Listed) and isinstance(b, Listed):
        return _in_order(a.items, b.items, dag, assumptions)
    if isinstance(a, Ratio) and isinstance(b, Ratio):
        return _ratios(a, b, dag, assumptions)
    reason = f"{named(a)} against {named(b)}"
    return Verdict("different", "kind", reason=reason)


def named(x: Statement) -> str:
    """What kind of thing a statement is, in words."""
    kinds = {SetOf: "a set", Interval: "an interval", Union: "a set", Ratio: "a ratio"}
    if isinstance(x, Listed):
        return f"a list of {len(x.items)}"
    if isinstance(x, Vector):
        return f"a vector of {len(x.items)}"
    if isinstance(x, CONDITIONS):
        return "a relation"
    return kinds.get(type(x), "a number")


def _alike(x: Statement, other: Statement) -> Statement:
    """(a, b) is a vector beside a vector, an open interval beside an interval."""
    if isinstance(x, Listed | Vector) and isinstance(other, Interval | Union) and len(x.items) == 2:
        closed = isinstance(x, Vector)
        return Interval(*x.items, (closed, closed))
    if isinstance(x, Vector) and isinstance(other, Listed):
        return Listed(x.items)
    return x


def _conditions(a: Statement, b: Statement, dag: Dag, assumptions: Sequence[Assumption]) -> Verdict:
    """Relations, or a relation beside a set of its solutions."""
    free = sorted(letters(a) | letters(b))
    sides = []
    for x in (a, b):
        if isinstance(x, CONDITIONS):
            sides.append(x)
        elif isinstance(x, SetOf | Interval | Union) and len(free) == 1 and not letters(x):
            sides.append(condition(x, free[0]))
        else:
            return Verdict("different", "kind", reason=f"{named(a)} against {named(b)}")
    return same_solutions(sides[0], sides[1], dag, assumptions)


def _equal(x: Tree, y: Tree, dag: Dag, assumptions: Sequence[Assumption]) -> Verdict:
    try:
        values = evaluate(x, dag), evaluate(y, dag)
    except UndefinedValue as why:
        return Verdict("undecided", "not defined", reason=str(why))
    return equal_values(*values, assumptions)


def equal_values(a: Any, b: Any, assumptions: Sequence[Assumption]) -> Verdict:
    """Two values of the kernel, vectors place by place."""
    if isinstance(a, Node) and isinstance(b, Node):
        return decide(a, b, assumptions)
    if isinstance(a, Node) or isinstance(b, Node) or len(a) != len(b):
        return Verdict("different", "shape", reason="of different shapes")
    found = [equal_values(x, y, assumptions) for x, y in zip(a, b, strict=True)]
    return min(found, key=lambda v: ORDER.index(v.verdict))


def _in_order(
    a: Sequence[Tree], b: Sequence[Tree], dag: Dag, assumptions: Sequence[Assumption]
) -> Verdict:
    if len(a) != len(b):
        return Verdict("different", "shape", reason=f"{len(a)} values against {len(b)}")
    found = [_equal(x, y, dag, assumptions) for x, y in zip(a, b, strict=True)]
    return min(found, key=lambda v: ORDER.index(v.verdict))


def _ratios(a: Ratio, b: Ratio, dag: Dag, assumptions: Sequence[Assumption]) -> Verdict:
    """Clock times as they stand; ratios up to a factor."""
    if len(a.items) != len(b.items) or (a.clock and b.clock):
        return _in_order(a.items, b.items, dag, assumptions)
    first, second = (x.items[0] for x in (a, b))
    found = []
    for x, y in zip(a.items[1:], b.items[1:], strict=True):
        one, other = (
            evaluate(first, dag) * evaluate(y, dag),
            evaluate(second, dag) * evaluate(x, dag),
        )
        found.append(decide(one, other, assumptions))
    return min(found, key=lambda v: ORDER.index(v.verdict))


def _sets(
    a: Sequence[Tree], b: Sequence[Tree], dag: Dag, assumptions: Sequence[Assumption]
) -> Verdict:
    """Every value of each set is found in the other."""
    if max(len(a), len(b)) > MOST_ITEMS:
        return Verdict("undecided", "sets", reason=f"sets of more than {MOST_ITEMS} values")
    table = [[_equal(x, y, dag, assumptions) for y in b] for x in a]
    lines = [*table, *(list(column) for column in zip(*table, strict=True))]
    if bool(a) != bool(b):
        return Verdict("different", "sets", reason="only one side is empty")
    for line in lines:
        if all(v.different for v in line):
            return Verdict("different", "sets", reason="a value of one set is not in the other")
    if all(any(v.equal for v in line) for line in lines):
        return Verdict("equal", "sets", reason="each value of one set is in the other")
    return Verdict("undecided", "sets", reason="a value could be neither found nor excluded")

"""Letters that are constants elsewhere: in s[i] and W[c,e] they are indices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Relation,
    Sum,
    Tree,
    Vector,
    children,
)


def shadowing(trees: Iterable[Tree]) -> frozenset[str]:
    """The constants that stand in an index or a bound of these trees.

    >>> from derive.text import parse
    >>> sorted(shadowing([parse("e*s[i]")]))
    ['i']
    """
    found: set[str] = set()
    waiting = [(tree, False) for tree in trees]
    while waiting:
        t, index = waiting.pop()
        if isinstance(t, Constant) and index:
            found.add(t.name)
        inner = index or isinstance(t, Index) or _of_indices(t)
        if isinstance(t, Sum):
            waiting += [(t.low, True), (t.high, True), (t.body, index)]
        else:
            waiting += [(part, inner) for part in children(t)]
    return frozenset(found)


def _of_indices(t: Tree) -> bool:
    return isinstance(t, Call) and t.function in ("delta", "leq")


def shadowed(t: Tree, names: frozenset[str]) -> Tree:
    """The tree with these constants as names."""
    if not names:
        return t

    def go(x: Tree) -> Tree:
        return shadowed(x, names)

    match t:
        case Constant(name=name) if name in names:
            return Name(name, t.position)
        case Negative(x=x):
            return replace(t, x=go(x))
        case Binary(left=a, right=b):
            return replace(t, left=go(a), right=go(b))
        case Call(args=args):
            return replace(t, args=tuple(map(go, args)))
        case Index(indices=parts):
            return replace(t, indices=tuple(map(go, parts)))
        case Vector(items=items):
            return replace(t, items=tuple(map(go, items)))
        case Sum(low=low, high=high, body=body):
            return replace(t, low=go(low), high=go(high), body=go(body))
    return t


def shadowed_relation(r: Relation, names: frozenset[str]) -> Relation:
    """The same for both sides of a relation."""
    return replace(r, left=shadowed(r.left, names), right=shadowed(r.right, names))

"""The trees that texts are read into: plain frozen data, no mathematics.

`position` is the 0-based offset of the character that a node came from; it takes no part
in comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Number:
    """An exact rational p/q in lowest terms, p >= 0, q > 0."""

    p: int
    q: int = 1
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """pi, e, i or inf."""

    name: str
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A letter or a longer name."""

    name: str
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negative:
    """Unary minus, which binds below the power."""

    x: Tree
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """left op right, op one of + - * / ^."""

    op: str
    left: Tree
    right: Tree
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A known function of its arguments, by the plain grammar's small-letter name."""

    function: str
    args: tuple[Tree, ...]
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Index:
    """An indexed name: s[k], W[i,j]."""

    name: str
    indices: tuple[Tree, ...]
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Vector:
    """[1, 2]; a matrix is a vector of vectors."""

    items: tuple[Tree, ...]
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of body over index = low … high."""

    index: str
    low: Tree
    high: Tree
    body: Tree
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Relation:
    """left op right, op one of = != < <= > >=."""

    op: str
    left: Tree
    right: Tree
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Integer:
    """The assumption that a name is an integer."""

    name: str
    position: int = field(default=0, compare=False, repr=False)


Tree = Number | Constant | Name | Negative | Binary | Call | Index | Vector | Sum


def children(t: Tree) -> tuple[Tree, ...]:
    """The direct parts of a tree, in written order."""
    match t:
        case Negative(x=x):
            return (x,)
        case Binary(left=a, right=b):
            return (a, b)
        case Call(args=parts) | Index(indices=parts) | Vector(items=parts):
            return parts
        case Sum(low=low, high=high, body=body):
            return (low, high, body)
    return ()


def names(t: Tree) -> set[str]:
    """The free names of a tree, indexed ones included.

    >>> sorted(names(Sum("k", Number(0), Name("n"), Index("s", (Name("k"),)))))
    ['n', 's']
    """
    match t:
        case Name(name=name):
            return {name}
        case Index(name=name, indices=parts):
            return {name}.union(*map(names, parts))
        case Sum(index=index, low=low, high=high, body=body):
            return names(low) | names(high) | (names(body) - {index})
    return set().union(*map(names, children(t)))

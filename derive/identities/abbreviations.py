"""Abbreviations put in: p[i] by what it stands for, bound names renamed, nothing captured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count

from derive.text.tree import Binary, Call, Index, Name, Negative, Sum, Tree, Vector


@dataclass(frozen=True)
class Abbreviation:
    """name[parameters] = body."""

    name: str
    parameters: tuple[str, ...]
    body: Tree


class Expansion:
    """Puts abbreviations in; every copy of a body gets bound names of its own."""

    def __init__(self, known: Mapping[str, Abbreviation]) -> None:
        self.known, self.fresh = known, count()

    def expanded(self, t: Tree, by: Mapping[str, Tree] | None = None) -> Tree:
        """The tree with names replaced by trees, and abbreviations by their bodies."""
        by = by or {}

        def go(x: Tree) -> Tree:
            return self.expanded(x, by)

        match t:
            case Name(name=name):
                return by[name] if name in by else self._put(name, (), t)
            case Index(name=name, indices=parts):
                args = tuple(map(go, parts))
                return self._put(name, args, replace(t, indices=args))
            case Negative(x=x):
                return replace(t, x=go(x))
            case Binary(left=a, right=b):
                return replace(t, left=go(a), right=go(b))
            case Call(function=f, args=(first, *rest)):
                others = (self._variable(x, by) if f == "diff" else go(x) for x in rest)
                return replace(t, args=(go(first), *others))
            case Vector(items=items):
                return replace(t, items=tuple(map(go, items)))
            case Sum():
                return self._sum(t, by)
        return t

    def _variable(self, t: Tree, by: Mapping[str, Tree]) -> Tree:
        if isinstance(t, Index):
            return replace(t, indices=tuple(self.expanded(x, by) for x in t.indices))
        return t

    def _sum(self, t: Sum, by: Mapping[str, Tree]) -> Tree:
        new = f"{t.index.partition('~')[0]}~{next(self.fresh)}"
        low, high = self.expanded(t.low, by), self.expanded(t.high, by)
        inner = {**by, t.index: Name(new)}
        return Sum(new, low, high, self.expanded(t.body, inner), t.position)

    def _put(self, name: str, args: tuple[Tree, ...], otherwise: Tree) -> Tree:
        if name not in self.known:
            return otherwise
        known = self.known[name]
        if len(args) != len(known.parameters):
            raise ValueError(f"{name} has {len(known.parameters)} indices, not {len(args)}")
        return self.expanded(known.body, dict(zip(known.parameters, args, strict=True)))

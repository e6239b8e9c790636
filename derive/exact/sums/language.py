"""Which texts need the language of sums."""

from __future__ import annotations

from derive.text.tree import Call, Constant, Index, Name, Sum, Tree, children


def about_sums(t: Tree) -> bool:
    """Whether a text has a sum up to a letter, an index that is no number, a delta, a mask or a
    derivative.

    >>> from derive.text import parse
    >>> about_sums(parse("sum(k, 0, n-1, s[k])")), about_sums(parse("sum(k, 1, 3, k^2) + s[1]"))
    (True, False)
    """
    return _needed(t, frozenset())


def _needed(t: Tree, counted: frozenset[str]) -> bool:
    match t:
        case Call(function="delta" | "leq" | "diff"):
            return True
        case Index(indices=parts):
            return any(_open(part, counted) for part in parts)
        case Sum(index=index, low=low, high=high, body=body):
            if _open(low, counted) or _open(high, counted):
                return True
            return _needed(body, counted | {index})
    return any(_needed(part, counted) for part in children(t))


def _open(t: Tree, counted: frozenset[str]) -> bool:
    """Whether an index or a bound has a letter that no sum between numbers counts."""
    if isinstance(t, Name):
        return t.name not in counted
    return isinstance(t, Constant) or any(_open(part, counted) for part in children(t))

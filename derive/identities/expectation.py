"""Expectations of polynomials in independent random entries, for every size.

E is linear; entries of different families, and different entries of one family, are independent;
of one entry the mean and the mean square are known.  So E[x_a x_b] = mean^2 + [a = b] (square -
mean^2), and what isn't random goes outside.  E is written `mean[...]`; what is left after the rules
has no E in it, and the kernel takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from derive.identities.positivity import put
from derive.text.tree import Binary, Call, Index, Name, Negative, Number, Sum, Tree, children, names

ONE = Number(1)
MOST_POWER = 4


class NoExpectation(ValueError):
    """The rules give no value."""


@dataclass(frozen=True)
class Moments:
    """A family of independent random entries: the mean and the mean square of each."""

    name: str
    mean: Tree
    square: Tree


@dataclass(frozen=True)
class _Term:
    """factor * product of random entries, summed over ranges."""

    factor: Tree
    entries: tuple[Index, ...] = ()
    sums: tuple[Sum, ...] = ()


def without_expectation(t: Tree, families: Sequence[Moments]) -> Tree:
    """The tree with every mean[...] replaced by its value; raises NoExpectation.

    >>> from derive.text import parse, show
    >>> unit = Moments("q", Number(0), Number(1))
    >>> show(without_expectation(parse("mean[q[i]*q[j]]"), [unit]))
    'delta(i, j)'
    """
    known = {x.name: x for x in families}
    fresh = count()

    def go(x: Tree) -> Tree:
        match x:
            case Index(name="mean", indices=(inner,)):
                return _expected(go(inner), known, fresh)
            case Index() | Name() | Number():
                return x
            case Negative(x=y):
                return replace(x, x=go(y))
            case Binary(left=a, right=b):
                return replace(x, left=go(a), right=go(b))
            case Call(args=args):
                return replace(x, args=tuple(map(go, args)))
            case Sum(body=body):
                return replace(x, body=go(body))
        return x

    out = go(t)
    if _random(out, known):
        raise NoExpectation("a random entry outside of E")
    return out


def _random(t: Tree, known: dict[str, Moments]) -> bool:
    return bool(names(t) & set(known))


def _expected(t: Tree, known: dict[str, Moments], fresh: count[int]) -> Tree:
    total: Tree | None = None
    for term in _terms(t, known, fresh):
        value = term.factor
        for family in known.values():
            places = [x.indices for x in term.entries if x.name == family.name]
            moment = _moment(places, family)
            value = moment if value == ONE else value if moment == ONE else _times(value, moment)
        for s in reversed(term.sums):
            value = replace(s, body=value)
        total = value if total is None else Binary("+", total, value)
    return Number(0) if total is None else total


def _times(a: Tree, b: Tree) -> Tree:
    return Binary("*", a, b)


def _moment(places: Sequence[tuple[Tree, ...]], family: Moments) -> Tree:
    """E of a product of entries of one family, up to two of them."""
    if not places:
        return ONE
    if len(places) == 1:
        return family.mean
    if len(places) > 2:
        raise NoExpectation(f"more than two entries of {family.name} in one product")
    same: Tree = ONE
    for a, b in zip(*places, strict=True):
        delta = Call("delta", (a, b))
        same = delta if same == ONE else _times(same, delta)
    squared = _times(family.mean, family.mean)
    if family.mean == Number(0):
        return same if family.square == ONE else _times(same, family.square)
    return Binary("+", squared, _times(same, Binary("-", family.square, squared)))


def _terms(t: Tree, known: dict[str, Moments], fresh: count[int]) -> list[_Term]:  # noqa: C901
    """A tree multiplied out as far as randomness reaches."""
    if not _random(t, known):
        return [_Term(t)]
    match t:
        case Index(indices=places):
            if any(_random(x, known) for x in places):
                raise NoExpectation("a random index")
            return [_Term(ONE, (t,))]
        case Negative(x=x):
            return [replace(y, factor=Negative(y.factor)) for y in _terms(x, known, fresh)]
        case Binary(op="+" | "-" as op, left=a, right=b):
            return _terms(a, known, fresh) + _terms(b if op == "+" else Negative(b), known, fresh)
        case Binary(op="*", left=a, right=b):
            left, right = _terms(a, known, fresh), _terms(b, known, fresh)
            return [_both(x, y) for x in left for y in right]
        case Binary(op="/", left=a, right=b) if not _random(b, known):
            return [
                replace(x, factor=Binary("/", x.factor, b)) for x in _terms(a, known, fresh)
            ]  # fmt: skip
        case Binary(op="^", left=a, right=Number(p=p, q=1)) if 1 <= p <= MOST_POWER:
            out = _terms(a, known, fresh)
            for _ in range(p - 1):
                out = [_both(x, y) for x in out for y in _terms(a, known, fresh)]
            return out
        case Sum():
            return _sums(t, known, fresh)
    raise NoExpectation("a function of a random entry")


def _sums(t: Sum, known: dict[str, Moments], fresh: count[int]) -> list[_Term]:
    """Every copy of a sum has a running index of its own."""
    if _random(t.low, known) or _random(t.high, known):
        raise NoExpectation("a random bound")
    new = f"{t.index.partition('~')[0]}~e{next(fresh)}"
    body = put(t.body, t.index, Name(new))
    own = Sum(new, t.low, t.high, ONE)
    return [replace(x, sums=(own, *x.sums)) for x in _terms(body, known, fresh)]


def _both(a: _Term, b: _Term) -> _Term:
    factor = b.factor if a.factor == ONE else a.factor
    if a.factor != ONE and b.factor != ONE:
        factor = _times(a.factor, b.factor)
    return _Term(factor, a.entries + b.entries, a.sums + b.sums)


def has_expectation(t: Tree) -> bool:
    """Whether mean[...] occurs."""
    if isinstance(t, Index) and t.name == "mean":
        return True
    return any(map(has_expectation, children(t)))

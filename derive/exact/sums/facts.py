"""What is known: sizes, ranges of indices, permutations, inverse matrices, signs, equations."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

from derive.exact.sums.affine import (
    Affine,
    below,
    constant,
    is_bound,
    minus,
    names_of,
    order,
    plus,
    replaced,
    times,
    variable,
)
from derive.text.tree import Tree

DEPTH = 6  # facts that one conclusion may combine
PRODUCTS = 1  # of which so many, the first ones, may be products of two facts


@dataclass(frozen=True)
class Facts:
    """The assumptions of a statement about sums.

    `above` are expressions that are >= 0: n - 1 for a size, i and n - 1 - i for an index.
    `maps` are the sizes of permutations; `inverses` are (A, B, size) with sum_k A[.,k] B[k,.] = 1;
    `equations` replace their left side, a single sum or letter, by their right.
    """

    integers: frozenset[str] = frozenset()
    above: tuple[Affine, ...] = ()
    maps: tuple[tuple[str, Affine], ...] = ()
    inverses: tuple[tuple[str, str, Affine], ...] = ()
    positive: frozenset[str] = frozenset()
    equations: tuple[tuple[Tree, Tree], ...] = ()
    relations: tuple[tuple[Tree, str], ...] = ()  # (x, relation to 0), of letters
    recurrences: tuple[tuple[str, str, Tree, Tree], ...] = ()  # name, index, first, next
    proving: bool = False  # equations are hypotheses: a link that fails isn't refuted by numbers
    fixed: tuple[tuple[str, Affine], ...] = ()  # names that a case makes equal to others
    shown: tuple[str, ...] = field(default=(), compare=False)

    def and_above(self, x: Affine) -> Facts:
        """The same with one more expression that is >= 0; where it is then 0, a name is solved."""
        more = replace(self, above=(*self.above, x))
        return more._solved(x) if Order(more).nonnegative(minus(x)) else more

    def solved(self) -> Facts:
        """The same with names put in that an equation such as G = 1 fixes."""
        facts, known = self, 0
        while known < len(facts.above):
            x = facts.above[known]
            known += 1
            if x and minus(x) in facts.above:
                facts, before = facts._solved(x), facts
                known = 0 if facts is not before else known
        return facts

    def _solved(self, x: Affine) -> Facts:
        """x = 0 solved for a name, which is put in everywhere."""
        for base, c in x:
            if isinstance(base, str) and base != "1" and c in (1, -1):
                other = plus(x, variable(base), -c)
                if base in names_of(other):
                    continue
                by = {base: minus(other) if c == 1 else other}
                return replace(
                    self,
                    above=tuple(replaced(y, by) for y in self.above),
                    maps=tuple((f, replaced(y, by)) for f, y in self.maps),
                    inverses=tuple((f, g, replaced(y, by)) for f, g, y in self.inverses),
                    fixed=(*((v, replaced(y, by)) for v, y in self.fixed), *by.items()),
                )
        return self


class Order:
    """Proofs that an index expression is >= 0, by adding facts; incomplete, never wrong."""

    def __init__(self, facts: Facts) -> None:
        self.above = list(facts.above)
        self.size_of = dict(facts.maps)
        self.ranges: dict[str, tuple[Affine, Affine]] = {}
        self._known: dict[tuple[Affine, int], bool] = {}

    def range(self, name: str, low: Affine, high: Affine) -> None:
        """A running index and its range."""
        self.ranges[name] = (low, high)

    def assume(self, x: Affine) -> None:
        """One more fact x >= 0."""
        self.above.append(x)
        self._known.clear()

    def nonnegative(self, x: Affine, depth: int = DEPTH) -> bool:
        """Whether x >= 0 follows."""
        parts = dict(x)
        least = parts.pop("1", 0)
        if not parts:
            return least >= 0
        if not depth:
            return False
        if (x, depth) not in self._known:
            self._known[x, depth] = False  # a circle proves nothing
            self._known[x, depth] = any(
                self.nonnegative(plus(x, fact, -1), depth - 1)
                for base in sorted(parts, key=lambda b: (not _running(b), order(b)))
                for fact in (*self._about(base), *self._products(base, depth))
                if dict(fact).get(base, 0) * parts[base] > 0
            )
        return self._known[x, depth]

    def negative(self, x: Affine) -> bool:
        """Whether x < 0 follows."""
        return self.nonnegative(plus(constant(-1), x, -1))

    def _about(self, base: object) -> list[Affine]:
        facts = [f for f in self.above if base in dict(f)]
        if isinstance(base, str) and base in self.ranges:
            low, high = self.ranges[base]
            facts += [plus(variable(base), low, -1), below(variable(base), high)]
        if isinstance(base, tuple) and base[0] == "at" and base[1] in self.size_of:
            size = self.size_of[base[1]]  # a permutation keeps its range, and only that
            if self.nonnegative(base[2]) and self.nonnegative(below(base[2], size)):
                facts += [((base, 1),), below(((base, 1),), size)]
        if isinstance(base, tuple) and base[0] == "product":
            sides = [((b, 1),) for b in base[1:]]
            if all(self.nonnegative(side) for side in sides):
                facts.append(((base, 1),))
        return facts

    def _products(self, base: object, depth: int) -> list[Affine]:
        """What is >= 0 as a product of two factors that are: g (T - 1 - i) for i < T.

        Only the first step of a conclusion looks for them, for there are many.
        """
        if depth <= DEPTH - PRODUCTS or not (isinstance(base, tuple) and base[0] == "product"):
            return []
        a, b = base[1:]
        if not (isinstance(a, str) and isinstance(b, str)):
            return []
        return [
            times(x, y)
            for x, y in itertools.product(self._about(a), self._about(b))
            if _is_plain(x) and _is_plain(y)
        ]


def _is_plain(x: Affine) -> bool:
    """Whether an expression has no product or map in it."""
    return all(isinstance(base, str) for base, _ in x)


def _running(base: object) -> bool:
    return isinstance(base, str) and is_bound(base)

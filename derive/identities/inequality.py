"""Links a <= b, a < b: proved by the sign of a difference, refuted by exact numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from derive.identities.positivity import NONNEGATIVE, POSITIVE, Bound, Signs
from derive.text.tree import Binary, Number, Tree, names

if TYPE_CHECKING:
    from derive.exact.sums.facts import Facts
    from derive.exact.sums.instances import Instance

HELD = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "!=": (-1, 1), "=": (0,)}
EACH = 12  # attempts for each choice of sizes
TRIALS = 60  # points, in all, at which a link is tried
VALUES = [Fraction(*x) for x in ((1, 1), (2, 1), (0, 1), (-1, 1), (1, 2), (3, 1), (-3, 2), (1, 4))]
POOLS = (VALUES, VALUES, VALUES[:2], VALUES[1:4], VALUES[:1], VALUES[2:3])  # ties are met, too
POSITIVES = [x for x in VALUES if x > 0]


@dataclass(frozen=True)
class Numbers:
    """Sizes and exact numbers at which an order fails."""

    shown: tuple[str, ...]

    def text(self) -> str:
        """n = 2, s[0] = 1/2."""
        return ", ".join(self.shown)


@dataclass(frozen=True)
class Found:
    """What a refutation rests on."""

    counterexample: Numbers | None


@dataclass(frozen=True)
class Judgement:
    """The answer to a link that is no equation: what was decided, by which rules."""

    verdict: Literal["proved", "refuted", "undecided"]
    method: str
    evidence: Found | None = None
    reason: str = ""
    rules: tuple[str, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether the link holds."""
        return self.verdict == "proved"

    @property
    def different(self) -> bool:
        """Whether it is refuted."""
        return self.verdict == "refuted"


def judge(
    a: Tree, op: str, b: Tree, facts: Facts, bounds: Sequence[Bound], by: Tree | None = None
) -> Judgement:
    """Decide a op b; `by` is a form of the difference of which the sign can be read.

    Proved means: greater - smaller = `by` by the kernel, `by` is defined and >= 0 (> 0 for a
    strict order) by the rules of `positivity`, and no exact numbers that were tried contradict.
    """
    numbers = refutation(a, op, b, facts, bounds)
    if numbers is not None:
        return Judgement("refuted", "numbers", Found(numbers), f"fails at {numbers.text()}")
    signs = Signs(facts, bounds)
    gap = _gap(b, a) if op in ("<", "<=") else _gap(a, b)
    if by is None:
        by = gap
    elif not signs.equal(gap, by):
        return Judgement("undecided", "signs", reason="the difference is not the form given")
    if not signs.defined(by):
        return Judgement("undecided", "signs", reason="the difference may be undefined")
    signs.used.clear()
    found = signs.of(by)
    if found >= (POSITIVE if op in ("<", ">") else NONNEGATIVE):
        return Judgement("proved", "signs", rules=tuple(sorted(signs.used)))
    return Judgement("undecided", "signs", reason="no rule gives the sign of the difference")


def _gap(large: Tree, small: Tree) -> Tree:
    return large if small == Number(0) else Binary("-", large, small)


# numbers


def refutation(a: Tree, op: str, b: Tree, facts: Facts, bounds: Sequence[Bound]) -> Numbers | None:
    """Exact numbers that satisfy all assumptions and at which a op b certainly fails."""
    for shown, x, y in points(a, b, facts, bounds):
        found = _compared(x, y)
        if found is not None and found not in HELD[op]:
            return Numbers(tuple(shown))
    return None


def points(
    a: Tree, b: Tree, facts: Facts, bounds: Sequence[Bound]
) -> Iterator[tuple[list[str], Tree, Tree]]:
    """Both sides at small sizes and exact numbers that the assumptions allow."""
    from derive.exact.sums.instances import small

    read = names(a) | names(b)
    rng = random.Random(3)
    tried = 0
    for instance in small(facts, read, seed=5):
        for _ in range(EACH if facts.integers & read else TRIALS):
            point = _point(instance, (a, b), facts, bounds, rng)
            if point is not None:
                yield point
                tried += 1
            if tried >= TRIALS:
                return


def _point(
    instance: Instance,
    sides: tuple[Tree, Tree],
    facts: Facts,
    bounds: Sequence[Bound],
    rng: random.Random,
) -> tuple[list[str], Tree, Tree] | None:
    from derive.exact.budget import UndecidedError
    from derive.exact.sums.instances import cells, replaced

    known = [(x, op, Number(0)) for x, op in facts.relations]
    try:
        written = [instance.written(x) for x in sides]
        told = [
            (instance.written(x), op, y) for x, op, y in known
        ] + list(_bounds(instance, bounds))  # fmt: skip
        needs = {instance.written(x) for x in instance.fixed.values()}
    except (UndecidedError, KeyError):
        return None
    every = {
        c for t in (*written, *needs, *(x for r in told for x in (r[0], r[2]))) for c in cells(t)
    }
    pool = rng.choice(POOLS)
    by = {
        cell: rng.choice(POSITIVES if cell.name in facts.positive else pool)
        for cell in sorted(every, key=str)
    }

    def at(t: Tree) -> Tree:
        for cell, value in by.items():
            number: Tree = Number(abs(value.numerator), value.denominator)
            t = replaced(t, cell, number if value >= 0 else Binary("-", Number(0), number))
        return t

    for x, op, y in told:
        if _compared(at(x), at(y)) not in HELD[op]:
            return None
    for (name, _), tree in instance.fixed.items():
        if name in facts.positive and _compared(at(tree), Number(0)) != 1:
            return None
    shown = [f"{name} = {n}" for name, n in sorted(instance.integers.items())]
    shown += [f"{_text(cell)} = {value}" for cell, value in by.items()]
    for (name, place), tree in sorted(instance.fixed.items(), key=str):
        value = _rational(at(tree))
        if value is not None and not any(
            s.startswith(f"{name}[") and f"{list(place)}" in s for s in shown
        ):
            shown.append(f"{name}{list(place) if place else ''} = {value}")
    return shown, at(written[0]), at(written[1])


def _bounds(instance: Instance, bounds: Sequence[Bound]) -> Iterator[tuple[Tree, str, Tree]]:
    for bound in bounds:
        low, high = instance.index(bound.low, {}), instance.index(bound.high, {})
        without = None if bound.without is None else instance.index(bound.without, {})
        for k in range(low, high + 1):
            if k != without:
                left = instance.written(bound.relation.left, {bound.index: k})
                right = instance.written(bound.relation.right, {bound.index: k})
                yield left, bound.relation.op, right


def _text(cell: Tree) -> str:
    from derive.text.show import show

    return show(cell).replace(" ", "")


def _rational(t: Tree) -> Fraction | None:
    from derive.exact.dag import Dag, UndefinedValue
    from derive.exact.reading import evaluate

    try:
        number = evaluate(t, Dag()).number
    except (UndefinedValue, ValueError, ArithmeticError):
        return None
    return None if number is None else Fraction(*number)


def _compared(a: Tree, b: Tree) -> int | None:
    """-1, 0, 1 for two trees of numbers: zero by proof, the rest by balls."""
    from derive.errors import DeriveError
    from derive.exact.budget import UndecidedError
    from derive.exact.dag import Dag, UndefinedValue
    from derive.exact.reading import evaluate
    from derive.exact.sign import sign

    dag = Dag()
    try:
        gap = evaluate(Binary("-", a, b), dag)
        return sign(gap)
    except (DeriveError, UndefinedValue, UndecidedError, ArithmeticError, ValueError):
        return None


__all__ = ["Judgement", "Numbers", "judge", "points", "refutation"]

"""The kernel against itself: random pairs, equal by construction or changed by a fault.

    python -m tests.fuzz.kernel --seconds 10 --seed 0
    python -m tests.fuzz.kernel --pairs 20000

Balls of 3,000 bits are the arbiter; what a verdict calls different and they don't see is
looked at with 50,000.  One line is printed for each problem, then a summary; the exit code
is 1 if a verdict was wrong or the kernel failed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from derive.exact.assumptions import Assumption
from derive.exact.balls import Balls, disjoint
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.decide import decide
from derive.exact.points import holds, points
from derive.exact.verdict import Verdict
from derive.text import show
from derive.text.tree import Tree
from tests.fuzz.language import FREE_NAMES, POSITIVE_NAMES, expression, value
from tests.fuzz.rewriting import mutate, rewrite
from tests.fuzz.templates import TEMPLATES

ARBITER_BITS = (3000, 50_000)  # the second only for what was called different and isn't seen
PROBLEMS = ("wrong", "undecided", "unconfirmed", "faulty rule")
TRIVIAL = ("same expression", "two rational numbers")


@dataclass(frozen=True)
class Pair:
    """Two expressions, with what they must be if the arbiter doesn't object."""

    seed: str
    left: Tree
    right: Tree
    names: tuple[str, ...]
    expected: str  # "equal", or "different" where a fault was put in


@dataclass
class Result:
    """Counts of one run, and a line for each problem."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    slowest: tuple[int, str] = (0, "")  # microseconds, seed

    @property
    def summary(self) -> str:
        """All counts in one line."""
        c = self.counts
        judged = sum(c[x] for x in ("equal", "different", "undecided", "wrong", "unconfirmed"))
        share = 10000 * c["undecided"] // max(1, judged)
        return (
            f"{c['pairs']} pairs, {judged} not trivial: {c['equal']} equal, "
            f"{c['different']} different, {c['wrong']} wrong, {c['undecided']} undecided "
            f"({share // 100}.{share % 100:02d} %), {c['unconfirmed']} unconfirmed; "
            f"{c['crash']} crashes, "
            f"{c['faulty rule']} faulty rules; "
            f"slowest {self.slowest[0] // 1000} ms ({self.slowest[1]})"
        )


def make_pair(seed: str) -> Pair:
    """The pair that belongs to a seed: numbers or letters, rewritten, half of them mutated."""
    rng = Random(seed)
    names = (*POSITIVE_NAMES, *FREE_NAMES) if rng.randrange(2) else ()
    names = tuple(n for n in names if rng.randrange(3))
    if rng.randrange(3) == 0:
        left, right = rng.choice(TEMPLATES)(rng, names)
    else:
        wild = rng.randrange(4) == 0
        left = right = expression(rng, names, rng.choice((2, 2, 3)), wild)
    right = rewrite(rng, names, right, rng.randint(1, 4))
    if rng.randrange(3) == 0:
        left = rewrite(rng, names, left, 1)
    expected = rng.choice(("equal", "different"))
    if expected == "different":
        right = mutate(rng, names, right)
    return Pair(seed, left, right, names, expected)


def truth(a: Node, b: Node, places: Sequence[Mapping[str, Fraction]], bits: int) -> str:
    """What balls of many bits say: "different", "same so far", or "undefined"."""
    found = "undefined"
    for point in places:
        balls = Balls(bits, point)
        left, right = balls.value(a), balls.value(b)
        if left.is_finite() and right.is_finite():
            if disjoint(left, right):
                return "different"
            found = "same so far"
    return found


def places(
    pair: Pair, assumptions: list[Assumption], verdict: Verdict
) -> list[dict[str, Fraction]]:
    """Where the arbiter looks: points of its own, and the one that the verdict names."""
    own = list(points(pair.names, assumptions, 4, seed=7)) if pair.names else [{}]
    witness = verdict.evidence.witness if verdict.evidence else None
    if witness is None or not own:
        return own
    named = own[0] | dict(witness.point)
    return [*own, named] if all(holds(a, named) for a in assumptions) else own


def judge(pair: Pair, result: Result) -> None:
    """Decide one pair and count the outcome."""
    result.counts["pairs"] += 1
    f = Dag()
    assumptions = [Assumption(f.symbol(n), ">") for n in pair.names if n in POSITIVE_NAMES]
    try:
        a, b = value(pair.left, f), value(pair.right, f)
    except UndefinedValue:
        result.counts["undefined"] += 1
        return
    start = time.perf_counter_ns()
    try:
        verdict = decide(a, b, assumptions)
    except Exception as fault:  # noqa: BLE001  (a crash is what is looked for)
        result.counts["crash"] += 1
        result.problems.append(
            _line("crash", pair, f"{type(fault).__name__}: {fault}", "not asked")
        )
        return
    spent = (time.perf_counter_ns() - start) // 1000
    result.slowest = max(result.slowest, (spent, pair.seed))
    if verdict.method in TRIVIAL:
        result.counts["trivial"] += 1
        return
    where = places(pair, assumptions, verdict)
    for bits in ARBITER_BITS:
        actual = truth(a, b, where, bits)
        outcome = _outcome(pair.expected, verdict.verdict, actual)
        if outcome != "unconfirmed":
            break
    result.counts[outcome] += 1
    if outcome in PROBLEMS:
        result.problems.append(_line(outcome, pair, f"{verdict.verdict}: {verdict.reason}", actual))


def _outcome(expected: str, verdict: str, actual: str) -> str:
    if actual == "undefined":
        return "undefined"
    if expected == "equal" and actual == "different":
        return "faulty rule"  # of this test, not of the kernel
    if verdict == "undecided":
        # A fault that changes nothing, or less than 3,000 bits show, has no known truth.
        return "undecided" if (expected == "equal") == (actual != "different") else "no truth"
    if verdict == "equal":
        return "wrong" if actual == "different" else "equal"
    if actual == "different":
        return "different"
    return "wrong" if expected == "equal" else "unconfirmed"


def _line(outcome: str, pair: Pair, said: str, actual: str) -> str:
    assume = "".join(f' --assume "{n} > 0"' for n in pair.names if n in POSITIVE_NAMES)
    return (
        f"{outcome} (seed {pair.seed}; {said}; balls: {actual}): "
        f'derive equal{assume} -- "{show(pair.left)}" "{show(pair.right)}"'
    )


def run(seed: int, pairs: int | None = None, seconds: int | None = None) -> Result:
    """So many pairs, or as many as the seconds allow, all determined by the seed."""
    result = Result()
    end = None if seconds is None else time.monotonic() + seconds
    for k in _numbers(pairs):
        if end is not None and time.monotonic() > end:
            break
        judge(make_pair(f"{seed}:{k}"), result)
    return result


def _numbers(pairs: int | None) -> Iterator[int]:
    k = 0
    while pairs is None or k < pairs:
        yield k
        k += 1


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--only", metavar="SEED:K", help="one pair, printed")
    options = parser.parse_args()
    if options.only:
        result = Result()
        pair = make_pair(options.only)
        print(show(pair.left), "|", show(pair.right), "|", *pair.names)
        judge(pair, result)
    else:
        pairs = options.pairs or (None if options.seconds else 1000)
        result = run(options.seed, pairs, options.seconds)
    for line in result.problems:
        print(line)
    print(result.summary)
    return 1 if result.counts["wrong"] or result.counts["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())

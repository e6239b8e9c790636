"""The order of proofs, from cheap to dear.

same expression    one node after hash-consing
ball               disjoint enclosures, at an exact point for functions
normal form        the difference is 0 in K: equal
cases              0 for each sign of a condition, a letter, or of what stands in |x|: equal
assumption         a multiple of something that is assumed to be 0: equal
unit, positive     the difference is a product of factors that can't vanish: different
algebraic bound    root separation, for algebraic numbers
ball               again, with many more bits
Lindemann-Weierstrass   not 0 in K, and all exponents are algebraic: different
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from derive.exact.algebraic import is_zero as algebraic_zero
from derive.exact.assumptions import Assumption
from derive.exact.budget import Budget, RestartError, UndecidedError
from derive.exact.canonical import canonical
from derive.exact.cases import follows, simplest, solve, substitute, unknown_letters, vanishes
from derive.exact.certificates import independent, nonzero_factors
from derive.exact.dag import Node, UndefinedValue
from derive.exact.evidence import Evidence
from derive.exact.field import Poly
from derive.exact.points import compare_zero, reach, subject, symbols
from derive.exact.refute import refute
from derive.exact.signs import ContradictionError
from derive.exact.tower import Domain, Limits, SplitError, Tower
from derive.exact.verdict import Verdict

FIRST_BITS = 256
LAST_BITS = 1 << 14
RESTARTS = 60
LARGEST_POWER = 1 << 20  # of a variable, when smaller powers were not enough
FUNCTIONS = ("root", "exp", "sin", "cos", "log", "atan", "asin", "acos", "erf", "select")
MOST_CASES = 4  # conditions that may be open at once
MOST_SIZES = 2  # the same for letters, and for conditions x that can also be written with |x|
NO_THEOREM = "the normal form is not 0, but no theorem says that this means different"


def prove(a: Node, b: Node, assumptions: Sequence[Assumption], budget: Budget) -> Verdict:
    """Decide a = b for nodes of one Dag."""
    if a is b:
        return _verdict(
            "equal", "same expression", Evidence("equal", "same expression", a, b, assumptions)
        )
    if a.number is not None and b.number is not None:
        method = "two rational numbers"
        return _verdict("different", method, Evidence("different", method, a, b, assumptions))
    found = _by_balls(a, b, assumptions, FIRST_BITS)
    if found is not None:
        return found
    claim = a, b, tuple(assumptions)
    a, b, assumptions = canonical(a, b, assumptions)
    verdict = _Proof(a, b, assumptions, budget).verdict()
    if verdict.verdict == "undecided" and verdict.method != "not defined":
        verdict = _late(a, b, assumptions) or verdict
    if not isinstance(verdict.evidence, Evidence):
        return verdict
    return replace(verdict, evidence=replace(verdict.evidence, claim=claim))


def _verdict(answer: str, method: str, evidence: Evidence, reason: str = "") -> Verdict:
    return Verdict(answer, method, evidence, reason)  # type: ignore[arg-type]


def _undecided(method: str, reason: str) -> Verdict:
    return Verdict("undecided", method, reason=reason)


def _by_balls(a: Node, b: Node, assumptions: Sequence[Assumption], bits: int) -> Verdict | None:
    witness = refute(a, b, assumptions, bits)
    if witness is None:
        return None
    evidence = Evidence("different", "ball", a, b, assumptions, witness=witness)
    where = ", ".join(f"{name} = {value}" for name, value in witness.point)
    reason = f"the two sides lie apart{' at ' + where if where else ''} ({witness.bits} bits)"
    return _verdict("different", "ball", evidence, reason)


def _late(a: Node, b: Node, assumptions: Sequence[Assumption]) -> Verdict | None:
    """What is tried when the tower gave no answer."""
    if not symbols(a, b):
        try:
            zero = algebraic_zero(a - b)
        except UndefinedValue:
            return None
        if zero is not None:
            answer = "equal" if zero else "different"
            return _verdict(
                answer, "algebraic bound", Evidence(answer, "algebraic bound", a, b, assumptions)
            )
    return _by_balls(a, b, assumptions, LAST_BITS)


class _Proof:
    """A proof in the tower; depth counts the conditions that were split."""

    def __init__(
        self,
        a: Node,
        b: Node,
        assumptions: Sequence[Assumption],
        budget: Budget,
        depth: int = 0,
    ) -> None:
        self.a, self.b, self.assumptions = a, b, assumptions
        self.budget, self.depth = budget, depth

    def verdict(self) -> Verdict:
        if self.a is self.b:
            return self._say("equal", "same expression")
        try:
            return self._by_substitution() or self._by_tower()
        except SplitError as split:
            return self._by_cases(simplest([*split.tower.sized, split.node]))
        except ContradictionError:
            if self.depth:
                return Verdict("equal", "no such case")
            return _undecided("assumptions", "the assumptions exclude each other")
        except UndefinedValue as why:
            return _undecided("not defined", f"a side is not defined: {why}")
        except UndecidedError as why:
            return _undecided("normal form", str(why))

    def _say(self, answer: str, method: str, **evidence: object) -> Verdict:
        return _verdict(
            answer,
            method,
            Evidence(answer, method, self.a, self.b, self.assumptions, **evidence),  # type: ignore[arg-type]
        )

    def _by_tower(self) -> Verdict:
        nodes = reach(self.a, self.b)
        domain = Domain(symbols(self.a, self.b), self.assumptions)
        limits = Limits(_room(nodes, len(domain.names)))
        for _ in range(RESTARTS):
            try:
                tower = Tower(domain, limits, self.budget)
                x, y = tower.element(self.a), tower.element(self.b)
                difference = tower.ground.field.difference(x, y)
                if difference.is_zero():
                    return self._say("equal", "normal form", tower=tower)
                if not tower.exponentials.loosened or limits.far >= LARGEST_POWER:
                    return self._not_zero(tower, difference)
                limits = Limits(limits.room, far=LARGEST_POWER)
            except RestartError as why:
                if str(why) == "room":
                    roots, others = limits.room
                    limits.room = (roots + max(4, roots // 2), others + max(8, others // 2))
        raise UndecidedError("too many refinements of the exponents")

    def _not_zero(self, tower: Tower, difference: Poly) -> Verdict:
        if vanishes(tower, difference):
            return self._say("equal", "cases", tower=tower, numerator=difference)
        if follows(tower, difference):
            return self._say("equal", "assumption", tower=tower, numerator=difference)
        if self.depth == 0:
            verdict = self._differ(tower, difference)
            if verdict is not None:
                return verdict
        if self.depth < MOST_SIZES:
            open_ = tower.sized or unknown_letters(tower, reach(self.a, self.b))
            if open_:
                return self._by_cases(simplest(open_))
        return _undecided("normal form", NO_THEOREM)

    def _differ(self, tower: Tower, difference: Poly) -> Verdict | None:
        """Proofs that what isn't 0 in K is different, and the late attempts."""
        factors = nonzero_factors(tower, difference)
        if factors:
            method = "unit" if all(why == "unit" for _, why in factors) else "positive"
            return self._say(
                "different", method, tower=tower, numerator=difference, factors=factors
            )
        late = _late(self.a, self.b, self.assumptions)
        if late is not None and isinstance(late.evidence, Evidence):
            return replace(late, evidence=replace(late.evidence, tower=tower))
        if independent(tower):
            method = "Lindemann-Weierstrass"
            return self._say("different", method, tower=tower, numerator=difference)
        return None

    def _by_substitution(self) -> Verdict | None:
        """An assumption "= 0" that is solved for a letter, which then occurs no more."""
        for x in (subject(a) for a in self.assumptions if a.relation == "="):
            if self.depth < MOST_CASES and solve(x) is not None:
                case = self._case("=", x)
                verdict = None if case is None else case.verdict()
                if verdict is not None and verdict.equal and verdict.evidence is not None:
                    return self._say("equal", "cases", cases=[("=", x, verdict.evidence)])
        return None

    def _by_cases(self, x: Node) -> Verdict:
        """Equal when equal for each sign of the condition x."""
        if self.depth == MOST_CASES:
            return _undecided("cases", "too many conditions")
        done: list[tuple[str, Node, Evidence]] = []
        for relation, node in ((">", x), (">", -x), ("=", x)):
            case = self._case(relation, node)
            if case is None:
                continue  # a side has no value there
            verdict = case.verdict()
            if not verdict.equal:
                return _undecided("cases", f"one of the cases: {verdict.reason or verdict.method}")
            if isinstance(verdict.evidence, Evidence):
                done.append((relation, node, verdict.evidence))
        return self._say("equal", "cases", cases=done)

    def _case(self, relation: str, node: Node) -> _Proof | None:
        given = (*self.assumptions, Assumption(node, relation))
        a, b = self.a, self.b
        solved = solve(node) if relation == "=" else None
        if solved is not None:
            try:
                a, b, *rest = substitute(solved, [a, b, *map(subject, self.assumptions)])
                given = tuple(
                    Assumption(n, old.relation)
                    for n, old in zip(rest, self.assumptions, strict=True)
                    if not _holds(n, old.relation)
                )
            except (UndefinedValue, ContradictionError):
                return None
        return _Proof(a, b, given, self.budget, self.depth + 1)


def _holds(node: Node, relation: str) -> bool:
    """The assumption is about a number and true; raises ContradictionError where it is false."""
    if node.number is None:
        return False
    if not compare_zero(Fraction(*node.number), relation):
        raise ContradictionError
    return True


def _room(nodes: Sequence[Node], names: int) -> tuple[int, int]:
    """A first guess at the number of variables."""
    count = {op: 0 for op in FUNCTIONS}
    for x in nodes:
        if x.op in count:
            count[x.op] += 1
    roots = 2 + min(count["root"] + count["select"], 8)
    waves = max(count["sin"], count["cos"])
    logs = count["log"] + count["atan"] + count["asin"] + count["acos"]
    return roots, names + 2 + min(count["exp"] + waves, 24) + logs + min(count["erf"], 8)

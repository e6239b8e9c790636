"""The proof of an identity: every link and every twin decided by the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from derive.identities.abbreviations import Abbreviation, Expansion
from derive.identities.identity import Identity, Recurrence, Step, Twin
from derive.identities.positivity import RULES, Bound
from derive.identities.positivity import put as _put
from derive.text.parser import parse, parse_assumption
from derive.text.show import show
from derive.text.tree import (
    Binary,
    Constant,
    Index,
    Integer,
    Name,
    Negative,
    Number,
    Relation,
    Tree,
)

if TYPE_CHECKING:
    from derive.exact.sums.facts import Facts
    from derive.exact.verdict import Verdict
    from derive.identities.inequality import Judgement

Answer = Literal["proved", "refuted", "undecided"]
RENAMED = re.compile(r"~\d+")  # what the expansion adds to a bound name
INFINITE = Constant("inf")
POINTS: dict[str, Literal["inf", "-inf", "0+"]] = {"inf": "inf", "-inf": "-inf", "0": "0+"}
NORMAL_FORM = "both sides have the same normal form"


@dataclass(frozen=True)
class Link:
    """One link of a chain: the expression it leads to, why, and the kernel's verdict."""

    to: Tree
    reason: str
    verdict: Verdict | Judgement
    relation: str = "="


@dataclass(frozen=True)
class Chain:
    """A part of a proof: where it starts, and its links; the title is empty for a whole proof."""

    title: str
    start: Tree
    links: tuple[Link, ...]

    @property
    def complete(self) -> bool:
        """Whether every link is proved."""
        return all(link.verdict.equal for link in self.links)

    @property
    def relation(self) -> str:
        """What all links together say of the first and the last expression; empty: nothing."""
        found = "="
        for link in self.links:
            found = _joined(found, link.relation)
        return found


@dataclass(frozen=True)
class Refuted:
    """A twin and the kernel's verdict on it."""

    twin: Twin
    statement: Relation
    verdict: Verdict | Judgement


@dataclass(frozen=True)
class Proof:
    """An identity with all verdicts."""

    identity: Identity
    statement: Relation
    where: tuple[Relation, ...]
    assumptions: tuple[str, ...]
    chains: tuple[Chain, ...]
    twins: tuple[Refuted, ...]
    verdict: Answer


def prove(identity: Identity) -> Proof:
    """Decide every link of an identity, and every twin.

    >>> from derive.identities import named
    >>> prove(*named(["softmax-shift"])).verdict
    'proved'
    """
    return _Prover(identity).proof()


class _Prover:
    def __init__(self, identity: Identity) -> None:
        from derive.exact.sums.shadow import shadowing

        self.identity = identity
        statement = _relation(identity.statement)
        where = [_relation(text) for text in identity.where]
        given = [part for text in identity.given for part in parse_assumption(text)]
        trees = [side for r in (statement, *where) for side in (r.left, r.right)]
        trees += [side for r in given if isinstance(r, Relation) for side in (r.left, r.right)]
        trees += [parse(step.to) for step in self._all_steps()]
        for twin in identity.twins:
            trees += [_relation(twin.statement).left, _relation(twin.statement).right]
        ordered = any(isinstance(r, Relation) and _orders_i(r) for r in given)
        self.shadows = shadowing(trees) | ({"i"} if ordered else set())
        self.statement = self.relation(identity.statement)
        self.where = tuple(map(self.relation, identity.where))
        known = {}
        for r in self.where:
            parameters = r.left.indices if isinstance(r.left, Index) else ()
            if not isinstance(r.left, Name | Index):
                raise ValueError(f"{identity.name}: an abbreviation needs a name on its left")
            names = tuple(p.name for p in parameters if isinstance(p, Name))
            known[r.left.name] = Abbreviation(r.left.name, names, r.right)
        self.expansion = Expansion(known)
        self.bounds = tuple(self._bound(text) for text in identity.every)
        self.value: Tree | None = None  # the limit, once it is known

    def _all_steps(self) -> Iterable[Step]:
        induction = self.identity.induction
        return (
            *self.identity.steps,
            *(() if induction is None else (*induction.base, *induction.step)),
        )

    def tree(self, text: str) -> Tree:
        """An expression, its indices told apart from constants."""
        from derive.exact.sums.shadow import shadowed

        return shadowed(parse(text), self.shadows)

    def relation(self, text: str) -> Relation:
        """A statement, likewise."""
        from derive.exact.sums.shadow import shadowed_relation

        return shadowed_relation(_relation(text), self.shadows)

    def facts(self, trees: Sequence[Tree], given: Sequence[str]) -> tuple[list[Tree], Facts]:
        """Expanded trees and what is known of their letters."""
        from derive.exact.sums.prove import statement
        from derive.exact.sums.shadow import shadowed_relation

        told: list[Relation | Integer] = []
        for part in (p for text in given for p in parse_assumption(text)):
            if isinstance(part, Relation):
                part = shadowed_relation(part, self.shadows)
                go = self.expansion.expanded
                part = replace(part, left=go(part.left), right=go(part.right))
            told.append(part)
        expanded = [self.expansion.expanded(t) for t in trees]
        known = self._statement()
        out, facts = statement(
            [*expanded, *known], told, self.identity.permutations, self.identity.inverses
        )
        recurrences = tuple(map(self._recurrence, self.identity.recurrences))
        shown = tuple(RENAMED.sub("", text) for text in facts.shown)
        return out[: len(trees)], replace(facts, recurrences=recurrences, shown=shown)

    def _recurrence(self, r: Recurrence) -> tuple[str, str, Tree, Tree]:
        def go(text: str) -> Tree:
            return self.expansion.expanded(self.tree(text))

        return r.name, r.index, go(r.first), go(r.next)

    def decide(
        self, a: Tree, b: Tree, given: Sequence[str], using: Sequence[tuple[Tree, Tree]] = ()
    ) -> Verdict:
        """One = of a chain."""
        from derive.exact.sums.prove import decide_trees
        from derive.exact.verdict import Verdict
        from derive.identities.expectation import NoExpectation

        pairs = [side for pair in using for side in pair]
        if self.identity.random:
            try:
                a, b = self._mean(a), self._mean(b)
            except NoExpectation as why:
                return Verdict("undecided", "expectation", reason=str(why))
        trees, facts = self.facts([a, b, *pairs], given)
        equations = tuple(zip(trees[2::2], trees[3::2], strict=True))
        if equations:
            facts = replace(facts, equations=(*facts.equations, *equations), proving=True)
        return decide_trees(trees[0], trees[1], facts)

    def _statement(self) -> list[Tree]:
        """Both sides as far as the kernel reads them: their bounds tell which letters are sizes."""
        from derive.identities.expectation import NoExpectation

        sides = [
            side
            for side in (self.statement.left, self.statement.right)
            if side not in (INFINITE, Negative(INFINITE))
        ]
        if not self.identity.random:
            return [self.expansion.expanded(side) for side in sides]
        try:
            return [self._mean(side) for side in sides]
        except NoExpectation:
            return []

    def _mean(self, t: Tree) -> Tree:
        """Every E[…] by the moments of its entries."""
        from derive.identities.expectation import Moments, without_expectation

        families = [
            Moments(x.name, self.tree(x.mean), self.tree(x.square)) for x in self.identity.random
        ]
        return without_expectation(self.expansion.expanded(t), families)

    def _bound(self, text: str) -> Bound:
        """0 <= k < n, k != a: relation."""
        range_, _, claim = text.partition(":")
        between, _, other = range_.partition(",")
        low, high = parse_assumption(between)
        relation = self.relation(claim)
        go = self.expansion.expanded
        assert isinstance(low, Relation) and isinstance(high, Relation)
        assert isinstance(high.left, Name)
        last = high.right if high.op == "<=" else Binary("-", high.right, Number(1))
        relation = replace(relation, left=go(relation.left), right=go(relation.right))
        without = self.relation(other).right if other else None
        return Bound(high.left.name, low.left, last, relation, without)

    def _known(self, trees: Sequence[Tree], given: Sequence[str]) -> tuple[list[Tree], Facts]:
        """Expanded trees, the letters of the bounds told as well."""
        told = [side for b in self.bounds for side in (b.gap,)]
        out, facts = self.facts([*trees, *told], given)
        return out[: len(trees)], facts

    def judge(
        self, a: Tree, op: str, b: Tree, given: Sequence[str], by: str = "", rule: str = ""
    ) -> Judgement:
        """One link that is no equation."""
        from derive.identities.inequality import Judgement, judge

        if op == "->":
            return self._goes(a, b, given)
        form = [self.tree(by)] if by else []
        (x, y, *forms), facts = self._known([a, b, *form], given)
        found = judge(x, op, y, facts, self.bounds, *forms)
        if found.equal and rule and rule not in found.rules:
            return Judgement("undecided", "signs", reason=f"the rule {rule} isn't what proves it")
        return found

    def _goes(self, a: Tree, b: Tree, given: Sequence[str]) -> Judgement:
        """a -> b: the limit of a by the rules, compared with b by the kernel."""
        from derive.identities.inequality import Judgement
        from derive.identities.limits import limit_of
        from derive.identities.positivity import Signs

        letter, _, end = self.identity.limit.replace(" ", "").partition("->")
        (x, y), facts = self._known([a, b], given)
        value = limit_of(x, letter, POINTS[end], Signs(facts, self.bounds))
        if value is None:
            return Judgement("undecided", "limits", reason="no rule gives the limit")
        return self._compared(value, y, facts)

    def _compared(self, value: Tree, claimed: Tree, facts: Facts) -> Judgement:
        """A limit beside what is claimed of it."""
        from derive.exact.sums.prove import decide_trees
        from derive.identities.inequality import Found, Judgement, Numbers, refutation

        if value == claimed:
            return Judgement("proved", "limits", rules=("limit",))
        ends = (INFINITE, Negative(INFINITE))
        if value in ends or claimed in ends:
            why = Numbers((f"the limit is {show(value)}",))
            return Judgement("refuted", "limits", Found(why))
        verdict = decide_trees(value, claimed, replace(facts, proving=True))
        if verdict.equal:
            return Judgement("proved", "limits", rules=("limit",))
        numbers = refutation(value, "=", claimed, facts, self.bounds)
        if numbers is None:
            return Judgement("undecided", "limits", reason=f"the limit is {show(value)}")
        told = Numbers((*numbers.shown, f"where the limit is {RENAMED.sub('', show(value))}"))
        return Judgement("refuted", "limits", Found(told))

    def proof(self) -> Proof:
        identity = self.identity
        chains = self._chains()
        _, facts = self._known([], identity.given)
        shown = (*facts.shown, *map(_said, identity.every))
        twins = tuple(map(self._twin, identity.twins))
        return Proof(
            identity, self.statement, self.where, shown, chains, twins, self._answer(chains)
        )

    def _answer(self, chains: Sequence[Chain]) -> Answer:
        if self.statement.op == "!=":
            verdict = chains[0].links[0].verdict
            return "proved" if verdict.different else "refuted" if verdict.equal else "undecided"
        wanted = self.statement.op
        if all(c.complete and _implies(c.relation, wanted) for c in chains):
            return "proved"
        if wanted != "=":
            whole_ = self.judge(
                self.statement.left, wanted, self.statement.right, self.identity.given
            )
            return "refuted" if whole_.different else "undecided"
        whole = self.decide(self.statement.left, self.statement.right, self.identity.given)
        return "refuted" if whole.different else "undecided"

    def _twin(self, twin: Twin) -> Refuted:
        r = self.relation(twin.statement)
        given = self.identity.given if twin.given is None else twin.given
        if r.op == "->" and r.left == self.statement.left and self.value is not None:
            (value, claimed), facts = self._known([self.value, r.right], given)
            return Refuted(twin, r, self._compared(value, claimed, facts))
        if r.op in ("=", "!=") and not (self.bounds and r.op == "="):
            return Refuted(twin, r, self.decide(r.left, r.right, given))
        return Refuted(twin, r, self.judge(r.left, r.op, r.right, given))

    def _chains(self) -> tuple[Chain, ...]:
        left, right = self.statement.left, self.statement.right
        induction = self.identity.induction
        if induction is None:
            return (self._chain("", left, right, self.identity.steps),)
        letter = induction.letter
        first = self._at(letter, Number(0))
        after = Binary("+", Name(letter), Number(1))
        next_ = self._at(letter, after)
        base = [
            (Index(r.name, (Number(0),)), self.tree(r.first)) for r in self.identity.recurrences
        ]
        hypothesis = [(left, right)]
        rules = [
            (Index(r.name, (after,)), _put(self.tree(r.next), r.index, Name(letter)))
            for r in self.identity.recurrences
        ]
        given = (*self.identity.given, f"{letter} >= 0")
        title = f"from {letter} to {letter} + 1"
        return (
            self._chain(f"{letter} = 0", *first, induction.base, base),
            self._chain(title, *next_, induction.step, [*hypothesis, *rules], given),
        )

    def _at(self, letter: str, value: Tree) -> tuple[Tree, Tree]:
        left, right = self.statement.left, self.statement.right
        return _put(left, letter, value), _put(right, letter, value)

    def _chain(
        self,
        title: str,
        start: Tree,
        end: Tree,
        steps: Sequence[Step],
        using: Sequence[tuple[Tree, Tree]] = (),
        given: Sequence[str] | None = None,
    ) -> Chain:
        given = self.identity.given if given is None else given
        places = [(self.tree(step.to), step) for step in steps]
        if not places or places[-1][0] != end:
            reason = NORMAL_FORM if not places else "which is the right side"
            op = self.statement.op if not places else "="
            if op not in ("=", "!="):
                reason = "by the rules for limits" if op == "->" else "the difference has this sign"
            places.append((end, Step("", reason, "=" if op == "!=" else op)))
        links: list[Link] = []
        before = start
        for to, step in places:
            found: Verdict | Judgement
            if step.relation == "=":
                found = self.decide(before, to, given, using)
            elif step.rule and step.rule not in RULES:
                raise ValueError(f"{self.identity.name}: no rule is called {step.rule!r}")
            else:
                found = self.judge(before, step.relation, to, given, step.by, step.rule)
                if step.relation == "->" and found.equal:
                    self.value = to
            links.append(Link(to, step.reason, found, step.relation))
            before = to
        return Chain(title, start, tuple(links))


def _joined(a: str, b: str) -> str:
    """The relation of x and z where x a y and y b z."""
    if a == "=" or a == b:
        return b
    if b == "=":
        return a
    if a and b and a != "->" != b and a[0] == b[0]:
        return a[0]  # one of them is strict
    return ""


def _implies(found: str, wanted: str) -> bool:
    return found == wanted or (
        found in ("<", ">", "=")
        and wanted in (f"{found}=", "<=", ">=")
        and (found == "=" or wanted[0] == found)
    )


def _said(text: str) -> str:
    range_, _, claim = text.partition(":")
    return f"{claim.strip()} for {range_}"


def _relation(text: str) -> Relation:
    left, arrow, right = text.partition("->")
    if arrow:
        return Relation("->", parse(left), parse(right))
    part, *more = parse_assumption(text)
    if more or not isinstance(part, Relation):
        raise ValueError(f"{text}: one relation is needed")
    return part


def _orders_i(r: Relation) -> bool:
    """0 <= i says that i is an index: the imaginary unit is neither less nor more."""
    return r.op in ("<", "<=", ">", ">=") and Constant("i") in (r.left, r.right)

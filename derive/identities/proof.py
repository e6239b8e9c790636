"""The proof of an identity: every link and every twin decided by the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from derive.identities.abbreviations import Abbreviation, Expansion
from derive.identities.identity import Identity, Recurrence, Step, Twin
from derive.text.parser import parse, parse_assumption
from derive.text.tree import Binary, Constant, Index, Integer, Name, Number, Relation, Tree

if TYPE_CHECKING:
    from derive.exact.sums.facts import Facts
    from derive.exact.verdict import Verdict

Answer = Literal["proved", "refuted", "undecided"]
RENAMED = re.compile(r"~\d+")  # what the expansion adds to a bound name
NORMAL_FORM = "both sides have the same normal form"


@dataclass(frozen=True)
class Link:
    """One = of a chain: the expression it leads to, why, and the kernel's verdict."""

    to: Tree
    reason: str
    verdict: Verdict


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


@dataclass(frozen=True)
class Refuted:
    """A twin and the kernel's verdict on it."""

    twin: Twin
    statement: Relation
    verdict: Verdict


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
        known = [
            self.expansion.expanded(side) for side in (self.statement.left, self.statement.right)
        ]
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
        """One link."""
        from derive.exact.sums.prove import decide_trees

        pairs = [side for pair in using for side in pair]
        trees, facts = self.facts([a, b, *pairs], given)
        equations = tuple(zip(trees[2::2], trees[3::2], strict=True))
        if equations:
            facts = replace(facts, equations=(*facts.equations, *equations), proving=True)
        return decide_trees(trees[0], trees[1], facts)

    def proof(self) -> Proof:
        identity = self.identity
        chains = self._chains()
        _, facts = self.facts([], identity.given)
        twins = tuple(map(self._twin, identity.twins))
        return Proof(
            identity, self.statement, self.where, facts.shown, chains, twins, self._answer(chains)
        )

    def _answer(self, chains: Sequence[Chain]) -> Answer:
        if self.statement.op == "!=":
            verdict = chains[0].links[0].verdict
            return "proved" if verdict.different else "refuted" if verdict.equal else "undecided"
        if all(chain.complete for chain in chains):
            return "proved"
        whole = self.decide(self.statement.left, self.statement.right, self.identity.given)
        return "refuted" if whole.different else "undecided"

    def _twin(self, twin: Twin) -> Refuted:
        r = self.relation(twin.statement)
        given = self.identity.given if twin.given is None else twin.given
        return Refuted(twin, r, self.decide(r.left, r.right, given))

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
        places = [(self.tree(step.to), step.reason) for step in steps]
        if not places or places[-1][0] != end:
            places.append((end, NORMAL_FORM if not places else "which is the right side"))
        links, before = [], start
        for to, reason in places:
            links.append(Link(to, reason, self.decide(before, to, given, using)))
            before = to
        return Chain(title, start, tuple(links))


def _relation(text: str) -> Relation:
    part, *more = parse_assumption(text)
    if more or not isinstance(part, Relation):
        raise ValueError(f"{text}: one relation is needed")
    return part


def _orders_i(r: Relation) -> bool:
    """0 <= i says that i is an index: the imaginary unit is neither less nor more."""
    return r.op in ("<", "<=", ">", ">=") and Constant("i") in (r.left, r.right)


def _put(t: Tree, name: str, by: Tree) -> Tree:
    """A free name replaced; bound names aren't renamed, so the printed form keeps them."""
    from derive.text.tree import Call, Negative, Sum

    def go(x: Tree) -> Tree:
        return _put(x, name, by)

    match t:
        case Name(name=found):
            return by if found == name else t
        case Negative(x=x):
            return replace(t, x=go(x))
        case Binary(left=a, right=b):
            return replace(t, left=go(a), right=go(b))
        case Index(indices=parts):
            return replace(t, indices=tuple(map(go, parts)))
        case Call(args=args):
            return replace(t, args=tuple(map(go, args)))
        case Sum(index=index, low=low, high=high, body=body):
            return replace(t, low=go(low), high=go(high), body=body if index == name else go(body))
    return t

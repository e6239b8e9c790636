"""Are two expressions with sums equal for every size?

equal      proved by the normal form, for all sizes and indices that the facts allow
different  one small instance at which the plain kernel tells the two sides apart
undecided  neither, and why
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from derive.errors import DeriveError
from derive.exact.budget import Budget, RestartError, UndecidedError
from derive.exact.refute import Witness
from derive.exact.sums.affine import (
    Affine,
    affine,
    constant,
    inverse,
    is_bound,
    minus,
    names_of,
    plus,
)
from derive.exact.sums.facts import Facts, Order
from derive.exact.sums.field import Element, Room
from derive.exact.sums.instances import Counterexample, counterexample
from derive.exact.sums.keys import Key
from derive.exact.sums.reading import Reader
from derive.exact.sums.shadow import shadowed, shadowed_relation, shadowing
from derive.exact.sums.zero import is_zero, zero_by_chains
from derive.exact.verdict import Verdict
from derive.text.parser import parse, parse_assumption
from derive.text.show import show
from derive.text.tree import (
    Binary,
    Call,
    Index,
    Integer,
    Name,
    Number,
    Relation,
    Sum,
    Tree,
    children,
    names,
)

WORK = 40_000_000
MOST_SPLITS = 4  # unknown orders that are decided one way and the other
RESTARTS = 20
FEW = 3  # values of an index that are tried one by one


@dataclass(frozen=True)
class SumEvidence:
    """What was proved or refuted; the independent checker doesn't replay proofs about sums."""

    kind: str
    method: str
    left: Tree
    right: Tree
    assumptions: tuple[str, ...]
    counterexample: Counterexample | None = None
    generators: int = 0
    tower: None = None

    @property
    def witness(self) -> Witness | None:
        """The point and the two enclosures of a counterexample."""
        return None if self.counterexample is None else self.counterexample.witness

    def data(self) -> dict[str, object]:
        """As plain data; `replayed` says whether the checker can repeat it."""
        found = self.counterexample
        return {
            "kind": self.kind,
            "method": self.method,
            "left": show(self.left),
            "right": show(self.right),
            "assumptions": list(self.assumptions),
            "counterexample": None if found is None else found.text(),
            "generators": self.generators,
            "replayed": False,
        }


def decide_trees(a: Tree, b: Tree, facts: Facts) -> Verdict:
    """Decide a = b wherever both are defined, for all sizes that the facts allow.

    >>> (a, b), facts = statement([parse("sum(k, 0, n-1, k)"), parse("n*(n-1)/2")])
    >>> decide_trees(a, b, facts).verdict
    'equal'
    """
    proof = _proved(a, b, facts, MOST_SPLITS)
    if proof.verdict == "equal" or facts.proving:
        return proof
    read = names(a) | names(b)
    try:
        found = counterexample(a, b, facts, read)
    except (UndecidedError, DeriveError) as why:
        return replace(proof, reason=f"{proof.reason}; no small sizes: {why}")
    if found is None:
        return proof
    evidence = SumEvidence("different", "small sizes", a, b, facts.shown, found)
    reason = f"the two sides lie apart at {found.text()}" if found.text() else "they lie apart"
    return Verdict("different", "small sizes", evidence, reason)


def _proved(a: Tree, b: Tree, facts: Facts, splits: int) -> Verdict:
    """Equal or undecided."""
    facts = facts.solved()
    room, budget = Room(), Budget(work=WORK)
    reason = "the normal form is not 0"
    questions: list[Affine] = []
    for _ in range(RESTARTS):
        field = Reader(facts, room, budget)
        try:
            method = _method(field, a, b)
            if method:
                return _equal(method, a, b, facts, len(field.key))
            questions = field.open_questions
            break
        except RestartError as why:
            if str(why) == "room":
                try:
                    room.grow()
                except UndecidedError as too_many:
                    reason = str(too_many)
                    break
        except (UndecidedError, RecursionError) as why:
            reason, questions = str(why), field.open_questions
            break
    if _both_orders(a, b, facts, _open(field, questions) or _few(facts), splits):
        return _equal("both orders", a, b, facts, 0)
    if splits == MOST_SPLITS and not facts.equations and _by_induction(a, b, facts):
        return _equal("induction", a, b, facts, 0)
    return Verdict("undecided", "normal form of sums", reason=reason)


def _both_orders(a: Tree, b: Tree, facts: Facts, question: Affine | None, splits: int) -> bool:
    """Whether a = b in each of the two cases of an order that isn't known."""
    if question is None or not splits:
        return False
    cases = (question, plus(constant(-1), question, -1))
    return all(_proved(a, b, facts.and_above(case), splits - 1).equal for case in cases)


def _by_induction(a: Tree, b: Tree, facts: Facts) -> bool:
    """a - b is 0 at the least value of a size, and the same for the next: 0 for all.

    Only where both sides are defined for every size, or the chain could break.
    """
    if not (_everywhere(a, facts) and _everywhere(b, facts)):
        return False
    for name in sorted(names(a) | names(b)):
        about = [x for x in facts.above if name in names_of(x)]
        if name not in facts.integers or len(about) != 1 or names_of(about[0]) != {name}:
            continue
        parts = dict(about[0])
        if parts[name] == 1 and not any(name in names_of(x) for _, x in facts.maps):
            least = constant(-parts.get("1", 0))
            if _vanishes(a, b, facts, name, least) and _constant(a, b, facts, name):
                return True
    return False


def _vanishes(a: Tree, b: Tree, facts: Facts, name: str, value: Affine) -> bool:
    """Whether a = b at one value of a size."""
    above = tuple(x for x in facts.above if name not in names_of(x))
    at = replace(facts, above=above, fixed=(*facts.fixed, (name, value)))
    return _zero(at, [(a, b, 1, dict(at.fixed))])


def _constant(a: Tree, b: Tree, facts: Facts, name: str) -> bool:
    """Whether a - b is the same for a size and the next."""
    fixed = dict(facts.fixed)
    after = {**fixed, name: plus(affine({name: 1}), constant(1))}
    return _zero(facts, [(a, b, 1, after), (a, b, -1, fixed)])


def _zero(facts: Facts, parts: Sequence[tuple[Tree, Tree, int, dict[str, Affine]]]) -> bool:
    """Whether a sum of differences vanishes."""
    room, budget = Room(), Budget(work=WORK)
    for _ in range(RESTARTS):
        field = Reader(facts, room, budget)
        try:
            x = field.total(
                field.mul(field.number(sign), field.sub(field.element(a, by), field.element(b, by)))
                for a, b, sign, by in parts
            )
            return is_zero(field, x)
        except RestartError as why:
            if str(why) == "room":
                try:
                    room.grow()
                except UndecidedError:
                    return False
        except (UndecidedError, RecursionError):
            return False
    return False


def _everywhere(t: Tree, facts: Facts) -> bool:
    """Whether a tree has a value for every size: no divisor, logarithm or doubtful power."""
    if isinstance(t, Binary) and t.op == "/" and not isinstance(t.right, Number):
        return False
    if isinstance(t, Binary) and t.op == "^":
        base = t.left
        safe = isinstance(t.right, Number) or (
            (isinstance(base, Number) and base.p > 0)
            or (isinstance(base, Name) and base.name in facts.positive)
        )
        if not safe:
            return False
    if isinstance(t, Call) and t.function not in ("exp", "sin", "cos", "erf", "leq", "delta"):
        return False
    return all(_everywhere(part, facts) for part in children(t))


def _method(field: Reader, a: Tree, b: Tree) -> str:
    """The method that proves a = b, or nothing."""
    for left, right in field.facts.equations:
        key, factor, rest = _solved(field, left)
        value = field.sub(field.element(right, dict(field.facts.fixed)), rest)
        field.given[key] = field.over(value, factor)
    fixed = dict(field.facts.fixed)
    x = field.sub(field.element(a, fixed), field.element(b, fixed))
    if is_zero(field, x):
        return "normal form of sums"
    try:
        return "chains" if zero_by_chains(field, x) else ""
    except UndecidedError:
        return ""


def _solved(field: Reader, left: Tree) -> tuple[Key, Element, Element]:
    """A side c*g + r as (key of the generator g, c, r)."""
    num, den = field.element(left, dict(field.facts.fixed))
    degrees = num.degrees()
    used = [j for j in range(field.count) if degrees[j] > 0]
    linear = [j for j in used if degrees[j] == 1 and field.key[j][0] in ("sum", "letter", "family")]
    if not linear or not den.is_constant():
        raise UndecidedError("an equation that can't be solved for a sum or a letter")
    j = min(linear, key=lambda j: (field.key[j][0] != "sum", j))
    slope = num.derivative(j)
    rest = num - slope * field.x[j]
    return field.key[j], field.quotient(slope, den), field.quotient(rest, den)


def _open(field: Reader, questions: Sequence[Affine]) -> Affine | None:
    """An order of sizes or free indices that was asked for and isn't known."""
    for a in questions:
        if a and not any(is_bound(v) for v in names_of(a)):
            if not field.order.nonnegative(a) and not field.order.negative(a):
                return a
    return None


def _few(facts: Facts) -> Affine | None:
    """x >= 1 + the least value of an index x with two or three values: 0 <= x < 2 is x = 0, 1."""
    order = Order(facts)
    for low in facts.above:
        named = [(base, c) for base, c in low if base != "1"]
        if len(named) == 1 and named[0][1] == 1 and isinstance(named[0][0], str):
            span, more = plus(constant(FEW - 1), low, -1), plus(low, constant(-1))
            open_ = not (order.nonnegative(more) or order.negative(more))
            if open_ and order.nonnegative(span):
                return more
    return None


def _equal(method: str, a: Tree, b: Tree, facts: Facts, generators: int) -> Verdict:
    evidence = SumEvidence("equal", method, a, b, facts.shown, None, generators)
    where = f"for {', '.join(facts.shown)}" if facts.shown else ""
    return Verdict("equal", method, evidence, where)


# what is assumed


def statement(
    trees: Sequence[Tree],
    assumptions: Iterable[str | Relation | Integer] = (),
    permutations: Iterable[tuple[str, str]] = (),
    inverses: Iterable[tuple[str, str, str]] = (),
) -> tuple[list[Tree], Facts]:
    """Trees with their letters told apart, and the facts that they and the assumptions give."""
    relations: list[Relation | Integer] = []
    for part in assumptions:
        relations += parse_assumption(part) if isinstance(part, str) else [part]
    sides = [side for r in relations if isinstance(r, Relation) for side in (r.left, r.right)]
    names_ = shadowing([*trees, *sides])
    out = [shadowed(t, names_) for t in trees]
    told = [shadowed_relation(r, names_) if isinstance(r, Relation) else r for r in relations]
    known = with_names(Facts(), out).integers
    return out, with_names(facts_of(told, permutations, inverses, known), out)


def decide_texts(
    a: str,
    b: str,
    assumptions: Iterable[str] = (),
    permutations: Iterable[tuple[str, str]] = (),
    inverses: Iterable[tuple[str, str, str]] = (),
) -> Verdict:
    """The same for texts.

    >>> decide_texts("sum(k, 0, n-1, leq(k, i)*x[k])", "sum(k, 0, i, x[k])", ["0 <= i < n"]).verdict
    'equal'
    """
    trees, facts = statement([parse(a), parse(b)], assumptions, permutations, inverses)
    return decide_trees(trees[0], trees[1], facts)


def facts_of(
    assumed: Iterable[Relation | Integer],
    permutations: Iterable[tuple[str, str]] = (),
    inverses: Iterable[tuple[str, str, str]] = (),
    integers: Iterable[str] = (),
) -> Facts:
    """Facts from relations: 0 <= i < n, m <= n, tau > 0, y[k] > 0 for a family y, an equation such
    as sum(k, 0, n-1, y[k]) = 1; permutations as (name, size), inverse matrices as (A, B, size).
    `integers` are names of sizes and indices."""
    maps = tuple((f, _index(parse(size))) for f, size in permutations)
    both = (*maps, *((inverse(f), size) for f, size in maps))
    pairs = tuple((a, b, _index(parse(size))) for a, b, size in inverses)
    facts = Facts(integers=frozenset(integers), maps=both, inverses=pairs)
    whole = set(integers).union(*(names_of(x) for _, x in maps), *(names_of(x[2]) for x in pairs))
    waiting = list(assumed)
    whole |= {part.name for part in waiting if isinstance(part, Integer)}
    relations = [part for part in waiting if isinstance(part, Relation)]
    for _ in relations:  # i < n says that i is whole where n is
        for part in relations:
            linked = names(part.left) | names(part.right)
            if linked & whole and _linear(part) and _families(part) <= whole | {f for f, _ in maps}:
                whole |= linked
    return with_relations(replace(facts, integers=frozenset(whole)), relations)


def with_relations(facts: Facts, relations: Sequence[Relation]) -> Facts:
    """The facts with relations, each to where it belongs."""
    for part in relations:
        facts = _with(facts, part)
    return facts


def _families(part: Relation) -> set[str]:
    """Names with indices: s[i] < s[j] says nothing of whole numbers, unless s is a map of them."""
    waiting, found = [part.left, part.right], set[str]()
    while waiting:
        t = waiting.pop()
        if isinstance(t, Index):
            found.add(t.name)
        waiting += children(t)
    return found


def _linear(part: Relation) -> bool:
    try:
        _index(part.left)
        _index(part.right)
    except UndecidedError:
        return False
    return True


def _index(t: Tree) -> Affine:
    return Reader(Facts(), Room(), Budget()).index(t, {})


def _with(facts: Facts, part: Relation) -> Facts:
    used = names(part.left) | names(part.right)
    shown = (*facts.shown, f"{show(part.left)} {part.op} {show(part.right)}")
    facts = replace(facts, shown=shown)
    if _linear(part) and part.op != "!=" and used and used <= facts.integers:
        a, b = _index(part.left), _index(part.right)
        if part.op in (">", ">="):
            a, b = b, a
        gap = plus(b, a, -1)
        strict = plus(gap, constant(-1)) if part.op in ("<", ">") else gap
        more = (strict, minus(gap)) if part.op == "=" else (strict,)
        return replace(facts, above=(*facts.above, *more), integers=facts.integers | used)
    if part.op == "=":
        return replace(facts, equations=(*facts.equations, (part.left, part.right)))
    left, right, op = part.left, part.right, part.op
    if op in ("<", "<="):
        left, right, op = right, left, {"<": ">", "<=": ">="}[op]
    if isinstance(left, Name | Index) and isinstance(right, Number):
        if op == ">" or (op == ">=" and right.p > 0):
            facts = replace(facts, positive=facts.positive | {left.name})
            if right.p == 0:
                return facts
    return replace(facts, relations=(*facts.relations, (Binary("-", left, right), op)))


def with_names(facts: Facts, trees: Iterable[Tree]) -> Facts:
    """The facts with the integers that the trees show: sizes in bounds (at least 1 where nothing
    else is said of them), indices, arguments of deltas and masks."""
    sizes: set[str] = set()
    indices: set[str] = set()
    trees = [*trees, *(side for pair in facts.equations for side in pair)]
    for tree in trees:
        _integers(tree, frozenset(), sizes, indices)
    sizes |= set().union(*(names_of(x) for _, x in facts.maps))
    sizes |= set().union(*(names_of(x) for _, _, x in facts.inverses))
    maps = {f for f, _ in facts.maps}
    whole = facts.integers | (sizes | indices) - maps
    order = Order(replace(facts, integers=whole))
    least = []
    for name in sorted(sizes - maps):
        told = any(name in names_of(x) and names_of(x) == {name} for x in facts.above)
        at_least_1 = order.nonnegative(affine({name: 1, "1": -1}))
        if not told and not at_least_1 and name not in indices - sizes:
            least.append(name)
    shown = (*(f"{name} >= 1" for name in least), *facts.shown)
    above = (*(affine({name: 1, "1": -1}) for name in least), *facts.above)
    return replace(facts, integers=frozenset(whole), above=above, shown=shown)


def _integers(t: Tree, bound: frozenset[str], sizes: set[str], indices: set[str]) -> None:
    """Collect the free names that stand in bounds, and those in indices."""
    match t:
        case Sum(index=index, low=low, high=high, body=body):
            sizes |= _plain_names(low) - bound | _plain_names(high) - bound
            _integers(body, bound | {index}, sizes, indices)
            return
        case Index(indices=parts):
            for part in parts:
                indices |= _plain_names(part) - bound
            return
        case Call(function="delta" | "leq", args=args):
            for part in args:
                indices |= _plain_names(part) - bound
            return
    for part in children(t):
        _integers(part, bound, sizes, indices)


def _plain_names(t: Tree) -> set[str]:
    """The names of an index expression, maps left out."""
    if isinstance(t, Name):
        return {t.name}
    parts = t.indices if isinstance(t, Index) else children(t)
    return set().union(*map(_plain_names, parts))


__all__ = ["SumEvidence", "decide_texts", "decide_trees", "facts_of", "statement", "with_names"]

"""Mark one answer: the model's cell is the key, the kernel the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from derive.answers.answer import Answer, Unreadable, read
from derive.answers.carried import carry
from derive.answers.cells import Region, asked_for
from derive.answers.deciding import decided
from derive.answers.explained import common, explained
from derive.answers.form import REASONS, has_form
from derive.answers.keys import Key
from derive.answers.policy import Policy
from derive.answers.reality import never_real
from derive.answers.rounding import Judged, judged, within
from derive.answers.verdict import (
    INVALID,
    RIGHT,
    UNDECIDED,
    WRONG,
    Marked,
    Mistake,
    Part,
)
from derive.answers.written import as_figure, written
from derive.blocks import build
from derive.errors import UndefinedCell
from derive.exact.amounts import TooLarge
from derive.exact.assumptions import Assumption
from derive.exact.balls import Balls, disjoint
from derive.exact.dag import Node, UndefinedValue
from derive.exact.reading import NotEvaluated
from derive.graph import Cell, Graph
from derive.model import load
from derive.model.model import Model
from derive.text.show import integer_text
from derive.text.tree import Tree

if TYPE_CHECKING:
    from derive.answers.rounded_steps import Reach, Steps

QUICK_BITS = (64, 256)
WORK = 40_000_000  # steps of the prover for one answer
ORDER = ("different", "undecided", "equal")
TRUNCATED = Mistake("truncated", "The digits were cut off where the last one should be rounded.")
SAID = {
    "right": "Right.",
    "different": "This is not the value asked for.",
    "undecided": "This could not be decided; a person will look at it.",
}
RELATIONS = {"positive": ">", "nonnegative": ">=", "nonzero": "!=", "integer": "integer"}


def check(
    model: Model | Graph | str,
    cell: str,
    answer: str,
    policy: Policy | Mapping[str, Any] | str | None = None,
    *,
    reveal: bool = False,
    given: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    explain: bool = True,
) -> Marked:
    """Is an answer, as students type it, the value of a cell (a row, a matrix) of the model?

    The model is a bundled name, a path, a Model or a Graph (which keeps what it has computed:
    use one for many answers).  The policy is a table as in a marking key, or a text such as dp:3.
    Raises ModelError, AddressError, PolicyError and UndefinedCell for what the lecturer wrote;
    whatever is wrong with the answer is in the verdict.

    A wrong answer that a known slip gives exactly is explained by it, unless `explain` is false.
    `given` are the student's own earlier answers (cells, rows or matrices): an answer that is
    right when worked out from these is right, and `carried` says so.  Raises GivenError where
    one of them can't be used.

    >>> check("cats", "A[2,0]", "0.412", "dp:3").verdict
    'right'
    >>> check("cats", "A[2,0]", "0.41", {"dp": 3}).message
    'The value is right, but: 3 decimal places asked for, and it shows 2.'
    >>> check("cats", "A[2,0]", "0.403", "dp:3").mistake.name
    'no-scale'
    """
    graph = (
        model
        if isinstance(model, Graph)
        else build(load(model) if isinstance(model, str) else model)
    )
    marker = Marker(graph, explain)
    marked = marker.check(cell, answer, Policy.of(policy), reveal)
    return carry(marker, marked, cell, answer, Policy.of(policy), given) if given else marked


class Marker:
    """Marks answers to the cells of one graph; what is worked out for one answer is kept."""

    def __init__(self, graph: Graph, explain: bool = True) -> None:
        self.graph, self.explain = graph, explain
        self.known: dict[Any, Any] = graph.kept.setdefault("marking", {})

    def check(self, cell: str, answer: str, policy: Policy, reveal: bool = False) -> Marked:
        region = asked_for(self.graph, cell)
        keys = [[self.key(c, policy) for c in row] for row in region.cells]
        if "slips" in self.known:
            self.known["slips"].spent = 0
        for row in keys:
            for key in row:
                _ = key.node  # a key without a value is the lecturer's fault, not the answer's
        try:
            found = read(self.graph, region, answer, policy)
            marked = self.marked(region, keys, found, policy)
        except Unreadable as why:
            marked = Marked(INVALID, message=str(why), error=why.error, read=why.read)
        except RecursionError:
            marked = Marked(INVALID, message="The answer is too deeply nested.")
        except (TooLarge, NotEvaluated) as why:
            marked = Marked(UNDECIDED, message=SAID["undecided"], notes=(str(why),))
        accepted = self.accepted(keys, policy) if reveal else None
        return replace(marked, policy=policy.words, accepted=accepted)

    def key(self, cell: Cell, policy: Policy) -> Key:
        at = ("key", cell.matrix.name, cell.indices, policy.percent)
        if at not in self.known:
            self.known[at] = Key(cell, policy.percent)
        return self.known[at]  # type: ignore[no-any-return]

    def reach(self, cell: Cell, policy: Policy) -> Reach | None:
        """What rounded steps can reach; None where steps aren't rounded or the key has letters."""
        from derive.answers.rounded_steps import Steps

        if policy.rounded_steps is None or self.graph.free:
            return None
        at = ("steps", policy.rounded_steps)
        if at not in self.known:
            self.known[at] = Steps(self.graph, policy.rounded_steps)
        steps: Steps = self.known[at]
        place = (*at, cell.matrix.name, cell.indices)
        if place not in self.known:
            self.known[place] = steps.reach(cell)
        return self.known[place]  # type: ignore[no-any-return]

    # a whole answer

    def marked(
        self, region: Region, keys: list[list[Key]], answer: Answer, policy: Policy
    ) -> Marked:
        if answer.kind is not None:
            return Marked(
                WRONG,
                "different",
                read=answer.shown,
                message=f"{region.words} is asked for, not {answer.kind}.",
            )
        places = answer.places(region)
        if places is None:
            message = f"{region.words} is asked for, not {answer.shape}."
            return Marked(WRONG, "different", read=answer.shown, message=message)
        parts = [
            self.part(keys[i][j], value, tree, answer, policy, region.index(i, j))
            for i, j, value, tree in places
        ]
        if region.single:
            part = parts[0]
            return Marked(
                part.verdict, part.value, part.form, read=answer.shown, mistake=part.mistake,
                message=part.message, notes=answer.notes + self.notes(keys[0][0], policy),
            )  # fmt: skip
        shared = common(parts)
        value = min((p.value for p in parts), key=ORDER.index)
        forms = [p.form for p in parts if p.form is not None]
        verdicts = [p.verdict for p in parts]
        verdict = next((v for v in (WRONG, UNDECIDED) if v in verdicts), RIGHT)
        count = verdicts.count(RIGHT)
        message = (
            SAID["right"] if verdict == RIGHT else f"{count} of {len(parts)} entries are right."
        )
        found = [n for row in keys for key in row for n in self.notes(key, policy)]
        whole = Marked(
            verdict, value, all(forms) if forms else None, read=answer.shown, message=message,
            entries=tuple(parts), notes=answer.notes + tuple(dict.fromkeys(found)),
        )  # fmt: skip
        return whole if shared is None else whole.with_mistake(shared)

    def notes(self, key: Key, policy: Policy) -> tuple[str, ...]:
        """Where a choice could go either way within the rounding; said without any value."""
        try:
            reach = self.reach(key.cell, policy)
        except UndefinedCell as why:
            return (str(why),)
        if reach is None or not reach.forks:
            return ()
        return (
            f"within the rounding a choice could go either way in {', '.join(reach.forks[:5])}",
        )

    # one number

    def part(
        self,
        key: Key,
        value: Any,
        tree: Tree | None,
        answer: Answer,
        policy: Policy,
        index: tuple[int, ...],
    ) -> Part:
        try:
            reach = self.reach(key.cell, policy)
        except UndefinedCell:
            return Part(index, UNDECIDED, "undecided", message=SAID["undecided"])
        found = self.judge(key, value, tree, answer, policy, reach)
        form, why = found.form, found.why
        if policy.require and tree is not None:
            fits = has_form(policy.require, tree, answer.numbers, answer.decimal)
            form = fits if form is None else form and fits
            why = why or ("" if fits else REASONS[policy.require])
        elif policy.require:
            form, why = False, why or REASONS[policy.require]
        part = _part(index, found, form, why)
        if self.explain and part.verdict == WRONG and part.value == "different":
            return explained(self, part, key, value, tree, answer, policy)
        return part

    def judge(
        self,
        key: Key,
        value: Any,
        tree: Tree | None,
        answer: Answer,
        policy: Policy,
        reach: Reach | None,
    ) -> Judged:
        """Value and digits of one number."""
        number = self.number(value)
        digits = None if tree is None else written(tree, answer.numbers, answer.decimal)
        if policy.percent:
            if digits is not None and digits.percent:
                digits = as_figure(digits)
            percent = digits is None and answer.percent
            number = (
                None
                if number is None
                else number * 100
                if (percent or (digits is not None and digits.percent))
                else number
            )
        if key.infinite or policy.kind == "exact":
            return Judged(self.exactly(key, value, number, reach, policy))
        if policy.kind == "tolerance":
            return Judged(self.tolerated(key, value, number, policy, reach))
        if digits is not None:
            return judged(key, digits, policy, reach)
        why = f"a decimal number, {policy.words.split(',')[0]}, is asked for"
        return Judged(self.exactly(key, value, number, reach, policy), False, why)

    def number(self, value: Any) -> Fraction | None:
        return None if value.number is None else Fraction(*value.number)

    def exactly(
        self, key: Key, value: Node, number: Fraction | None, reach: Reach | None, policy: Policy
    ) -> str:
        """The same number, wherever both are defined."""
        if reach is not None and number is not None:
            return "equal" if reach.low <= number <= reach.high else "different"
        if number is not None and key.exact is not None:
            return "equal" if number == key.exact else "different"
        if not key.free and self.apart(key, value, policy):
            return "different"
        target = key.node
        mine = self.here(value)
        if policy.percent:
            mine = mine / 100
        found = decided(mine, target, self.assumptions(), WORK).verdict
        if found == "different" and key.free and never_real(mine, target):
            raise Unreadable("the answer is not a real number, whatever the letters are")
        return found

    def apart(self, key: Key, value: Node, policy: Policy) -> bool:
        """Do enclosures settle that they differ?"""
        if value.op == "infinity" or key.infinite:
            return False
        for bits in QUICK_BITS:
            try:
                if disjoint(Balls(bits).value(value), key.at(bits)):
                    return True
            except (UndefinedValue, UndefinedCell):
                return False
        return False

    def here(self, value: Node) -> Node:
        """The value as a node of the graph."""
        f = self.graph.dag
        if value.dag is f:
            return value
        from derive.exact.points import reach

        made: dict[Node, Node] = {}
        for x in reach(value):
            made[x] = _built(x, [made[y] for y in x.args], f) if x.args else _leaf(x, f)
        return made[value]

    def tolerated(
        self, key: Key, value: Node, number: Fraction | None, policy: Policy, reach: Reach | None
    ) -> str:
        if number is not None and not key.free:
            return within(key, number, policy, reach)
        from derive.exact.sign import sign

        assert policy.bound is not None
        f, mine, target = self.graph.dag, self.here(value), key.node * key.factor
        far = f.rational(*policy.bound[1].as_integer_ratio())
        if policy.bound[0] == "rel":
            far = far * f.abs(target)
        found = sign(far - f.abs(mine - target), self.assumptions())
        return "undecided" if found is None else "equal" if found >= 0 else "different"

    def assumptions(self) -> tuple[Assumption, ...]:
        """What the model says of its letters."""
        f = self.graph.dag
        return tuple(
            Assumption(f.symbol(name), RELATIONS[kind])
            for name, kind in self.graph.model.symbols.items()
            if kind in RELATIONS
        )

    # for the lecturer

    def accepted(self, keys: list[list[Key]], policy: Policy) -> tuple[str, str] | None:
        """The ends of what is accepted, for one number."""
        if len(keys) != 1 or len(keys[0]) != 1 or keys[0][0].free:
            return None
        key = keys[0][0]
        reach = self.reach(key.cell, policy)
        if reach is not None:
            low, high = reach.low, reach.high
        elif policy.kind in ("dp", "sf"):
            found = key.accepted(policy.kind, policy.digits, policy.ties)
            if found is None:
                return None
            low, high = min(found), max(found)
        else:
            low, high = key.ends(128)
            if policy.bound is not None:
                kind, bound = policy.bound
                low, high = (
                    (low - bound, high + bound)
                    if kind == "abs"
                    else (low - abs(low) * bound, high + abs(high) * bound)
                )
        return _plain(low), _plain(high)


def _plain(x: Fraction) -> str:
    p, q = integer_text(abs(x.numerator)), integer_text(x.denominator)
    return "-" * (x < 0) + (p if q == "1" else f"{p}/{q}")


def _leaf(x: Node, f: Any) -> Node:
    if x.op == "rational":
        return f.rational(*x.number)  # type: ignore[misc,no-any-return]
    if x.op in ("symbol", "infinity"):
        return getattr(f, x.op)(x.data)  # type: ignore[no-any-return]
    return getattr(f, x.op)  # type: ignore[no-any-return]


def _built(x: Node, args: Sequence[Node], f: Any) -> Node:
    build = getattr(f, x.op)
    return build(*args) if x.data is None else build(*args, x.data)  # type: ignore[no-any-return]


def _part(index: tuple[int, ...], found: Judged, form: bool | None, why: str) -> Part:
    mistake = TRUNCATED if found.truncated else None
    if found.value == "undecided":
        return Part(
            index,
            UNDECIDED if form is not False else WRONG,
            "undecided",
            form,
            message=SAID["undecided"] if form is not False else f"{_capital(why)}.",
        )
    if found.value == "different":
        message = SAID["different"] + (f" {TRUNCATED.explanation}" if mistake else "")
        return Part(index, WRONG, "different", form, mistake, message)
    if form is False:
        return Part(index, WRONG, "equal", False, message=f"The value is right, but: {why}.")
    return Part(index, RIGHT, "equal", form, message=SAID["right"])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

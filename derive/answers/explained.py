"""A wrong answer explained: the slip that gives exactly it, said without the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from derive.answers.policy import Policy
from derive.answers.slips import Slips, Suspect
from derive.answers.sought import EXACT_FIGURES, Sought, span_of
from derive.answers.verdict import WRONG, Mistake, Part
from derive.answers.written import as_figure, written
from derive.exact.amounts import TooLarge
from derive.exact.balls import Balls
from derive.exact.dag import UndefinedValue

if TYPE_CHECKING:
    from derive.answers.answer import Answer
    from derive.answers.check import Marker
    from derive.answers.keys import Key
    from derive.text.tree import Tree

MOST_ENTRIES = 64  # wrong entries of one answer that are explained
BITS = 64


def explained(
    marker: Marker,
    part: Part,
    key: Key,
    value: Any,
    tree: Tree | None,
    answer: Answer,
    policy: Policy,
) -> Part:
    """The part with the slip that explains it, where there is one."""
    slips = slips_of(marker)
    if slips.spent >= MOST_ENTRIES and part.index:
        return part
    slips.spent += 1
    found = slips.mistake(key.cell, sought(marker, value, tree, answer, policy))
    if part.mistake is not None:  # cut off where it should be rounded: that is seen at once
        names = () if found is None else (found.name, *found.also)
        return replace(part, mistake=replace(part.mistake, also=names))
    if found is None:
        return part
    return replace(part, mistake=found, message=f"{part.message} {found.explanation}")


def slips_of(marker: Marker) -> Slips:
    """The slips of the marker's graph, made once."""
    if "slips" not in marker.known:
        marker.known["slips"] = Slips(marker.graph, _at_a_point(marker))
    return marker.known["slips"]  # type: ignore[no-any-return]


def _at_a_point(marker: Marker) -> Any:
    """For a model with letters: enclosures at one point that its assumptions allow."""
    graph = marker.graph
    if not graph.free:
        return None
    from derive.exact.points import points

    point = next(iter(points(list(graph.model.symbols), marker.assumptions(), 1)), None)
    if point is None:
        return lambda key: None
    balls = Balls(BITS, point)
    marker.known["point"] = balls
    return lambda key: _real(balls.value(key.node * key.factor))


def _real(ball: Any) -> Any:
    return ball if hasattr(ball, "lower") else None


def sought(marker: Marker, value: Any, tree: Tree | None, answer: Answer, policy: Policy) -> Sought:
    """The answer, as slips are compared with it."""
    number = marker.number(value)
    digits = None if tree is None else written(tree, answer.numbers, answer.decimal)
    if policy.percent and digits is not None and digits.percent:
        digits = as_figure(digits)
        number = None if number is None else number * 100
    elif policy.percent and answer.percent and number is not None:
        number = number * 100
    span = None
    if policy.rounded_steps is None:
        span = span_of(policy, digits, number, _ball(marker, value, number))

    def judge(suspect: Suspect) -> str:
        reach = None
        if policy.rounded_steps is not None:
            from derive.answers.check import Marker

            reach = Marker(suspect.graph, explain=False).reach(suspect.key.cell, policy)
        found = marker.judge(suspect.key, value, tree, answer, policy, reach)
        return "truncated" if found.truncated and found.value == "different" else found.value

    decimal = digits is not None and digits.fraction
    return Sought(
        span,
        judge,
        digits.least if decimal and digits is not None else EXACT_FIGURES,
        digits.decimals if decimal and digits is not None else None,
        policy.percent,
    )


def _ball(marker: Marker, value: Any, number: Any) -> Any:
    """An enclosure of an answer that is no rational number."""
    if number is not None or value.op == "infinity":
        return None
    try:
        slips_of(marker)
        balls = marker.known.get("point") or Balls(BITS)
        return _real(balls.value(marker.here(value) if marker.graph.free else value))
    except (UndefinedValue, TooLarge, KeyError):
        return None


def common(parts: Sequence[Part]) -> Mistake | None:
    """The slip that explains every wrong entry."""
    wrong = [part for part in parts if part.verdict == WRONG and part.value == "different"]
    if not wrong or any(part.mistake is None for part in wrong):
        return None
    names: list[str] = []
    for part in wrong:
        assert part.mistake is not None
        mine = [part.mistake.name, *part.mistake.also]
        names = [x for x in names if x in mine] if names else mine
        if not names:
            return None
    first = next((p.mistake for p in wrong if p.mistake and p.mistake.name == names[0]), None)
    if first is None:
        return None
    return Mistake(first.name, first.explanation, tuple(names[1:]))

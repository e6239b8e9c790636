"""Is a number right under a policy?  The value and the digits that are shown, judged apart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from derive.answers.keys import Key
from derive.answers.policy import Policy
from derive.answers.written import Written

MOST_SHOWN = 1_000  # digits of an answer that are compared one by one


class Reached(Protocol):
    """The results that a hand calculation with rounded steps can reach."""

    @property
    def low(self) -> Fraction: ...
    @property
    def high(self) -> Fraction: ...


@dataclass(frozen=True)
class Judged:
    """value: equal, different, undecided; form: is it written as asked; why, in words."""

    value: str
    form: bool | None = None
    why: str = ""
    truncated: bool = False


def judged(key: Key, answer: Written, policy: Policy, reached: Reached | None = None) -> Judged:
    """A decimal as it was written under a rounding to places or figures."""
    figures = policy.kind == "sf"
    counts = (
        range(answer.least, answer.most + 1)
        if figures
        else range(answer.decimals, answer.decimals + 1)
    )
    enough = [n for n in counts if _counts(n, policy)]
    if figures and answer.value == 0:
        enough, counts = [policy.digits], range(policy.digits, policy.digits + 1)
    value = "different"
    for n in enough or counts:
        found = _at(key, answer.value, n, policy, reached)
        if found == "equal":
            value = found
            break
        value = "undecided" if found == "undecided" else value
    form = bool(enough)
    if value != "equal":
        return Judged(value, form, truncated=_cut(key, answer, enough or counts, policy, reached))
    return Judged(value, form, "" if form else _digits(answer, policy))


def _counts(n: int, policy: Policy) -> bool:
    return n == policy.digits if policy.places == "exactly" else n >= policy.digits


def _at(key: Key, value: Fraction, n: int, policy: Policy, reached: Reached | None) -> str:
    """Is this value a right rounding to n digits?"""
    n = max(n, 1) if policy.kind == "sf" else n
    if abs(n) > MOST_SHOWN:
        return "undecided"
    if reached is not None:
        return _reachable(value, n, policy, reached)
    accepted = key.accepted(policy.kind, n, policy.ties)
    if accepted is None:
        return "undecided"
    return "equal" if value in accepted else "different"


def _reachable(value: Fraction, n: int, policy: Policy, reached: Reached) -> str:
    """Does a reachable result round to the value?"""
    unit = Fraction(10) ** -(n if policy.kind == "dp" else n - 1 - magnitude(value))
    if policy.kind == "sf" and not value:
        return "equal" if reached.low <= 0 <= reached.high else "different"
    half = unit / 2
    near = reached.low <= value + half and value - half <= reached.high
    return "equal" if near and value % unit == 0 else "different"


def magnitude(x: Fraction) -> int:
    """e with 10^e <= |x| < 10^(e+1)."""
    x = abs(x)
    if not x:
        return 0
    e = (x.numerator.bit_length() - x.denominator.bit_length()) * 30103 // 100_000
    while Fraction(10) ** (e + 1) <= x:
        e += 1
    while Fraction(10) ** e > x:
        e -= 1
    return e


def _cut(
    key: Key, answer: Written, counts: object, policy: Policy, reached: Reached | None
) -> bool:
    """Were the digits cut off where they should have been rounded?"""
    if reached is not None or abs(answer.decimals) > MOST_SHOWN:
        return False
    return answer.value != 0 and key.truncated(answer.decimals) == answer.value


def _digits(answer: Written, policy: Policy) -> str:
    """What is wrong with the number of digits; the answer's own digits only."""
    least = "at least " if policy.places == "at-least" else ""
    if policy.kind == "dp":
        shown = max(answer.decimals, 0)
        asked = f"{policy.digits} decimal place{'s' * (policy.digits != 1)}"
    else:
        shown = answer.most
        asked = f"{policy.digits} significant figure{'s' * (policy.digits != 1)}"
    return f"{least}{asked} asked for, and it shows {shown}"


def within(key: Key, value: Fraction, policy: Policy, reached: Reached | None) -> str:
    """Is a rational number within the tolerance (its ends belong to it)?"""
    assert policy.bound is not None
    kind, bound = policy.bound
    if reached is not None:
        far = bound if kind == "abs" else bound * max(abs(reached.low), abs(reached.high))
        return "equal" if reached.low - far <= value <= reached.high + far else "different"
    if kind == "abs":
        ends = [(value - bound, -1), (value + bound, 1)]
        found = [key.compare(end) for end, _ in ends]
    else:
        found = _relative(key, value, bound)
    if found[0] is None or found[1] is None:
        return "undecided"
    return "equal" if found[0] >= 0 and found[1] <= 0 else "different"


def _relative(key: Key, value: Fraction, bound: Fraction) -> list[int | None]:
    """|value - key| <= bound |key|, as the key being above one end and below another."""
    side = key.compare(Fraction(0))
    if side is None:
        return [None, None]
    if side == 0:
        return [0, 0] if value == 0 else [-1, 1]
    size, ends = value * side, []  # as if the key were positive
    for end in (size / (1 + bound), size / (1 - bound)):
        order = key.compare(end * side)
        ends.append(None if order is None else order * side)
    return ends

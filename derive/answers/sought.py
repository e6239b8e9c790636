"""A wrong answer as it is compared with the values of slips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.answers.policy import Policy
from derive.answers.slips import Suspect, fraction_span
from derive.answers.written import Written
from derive.errors import DeriveError
from derive.exact.amounts import TooLarge
from derive.exact.dag import UndefinedValue
from derive.exact.reading import NotEvaluated


@dataclass(frozen=True)
class Sought:
    """What a slip's value must be to explain an answer."""

    span: tuple[Any, Any] | None  # nothing outside can; None where that isn't known
    judge: Callable[[Suspect], str]  # equal, different, undecided, truncated
    figures: int  # significant figures of the answer; many for an exact one
    decimals: int | None  # places that a decimal answer shows
    percent: bool

    def fits(self, suspect: Suspect, verdict: str = "equal") -> bool:
        """Does the slip give exactly this answer under the policy (or cut off: truncated)?"""
        ball = suspect.enclosure
        if self.span is not None and ball is not None:
            low, high = self.span
            if ball < low or ball > high:
                return False
        try:
            return self.judge(suspect) == verdict
        except (DeriveError, UndefinedValue, TooLarge, NotEvaluated, ZeroDivisionError):
            return False


EXACT_FIGURES = 99


def span_of(
    policy: Policy, digits: Written | None, number: Fraction | None, ball: Any
) -> tuple[Any, Any] | None:
    """Two ends that no value lies outside of which an answer can be the right form of."""
    if policy.kind == "tolerance" and number is not None and policy.bound is not None:
        kind, bound = policy.bound
        far = bound if kind == "abs" else abs(number) * bound / (1 - bound)
        return fraction_span(number, far)
    if policy.kind in ("dp", "sf") and digits is not None:
        return fraction_span(digits.value, unit(digits))
    if number is not None:
        return fraction_span(number, Fraction(0))
    if ball is None or not hasattr(ball, "lower"):
        return None
    return ball.lower(), ball.upper()


def unit(digits: Written) -> Fraction:
    """One in the last place that may count."""
    from derive.answers.rounding import magnitude

    places = Fraction(10) ** -digits.decimals
    if not digits.value:
        return places
    return max(places, Fraction(10) ** (magnitude(digits.value) - digits.least + 1))

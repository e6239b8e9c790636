"""A counting answer marked by a policy, in the words of a verdict on a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from derive.answers.verdict import Marked, Mistake

if TYPE_CHECKING:
    from derive.answers.policy import Policy


def judge_count(question: str, answer: str, policy: Policy) -> Marked:
    """The verdict on the answer to a counting question, as typed after `derive count`.

    Raises DeriveError where the question can't be read, or the policy is none for a count.

    >>> from derive.answers.policy import Policy
    >>> judge_count("kv-cache --tokens T --bytes 1", "2LgkT", Policy()).verdict
    'right'
    """
    from derive.counting import check_count

    found = check_count(question, answer, **options(policy))
    mistake = found.mistake and Mistake(
        str(found.mistake["name"]),
        str(found.mistake["explanation"]),
        tuple(map(str, found.mistake.get("also") or ())),  # type: ignore[call-overload]
    )
    return Marked(
        found.verdict, found.value or "undecided", found.form, mistake=mistake or None,
        policy=policy.words, carried=found.carried, read=found.read or None,
        message=found.message, error=found.error,
    )  # fmt: skip


def options(policy: Policy) -> dict[str, Any]:
    """A policy as a marking key has it, without what stands at its default."""
    rounding = policy.digits if policy.kind in ("dp", "sf") else None
    kind: dict[str, Any] = {policy.kind: rounding} if rounding is not None else {}
    if policy.bound is not None:
        kind = {"tolerance": f"{policy.bound[0]}:{policy.bound[1]}"}
    rest = {
        "places": policy.places != "exactly" and policy.places,
        "ties": policy.ties != "either" and policy.ties,
        "percent": policy.percent,
        "rounded_steps": policy.rounded_steps,
        "require": policy.require,
        "cells": policy.cells,
        "unit": policy.unit,
    }
    return {**kind, **{key: x for key, x in rest.items() if x is not None and x is not False}}

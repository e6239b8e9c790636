"""Counting answers by every policy: none is passed over in silence."""

from __future__ import annotations

import pytest

from derive.answers.counted import judge_count
from derive.answers.policy import Policy
from derive.errors import DeriveError

QUESTION = "kv-cache --layers 2 --heads 4 --head-dim 8 --tokens 128 --bytes 8"  # 131,072 bytes


@pytest.mark.parametrize(
    ("answer", "policy", "verdict"),
    [
        ("131072 B", {}, "right"),
        ("128 KiB", {"exact": True}, "right"),
        ("131000 B", {"tolerance": "rel:1/100"}, "right"),
        ("131000 B", {"tolerance": "abs:71"}, "wrong"),
        ("131000 B", {"tolerance": "abs:72"}, "right"),
        ("131.07 kB", {"dp": 2}, "right"),
        ("131.072 kB", {"dp": 2}, "wrong"),
        ("131.072 kB", {"dp": 2, "places": "at-least"}, "right"),
        ("131.08 kB", {"dp": 2, "places": "at-least"}, "wrong"),
        ("131 kB", {"sf": 3}, "right"),
    ],
)
def test_policies(answer: str, policy: dict[str, object], verdict: str) -> None:
    assert judge_count(QUESTION, answer, Policy.of(policy)).verdict == verdict


@pytest.mark.parametrize(
    "policy",
    [{"percent": True}, {"rounded_steps": 2}, {"require": "exact"}, {"cells": True}, {"unit": "B"}],
)
def test_a_policy_that_a_count_has_not_is_said(policy: dict[str, object]) -> None:
    (name,) = policy
    with pytest.raises(DeriveError, match=name):
        judge_count(QUESTION, "131072 B", Policy.of(policy))

"""Policies of counting answers: the options of a marking key, with the same meaning."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.counting import check_count
from derive.counting.policy import rounds
from derive.errors import DeriveError

GIB = "kv-cache --layers 32 --heads 32 --head-dim 128 --tokens 2048 --bytes 2"  # 1.073741824 GB
TIE = "kv-cache --layers 1 --heads 1 --head-dim 1 --tokens 25 --bytes 1"  # 50 bytes = 0.05 kB


@pytest.mark.parametrize(
    ("question", "answer", "options", "verdict"),
    [
        (GIB, "1.07 GB", {"dp": 2}, "right"),
        (GIB, "1.073 GB", {"dp": 3}, "wrong"),  # cut off, not rounded
        (GIB, "1.074 GB", {"dp": 2}, "wrong"),  # three places where two are asked for
        (GIB, "1.074 GB", {"dp": 2, "places": "at-least"}, "right"),
        (GIB, "1.1 GB", {"dp": 2, "places": "at-least"}, "wrong"),
        (GIB, "1.07 GB", {"sf": 3}, "right"),
        (GIB, "1.07e9", {"sf": 3}, "right"),
        (GIB, "1070000000", {"sf": 3}, "right"),  # zeros at its end may not count
        (GIB, "1.0737 GB", {"sf": 3, "places": "at-least"}, "right"),
        (GIB, "1.1 GB", {"sf": 3, "places": "at-least"}, "wrong"),
        (GIB, "1 GB", {"tolerance": "rel:0.1"}, "right"),
        (GIB, "1 GB", {"tolerance": "abs:0.07"}, "wrong"),
        (GIB, "1 GB", {"tolerance": ("abs", Fraction(8, 100))}, "right"),
        (GIB, "≈ 1.07 GB", {}, "right"),
        (GIB, "≈ 1.07 GB", {"exact": True}, "wrong"),
        (GIB, "1 GiB", {"exact": True}, "right"),
        (TIE, "0.1 kB", {"dp": 1}, "right"),
        (TIE, "0.0 kB", {"dp": 1}, "right"),
        (TIE, "0.1 kB", {"dp": 1, "ties": "even"}, "wrong"),
        (TIE, "0.0 kB", {"dp": 1, "ties": "even"}, "right"),
        (TIE, "0.1 kB", {"dp": 1, "ties": "away"}, "right"),
        (TIE, "0.0 kB", {"dp": 1, "ties": "away"}, "wrong"),
        (GIB, "2^30", {"sf": 3}, "wrong"),  # equal, but no digits
    ],
)
def test_policy(question: str, answer: str, options: dict[str, object], verdict: str) -> None:
    assert check_count(question, answer, **options).verdict == verdict


def test_value_and_form_are_judged_apart() -> None:
    found = check_count(GIB, "1.074 GB", dp=2)
    assert (found.value, found.form) == ("equal", False)
    assert "1.07" not in found.message


@pytest.mark.parametrize(
    "options",
    [
        {"dp": 2, "sf": 3}, {"dp": -1}, {"sf": 0}, {"sf": True}, {"places": "some"},
        {"ties": "up"}, {"tolerance": "rel:2"}, {"tolerance": "1"}, {"tolerance": "abs:1e999999"},
        {"percent": True}, {"cells": True}, {"tolerence": "abs:1"},
    ],
)  # fmt: skip
def test_bad_policy(options: dict[str, object]) -> None:
    with pytest.raises(DeriveError):
        check_count(GIB, "1 GiB", **options)


@given(st.fractions(0, 1000), st.integers(0, 4))
def test_both_ways_of_a_tie_and_nothing_else(target: Fraction, places: int) -> None:
    step = Fraction(1, 10**places)
    low = target // step * step
    accepted = [x for x in (low - step, low, low + step) if rounds(target, x, step)]
    even = [x for x in (low - step, low, low + step) if rounds(target, x, step, "even")]
    assert even == [round(target / step) * step]
    assert len(accepted) == (2 if (target - low) * 2 == step else 1)

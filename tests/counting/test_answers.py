"""Answers to counting questions: units, letters, rounding, slips."""

from __future__ import annotations

import pytest

from derive.counting import check_count

GIB = "kv-cache --layers 32 --heads 32 --head-dim 128 --tokens 2048 --bytes 2"


@pytest.mark.parametrize(
    ("question", "answer", "verdict", "mistake"),
    [
        (GIB, "1 GiB", "right", None),
        (GIB, "1,073,741,824", "right", None),
        (GIB, "1073741824 bytes", "right", None),
        (GIB, "1.073741824 GB", "right", None),
        (GIB, "≈ 1.07 GB", "right", None),
        (GIB, "≈ 1.08 GB", "wrong", None),
        (GIB, "≈ 1 GB", "wrong", "gib-for-gb"),  # one digit says too little
        (GIB, "1.07 GB", "wrong", "rounded"),
        (GIB, "1 GB", "wrong", "gib-for-gb"),
        (GIB, "1,074 GB", "invalid", None),
        (GIB, "1 parsec", "invalid", None),
        (GIB, "3 TFLOPs", "wrong", "wrong-unit"),
        (GIB, "32 MiB", "wrong", "one-layer"),
        (f"{GIB} --kv-heads 8", "1 GiB", "wrong", "all-heads"),
        ("kv-cache --layers 8 --heads 1 --head-dim 8 --tokens 128 --bytes 8", "128 KiB", "right", None),  # noqa: E501
        ("kv-cache", "2·L·g·k·n·b", "right", None),
        ("kv-cache", "2LgknB", "invalid", None),
        ("kv-cache", "L*g*k*n*b", "wrong", "keys-only"),
        ("kv-cache", "2*L*g*k*n", "wrong", "values-for-bytes"),
        ("kv-cache --tokens T --bytes 1", "2LgkT", "right", None),
        ("kv-cache --in values", "2LgkT", "right", None),
        ("scores --layers 1 --heads 1 --tokens 10", "100", "right", None),
    ],
)  # fmt: skip
def test_verdict(question: str, answer: str, verdict: str, mistake: str | None) -> None:
    found = check_count(question, answer)
    assert found.verdict == verdict
    if mistake:
        assert found.mistake and found.mistake["name"] == mistake
    assert next(iter(found.data())) == "schema"


@pytest.mark.parametrize("sf", [2, 3, 4])
def test_significant_digits(sf: int) -> None:
    for answer, digits in (("1.1 GB", 2), ("1.07 GB", 3), ("1.074 GB", 4)):
        assert (check_count(GIB, answer, sf=sf).verdict == "right") == (digits == sf)

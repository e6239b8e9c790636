"""Evidence is plain data: a claim as it was asked, and a certificate."""

from __future__ import annotations

import json
from typing import Any

import pytest

from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag, Node
from derive.exact.decide import decide

from .cases import Case, load, read

CASES = [c for c in (*load("zero_cases.jsonl"), *load("more_cases.jsonl"))]


def data(a: Node, b: Node, *given: Assumption) -> Any:
    """The evidence as it comes back from a file."""
    evidence = decide(a, b, given).evidence
    assert evidence is not None
    return json.loads(json.dumps(evidence.data()))


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: case.id)
def test_the_claim_is_what_was_asked(case: Case) -> None:
    a, b, given = read(case)
    found = data(a, b, *given)
    program, places = a.dag.program(a, b)
    claim = found["claim"]
    assert claim["kind"] == found["kind"] == case.truth
    if not given:
        assert claim["program"] == [list(line) for line in program]
        assert [claim["left"], claim["right"]] == places
    else:
        assert len(claim["assumptions"]) == len(given)


def test_the_witness_of_a_difference() -> None:
    f = Dag()
    x = f.symbol("x")
    found = data(f.sqrt(x**2), x)
    assert found["method"] == "ball" and list(found["point"]) == ["x"] and not found["steps"]
    assert found["bits"] >= 64 and found["left_ball"] != found["right_ball"]


def test_cases_are_proved_for_each_sign() -> None:
    f = Dag()
    x = f.symbol("x")
    assert decide(f.sign(x) * f.abs(x), x, [Assumption(x, "!=")]).equal
    rule, _, proofs = data(f.sign(x) * f.abs(x), x)["steps"][-1]
    assert rule == "cases" and sorted(proofs) == ["-1", "0", "1"]


def test_what_is_not_replayed_says_so() -> None:
    """No rule of the checker compares the angles of functions."""
    f = Dag()
    x = f.symbol("x")
    found = data(f.atan(x) + f.atan(1 / x), f.pi / 2, Assumption(x, ">"))
    assert "not_replayable" in found and "steps" not in found

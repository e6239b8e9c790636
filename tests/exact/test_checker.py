"""The independent checker replays every verdict of the suite, and accepts no false claim."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from typing import Any

import pytest

from derive.exact.balls import Balls
from derive.exact.checker import Rejected, check
from derive.exact.dag import Dag, Node
from derive.exact.decide import decide
from tests.exact.cases import Case, load, read

CASES = [*load("zero_cases.jsonl"), *load("more_cases.jsonl")]


def evidence(case: Case) -> dict[str, Any] | None:
    """What the prover hands over, as it comes back from a file."""
    found = decide(*read(case)).evidence
    return None if found is None else dict(json.loads(json.dumps(found.data())))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_verdict_is_replayed(case: Case) -> None:
    verdict = decide(*read(case))
    assert verdict.verdict == case.truth
    data = evidence(case)
    assert data is not None
    check(data)


def value(data: dict[str, Any], at: int) -> Any:
    """One side of a claim, rebuilt from its program and enclosed, if it is a number."""
    f = Dag()
    nodes: list[Node] = []
    for op, *rest in data["program"]:
        if op == "rational":
            nodes.append(f.rational(*rest))
        elif op in ("symbol", "infinity"):
            raise LookupError(op)
        elif op in ("pi", "i"):
            nodes.append(getattr(f, op))
        elif op in ("power", "root"):
            nodes.append(getattr(f, op)(nodes[rest[0]], rest[1]))
        else:
            nodes.append(getattr(f, op)(*(nodes[k] for k in rest)))
    with Balls(600) as balls:
        return balls.value(nodes[at])


def changed_constants(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The same evidence for a claim in which one rational number is another one."""
    out = []
    for k, line in enumerate(data["program"]):
        if line[0] == "rational":
            other = deepcopy(data)
            other["program"][k][1] += 1
            out.append(other)
    return out


def test_no_false_claim_is_accepted() -> None:
    """Evidence of equal numbers, put under a claim that is false: always rejected."""
    tried = 0
    for case in CASES:
        data = evidence(case)
        if data is None or data["kind"] != "equal" or case.assume:
            continue
        for other in changed_constants(data)[:4]:
            try:
                left, right = (value(other, other[side]) for side in ("left", "right"))
                false = not left.overlaps(right) and left.is_finite() and right.is_finite()
            except (LookupError, ArithmeticError, Exception):  # noqa: BLE001  no number: no claim
                continue
            if false:
                tried += 1
                with pytest.raises(Rejected):
                    check(other)
    assert tried >= 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_claim_about_something_else_is_rejected(case: Case) -> None:
    """right + 1 in the place of right; and left = left called different."""
    data = evidence(case)
    assert data is not None
    other = deepcopy(data)
    if data["kind"] == "equal":
        other["program"] += [["rational", 1, 1], ["add", data["right"], len(data["program"])]]
        other["right"] = len(other["program"]) - 1
    else:
        other["right"] = other["left"]
    with pytest.raises(Rejected):
        check(other)


def test_garbage_is_rejected(tmp_path: Any) -> None:
    for data in ({}, {"kind": "equal"}, {"kind": "maybe", "method": "ball", "program": []}):
        with pytest.raises(Rejected):
            check(data)
    path = tmp_path / "evidence.json"
    path.write_text("garbage", encoding="utf-8")
    command = [sys.executable, "-m", "derive.exact.checker", str(path)]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_it_shares_no_code_with_the_prover() -> None:
    code = (
        "import sys, derive.exact.checker;"
        "print(sorted(m for m in sys.modules if m.startswith(('sympy', 'derive.'))))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = out.stdout
    assert "sympy" not in loaded
    assert all(
        part.startswith("'derive.exact.checker")
        for part in loaded.strip("[]\n").split(", ")
        if part != "'derive.exact'"
    )

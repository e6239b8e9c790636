"""The independent checker on the verdicts of tests, and claims rebuilt from evidence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from derive.exact.assumptions import Assumption
from derive.exact.checker import check
from derive.exact.dag import Dag, Node
from derive.exact.decide import decide
from derive.exact.refute import refute
from derive.exact.verdict import Verdict

Data = dict[str, Any]


def evidence(verdict: Verdict) -> Data | None:
    """What the prover hands over, as it comes back from a file."""
    found = verdict.evidence
    return None if found is None else dict(json.loads(json.dumps(found.data())))


def replay(verdict: Verdict) -> None:
    """Have the checker repeat the verdict; raises Rejected where it can't.

    What is undecided, or about infinities, has no evidence and nothing to repeat.
    """
    data = evidence(verdict)
    if data is not None:
        assert verdict.evidence is not None
        assert (data["kind"], data["method"]) == (verdict.verdict, verdict.method)
        check(asked(verdict.verdict, *verdict.evidence.asked), data)


def replay_where_written(verdict: Verdict) -> bool:
    """The same for evidence that may say that it has no certificate; whether it had one."""
    data = evidence(verdict)
    if data is not None and "not_replayable" in data:
        assert data["not_replayable"]  # the reason
        return False
    replay(verdict)
    return True


def asked(kind: str, a: Node, b: Node, assumptions: Sequence[Assumption]) -> Data:
    """The claim as whoever asks writes it down, from what was asked alone."""
    subjects = [x.expr for x in assumptions if isinstance(x.expr, Node)]
    program, (left, right, *rest) = a.dag.program(a, b, *subjects)
    given = [[k, x.relation] for k, x in zip(rest, assumptions, strict=True)]
    lines = [list(line) for line in program]
    return {"kind": kind, "program": lines, "left": left, "right": right, "assumptions": given}


def claim(data: Data) -> tuple[Node, Node, list[Assumption]]:
    """The two sides and the assumptions of which the evidence speaks."""
    f = Dag()
    nodes: list[Node] = []
    for op, *rest in data["program"]:
        if op in ("pi", "i"):
            nodes.append(getattr(f, op))
        elif op in ("rational", "symbol"):
            nodes.append(getattr(f, op)(*rest))
        elif op in ("power", "root"):
            nodes.append(getattr(f, op)(nodes[rest[0]], rest[1]))
        else:
            nodes.append(getattr(f, op)(*(nodes[k] for k in rest)))
    assumptions = [Assumption(nodes[k], relation) for k, relation in data["assumptions"]]
    return nodes[data["left"]], nodes[data["right"]], assumptions


def holds(data: Data) -> bool:
    """The claim is true, as the prover sees it, or balls of many bits where it can't decide."""
    a, b, assumptions = claim(data)
    apart = refute(a, b, assumptions, 2048) is not None
    verdict = decide(a, b, assumptions).verdict
    if verdict == "undecided":
        return apart == (data["kind"] == "different")
    return bool(verdict == data["kind"] and not (apart and verdict == "equal"))

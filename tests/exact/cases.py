"""Cases written in the plain grammar, read into a Dag with their assumptions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag, Node
from derive.exact.reading import evaluate
from derive.text import parse

HERE = Path(__file__).parent
FLIPPED = {"<": ">", "<=": ">="}


@dataclass(frozen=True)
class Case:
    """left = right, wherever the assumptions hold: equal or different."""

    id: str
    left: str
    right: str
    assume: tuple[str, ...]
    truth: str


def load(name: str) -> list[Case]:
    """The cases of a file in this folder."""
    rows = [json.loads(line) for line in (HERE / name).read_text().splitlines() if line]
    return [
        Case(r["id"], r["left"], r["right"], tuple(r.get("assume", ())), r["truth"]) for r in rows
    ]


def read(case: Case) -> tuple[Node, Node, list[Assumption]]:
    """Both sides and the assumptions as nodes of one Dag."""
    dag = Dag()
    assumptions = [assumption(dag, text) for text in case.assume]
    return node(dag, case.left), node(dag, case.right), assumptions


def node(dag: Dag, text: str) -> Node:
    """An expression in the plain grammar."""
    found: Node = evaluate(parse(text), dag)
    return found


def assumption(dag: Dag, text: str) -> Assumption:
    """`x > 0`, `m <= n`, `n integer`."""
    left, relation, *right = text.rsplit(" ", 2) if "integer" not in text else text.split()
    if relation == "integer":
        return Assumption(node(dag, left), "integer")
    difference = node(dag, left) - node(dag, right[0])
    if relation in FLIPPED:
        return Assumption(-difference, FLIPPED[relation])
    return Assumption(difference, relation)

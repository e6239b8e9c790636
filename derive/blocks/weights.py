"""From scores to attention weights: softmax in any base, shares, or all on the best key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.ranking import largest
from derive.graph import Graph
from derive.line import Const, from_text
from derive.ops import (
    Exponentials,
    HardAttention,
    Powers,
    ReLUScores,
    RowTotal,
    Share,
    Softmax,
    ZeroWhereHidden,
)

if TYPE_CHECKING:
    from derive.model import Section


def weights(graph: Graph, head: str, options: Section, s: str | None) -> str | None:
    """The attention weights A of one head, of its scores."""
    kind = options["weights"]
    if kind == "softmax":
        return _softmax(graph, head, options, s)
    if kind == "hard":
        best = HardAttention(largest(graph, s), s=s) if s else None
        return graph.add(f"{head}.A", best)
    if kind == "relu":
        part = graph.add(f"{head}.A.relu", ReLUScores(s=s) if s else None)
        return _shares(graph, head, "share of ReLU scores", part)
    part = s
    unseen = hidden(graph, head)
    if s and unseen:
        part = graph.add(f"{head}.A.open", ZeroWhereHidden(unseen, s=s))
    return _shares(graph, head, "share of scores", part)


def _softmax(graph: Graph, head: str, options: Section, s: str | None) -> str | None:
    base = from_text(options["base"])
    made = None
    if s:
        made = Exponentials(s=s) if base == Const("e") else Powers(base, s=s)
    exp = graph.add(f"{head}.A.exp", made)
    letter = graph.read_rows(head)
    total = graph.add(f"{head}.A.sum", RowTotal(letter, x=exp) if exp else None)
    softmax = Softmax(base=base, scores=s, exp=exp, sum=total) if s and exp and total else None
    if softmax:
        softmax.size = letter
    return graph.add(f"{head}.A", softmax)


def _shares(graph: Graph, head: str, name: str, part: str | None) -> str | None:
    meaning = "row totals, which the weights are shares of"
    letter = graph.read_rows(head)
    total = graph.add(f"{head}.A.sum", RowTotal(letter, meaning, x=part) if part else None)
    return graph.add(f"{head}.A", Share(name, part=part, sum=total) if part and total else None)


def hidden(graph: Graph, head: str) -> frozenset[tuple[int, int]]:
    """The cells that the block's mask hides, or given masked scores."""
    from derive.exact.dag import Dag

    f = Dag()
    block = head.rpartition(".")[0]
    for name in (f"{head}.S_masked", f"{block}.mask"):
        matrix = graph.matrices.get(name)
        if matrix is None or (name.endswith("S_masked") and matrix.operation.inputs):
            continue
        cells = [(i, j) for i in range(matrix.shape[0]) for j in range(matrix.shape[1])]
        values = graph.values(name, f)
        return frozenset(at for at in cells if values[at] == f.infinity(-1))
    return frozenset()

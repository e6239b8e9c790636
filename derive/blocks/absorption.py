"""The absorbed form of latent attention is the expanded one: proved with letters, then used.

A decoder computes scores and outputs from latent rows; a full pass makes keys and values first.
Written in the same queries, latent rows and weights, both are one polynomial: that is proved with
a free letter for each of these cells.  Where these cells themselves agree, so do both results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from derive.graph import Graph
from derive.ops import LatentScores, LatentValues

if TYPE_CHECKING:
    from derive.exact.dag import Dag

At = tuple[int, ...]


def identify(decoder: Graph, full: Graph, row: int) -> bool:
    """Takes over into the full pass what the decoder has computed in absorbed form.

    False where one of the two could not be proved equal; graphs without latent attention
    have nothing to take over.
    """
    for matrix in full:
        if not isinstance(matrix.operation, LatentScores | LatentValues):
            continue
        name = matrix.name
        if decoder.matrices[name].operation.inputs == matrix.operation.inputs:
            continue  # not absorbed
        cells = [(row, j) for j in range(matrix.shape[1])]
        known = _common(decoder, full, name)
        if not all(_same(decoder, full, known, name, at) for at in cells):
            return False
        mine, other = decoder.values(name, decoder.dag), full.values(name, full.dag)
        other.update({at: mine[at] for at in cells})
    return True


def _common(decoder: Graph, full: Graph, name: str) -> frozenset[str]:
    """The matrices at which both forms of a score or an output are written in letters."""
    head, _, _ = name.rpartition(".")
    block = head.rpartition(".")[0]
    names = {f"{head}.{x}" for x in ("Q", "Q_rope", "A")}
    names |= {f"{block}.{x}" for x in ("C_KV", "K_rope")}
    return frozenset(names & decoder.matrices.keys() & full.matrices.keys())


def _same(decoder: Graph, full: Graph, known: frozenset[str], name: str, at: At) -> bool:
    """Whether a cell is one polynomial in the known cells, and these are the same."""
    from derive.exact.dag import Dag
    from derive.exact.decide import decide

    f = Dag()
    views = [_Written(graph, known, name, f) for graph in (decoder, full)]
    if not decide(*(view[at] for view in views)).equal:
        return False
    for other, where in views[0].read | views[1].read:
        one, two = (graph.values(other, decoder.dag)[where] for graph in (decoder, full))
        if one != two and not decide(one, two).equal:
            return False
    return True


class _Written:
    """A matrix whose cells are written in letters for those of the known matrices."""

    def __init__(self, graph: Graph, known: frozenset[str], name: str, f: Dag) -> None:
        self.graph, self.known, self.name, self.f = graph, known, name, f
        self.rows, self.columns = graph.matrices[name].shape[:2]
        self.read: set[tuple[str, At]] = set()  # the known cells that were needed

    def __getitem__(self, at: At) -> Any:
        if self.name in self.known:
            self.read.add((self.name, at))
            return self.f.symbol(f"{self.name}{list(at)}")
        operation = self.graph.matrices[self.name].operation
        views = {
            role: _Written(self.graph, self.known, name, self.f)
            for role, name in operation.inputs.items()
        }
        value = operation.define(self.f, *at, **views)
        self.read.update(*(view.read for view in views.values()))
        return value

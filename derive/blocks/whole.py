"""The whole pass: tokens to stream, block after block, stream to next word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.block import block
from derive.blocks.output import output
from derive.blocks.parts import given, stream_size
from derive.graph import Graph
from derive.line import Shown, from_text
from derive.operation import size
from derive.ops import Embedding, Given, Residual, Sinusoids

if TYPE_CHECKING:
    from derive.model import Model


def build(model: Model) -> Graph:
    """The graph of a model: every matrix that it can compute, in forward order."""
    graph = Graph(model)
    table = given(graph, "E", model.embedding.get("E"))
    x = given(graph, "X", model.embedding.get("X"))
    if x is None:
        x = _embedded(graph, model, table)
    stream_size(graph, x)
    for k, options in enumerate(model.blocks):
        x = block(graph, f"b{k}", options, model.position, x)
    output(graph, model, x, table)
    return graph


def _embedded(graph: Graph, model: Model, table: str | None) -> str | None:
    """The looked-up rows, with positions added where the model adds them."""
    width = model.sizes.get("d")
    letters: dict[str, Shown] = {"d": size("d", width)} if width else {}
    scale = from_text(model.embedding["scale"], letters)
    look_up = Embedding(model.ids, scale, table=table) if table and model.ids else None
    if model.position["kind"] not in ("sinusoidal", "learned"):
        return graph.add("X", look_up)
    rows = graph.add("X_tok", look_up)
    positions = graph.add("P", _positions(graph, model, rows))
    both = rows and positions
    added = Residual("position addition", stream=str(rows), branch=str(positions))
    return graph.add("X", added if both else None)


def _positions(graph: Graph, model: Model, rows: str | None) -> Sinusoids | Given | None:
    """The position signal of each token."""
    position = model.position
    if rows is None:
        return None
    n, d = graph.matrices[rows].shape
    first = position["first"]
    if position["kind"] == "learned":
        return Given(position["P"][first : first + n])
    interleaved = position.get("layout", "interleaved") == "interleaved"
    return Sinusoids(n, d, from_text(position["base"]), interleaved, first)

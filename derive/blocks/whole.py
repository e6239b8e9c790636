"""The whole pass: tokens to stream, block after block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.block import block
from derive.blocks.parts import given, stream_size
from derive.graph import Graph
from derive.ops import Embedding

if TYPE_CHECKING:
    from derive.model import Model


def build(model: Model) -> Graph:
    """The graph of a model: every matrix that it can compute, in forward order."""
    graph = Graph(model)
    table = given(graph, "E", model.embedding.get("E"))
    x = given(graph, "X", model.embedding.get("X"))
    if x is None:
        x = graph.add("X", Embedding(model.ids, table=table) if table and model.ids else None)
    stream_size(graph, x)
    for k, options in enumerate(model.blocks):
        x = block(graph, f"b{k}", options, model.position, x)
    return graph

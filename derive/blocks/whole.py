"""The whole pass: tokens to stream, block after block, stream to next word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.block import block
from derive.blocks.embedded import embedded
from derive.blocks.memory import memory
from derive.blocks.output import output
from derive.blocks.parts import given, stream_size
from derive.graph import Graph

if TYPE_CHECKING:
    from derive.model import Model


def build(model: Model, absorbed: bool = False) -> Graph:
    """The graph of a model: every matrix that it can compute, in forward order.

    `absorbed`: latent attention as a decoder runs it, without keys and values.
    """
    graph = Graph(model)
    graph.absorbed = absorbed
    table = given(graph, "E", model.embedding.get("E"))
    x = given(graph, "X", model.embedding.get("X"))
    if x is None:
        x = embedded(graph, model, table, model.ids, "X")
    stream_size(graph, x)
    memory(graph, model, table)
    for k, options in enumerate(model.blocks):
        x = block(graph, f"b{k}", options, model.position, x)
    output(graph, model, x, table)
    return graph

"""The second sequence: its rows, and the encoder that they pass through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.block import block
from derive.blocks.embedded import embedded
from derive.blocks.parts import given, norm, stream_size
from derive.graph import Graph
from derive.model.section import Section
from derive.ops import PassedOn

if TYPE_CHECKING:
    from derive.model import Model

NAME = "X_mem"  # what cross-attention reads


def memory(graph: Graph, model: Model, table: str | None) -> None:
    """X_mem: the rows of the second sequence, or what an encoder makes of them."""
    options = model.memory
    if options is None:
        graph.add(NAME, None)
        return
    if not options["blocks"]:
        if given(graph, NAME, options.get("X")) is None:
            _looked_up(graph, model, options, table, NAME)
        return
    x = given(graph, "mem.X", options.get("X"))
    if x is None:
        x = _looked_up(graph, model, options, table, "mem.X")
    stream_size(graph, x)
    for k, layer in enumerate(options["blocks"]):
        x = block(graph, f"mem.b{k}", layer, model.position, x)
    x = norm(graph, "mem.N_out", options["norm"], x)
    graph.add(NAME, PassedOn(x=x) if x else None)


def _looked_up(
    graph: Graph, model: Model, options: Section, table: str | None, name: str
) -> str | None:
    """The rows of its tokens, from its own table or the model's, with positions."""
    table = given(graph, "mem.E", options.get("E")) or table
    return embedded(graph, model, table, options.get("ids"), name)

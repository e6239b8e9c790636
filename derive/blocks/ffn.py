"""The feed-forward pass: up, activation, down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.parts import given, projection
from derive.graph import Graph
from derive.ops import ReLU

if TYPE_CHECKING:
    from derive.model import Section


def ffn(graph: Graph, block: str, options: Section, x: str | None) -> str | None:
    """The result F of the feed-forward pass that reads x."""
    names = {key: given(graph, f"{block}.{key}", options.get(key)) for key in WEIGHTS}
    up = projection(graph, f"{block}.U", "up projection", "d", x, names["W_up"], names["b_up"])
    active = up
    if options["activation"] == "relu":
        active = graph.add(f"{block}.G", ReLU(u=up) if up else None)
    down = names["W_down"], names["b_down"]
    return projection(graph, f"{block}.F", "down projection", "d_ff", active, *down)


WEIGHTS = ("W_up", "b_up", "W_down", "b_down")

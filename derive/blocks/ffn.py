"""The feed-forward pass: up, activation or gate, down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.experts import experts
from derive.blocks.parts import given, projection
from derive.graph import Graph
from derive.line import Num, from_text
from derive.operation import Operation
from derive.ops import (
    GELU,
    Gate,
    GELUSigmoid,
    GELUTanh,
    LeakyReLU,
    ReLU,
    Sigmoid,
    SiLU,
    Tanh,
)

if TYPE_CHECKING:
    from derive.model import Section

ACTIVATIONS = {
    "relu": ReLU,
    "gelu": GELU,
    "gelu_tanh": GELUTanh,
    "gelu_sigmoid": GELUSigmoid,
    "silu": SiLU,
    "sigmoid": Sigmoid,
    "tanh": Tanh,
}


def ffn(graph: Graph, block: str, options: Section, x: str | None) -> str | None:
    """The result F of the feed-forward pass, or of the experts, that reads x."""
    if options.get("experts"):
        return experts(graph, block, options, x, ffn)
    keys = ("W_up", "b_up", *(("W_gate", "b_gate") if options["gated"] else ()), "W_down", "b_down")
    names = {key: given(graph, f"{block}.{key}", options.get(key)) for key in keys}
    up = projection(graph, f"{block}.U", "up projection", "d", x, names["W_up"], names["b_up"])
    if options["gated"]:
        gate = names["W_gate"], names["b_gate"]
        gate_rows = projection(graph, f"{block}.U_gate", "gate projection", "d", x, *gate)
        active = _active(graph, f"{block}.G.gate", options["activation"], options, gate_rows)
        inside = graph.add(f"{block}.G", Gate(gate=active, u=up) if active and up else None)
    else:
        inside = _active(graph, f"{block}.G", options["activation"], options, up)
    down = names["W_down"], names["b_down"]
    words, name = "down projection", f"{block}.F"
    if options["after"] in ("none", "identity"):
        return projection(graph, name, words, "d_ff", inside, *down)
    raw = projection(graph, f"{name}.raw", words, "d_ff", inside, *down)
    return _active(graph, name, options["after"], options, raw)


def _active(graph: Graph, name: str, kind: str, options: Section, u: str | None) -> str | None:
    """The numbers after an activation; as they are where it is the identity."""
    made: Operation | None = None
    if u and kind == "leaky_relu":
        slope = from_text(options["slope"]) if "slope" in options else Num(1, 100)
        made = LeakyReLU(slope, u=u)
    elif u and kind != "identity":
        made = ACTIVATIONS[kind](u=u)
    return graph.add(name, made) or (u if kind == "identity" else None)

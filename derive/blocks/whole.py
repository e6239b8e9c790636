"""The whole pass: tokens to stream, block after block, stream to next word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.block import block
from derive.blocks.output import output
from derive.blocks.parts import given, norm, stream_size
from derive.graph import Graph
from derive.line import Shown, from_text
from derive.operation import Operation, size
from derive.ops import Embedding, Given, InputSum, Residual, Sinusoids, TokenTypes

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
    """The looked-up rows, with positions and token types added where the model adds them."""
    width = model.sizes.get("d")
    letters: dict[str, Shown] = {"d": size("d", width)} if width else {}
    options = model.embedding
    scale = from_text(options["scale"], letters)
    look_up = Embedding(model.ids, scale, table=table) if table and model.ids else None
    types = given(graph, "E_type", options.get("E_type"))
    normed = options["norm"]["kind"] != "none"
    added = model.position["kind"] in ("sinusoidal", "learned")
    if not added and not types and not normed:
        return graph.add("X", look_up)
    rows = graph.add("X_tok", look_up)
    whole = rows
    if added or types:
        parts = [rows]
        if added:
            parts.append(graph.add("P", _positions(graph, model, rows)))
        if types:
            ids = options.get("type_ids")
            parts.append(graph.add("X_type", TokenTypes(ids, table=types) if ids else None))
        whole = graph.add("X_sum" if normed else "X", _sum(parts, added))
    return norm(graph, "X_norm", options["norm"], whole, "X") if normed else whole


def _sum(parts: list[str | None], positions: bool) -> Operation | None:
    """The parts of the input added up."""
    names = [part for part in parts if part]
    if len(names) < len(parts):
        return None
    if len(names) > 2:
        return InputSum(*names)
    what = "position addition" if positions else "token type addition"
    return Residual(what, stream=names[0], branch=names[1])


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

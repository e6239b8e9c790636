"""From tokens to rows: look-up, positions, token types, norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.parts import given, norm
from derive.graph import Graph
from derive.line import Shown, from_text
from derive.operation import Operation, size
from derive.ops import Embedding, Given, InputSum, Residual, Sinusoids, TokenTypes

if TYPE_CHECKING:
    from derive.model import Model


def embedded(
    graph: Graph, model: Model, table: str | None, ids: tuple[int, ...] | None, name: str
) -> str | None:
    """The looked-up rows, with positions and token types added where the model adds them.

    `name` is X, or what the rows of a second sequence are called: they have no token types.
    """
    before, own = name.removesuffix("X"), name == "X"
    if name == "X_mem":
        before = "mem."
    width = graph.matrices[table].shape[1] if table else None
    letters: dict[str, Shown] = {"d": size("d", width)} if width else {}
    options = model.embedding
    scale = from_text(options["scale"], letters)
    look_up = Embedding(ids, scale, table=table) if table and ids else None
    types = given(graph, "E_type", options.get("E_type")) if own else None
    normed = options["norm"]["kind"] != "none"
    added = model.position["kind"] in ("sinusoidal", "learned")
    if not added and not types and not normed:
        return graph.add(name, look_up)
    rows = graph.add(f"{before}X_tok", look_up)
    whole = rows
    if added or types:
        parts = [rows]
        if added:
            parts.append(graph.add(f"{before}P", _positions(graph, model, rows)))
        if types:
            kinds = options.get("type_ids")
            parts.append(graph.add("X_type", TokenTypes(kinds, table=types) if kinds else None))
        whole = graph.add(f"{before}X_sum" if normed else name, _sum(parts, added))
    if not normed:
        return whole
    return norm(graph, f"{before}X_norm", options["norm"], whole, name, given_as="X_norm")


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

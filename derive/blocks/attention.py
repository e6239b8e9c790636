"""One attention layer: heads wired from projection to weighted values, then W_O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.parts import given, projection
from derive.graph import Graph
from derive.line import Num, Shown, from_text
from derive.ops import (
    CausalMask,
    Exponentials,
    MaskedScores,
    Rope,
    RowTotal,
    Scale,
    Scores,
    Softmax,
    WeightedValues,
)
from derive.ops.rope import frequency

if TYPE_CHECKING:
    from derive.model import Section


def attention(
    graph: Graph, block: str, options: Section, position: Section, x: str | None
) -> str | None:
    """The result of the attention layer that reads x: O, or Z without an output projection."""
    head, kv = f"{block}.h0", f"{block}.kv0"
    graph.addresses.kv_of[block, "h0"] = "kv0"
    rows = {}
    for place, letter, words in (
        (head, "Q", "query projection"),
        (kv, "K", "key projection"),
        (kv, "V", "value projection"),
    ):
        w, b = (
            given(graph, f"{place}.{key}_{letter}", _first(options.get(f"{key}_{letter}")))
            for key in "Wb"
        )
        rows[letter] = projection(graph, f"{place}.{letter}", words, "d", x, w, b)
    q = _turned(graph, position, rows["Q"], f"{head}.Q_rot")
    k = _turned(graph, position, rows["K"], f"{kv}.K_rot")
    z = _weights_and_values(graph, head, options, q, k, rows["V"])
    w, b = (given(graph, f"{block}.{key}_O", options.get(f"{key}_O")) for key in "Wb")
    return projection(graph, f"{block}.O", "output projection", "d_v", z, w, b) or z


def _first(matrices: tuple[object, ...] | None) -> object:
    return matrices[0] if matrices else None


def _turned(graph: Graph, position: Section, x: str | None, name: str) -> str | None:
    """Queries or keys after RoPE; as they are where the model has no RoPE."""
    if x is None or position["kind"] != "rope":
        return graph.add(name, None) or x
    width = graph.matrices[x].shape[1]
    angles: tuple[Shown, ...]
    if position.get("angles"):
        angles = tuple(map(from_text, position["angles"]))
    else:
        base = from_text(position["base"])
        angles = tuple(frequency(base, p, width) for p in range(width // 2))
    return graph.add(name, Rope(angles, position["first"], x=x))


def _weights_and_values(
    graph: Graph, head: str, options: Section, q: str | None, k: str | None, v: str | None
) -> str | None:
    s = graph.add(f"{head}.S", Scores(q=q, k=k) if q and k else None)
    if q and k:
        sizes = _sizes(graph, q, k, v)
        factor = from_text(options["scale"], sizes)
        if s and factor != Num(1):
            s = graph.add(f"{head}.S_scaled", Scale(factor, s=s))
        else:
            s = graph.add(f"{head}.S_scaled", None) or s
    s = _masked(graph, head, options, s)
    exp = graph.add(f"{head}.A.exp", Exponentials(s=s) if s else None)
    total = graph.add(f"{head}.A.sum", RowTotal(x=exp) if exp else None)
    softmax = Softmax(scores=s, exp=exp, sum=total) if s and exp and total else None
    a = graph.add(f"{head}.A", softmax)
    return graph.add(f"{head}.Z", WeightedValues(a=a, v=v) if a and v else None)


def _masked(graph: Graph, head: str, options: Section, s: str | None) -> str | None:
    """The scores with the mask added, where the model has one."""
    name, mask = f"{head}.S_masked", options["mask"]
    if s is not None and mask == "causal":
        added = graph.add(f"{head}.mask", CausalMask(*graph.matrices[s].shape))
    else:
        added = given(graph, f"{head}.mask", None if mask in ("none", "causal") else mask)
    if s is None or added is None:
        return graph.add(name, None) or s
    return graph.add(name, MaskedScores(s=s, mask=added))


def _sizes(graph: Graph, q: str, k: str, v: str | None) -> dict[str, Shown]:
    """Size letters that a scale may use, with their values."""
    from derive.operation import size

    known = {"k": ("d_k", graph.matrices[q].shape[1]), "n": ("n", graph.matrices[k].shape[0])}
    if v is not None:
        known["v"] = ("d_v", graph.matrices[v].shape[1])
    if graph.model.sizes.get("d"):
        known["d"] = ("d", graph.model.sizes["d"])
    known["h"], known["g"] = ("h", 1), ("g", 1)
    return {letter: size(name, n) for letter, (name, n) in known.items()}

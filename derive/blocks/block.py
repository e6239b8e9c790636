"""One block: attention and feed-forward pass, each with norm and residual addition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.attention import attention
from derive.blocks.ffn import ffn
from derive.blocks.parts import norm, stream_size
from derive.graph import Graph
from derive.ops import PassedOn, Residual

if TYPE_CHECKING:
    from derive.model import Section


PARTS = ("attention", "ffn")


def block(
    graph: Graph, name: str, options: Section, position: Section, x: str | None
) -> str | None:
    """The stream after the block that reads the stream x."""
    first: str | None = None  # what attention reads
    stream = x
    keep = dict(zip(PARTS, options["residual"], strict=True))
    for k, part in enumerate(PARTS, 1):
        here = f"{name}.{('H_mid', 'H')[k - 1]}"
        layer = options[part]
        if layer is None:
            if part == "ffn":
                x = graph.add(here, PassedOn(x=x) if x else None)
                stream_size(graph, x)
            continue
        source = x
        if options["parallel"] and part == "ffn":  # both read the same input
            own = options["norm2"]["kind"] != "none" or f"{name}.N2" in graph.given
            source = stream if own or first is None else first
        read = norm(graph, f"{name}.N{k}", options[f"norm{k}"], source)
        first = first or read
        if part == "attention":
            branch = attention(graph, name, layer, position, read)
        else:
            branch = ffn(graph, name, layer, read)
        branch = norm(graph, f"{name}.branch{k}", options[f"branch{k}"], branch)
        after = options[f"post{k}"]
        added = here if after["kind"] == "none" else f"{name}.R{k}"
        x = _added(graph, added, x, branch, keep[part])
        x = norm(graph, f"{name}.post{k}", after, x, here)
        stream_size(graph, x)
    return x


def _added(
    graph: Graph, name: str, stream: str | None, branch: str | None, residual: bool
) -> str | None:
    """Stream plus branch; the branch itself where the model adds nothing.

    A head's output of another width can't be added: then there is no stream from here on.
    """
    if branch is None:
        return graph.add(name, None)
    if not residual:
        return graph.add(name, PassedOn(x=branch))
    fits = stream and graph.matrices[stream].shape == graph.matrices[branch].shape
    return graph.add(name, Residual(stream=str(stream), branch=branch) if fits else None)

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


def block(
    graph: Graph, name: str, options: Section, position: Section, x: str | None
) -> str | None:
    """The stream after the block that reads the stream x."""
    keep_attention, keep_ffn = options["residual"]
    layer = options["attention"]
    if layer is not None:
        read = norm(graph, f"{name}.N1", options["norm1"], x)
        branch = attention(graph, name, layer, position, read)
        x = _added(graph, f"{name}.H_mid", x, branch, keep_attention)
        stream_size(graph, x)
    if options["ffn"] is not None:
        read = norm(graph, f"{name}.N2", options["norm2"], x)
        branch = ffn(graph, name, options["ffn"], read)
        x = _added(graph, f"{name}.H", x, branch, keep_ffn)
    else:
        x = graph.add(f"{name}.H", PassedOn(x=x) if x else None)
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

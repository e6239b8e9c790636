"""What is added to scores: the ALiBi bias of a head, and the mask that a block's heads share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.graph import Graph
from derive.line import from_text
from derive.operation import Operation
from derive.ops import (
    Alibi,
    BiasedMaskedScores,
    BiasedScores,
    CausalMask,
    CombinedMask,
    Given,
    MaskedScores,
    PaddingMask,
    WindowMask,
)
from derive.ops.alibi import slope

if TYPE_CHECKING:
    from derive.model import Section
    from derive.model.heads import Heads


def masked(
    graph: Graph, head: str, options: Section, position: Section, heads: Heads, s: str | None
) -> str | None:
    """The scores with bias and mask added, where the model has them."""
    block, _, number = head.partition(".h")
    shape = graph.matrices[s].shape if s else None
    bias = _bias(graph, head, position, heads, int(number), shape)
    name = f"{block}.mask"
    mask = name if name in graph.matrices else _mask(graph, name, options, shape)
    added: Operation | None = None
    if s and bias and mask:
        added = BiasedMaskedScores(s=s, bias=bias, mask=mask)
    elif s and bias:
        added = BiasedScores(s=s, bias=bias)
    elif s and mask:
        added = MaskedScores(s=s, mask=mask)
    return graph.add(f"{head}.S_masked", added) or s


def _bias(
    graph: Graph,
    head: str,
    position: Section,
    heads: Heads,
    number: int,
    shape: tuple[int, ...] | None,
) -> str | None:
    """The ALiBi term of a head."""
    made = None
    if shape and position["kind"] == "alibi":
        slopes = position.get("slopes")
        each = from_text(slopes[number]) if slopes else slope(number, heads.queries)
        made = Alibi(each, shape[0], shape[1])
    return graph.add(f"{head}.bias", made)


def _mask(graph: Graph, name: str, options: Section, shape: tuple[int, ...] | None) -> str | None:
    """The mask: one rule's, or what several rules leave open, each a matrix of its own."""
    found: dict[str, Operation] = {}
    mask = options["mask"]
    if not isinstance(mask, str):
        found["given"] = Given(mask)
    if shape and mask == "causal":
        found["causal"] = CausalMask(*shape)
    if shape and options["window"] != "none":
        found["window"] = WindowMask(options["window"], *shape)
    if shape and options.get("padding"):
        found["padding"] = PaddingMask(options["padding"], shape[0])
    if len(found) < 2 or name in graph.given:
        return graph.add(name, next(iter(found.values()), None))
    names = [str(graph.add(f"{name}.{word}", one)) for word, one in found.items()]
    return graph.add(name, CombinedMask(*names))

"""FlashAttention's trace of one head: the same weighted values, tile by tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.weights import hidden
from derive.graph import Graph
from derive.line import from_text
from derive.ops import FlashMaximum, FlashRescaling, FlashResult, FlashTotal, FlashValues
from derive.ops.tiles import Tiles

if TYPE_CHECKING:
    from derive.model import Section


def flash(graph: Graph, head: str, options: Section, s: str | None, v: str | None) -> None:
    """flash.m, flash.alpha, flash.l, flash.o and flash.Z of one head.

    They exist where the model has tiles and its weights are a softmax: without exponentials
    there is nothing to rescale.
    """
    tile = options.get("tile")
    if not tile or not s or options["weights"] != "softmax":
        return
    n, m = graph.matrices[s].shape
    queries, keys = tile
    base = from_text(options["base"])
    tiles = Tiles(queries, keys, n, m, hidden(graph, head), base)
    names = {part: f"{head}.flash.{part}" for part in ("m", "alpha", "l", "o", "Z")}
    graph.add(names["m"], FlashMaximum(tiles, s=s, m=names["m"]))
    graph.add(names["alpha"], FlashRescaling(tiles, m=names["m"]))
    running = {part: names[part] for part in ("m", "alpha")}
    graph.add(names["l"], FlashTotal(tiles, s=s, l=names["l"], **running))
    if v:
        graph.add(names["o"], FlashValues(tiles, s=s, v=v, o=names["o"], **running))
        same = f"{head}.Z"
        graph.add(names["Z"], FlashResult(tiles, same, o=names["o"], l=names["l"]))

"""From the stream to the next word: norm, unembedding, chances, loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.blocks.parts import given, norm, projection
from derive.blocks.ranking import kept_words
from derive.graph import Graph
from derive.line import from_text
from derive.ops import (
    ColumnMean,
    CrossEntropy,
    Cut,
    RowTotal,
    RunningTotal,
    SoftCap,
    Softmax,
    Tempered,
    Transpose,
)

if TYPE_CHECKING:
    from derive.model import Model, Section


def output(graph: Graph, model: Model, x: str | None, table: str | None) -> None:
    """Logits, chances and loss, where the model has an output side."""
    options = model.output
    if options is None:
        return
    read = norm(graph, "N_out", options["norm"], x)
    w = given(graph, "W_U", options.get("W_U"))
    if w is None and model.embedding["tied"] and table:
        w = graph.add("W_U", Transpose(x=table))
    b = given(graph, "b_U", options.get("b_U"))
    logits = _logits(graph, options, read, w, b)
    probs = _chances(graph, options, logits)
    _cut(graph, options, probs)
    if probs and model.targets:
        loss = graph.add("loss", CrossEntropy(model.targets, p=probs))
        graph.add("loss.mean", ColumnMean(x=str(loss)))


def _logits(
    graph: Graph, options: Section, x: str | None, w: str | None, b: str | None
) -> str | None:
    if options["soft_cap"] == "none":
        return projection(graph, "logits", "unembedding", "d", x, w, b)
    raw = projection(graph, "logits.raw", "unembedding", "d", x, w, b)
    cap = from_text(options["soft_cap"])
    return graph.add("logits", SoftCap(cap, x=raw) if raw else None)


def _chances(graph: Graph, options: Section, logits: str | None) -> str | None:
    """The softmax of the logits at temperature T."""
    temperature = from_text(options["temperature"])
    exp = graph.add("probs.exp", Tempered(temperature, x=logits) if logits else None)
    total = graph.add("probs.sum", RowTotal("V", x=exp) if exp else None)
    if not (logits and exp and total):
        return graph.add("probs", None)
    return graph.add("probs", Softmax("chance", temperature, scores=logits, exp=exp, sum=total))


def _cut(graph: Graph, options: Section, probs: str | None) -> None:
    """Top-k, top-p or both, decided exactly once the chances are known."""
    k, p = options["top_k"], options["top_p"]
    if probs is None or (k == "none" and p == "none"):
        return
    kept, rule = kept_words(graph, probs, k, p)
    cut = graph.add("probs_cut", Cut(rule, kept, p=probs))
    graph.add("probs_cut.cum", RunningTotal(p=str(cut)))

"""Mixture of experts: a router, the experts that each row goes to, and their sum."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from derive.blocks.parts import given, projection
from derive.blocks.ranking import ranked
from derive.graph import Graph
from derive.model.section import Section
from derive.ops import ExpertSum, Exponentials, Given, RowTotal, Softmax, TopExperts

Feed = Callable[[Graph, str, Section, "str | None"], "str | None"]

USUAL_TOP = 2  # experts of a row, where the model does not say how many
LETTER = "n_E"  # how many experts there are


def experts(graph: Graph, block: str, options: Section, x: str | None, feed: Feed) -> str | None:
    """The result F of a layer of experts that reads x; `feed` wires one expert's pass."""
    router, chosen = _router(graph, block, options, x)
    parts: dict[str, list[str | None]] = {}
    for key, prefix in (("experts", "e"), ("shared", "shared")):
        parts[key] = [
            feed(graph, f"{block}.{prefix}{number}", _alone(options, own), x)
            for number, own in enumerate(options.get(key) or ())
        ]
    own, shared = ([name for name in parts[key] if name] for key in ("experts", "shared"))
    whole = len(own) == len(parts["experts"]) and len(shared) == len(parts["shared"])
    made = ExpertSum(chosen, shared, *own, r=router) if router and whole else None
    return graph.add(f"{block}.F", made)


def _alone(options: Section, own: Section) -> Section:
    """One expert's options: those of the layer, and weights of its own."""
    common = {key: options[key] for key in ("activation", "gated", "after")}
    slope = {"slope": options["slope"]} if "slope" in options else {}
    return Section({**common, **slope, **own})


def _router(
    graph: Graph, block: str, options: Section, x: str | None
) -> tuple[str | None, Callable[[int], tuple[int, ...]]]:
    """The weights of the experts, and which experts a row goes to."""
    name = f"{block}.router"
    w = given(graph, f"{block}.W_R", options.get("W_R"))
    logits = projection(graph, f"{name}.logits", "router", "d", x, w, None)
    count = len(options["experts"])
    top = options.get("top", min(USUAL_TOP, count))
    if options["gate"] == "softmax-then-top":
        probs = _softmax(graph, name, f"{name}.probs", logits)
        own = any(f"{name}.{part}" in graph.given for part in ("exp", "probs"))
        made = _top(graph, probs if own else logits or probs, probs, top, before=False)
        router = graph.add(name, made)
    else:
        made = _top(graph, logits, logits, top, before=True)
        router = _softmax(graph, name, name, graph.add(f"{name}.top", made))
    given_weights = router and isinstance(graph.matrices[router].operation, Given)
    if made is None or given_weights:  # then every expert counts as its weight says
        return router, lambda i: tuple(range(count))
    return router, made.chosen


def _top(
    graph: Graph, ranking: str | None, x: str | None, top: int, before: bool
) -> TopExperts | None:
    """The top experts of each row, ranked exactly."""
    if ranking is None or x is None:
        return None

    @cache
    def groups(i: int) -> tuple[tuple[int, ...], ...]:
        return tuple(map(tuple, ranked(graph, str(ranking), i)))

    return TopExperts(groups, top, before=before, x=x)


def _softmax(graph: Graph, name: str, result: str, scores: str | None) -> str | None:
    """The softmax over the experts."""
    exp = graph.add(f"{name}.exp", Exponentials(s=scores) if scores else None)
    total = graph.add(f"{name}.sum", RowTotal(LETTER, x=exp) if exp else None)
    if not (scores and exp and total):
        return graph.add(result, None)
    return graph.add(result, Softmax("expert", scores=scores, exp=exp, sum=total))

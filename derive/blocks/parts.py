"""Small wirings that several places need: given weights, norms, row sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from derive.graph import Graph
from derive.line import Num, from_text
from derive.ops import (
    Deviation,
    Given,
    LayerNorm,
    Mean,
    Projection,
    RMSNorm,
    RootMeanSquare,
    Variance,
)

if TYPE_CHECKING:
    from derive.model import Section


def given(graph: Graph, name: str, rows: Any) -> str | None:
    """A matrix from the model file under its name, or nothing where there is none."""
    return graph.add(name, Given(rows) if rows else None)


def of_head(options: Section, key: str, number: int) -> Any:
    """One head's matrix of a list at a key, or nothing where there is none."""
    matrices = options.get(key) or ()
    return matrices[number] if number < len(matrices) else None


def norm(
    graph: Graph,
    name: str,
    options: Section,
    x: str | None,
    result: str | None = None,
    given_as: str | None = None,
) -> str | None:
    """The normalised rows of x; x itself where the model has no norm here.

    The result is named like its norm, except that of a norm after an addition; `given_as`
    names gain and shift where several norms share them.
    """
    result, owner = result or name, given_as or name
    if x is None or options["kind"] == "none":
        return graph.add(result, None) or x
    weights = {
        role: given(graph, f"{owner}.{role}", options.get(role)) for role in ("gain", "shift")
    }
    eps, inside = from_text(options["eps"]), options["eps_at"] == "inside"
    if options["kind"] == "rmsnorm":
        rms = graph.add(f"{name}.rms", RootMeanSquare(eps, inside, x=x))
        return graph.add(result, RMSNorm(x=x, rms=str(rms), gain=weights["gain"]))
    mean = str(graph.add(f"{name}.mean", Mean(x=x)))
    sample = options["variance"] == "sample"
    var = str(graph.add(f"{name}.var", Variance(sample, x=x, mean=mean)))
    root = str(graph.add(f"{name}.root", Deviation(eps, inside, var=var)))
    return graph.add(result, LayerNorm(x=x, mean=mean, root=root, **weights))


def stream_size(graph: Graph, x: str | None) -> None:
    """The root mean square of the stream, a matrix of its own to watch it grow."""
    if x is not None:
        graph.add(f"{x}.rms", RootMeanSquare(Num(0), x=x))


def projection(
    graph: Graph, name: str, words: str, inner: str, x: str | None, w: str | None, b: str | None
) -> str | None:
    """x W + b, where x and W exist."""
    if x is None or w is None:
        return graph.add(name, None)
    return graph.add(name, Projection(words, inner, x=x, w=w, b=b))

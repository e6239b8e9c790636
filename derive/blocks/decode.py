"""Decoding: the prompt in one pass, then one token at a time from the KV cache.

The new row is computed from the cached keys and values alone, and proved equal to the last
row of a full pass over all tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from derive.blocks.ranking import ranked
from derive.blocks.whole import build
from derive.errors import DeriveError
from derive.graph import Graph
from derive.model.section import Section
from derive.ops import Given
from derive.text.nearest import nearest

if TYPE_CHECKING:
    from derive.model import Model


class DecodeError(DeriveError):
    """A model that can't be decoded token by token, or a token that it doesn't have."""


@dataclass(frozen=True)
class Decoded:
    """One step: the first reads the whole prompt, each later one reads one token."""

    read: tuple[str, ...]
    graph: Graph  # over all tokens read so far
    new_cells: tuple[str, ...]  # computed in this step, in forward order
    cached: tuple[str, ...]  # cells of earlier rows that were read from the cache
    predicted: str | None  # the likeliest next token; None without an output side
    tie: tuple[str, ...]  # all tokens that are exactly as likely as it, if there are several


def decode(model: Model, steps: int = 1, next_tokens: tuple[str, ...] = ()) -> Iterator[Decoded]:
    """Prefill, then token by token, until `steps` tokens have been produced.

    `next_tokens` are read instead of the predictions, as far as they go.  A model without an
    output side reads its own last token after the ones before it.
    Raises DecodeError for a model whose rows depend on later ones, or where a token is not
    in the vocabulary.
    """
    _check(model)
    queue = [_word(model, token) for token in next_tokens]
    own = model.output is None or build(model).matrices.keys().isdisjoint(("logits",))
    if own and not queue:
        model, rest = _split(model)
        queue = [rest]
    yield (last := _prefill(model))
    model_now = model
    for _ in range(max(steps - 1, len(queue))):
        following = queue.pop(0) if queue else _predicted(model_now, last)
        if following is None:
            return
        model_now = _longer(model_now, following)
        last = _one_token(last.graph, model_now)
        yield last


# the model over more or fewer tokens

Word = tuple[str, int | None, Any]  # text, row of E, row of X


def _check(model: Model) -> None:
    """Only a model whose rows see no later ones can be decoded from a cache."""
    attentions = [block["attention"] for block in model.blocks if block["attention"] is not None]
    if any(attention["mask"] != "causal" for attention in attentions):
        raise DecodeError('decoding needs mask = "causal" in every block')
    if any(attention.get("padding") for attention in attentions):
        raise DecodeError("a model with padding has a fixed number of rows")
    if model.given:
        raise DecodeError("a model with [given] matrices has a fixed number of rows")
    if model.ids is None and model.embedding.get("X") is None:
        raise DecodeError("decoding needs tokens: E with a vocabulary, or X")


def _word(model: Model, token: str) -> Word:
    if model.vocabulary is None or model.ids is None:
        raise DecodeError("this model has no vocabulary to take a next token from")
    if token not in model.vocabulary:
        near = nearest(token, model.vocabulary)
        raise DecodeError(
            f"{token!r} is not in the vocabulary" + (f"; nearest: {near}" if near else "")
        )
    return token, model.vocabulary.index(token), None


def _split(model: Model) -> tuple[Model, Word]:
    """The model over all tokens but the last, and that token."""
    tokens, ids, rows = model.tokens, model.ids, model.embedding.get("X")
    n = len(rows or ids or ())
    if n < 2:
        raise DecodeError("a model without an output side needs two tokens, or --next")
    word = (
        tokens[-1] if tokens else str(n - 1),
        ids[-1] if ids else None,
        rows[-1] if rows else None,
    )
    shorter = _over(
        model,
        tokens[:-1] if tokens else None,
        ids[:-1] if ids else None,
        rows[:-1] if rows else None,
    )
    return shorter, word


def _longer(model: Model, word: Word) -> Model:
    token, number, row = word
    rows = model.embedding.get("X")
    return _over(
        model,
        (*model.tokens, token) if model.tokens else None,
        (*model.ids, number) if model.ids and number is not None else None,
        (*rows, row) if rows else None,
    )


def _over(model: Model, tokens: Any, ids: Any, rows: Any) -> Model:
    embedding = dict(model.embedding)
    if rows is not None:
        embedding["X"] = rows
    n = len(rows or ids)
    if types := embedding.get("type_ids"):  # a new token is of the type of the last one
        embedding["type_ids"] = (*types, *types[-1:] * n)[:n]
    table, first = model.position.get("P") or (), model.position["first"]
    if model.position["kind"] == "learned" and len(table) < first + n:
        raise DecodeError(f"the table of positions P ends at {len(table) - 1}: no room for a token")
    return replace(
        model,
        tokens=tokens,
        ids=ids,
        embedding=Section(embedding),
        sizes=Section({**model.sizes, "n": n}),
        targets=None,
    )


def _predicted(model: Model, last: Decoded) -> Word | None:
    return None if last.predicted is None else _word(model, last.predicted)


# the steps


def _prefill(model: Model) -> Decoded:
    graph = build(model)
    rows = range(_rows(graph))
    for i in rows:
        _row(graph, i)
    return _decoded(graph, tuple(model.tokens or map(str, rows)), (), {})


def _one_token(before: Graph, model: Model) -> Decoded:
    """One more token: earlier keys and values come from the cache, everything else is new."""
    graph = build(model)
    graph.share(before)
    n = _rows(graph) - 1
    cache: dict[str, list[tuple[int, int]]] = {}
    for name in _cached_names(graph):
        values, earlier = graph.values(name, graph.dag), before.values(name, graph.dag)
        cells = [(i, j) for i in range(n) for j in range(values.columns)]
        values.update({at: earlier[at] for at in cells})
        cache[name] = cells
    _row(graph, n)
    _same_as_full_pass(graph, model, n)
    cached = tuple(
        f"{graph.short(name)}[{i},{j}]" for name, cells in cache.items() for i, j in cells
    )
    token = model.tokens[n] if model.tokens else str(n)
    return _decoded(graph, (token,), cached, cache)


def _rows(graph: Graph) -> int:
    return graph.matrices["X"].shape[0]


def _cached_names(graph: Graph) -> list[str]:
    """In every block the keys that scores read, and the values."""
    names = []
    for matrix in graph:
        if matrix.name.endswith(".S"):
            names.append(matrix.operation.inputs["k"])
        if matrix.name.endswith(".Z") and "v" in matrix.operation.inputs:
            names.append(matrix.operation.inputs["v"])
    return list(dict.fromkeys(names))


def _last(graph: Graph) -> str:
    """The end of the pass: chances, or the stream."""
    ends = [name for name in ("probs", "logits") if name in graph.matrices]
    streams = [name for name in graph.matrices if name.endswith((".H", ".Z", ".Z_cat"))]
    return (ends or streams[-1:] or ["X"])[0]


def _row(graph: Graph, i: int) -> list[Any]:
    """The last matrix's row, computed."""
    values = graph.values(_last(graph), graph.dag)
    return [values[i, j] for j in range(values.columns)]


def _same_as_full_pass(graph: Graph, model: Model, i: int) -> None:
    """The row from the cache is the row of the full pass, exactly."""
    from derive.exact.decide import decide

    full = build(model)
    full.share(graph)
    for one, other in zip(_row(graph, i), _row(full, i), strict=True):
        if one != other and not decide(one, other).equal:
            raise DecodeError("the row from the cache could not be proved equal to the full pass")


def _decoded(
    graph: Graph, read: tuple[str, ...], cached: tuple[str, ...], cache: dict[str, Any]
) -> Decoded:
    new = []
    for matrix in graph:
        if isinstance(matrix.operation, Given) or matrix.axes[0] not in "nm":
            continue  # weights, also those made of others, have no rows of tokens
        known = set(cache.get(matrix.name, ()))
        cells = sorted(at for at in graph.values(matrix.name, graph.dag) if at not in known)
        new += [f"{graph.short(matrix.name)}[{','.join(map(str, at))}]" for at in cells]
    predicted, tie = _prediction(graph)
    return Decoded(read, graph, tuple(new), cached, predicted, tie)


def _prediction(graph: Graph) -> tuple[str | None, tuple[str, ...]]:
    """The likeliest next token, and all that are exactly as likely."""
    if "logits" not in graph.matrices:
        return None, ()
    (best, *_rest) = ranked(graph, "logits", _rows(graph) - 1)
    words = graph.model.vocabulary
    texts = [words[j] if words else str(j) for j in best]
    return texts[0], tuple(texts) if len(texts) > 1 else ()

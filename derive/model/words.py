"""Tokens, ids, text and vocabulary: which row stands for which word."""

from __future__ import annotations

from typing import Any

from derive.model import limits
from derive.model.problems import quoted
from derive.model.spot import Reading
from derive.text.nearest import nearest

FROM_COMMAND = "--tokens"  # the name of the document that the option makes


def settle_words(values: dict[str, Any], reading: Reading, has_X: bool, has_E: bool) -> None:
    """Fills in tokens from text, ids from tokens, tokens from ids; notes what doesn't fit.

    With X the tokens only label its rows; else they are looked up in the vocabulary, unless
    ids say which rows of E to take.
    """
    _split_text(values, reading)
    _check_option(values, reading, has_X, has_E)
    tokens, ids = values.get("tokens"), values.get("ids")
    if tokens and ids and len(tokens) != len(ids):
        reading.spots["ids"].bad(f"{len(ids)} ids", f"{len(tokens)}, one for each token")
    if "targets" in values:
        _look_up(values, reading, "targets", "targets")
    if ids:
        _check_ids(values, reading)
    elif tokens and has_E and not has_X:
        _look_up(values, reading)
    elif has_E and not has_X and not (reading.spots.keys() & {"tokens", "text", "ids", "given"}):
        spot = reading.spots.get("embedding.E") or reading.spots["weights.order"]
        spot.bad("a table without words", 'tokens = ["…"], text = "…" or ids = […] beside it')


def settle_memory(values: dict[str, Any], reading: Reading, has_E: bool) -> None:
    """The same for the second sequence: with X its tokens are labels, else they are looked up.

    A vocabulary and a table E of its own come first, then the model's.
    """
    memory = values.get("memory")
    if memory is None:
        return
    tokens, ids = memory.get("tokens"), memory.get("ids")
    if tokens and ids and len(tokens) != len(ids):
        reading.spots["memory.ids"].bad(f"{len(ids)} ids", f"{len(tokens)}, one for each token")
    looked_up = "memory.X" not in reading.spots and ("E" in memory or has_E)
    inner = {
        "vocabulary": memory.get("vocabulary") or values.get("vocabulary"),
        "embedding": {"E": memory.get("E") or values["embedding"].get("E")},
        **{key: memory[key] for key in ("tokens", "ids") if key in memory},
    }
    if ids:
        _check_ids(inner, reading, "memory.")
    elif tokens and looked_up:
        _look_up(inner, reading, before="memory.")
    memory.update({key: inner[key] for key in ("tokens", "ids") if key in inner})


def _split_text(values: dict[str, Any], reading: Reading) -> None:
    text = values.pop("text", None)
    if text is None:
        return
    if "tokens" in values:
        reading.spots["text"].bad("both text and tokens", "one of the two")
    elif words := tuple(text.split()):
        values["tokens"] = words
        reading.spots["tokens"] = reading.spots["text"]
    else:
        reading.spots["text"].bad(quoted(text), "at least one word")


def _check_option(values: dict[str, Any], reading: Reading, has_X: bool, has_E: bool) -> None:
    """Another text needs a model that can look it up."""
    spot = reading.spots.get("text")
    if not spot or spot.item.document.name != FROM_COMMAND or "tokens" not in values:
        return
    if has_X:
        spot.wrong("a model with a vocabulary; this one gives its rows as X")
        del values["tokens"]
    elif not has_E or "vocabulary" not in values:
        spot.wrong("a model with E and a vocabulary")
        del values["tokens"]


def _look_up(
    values: dict[str, Any],
    reading: Reading,
    source: str = "tokens",
    target: str = "ids",
    before: str = "",
) -> None:
    """Ids of the tokens: the first vocabulary entry with the same text."""
    spot, vocabulary = reading.spots[before + source], values.get("vocabulary")
    if vocabulary is None:
        if "vocabulary" not in reading.spots:
            spot.wrong("a vocabulary to look them up in, or ids beside them")
        return
    place: dict[str, int] = {}
    for i, text in enumerate(vocabulary):
        place.setdefault(text, i)
    ids, comparisons = [], limits.COMPARISONS
    from_text = isinstance(spot.raw, str)
    texts = values.pop(source) if source == target else values[source]
    for i, token in enumerate(texts):
        if token not in place:
            comparisons -= len(vocabulary)
            near = nearest(token, vocabulary) if comparisons >= 0 else None
            expected = "an entry of the vocabulary"
            spot.bad(quoted(token), expected, near, at=() if from_text else (i,))
        else:
            ids.append(place[token])
    if len(ids) == len(texts):
        values[target] = tuple(ids)


def _check_ids(values: dict[str, Any], reading: Reading, before: str = "") -> None:
    """Ids inside the vocabulary; their texts label the rows where no tokens do."""
    ids, vocabulary = values["ids"], values.get("vocabulary")
    table = values.get("embedding", {}).get("E")
    size = len(vocabulary) if vocabulary else len(table) if table else None
    if size is None:
        return
    for i, x in enumerate(ids):
        if x >= size:
            expected = f"0 to {size - 1}: the vocabulary has {size}"
            reading.spots[before + "ids"].bad(str(x), expected, at=(i,))
    if vocabulary and "tokens" not in values and max(ids) < size:
        values["tokens"] = tuple(vocabulary[x] for x in ids)
        reading.spots.setdefault(before + "tokens", reading.spots[before + "ids"])

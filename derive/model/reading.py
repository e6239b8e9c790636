"""From a file to a model: layers, options, schema, names, words, weights, sizes, in this order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from derive.model.bundled import ENDING, Bundled, bundled_names
from derive.model.chain import find_document, merged
from derive.model.combinations import check_combinations
from derive.model.document import Document, read_document
from derive.model.generator import draw_weights
from derive.model.given import Given, read_given, with_implied_parts
from derive.model.letters import Sizes
from derive.model.model import Model
from derive.model.override import with_set, with_tokens
from derive.model.section import Section
from derive.model.sizes import block_sizes, model_sizes, solve
from derive.model.spot import Reading
from derive.model.validate import read_model
from derive.model.words import settle_memory, settle_words

_OPTIONAL_PARTS = ("attention", "ffn")


def load(
    source: str | PathLike[str], *, sets: Sequence[str] = (), tokens: str | None = None
) -> Model:
    """The model of a bundled name, a path, or "-" (standard input), checked and exact.

    `sets` are KEY=VALUE texts as of `--set`; `tokens` is another text of the model's vocabulary.

    Raises ModelError with every error of the file, one a line.

    >>> model = load("cats", sets=["mask=none"], tokens="you like dogs")
    >>> model.ids, model.blocks[0]["attention"]["mask"], model.sizes["d"]
    ((1, 2, 4), 'none', 4)
    """
    name = fspath(source)
    document = find_document(name)
    if name == "-":
        name = "model"
    elif name not in bundled_names():
        name = Path(name).stem
    return _model(document, name, sets, tokens)


def loads(
    text: str, name: str = "model", *, sets: Sequence[str] = (), tokens: str | None = None
) -> Model:
    """The model of a text, TOML or JSON; `extends` is relative to the working folder.

    Raises ModelError.

    >>> loads("[given]\\nQ = [[1, 0]]\\nK = [[1, 2], [3, 4], [5, 6]]").given["b0.h0.Q"]
    ((Number(p=1, q=1), Number(p=0, q=1)),)
    """
    return _model(read_document(text, name, Path()), name.removesuffix(ENDING), sets, tokens)


def bundled() -> tuple[Bundled, ...]:
    """Name, title and source of each bundled model, in alphabetical order.

    >>> next(model.title for model in bundled() if model.name == "cats")
    'I like cats too'
    """
    found = []
    for name in bundled_names():
        top, _ = merged(find_document(name))
        title, source = (top.value[key].raw if key in top.value else "" for key in _LINE)
        found.append(Bundled(name, title or name, source))
    return tuple(found)


_LINE = ("title", "source")


def _model(document: Document, name: str, sets: Sequence[str], tokens: str | None) -> Model:
    top, documents = merged(document)
    reading = Reading(documents)
    top = with_implied_parts(top)
    for assignment in sets:
        top = with_implied_parts(with_set(top, assignment, reading.problems))
    if tokens is not None:
        top = with_tokens(top, tokens)
    values = read_model(top, reading)
    given = read_given(values, reading)
    draw_weights(values, reading)
    has_X, has_E = (x in given or f"embedding.{x}" in reading.spots for x in "XE")
    settle_words(values, reading, has_X, has_E)
    settle_memory(values, reading, has_E)
    check_combinations(values, reading, given.keys())
    sizes = solve(values, given, reading)
    if not reading.problems and not (has_X or has_E or values.get("block") or given):
        what = "[embedding], [[block]] or [given]"
        reading.problems.add(document.place(), "", "a model without a matrix", what)
    reading.problems.check()
    return _built(name, values, given, sizes)


def _built(name: str, values: dict[str, Any], given: Mapping[str, Given], sizes: Sizes) -> Model:
    """The frozen model; all of it has been checked."""
    memory: Section | None = None
    if "memory" in values:
        found = dict(values["memory"])
        inner = found.pop("block", [])
        blocks = _blocks(inner, sizes.encoder) if sizes.encoder else ()
        memory = Section({**_section(found), "blocks": blocks})
    return Model(
        name=name,
        title=values.get("title", name),
        source=values.get("source", ""),
        note=values.get("note", ""),
        tokens=values.get("tokens"),
        ids=values.get("ids"),
        vocabulary=values.get("vocabulary"),
        targets=values.get("targets"),
        symbols=values["symbols"],
        embedding=_section(values["embedding"]),
        position=_section(values["position"]),
        blocks=_blocks(values.get("block", []), sizes),
        memory=memory,
        output=_section(values["output"]) if "output" in values else None,
        given=Section({full: one.rows for full, one in given.items()}),
        notation=_section(values["notation"]),
        sizes=Section(model_sizes(sizes)),
    )


def _blocks(blocks: Sequence[Mapping[str, Any]], sizes: Sizes) -> tuple[Section, ...]:
    return tuple(
        _section({**dict.fromkeys(_OPTIONAL_PARTS), **block, "sizes": block_sizes(sizes, i)})
        for i, block in enumerate(blocks)
    )


def _section(values: Mapping[str, Any]) -> Section:
    """A table with the tables inside it, read-only."""
    return Section({key: _frozen(x) for key, x in values.items()})


def _frozen(x: Any) -> Any:
    if isinstance(x, list):  # of tables: experts
        return tuple(map(_section, x))
    return _section(x) if isinstance(x, dict) else x

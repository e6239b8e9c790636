"""One offline page: click any number to see how it is calculated, exactly.

The file has no address in it that could be fetched; its policy forbids everything but its own
script, style and font.  Texts of users stand in it only as data, and are shown only as texts.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from importlib.resources import files
from math import prod
from typing import Any

from derive.blocks import build
from derive.blocks.decode import DecodeError, decode
from derive.blocks.ranking import UndecidedRanking, ranked
from derive.documents.decoding import chances
from derive.documents.in_words import in_words
from derive.documents.page_data import LIMITS, first_digits, sentence
from derive.documents.page_words import glossary
from derive.documents.pictures import STREAM, arrows, stream
from derive.errors import OutputError
from derive.graph import Cell
from derive.graph.address import split
from derive.graph.graph import Graph
from derive.model import Model, Section
from derive.model.exact_numbers import from_fraction
from derive.ops import Given
from derive.render.drawing import Picture, svg
from derive.render.escape import label, terminal
from derive.text.show import show
from derive.text.tree import Number, Tree

ASSETS = files("derive.documents") / "assets"
DIGITS = 4  # shown first; the reader changes it
TEMPERATURES = ("1/4", "1/2", "3/4", "1", "3/2", "2", "3", "5", "10")
MOST_WORDS = 12  # bars of next words
MOST_STEPS = 4  # of decoding
MOST_CELLS = 20_000
STOP = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(?:/(?=0*[1-9])[0-9]{1,6})?")


def page(models: Sequence[Model], digits: int = DIGITS, temperatures: Sequence[str] = ()) -> str:
    """The page of one model, for one or several texts (the same model with other tokens).

    `temperatures`: the stops of the slider beside the model's own; by default nine.
    Raises OutputError for a temperature that isn't a positive number, or too many cells.

    >>> import derive
    >>> text = page([derive.load("cats")])
    >>> text[:15], "://" in text.replace("http://www.w3.org/", "")
    ('<!DOCTYPE html>', False)
    """
    stops = [_stop(text) for text in temperatures or TEMPERATURES]
    graphs = [build(model) for model in models]
    for graph in graphs:
        cells = sum(prod(m.shape) for m in graph)
        if cells > MOST_CELLS:
            raise OutputError(
                f"a page of {cells} numbers is too large (at most {MOST_CELLS}); "
                "take a smaller model or a shorter text"
            )
    drawn: list[tuple[str, str]] = []
    data = {
        "limits": LIMITS,
        "digits": max(2, min(digits, LIMITS["kept"] - 1)),
        "sentences": [sentence(graph) for graph in graphs],
        "output": [_output(graph, stops) for graph in graphs],
        "decode": [_decode(model) for model in models],
        "pictures": [_pictures(graph, drawn) for graph in graphs],
    }
    return _html(models, graphs, data, drawn)


def _stop(text: str) -> Fraction:
    """A temperature as it was typed: 1/2, 2.5."""
    found = STOP.fullmatch(text.strip())
    value = Fraction(text) if found and found[1].strip("0") != "" else None
    if not value:
        raise OutputError(f"temperature {text!r}: a positive number such as 1/2 or 2.5 is expected")
    return value


# what stands beside the matrices


def _output(graph: Graph, stops: Sequence[Fraction]) -> dict[str, Any] | None:
    """The likeliest next words of every row, at every temperature: certified digits.

    The order of the words is that of the logits, so it is decided once.
    """
    output = graph.model.output
    if "probs" not in graph.matrices or graph.free or output is None:
        return None
    matrix = graph.matrices["probs"]
    try:
        order = [
            [j for group in ranked(graph, "probs", i) for j in group][:MOST_WORDS]
            for i in range(matrix.shape[0])
        ]
    except UndecidedRanking:
        return None
    own = output["temperature"]
    known: list[tuple[str, Tree]] = [(show(own), own)]
    if not isinstance(matrix.operation, Given) and isinstance(own, Number):
        every = sorted({*stops, Fraction(own.p, own.q)})
        known = [(str(x), from_fraction(x)) for x in every]
    graphs = [graph if t == own else build(_at(graph.model, t)) for _, t in known]
    words = graph.addresses.labels(matrix)[1]
    return {
        "temperatures": [text for text, _ in known],
        "own": next(k for k, (_, t) in enumerate(known) if t == own),
        "words": [label(x) for x in words] if words else [],
        "tables": [_bars(g, order) for g in graphs],
    }


def _at(model: Model, temperature: Tree) -> Model:
    assert model.output is not None
    return replace(model, output=Section({**model.output, "temperature": temperature}))


def _bars(graph: Graph, order: Sequence[Sequence[int]]) -> list[list[tuple[int, str | None]]]:
    """The first digits of each row's likeliest words."""
    matrix = graph.matrices["probs"]
    return [
        [(j, first_digits(Cell(graph, matrix, (i, j)))) for j in row] for i, row in enumerate(order)
    ]


def _decode(model: Model) -> list[dict[str, Any]]:
    """A few tokens produced one by one; nothing for a model that can't be."""
    try:
        steps = list(decode(model, MOST_STEPS))
    except (DecodeError, UndecidedRanking):
        return []
    return [
        {
            "read": [label(x) for x in step.read],
            "computed": len(step.new_cells),
            "cached": len(step.cached),
            "chances": [[label(word), text] for word, text in chances(step, DIGITS)],
            "predicted": None if step.predicted is None else label(step.predicted),
            "tie": [label(x) for x in step.tie],
        }
        for step in steps
    ]


def _pictures(graph: Graph, drawn: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """RoPE's arrows and the stream by layer, each below the matrix that it shows."""
    if graph.free:
        return []
    found: list[tuple[int, str, Picture]] = []
    streamed = False
    for k, matrix in enumerate(graph):
        base = split(matrix.name)[1]
        try:
            if base in ("Q_rot", "K_rot"):
                picture = arrows(graph, matrix.name)
                found.append((k, "how each pair of columns turns", picture))
            elif base in STREAM and not streamed:
                found.append((k, "the stream, layer by layer", stream(graph)))
                streamed = True
        except OutputError:
            continue
    out = []
    for k, title, picture in found:
        name = f"picture{len(drawn)}"
        drawn.append((name, svg(picture)))
        out.append({"matrix": k, "title": title, "id": name})
    return out


# the file


def _html(
    models: Sequence[Model],
    graphs: Sequence[Graph],
    data: object,
    drawn: Sequence[tuple[str, str]],
) -> str:
    model = models[0]
    font = base64.b64encode((ASSETS / "derive-math.woff2").read_bytes()).decode()
    face = f'@font-face{{font-family:"Derive Math";src:url(data:font/woff2;base64,{font})}}\n'
    style = face + _asset("page.css")
    script = _asset("maths.js") + _asset("page.js")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )
    title = escape(terminal(model.title or "A transformer, number by number"))
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n",
            '<a class="skip" href="#matrices">To the matrices</a>\n',
            f"<header>\n<h1>{title}</h1>\n{_about(model)}</header>\n",
            _controls(models),
            '<div class="page">\n<nav class="outline" aria-label="The flow of the whole pass">'
            '<ol id="outline"></ol></nav>\n<main>\n<div id="matrices" tabindex="-1"></div>\n',
            '<section id="output" hidden aria-label="Next words"></section>\n',
            '<section id="flash" hidden aria-label="FlashAttention"></section>\n',
            '<section id="decode" hidden aria-label="Decoding"></section>\n',
            _glossary(graphs),
            '</main>\n<aside id="panel" aria-label="How this number is calculated">',
            "</aside>\n</div>\n",
            '<div id="live" class="live" aria-live="polite"></div>\n',
            FOOTER,
            *(f'<template id="{name}">{picture}</template>\n' for name, picture in drawn),
            f'<script type="application/json" id="data">{_json(data)}</script>\n',
            f"<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


FOOTER = (
    "<footer>Every number is exact or correctly rounded; = stands only between equal things. "
    "Maths is drawn with Derive Math, a subset of DejaVu Math TeX Gyre under a name of its own: "
    "© 2003 Bitstream, Inc.; changes by DejaVu and extensions by B. Jackowski, P. Strzelczyk and "
    "P. Pianowski are in the public domain.</footer>\n"
)


def _asset(name: str) -> str:
    return (ASSETS / name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def _json(data: object) -> str:
    """JSON that can't end the element it stands in; lone surrogates stay escapes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("utf-8", "backslashreplace").decode()


def _about(model: Model) -> str:
    source = f'<p class="source">Source: {escape(terminal(model.source))}</p>\n'
    note = f"<p>{escape(terminal(model.note))}</p>\n"
    facts = "".join(
        f"<dt>{escape(terminal(what))}</dt><dd><bdi>{escape(terminal(words))}</bdi></dd>\n"
        for what, words in in_words(model)
    )
    return (
        (source if model.source else "")
        + (note if model.note else "")
        + f"<details><summary>The model in words</summary><dl>\n{facts}</dl></details>\n"
    )


def _controls(models: Sequence[Model]) -> str:
    texts = [" ".join(map(label, model.tokens or ())) for model in models]
    options = "".join(
        f'<option value="{k}">{escape(text)}</option>' for k, text in enumerate(texts)
    )
    switch = f'<label>text <select id="sentence">{options}</select></label>\n'
    return (
        '<div class="controls"><div role="group" aria-label="What is shown">\n'
        + (switch if len(models) > 1 else "")
        + '<label>numbers <select id="form"><option value="decimal">decimals</option>'
        '<option value="exact">exact values</option></select></label>\n'
        '<label>digits <select id="digits"></select></label>\n'
        '<label>follow <select id="follow"></select></label>\n</div></div>\n'
    )


def _glossary(graphs: Sequence[Graph]) -> str:
    bases = {split(name)[1] for graph in graphs for name in graph.matrices}
    terms = "".join(
        f"<dt>{escape(term)}</dt><dd>{escape(words)}</dd>\n" for term, words in glossary(bases)
    )
    return f'<section aria-label="Glossary"><h2>Glossary</h2><dl>\n{terms}</dl></section>\n'

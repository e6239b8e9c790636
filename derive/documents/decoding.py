"""A decoding as a text and as data: what is read, what is new, what comes from the cache."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.blocks.decode import Decoded
from derive.graph import Cell
from derive.render.escape import columns, dumps, terminal

MOST_WORDS = 5  # chances shown a step

CELL = re.compile(r"(.*)\[(\d+),(\d+)\]")


def data(steps: Sequence[Decoded], digits: int) -> str:
    """The JSON object derive.decode/1."""
    prompt = list(steps[0].read)
    out = {
        "schema": "derive.decode/1",
        "prompt": prompt,
        "steps": [
            {
                "read": list(step.read),
                "new_cells": list(step.new_cells),
                "cached": list(step.cached),
                "predicted": step.predicted,
                "tie": list(step.tie),
                "equals_full_pass": bool(step.cached) or None,  # proved, or there is no cache yet
                "chances": dict(chances(step, digits)),
                "kept": [
                    {"matrix": x.name, "shape": [x.rows, x.columns], "memory": x.memory}
                    for x in step.kept
                ],
            }
            for step in steps
        ],
        "text": _text(steps),
    }
    return dumps(out)


def _text(steps: Sequence[Decoded]) -> str:
    """The prompt and what was added."""
    words = [word for step in steps for word in step.read]
    if steps[-1].predicted is not None:
        words.append(steps[-1].predicted)
    return " ".join(words)


def chances(step: Decoded, digits: int) -> list[tuple[str, str]]:
    """The likeliest next words with their chances, certified digits."""
    graph = step.graph
    if "probs" not in graph.matrices or graph.free:
        return []
    from derive.blocks.ranking import ranked

    matrix = graph.matrices["probs"]
    last = matrix.shape[0] - 1
    order = [j for group in ranked(graph, "probs", last) for j in group][:MOST_WORDS]
    words = graph.model.vocabulary or tuple(map(str, range(matrix.shape[1])))
    return [(words[j], str(Cell(graph, matrix, (last, j)).decimal(digits))) for j in order]


def text(steps: Sequence[Decoded], digits: int) -> str:
    """The decoding for a terminal."""
    parts = [_step(k, step, digits) for k, step in enumerate(steps)]
    return "\n".join([*parts, *_cache(steps[-1]), f"text: {terminal(_text(steps))}", ""])


def _cache(step: Decoded) -> list[str]:
    """The table of what is kept: each matrix, its size, and whether it grows."""
    if not step.kept:
        return []
    rows = [
        (
            x.name,
            "×".join(map(str, step.graph.printed_shape((x.rows, x.columns)))),
            "the memory's, computed once" if x.memory else step.graph.said("a row a token"),
        )
        for x in step.kept
    ]
    more = sum(x.columns for x in step.kept if not x.memory)
    total = f"{sum(x.numbers for x in step.kept)} numbers, {more} more with each token"
    rows.append(("in all", total, ""))
    widths = [max(columns(row[k]) for row in rows[:-1]) for k in (0, 1)]
    widths[0] = max(widths[0], len("in all"))
    lines = ["kept in the cache"]
    for name, size, words in rows:
        gap = " " * (widths[0] - columns(name))
        line = f"  {name}{gap}  {size}" + (
            " " * (widths[1] - columns(size)) + f"  {words}" if words else ""
        )
        lines.append(line)
    return [*lines, ""]


def _step(k: int, step: Decoded, digits: int) -> str:
    words = " ".join(terminal(word) for word in step.read)
    rows = _rows(step)
    said = step.graph.said
    place = f", {said('row')} {rows}" if k else ""
    lines = [f"{f'step {k}' if k else 'prefill':<9} reads “{words}”{place}"]
    lines += _wrapped("new", _summary(step, step.new_cells, k == 0))
    if step.cached:
        lines += _wrapped("cache", _summary(step, step.cached, True))
        lines.append(said("  check     the new row is exactly the last row of the full pass"))
    sign = "," if step.graph.model.notation["decimal"] == "comma" else "."
    likely = [
        f"{terminal(word)} {chance.replace('.', sign)}" for word, chance in chances(step, digits)
    ]
    if likely:
        lines += _wrapped("chances", likely)
    if step.predicted is not None:
        lines.append(f"  predicts  “{terminal(step.predicted)}”")
    if step.tie:
        ties = ", ".join(f"“{terminal(word)}”" for word in step.tie)
        lines.append(f"  tie       {ties} are exactly as likely; the first is taken")
    return "\n".join([*lines, ""])


def _rows(step: Decoded) -> int:
    """The row of the newest token as it is printed."""
    return step.graph.matrices["X"].shape[0] - 1 + int(step.graph.model.notation["index_base"])


def _summary(step: Decoded, cells: Sequence[str], whole: bool) -> list[str]:
    """Cells by matrix, as they are printed: names with how many rows, or with their row."""
    found: dict[str, list[int]] = {}
    for cell in cells:
        name, i, _ = _parts(cell)
        found.setdefault(name, []).append(i)
    base = step.graph.model.notation["index_base"]
    out = []
    for name, rows in found.items():
        low, high = (min(rows), max(rows)) if whole else (rows[0], rows[0])
        place: str | int = low if low == high else f"{low + base}…{high + base}"
        out.append(step.graph.printed(name, place, ":"))
    return out


def _parts(cell: str) -> tuple[str, int, int]:
    found = CELL.fullmatch(cell)
    assert found is not None
    return found[1], int(found[2]), int(found[3])


def _wrapped(title: str, items: Sequence[str], width: int = 80) -> list[str]:
    """Items after a title, broken between items."""
    lines, line = [], f"  {title:<10}"
    for k, item in enumerate(items):
        piece = item + (", " if k + 1 < len(items) else "")
        if len(line) + len(piece.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = " " * 12
        line += piece
    return [*lines, line.rstrip()]

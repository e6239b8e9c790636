"""Derivations and tables as JSON (derive.cell/1, derive.matrix/1) and the two plain lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from derive.line import Derivation, Line, Names, Step, Table
from derive.render.escape import dumps
from derive.render.latex import RELATIONS
from derive.render.latex_maths import LatexPrinter
from derive.render.plain_maths import TextPrinter


def derivation(d: Derivation, width: int = 80, color: bool = False) -> str:
    """derive.cell/1: a line is one string in text and one in LaTeX, unbroken.

    A step or line that has a note in words has one more key, `note`.
    """
    printers = {x: (TextPrinter(d.names, x), LatexPrinter(d.names, x)) for x in (False, True)}
    return dumps(
        {
            "schema": "derive.cell/1",
            "cell": d.cell,
            "operation": d.operation,
            "reads": list(d.reads),
            "steps": [_step(printers, step) for step in d.steps],
            "exact": d.exact,
            "exact_guard": d.exact_guard,
            "decimal": d.decimal,
            "digits": d.digits,
            "enclosure": None if d.enclosure is None else list(d.enclosure),
        }
    )


Printers = dict[bool, tuple[TextPrinter, LatexPrinter]]  # for numbers put in, for the others


def _step(printers: Printers, step: Step) -> dict[str, object]:
    lines = [_line(*printers[line.kind == "substituted"], line) for line in step.lines]
    return {"title": step.title, "cell": step.cell, "lines": lines, **_note(step.note)}


def _line(text: TextPrinter, latex: LatexPrinter, line: Line) -> dict[str, str]:
    return {
        "kind": line.kind,
        "text": f"{text.line(line.left)} {line.relation} {text.line(line.right)}",
        "latex": f"{latex.line(line.left)} {RELATIONS[line.relation]} {latex.line(line.right)}",
        **_note(line.note),
    }


def _note(words: str) -> dict[str, str]:
    return {"note": words} if words else {}


def table(t: Table, width: int = 80, color: bool = False) -> str:
    """derive.matrix/1; `notes` only where there are any.

    Data, not print: whatever way vectors are written, a cell stands where its typed address
    says, so rows are tokens.
    """
    rows, columns, shape, cells = t.rows, t.columns, t.shape, t.plain
    if isinstance(t.names, Names) and t.names.columns:
        rows, columns, shape = columns, rows, shape[::-1]
        cells = tuple(zip(*cells, strict=True))
    value: dict[str, object] = {
        "schema": "derive.matrix/1",
        "name": t.name,
        "shape": list(shape),
        "rows": list(rows),
        "columns": list(columns),
        "cells": [list(row) for row in cells],
    }
    return dumps({**value, "notes": list(t.notes)} if t.notes else value)


def matrices(found: Iterable[tuple[str, Sequence[int], str, str]]) -> str:
    """derive.matrices/1 of (name, shape, operation, meaning)."""
    rows = [
        {"name": name, "shape": list(shape), "operation": operation, "meaning": meaning}
        for name, shape, operation, meaning in found
    ]
    return dumps({"schema": "derive.matrices/1", "matrices": rows})


def models(found: Iterable[tuple[str, str, str]]) -> str:
    """derive.models/1 of (name, title, source)."""
    rows = [{"name": name, "title": title, "source": source} for name, title, source in found]
    return dumps({"schema": "derive.models/1", "models": rows})

"""What a reader is shown of a step or a table, in every format but JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from derive.line import Derivation, Line, Step

WORDS = {  # for the kind of a line
    "definition": "formula",
    "here": "here",
    "substituted": "numbers",
    "exact": "exact",
    "decimal": "decimal",
}


def notes(d: Derivation, step: Step) -> Iterator[str]:
    """The words below a step; for the asked cell also why it has no closed form."""
    if step.note:
        yield step.note
    elif d.exact_guard is not None and step is d.steps[0]:
        yield f"No closed form: {d.exact_guard}."


def distinct(lines: Sequence[Line], printed: Callable[[Line], str]) -> list[Line]:
    """The lines that a reader needs: of two that print the same, one, with the notes of both.

    Numbers put in that are the exact value already are called exact, and so is a whole
    number or a short decimal; JSON keeps all lines.
    """
    kept: list[Line] = []
    for line in lines:
        if not kept or printed(kept[-1]) != printed(line):
            kept.append(line)
            continue
        before = kept.pop()
        kind = "exact" if "exact" in (before.kind, line.kind) else before.kind
        note = " ".join(dict.fromkeys(filter(None, (before.note, line.note))))
        kept.append(replace(before, kind=kind, note=note))
    return kept


def behind_the_point(cells: Sequence[str]) -> list[str]:
    """What to hang on each number of a column, unseen, so that points stand below points.

    Only where all cells of the column are whole numbers or decimals.

    >>> behind_the_point(["1", "0.25", "0.5"]), behind_the_point(["1/2", "0.5"])
    (['.00', '', '0'], ['', ''])
    """
    if not all(re.fullmatch(r"[-−]?\d+(\.\d+)?", cell) for cell in cells):
        return [""] * len(cells)
    ends = ["." + cell.partition(".")[2] if "." in cell else "" for cell in cells]
    longest = "." + "0" * (max(map(len, ends)) - 1) if any(ends) else ""
    return [longest[len(end) :] for end in ends]

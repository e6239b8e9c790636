"""What a reader is shown of a step or a table, in every format but JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from derive.line import Derivation, Entry, Line, Num, Shown, Step
from derive.render.leaves import differs

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


def cell_entry(step: Step) -> Entry | None:
    """The entry that a step is about: the first left side with numbers for indices."""
    for line in step.lines:
        if isinstance(line.left, Entry) and all(isinstance(x, Num) for x in line.left.indices):
            return line.left
    return None


def heading(d: Derivation, step: Step, line: Callable[[Shown], str]) -> str | None:
    """The cell of a step as it is printed; None where that is the address as it is typed."""
    entry = cell_entry(step) if differs(d.names) else None
    return line(entry) if entry else None


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

    Other cells of the column, such as −∞ or a closed form, keep their end.

    >>> behind_the_point(["1", "0.25", "0.5"]), behind_the_point(["1.25", "0.5", "−∞"])
    (['.00', '', '0'], ['', '0', ''])
    """
    found = [re.fullmatch(r"[-−]?\d+(?:(\.|,|\{,\})(\d+))?", cell) for cell in cells]
    points = [x[1] for x in found if x and x[1]]
    ends = [len(x[2] or "") if x else 0 for x in found]
    longest = max(ends, default=0)
    return [
        ("" if end or not longest else points[0]) + "0" * (longest - end) if x else ""
        for x, end in zip(found, ends, strict=True)
    ]

"""A solution as text for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterator

from derive.documents.solution import Part, Section, Solution
from derive.render import text
from derive.render.escape import columns, terminal

LABEL = 26  # columns of the left column of the lists in front


def document(s: Solution, width: int = 80, color: bool = False) -> str:
    """The whole document, no line wider than width unless one number or name is."""
    parts = [_front(s, width), *(_section(k, x, width, color) for k, x in enumerate(s.sections, 1))]
    if s.appendix:
        head = _underlined(f"{len(s.sections) + 1}  Long exact values", "=")
        cells = (
            f"Number {x.number}\n{text.derivation(x.derivation, width, color)}" for x in s.appendix
        )
        parts.append(head + "\n\n" + "\n".join(cells))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _underlined(title: str, line: str) -> str:
    return f"{title}\n{line * columns(title)}"


def _front(s: Solution, width: int) -> str:
    lines = [_underlined(terminal(s.title), "=")]
    if s.author:
        lines += [terminal(s.author)]
    for label, words in (("Source: ", s.source), ("", s.note)):
        if words:
            lines += ["", *text.wrapped(terminal(label + words), width)]
    lines += ["", _underlined("The model", "-"), *_listed(s.facts, width)]
    rows = [(f"{terminal(base)} ({shape})", meaning) for base, shape, meaning in s.notation]
    lines += ["", _underlined("Notation", "-"), *_listed(rows, width)]
    base = s.names.index_base
    lines += [
        "",
        f"{'Columns' if s.names.columns else 'Rows'} are tokens; indices count from {base}.",
    ]
    return "\n".join(lines)


def _listed(rows: list[tuple[str, str]], width: int) -> Iterator[str]:
    for left, words in rows:
        first, *more = text.wrapped(terminal(words), width - LABEL)
        yield f"{terminal(left):<{LABEL - 2}}  {first}"
        yield from (" " * LABEL + line for line in more)


def _section(number: int, section: Section, width: int, color: bool) -> str:
    head = _underlined(f"{number}  {section.title}", "=")
    return "\n\n".join([head, *(_part(part, width, color) for part in section.parts)])


def _part(part: Part, width: int, color: bool) -> str:
    shown = [text.table(part.table, width, color)]
    shown += [text.derivation(d, width, color) for d in part.worked]
    return "\n".join(shown).rstrip("\n")

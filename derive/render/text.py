"""Derivations and tables as Unicode text: readable at 80 columns, safe in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.line import Cases, Derivation, Line, Shown, Step, Table
from derive.render.escape import columns, cut, label, terminal, true_minus
from derive.render.layout import fill
from derive.render.leaves import index_base
from derive.render.plain_maths import TextPrinter, joined
from derive.render.steps import WORDS, behind_the_point, distinct, heading, notes

MARGIN = "  "
WORD_ROOM = 9  # columns: the longest word and two spaces
NARROW = 24  # columns; with less room the left side of a line stands alone above it
WIDE_CELL = 28  # columns; a table with a wider cell lists its cells one below the other
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def derivation(d: Derivation, width: int = 80, color: bool = False) -> str:
    """The worked steps as text, no line wider than width unless one number or name is."""
    steps = ("\n".join(_step(d, step, width, color)) for step in d.steps)
    return "\n\n".join(steps) + "\n"


def _step(d: Derivation, step: Step, width: int, color: bool) -> Iterator[str]:
    name = heading(d, step, TextPrinter(d.names).line) or terminal(step.cell)
    yield from _heading(name, terminal(step.title), width, color)
    yield ""
    yield from _lines(d, step.lines, width, color)
    for note in notes(d, step):
        yield from (
            MARGIN + text for text in wrapped(terminal(true_minus(note)), width - len(MARGIN))
        )


def _heading(name: str, words: str, width: int, color: bool) -> Iterator[str]:
    first, *rest = wrapped(words, width, first=columns(name) + 3, rest=4)
    yield f"{BOLD + name + PLAIN if color else name}   {first}".rstrip()
    yield from rest


def _lines(d: Derivation, lines: Sequence[Line], width: int, color: bool) -> Iterator[str]:
    """The lines of a step: a word for the kind, the left side where it is new, the right."""
    printers = {kind: TextPrinter(d.names, kind == "substituted") for kind in WORDS}
    plain = printers["exact"]
    lines = distinct(lines, lambda x: f"{plain.line(x.left)} {x.relation} {plain.line(x.right)}")
    lefts = [printers[line.kind].line(line.left) for line in lines]
    words = WORD_ROOM if width >= 60 else 0
    space = max(map(columns, lefts), default=0)
    if width - len(MARGIN) - words - space - 3 < NARROW:
        space = 4
    before = words + space + 3
    room = width - len(MARGIN) - before
    word = left = ""
    for line, new_left in zip(lines, lefts, strict=True):
        new_word = WORDS[line.kind]
        head = (new_word if new_word != word else "").ljust(words)[:words]
        if color and head.strip():
            head = DIM + head + PLAIN
        shown = new_left if new_left != left else ""
        if columns(shown) > space:
            yield MARGIN + head + shown
            head, shown = " " * words, ""
        start = head + shown + " " * (space - columns(shown)) + f" {line.relation} "
        for text in _right(printers[line.kind], line.right, room):
            yield (MARGIN + start + text).rstrip()
            start = " " * before
        if line.note:
            for text in wrapped(f"({terminal(true_minus(line.note))})", room):
                yield MARGIN + start + text
        word, left = new_word, new_left


def _right(printer: TextPrinter, x: Shown, room: int) -> Iterator[str]:
    """A right side in lines no wider than room."""
    if isinstance(x, Cases):
        yield from _cases(printer, x)
        return
    for indent, pieces in fill(printer.top(x), room):
        yield " " * indent + joined(pieces)


def _cases(printer: TextPrinter, x: Cases) -> Iterator[str]:
    """A brace over several lines: one branch a line, conditions aligned."""
    values = [printer.line(b.value) for b in x.branches]
    space = max(map(columns, values))
    brace = ["⎧", *"⎪" * (len(values) - 2), "⎩"] if len(values) > 1 else ["{"]
    if len(values) > 2:
        brace[len(values) // 2] = "⎨"
    for mark, text, branch in zip(brace, values, x.branches, strict=True):
        yield f"{mark} {text}{' ' * (space - columns(text))}   {printer.when(branch.condition)}"


def wrapped(text: str, width: int, first: int = 0, rest: int = 0) -> list[str]:
    """Words in lines; `first` columns are taken before the first line, `rest` indents others.

    A single word that is too long is cut in pieces, so no token text breaks the page.

    >>> wrapped("one two three four", 9)
    ['one two', 'three', 'four']
    """
    lines: list[str] = []
    line, room, later = "", max(width - first, 8), max(width - rest, 8)
    for word in _short_words(text, later):
        longer = f"{line} {word}" if line else word
        if columns(longer) <= room:
            line = longer
        else:
            lines.append(line)
            line, room = word, later
    lines.append(line)
    return [lines[0], *(" " * rest + text for text in lines[1:])]


def _short_words(text: str, room: int) -> Iterator[str]:
    for word in re.split(r"(?<![≈=]) (?![≈=])", text):  # x ≈ 0.5 stays on one line
        while columns(word) > room:
            part = cut(word[:room], room)
            yield part
            word = word[len(part) :]
        yield word


# tables


def table(t: Table, width: int = 80, color: bool = False) -> str:
    """A matrix with its labels; too wide: in blocks of columns; wide cells: one below another."""
    printer = TextPrinter(t.names)
    cells = [[printer.line(x) for x in row] for row in t.cells]
    shape = "×".join(map(str, t.shape))
    lines = [*_heading(terminal(t.name), f"{terminal(t.meaning)} ({shape})", width, color), ""]
    if any(columns(text) > WIDE_CELL for row in cells for text in row):
        lines += _listed(t, printer, width)
    else:
        lines += _blocks(t, cells, width, color)
    for note in t.notes:
        lines += ["", *wrapped(terminal(note), width)]
    return "\n".join(lines) + "\n"


def _blocks(t: Table, cells: list[list[str]], width: int, color: bool) -> Iterator[str]:
    rows, heads = [label(x) for x in t.rows], [label(x) for x in t.columns]
    hung = [behind_the_point(column) for column in zip(*cells, strict=True)]
    cells = [
        [text + " " * len(hung[j][i]) for j, text in enumerate(row)] for i, row in enumerate(cells)
    ]
    space = max(map(columns, rows), default=0)
    widths = [max(map(columns, column)) for column in zip(heads, *cells, strict=True)]
    for number, (start, end) in enumerate(blocks(widths, width - space, 2)):
        if number:
            yield ""
        head = _row("", heads[start:end], space, widths[start:end])
        yield DIM + head + PLAIN if color else head
        for name, row in zip(rows, cells, strict=True):
            yield _row(name, row[start:end], space, widths[start:end])


def blocks(widths: Sequence[int], room: int, gap: int) -> Iterator[tuple[int, int]]:
    """Columns in blocks that fit, each with its gap before it; a block has at least one.

    >>> list(blocks([5, 5, 5], 14, 2))
    [(0, 2), (2, 3)]
    """
    start = 0
    while start < len(widths):
        end, used = start + 1, gap + widths[start]
        while end < len(widths) and used + gap + widths[end] <= room:
            used += gap + widths[end]
            end += 1
        yield start, end
        start = end


def _row(name: str, cells: Sequence[str], space: int, widths: Sequence[int]) -> str:
    line = name + " " * (space - columns(name))
    for text, room in zip(cells, widths, strict=True):
        line += " " * (2 + room - columns(text)) + text
    return line.rstrip()


def _listed(t: Table, printer: TextPrinter, width: int) -> Iterator[str]:
    """Every cell on lines of its own, rows apart."""
    name, base = terminal(t.name), index_base(t.names)
    space = columns(f"{name}[{len(t.rows) - 1 + base},{len(t.columns) - 1 + base}]")
    room = width - len(MARGIN) - space - 3
    for i, row in enumerate(t.cells):
        if i:
            yield ""
        number = str(i + base)
        yield f"row {number}" + ("" if t.rows[i] == number else f": {label(t.rows[i])}")
        for j, x in enumerate(row):
            start = f"{name}[{i + base},{j + base}]".ljust(space) + " = "
            for text in _right(printer, x, room):
                yield MARGIN + start + text
                start = " " * (space + 3)

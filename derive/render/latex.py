"""Derivations and tables as a LaTeX fragment: amsmath only, one align* a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from derive.line import (
    Bound,
    Derivation,
    Letter,
    Line,
    Shown,
    Step,
    Sym,
    Table,
    children,
)
from derive.render import names
from derive.render.escape import latex as escaped
from derive.render.escape import latex_label
from derive.render.latex_maths import LatexPrinter, Link
from derive.render.latex_rows import rows
from derive.render.leaves import index_base
from derive.render.metrics import TEXT_WIDTH, size
from derive.render.named_parts import Names
from derive.render.steps import WORDS, behind_the_point, cell_entry, distinct, notes
from derive.render.text import blocks

RELATION = 852 + 2 * 305 + 300  # an equals sign with its spaces, in 1/100 pt
INDENT = 2400  # left of an align*, where the document sets its maths flush left
WHERE = 4800  # room for "where N_2" on the left
RELATIONS = {"=": "=", "≈": r"\approx"}
KIND = "{\\footnotesize %s}"  # how the word for the kind of a line is set, at the margin
KIND_WIDTH = 5500  # of the longest word and the space before it
GAP = 1000  # between the columns of an array
ROWS = 36  # of one array; a longer matrix is printed in several
WIDE_CELL = 9000

Mark = Callable[[int, int, str], str]


def derivation(d: Derivation, width: int = 80, color: bool = False) -> str:
    """The worked steps, each a heading and an align*; no row wider than an A4 page at 11pt."""
    return "\n".join(step_heading(d, s) + "\n" + step_maths(d, s) for s in d.steps)


def step_heading(d: Derivation, step: Step) -> str:
    """The cell in maths, what it is in words."""
    left = cell_entry(step)
    name = f"${LatexPrinter(d.names).line(left)}$" if left else rf"\texttt{{{escaped(step.cell)}}}"
    return rf"\noindent\textbf{{\boldmath{name}}}\quad {escaped(step.title)}"


def step_maths(d: Derivation, step: Step, kind: str = KIND, link: Link | None = None) -> str:
    """The align* of a step, a word for the kind of each line, and the notes below.

    `link` leads from the entries on the right sides, and from numbers put in for them.
    """
    plain = LatexPrinter(d.names)
    lines = distinct(
        step.lines, lambda x: f"{plain.line(x.left)} {x.relation} {plain.line(x.right)}"
    )
    taken = _letters(d.names, (x for line in lines for x in (line.left, line.right)))
    parts = Names(taken)
    body = list(_rows(d, lines, parts, kind, 0, link))
    if parts.given:  # once more: their definitions make the left column wider
        parts = Names(taken, numbered=parts.clash)
        body = list(_rows(d, lines, parts, kind, WHERE, link))
    text = align(body) if body else ""
    below = [*(line.note for line in lines), *notes(d, step)]
    words = " ".join(names.sentence(note, d.names.values()) for note in below if note)
    return text + (f"{{\\small\\noindent {words}\\par}}\n" if words else "")


def align(body: Sequence[str]) -> str:
    """Rows in an align*; what starts with [ or * must not be read as an option of \\\\."""
    safe = ["{}" + row if row.startswith(("[", "*")) else row for row in body]
    return "\\begin{align*}\n" + " \\\\\n".join(safe) + "\n\\end{align*}\n"


def _rows(
    d: Derivation,
    lines: Sequence[Line],
    parts: Names,
    kind: str,
    least: int,
    link: Link | None,
) -> Iterator[str]:
    """The rows of an align*, whose left column is at least `least` wide."""
    printers = {number: LatexPrinter(d.names, number, link=link) for number in (False, True)}
    plain = LatexPrinter(d.names)
    lefts = [plain.line(line.left) for line in lines]
    space = max([least, *(size(code).width for code in lefts)])
    room = TEXT_WIDTH - INDENT - RELATION - space
    last = last_word = ""
    for line, left in zip(lines, lefts, strict=True):
        printer = printers[line.kind == "substituted"]
        known = len(parts.given)
        word = "" if WORDS[line.kind] == last_word else rf" \tag*{{{kind % WORDS[line.kind]}}}"
        first, *more = _with_word(line.right, printer, room, parts, word)
        yield f"{left if left != last else ''} &{RELATIONS[line.relation]} {first}".lstrip()
        yield from (f"& {code}" for code in more)
        last, last_word = left, WORDS[line.kind]
        for row in _definitions(parts, known, printer, room):
            yield row
            last = ""


def _with_word(x: Shown, printer: LatexPrinter, room: int, parts: Names, word: str) -> list[str]:
    """The rows of a right side, the word for its kind beside the first row with room for it.

    Where none has, the right side is broken earlier, and where that can't be, the word stands
    on a row of its own.
    """
    before = dict(parts.given)
    codes = rows(x, printer, room, parts)
    place = _place(codes, room)
    if word and place is None:
        narrow = Names(parts.taken, parts.numbered, before)
        broken = rows(x, printer, room - KIND_WIDTH, narrow)
        place = _place(broken, room)
        if place is None or narrow.given != parts.given:
            return [*codes, word.lstrip()]
        codes = broken
    if not word or place is None:
        return codes
    return [*codes[:place], codes[place] + word, *codes[place + 1 :]]


def _place(codes: list[str], room: int) -> int | None:
    """The first row that leaves room for a word."""
    return next((k for k, code in enumerate(codes) if size(code).width + KIND_WIDTH < room), None)


def _definitions(parts: Names, known: int, printer: LatexPrinter, room: int) -> Iterator[str]:
    """Rows that say what the new names are; these may need names themselves."""
    while known < len(parts.given):
        part, letter = list(parts.given.items())[known]
        first, *more = rows(part, printer, room, parts)
        yield rf"\text{{where }} {printer.line(letter)} &= {first}"
        yield from (f"& {code}" for code in more)
        known += 1


def _letters(short: dict[str, str], trees: Iterable[Shown]) -> set[str]:
    """Codes of all letters that mean something beside these trees."""
    found = {names.matrix(name).base for name in short.values()}
    waiting = list(trees)
    while waiting:
        x = waiting.pop()
        match x:
            case Sym(name=name):
                found.add(names.symbol(name))
            case Letter(name=name) | Bound(name=name):
                found.add(names.letter(name))
        waiting += children(x)
    return found


# tables


def table(
    t: Table, width: int = 80, color: bool = False, mark: Mark = lambda i, j, code: code
) -> str:
    """A matrix as an array with its labels; wide ones in several, wide cells one a row.

    `mark` makes a cell the target or the start of a link: its place and code to its code.
    """
    printer = LatexPrinter(t.names)
    name = names.matrix(t.name).with_indices("")
    shape = r" \times ".join(map(str, t.shape))
    head = rf"\noindent\textbf{{\boldmath${name}$}}\quad {escaped(t.meaning)} (${shape}$)" + "\n"
    cells = [[printer.line(x) for x in row] for row in t.cells]
    if any(size(code).width > WIDE_CELL for row in cells for code in row):
        body = "".join(_listed(t, printer, mark))
    else:
        body = "".join(_arrays(t, cells, mark))
    notes = "".join(
        f"{{\\small\\noindent {names.sentence(x, t.names.values())}\\par}}\n" for x in t.notes
    )
    return head + body + notes


def _arrays(t: Table, cells: list[list[str]], mark: Mark) -> Iterator[str]:
    heads = [rf"\text{{{latex_label(x)}}}" for x in t.columns]
    labels = [rf"\text{{{latex_label(x)}}}" for x in t.rows]
    hung = [behind_the_point(column) for column in zip(*cells, strict=True)]
    cells = [
        [code + (rf"\phantom{{{hung[j][i]}}}" if hung[j][i] else "") for j, code in enumerate(row)]
        for i, row in enumerate(cells)
    ]
    space = max((size(code).width for code in labels), default=0)
    widths = [
        max(size(code).width for code in column) for column in zip(heads, *cells, strict=True)
    ]
    cells = [[mark(i, j, code) for j, code in enumerate(row)] for i, row in enumerate(cells)]
    for start, end in blocks(widths, TEXT_WIDTH - INDENT - space - GAP, GAP):
        for top in range(0, max(len(labels), 1), ROWS):
            body = [" & ".join(["", *heads[start:end]]).strip() + r" \\ \hline"]
            for label, row in list(zip(labels, cells, strict=True))[top : top + ROWS]:
                body.append(" & ".join([label, *row[start:end]]) + r" \\")
            columns = "r" * (end - start)
            yield f"\\[\n\\begin{{array}}{{l|{columns}}}\n" + "\n".join(body)
            yield "\n\\end{array}\n\\]\n"


def _listed(t: Table, printer: LatexPrinter, mark: Mark) -> Iterator[str]:
    """An align* for each row of the matrix, its cells one below another."""
    symbol, base = names.matrix(t.name), index_base(t.names)
    taken = _letters(t.names, (x for row in t.cells for x in row))
    for i, row in enumerate(t.cells):
        body: list[str] = []
        parts = Names(taken, numbered=True)
        for j, x in enumerate(row):
            left = symbol.with_indices(f"{i + base},{j + base}")
            known = len(parts.given)
            room = TEXT_WIDTH - INDENT - RELATION - max(size(left).width, WHERE)
            first, *more = rows(x, printer, room, parts)
            body += [f"{mark(i, j, left)} &= {first}", *(f"& {code}" for code in more)]
            body += _definitions(parts, known, printer, room)
        number = str(i + base)
        name = "" if t.rows[i] == number else f": {latex_label(t.rows[i])}"
        yield f"\n\\noindent row {number}{name}\n{align(body)}"

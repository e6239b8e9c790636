"""Worked derivations: the lines that a teacher writes for a cell, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from derive.graph.cell import CLOSED_FORM_LIMIT, Cell, TooLong
from derive.line import (
    Const,
    Decimal,
    Derivation,
    Entry,
    Letter,
    Line,
    Names,
    Neg,
    Num,
    Plus,
    Shown,
    Step,
    at_cell,
    children,
    entries,
    from_text,
    rebuild,
    transposed,
    value,
    with_entries,
)
from derive.operation import Sign
from derive.ops import Given
from derive.text import parse

if TYPE_CHECKING:
    import sympy as sp

    from derive.graph.graph import Graph
    from derive.graph.matrix import Matrix

LONGEST_SUM = 8  # terms; a longer sum shows its first two, its largest and its last
MOST_VALUES = 20  # decimals of named cells that are listed below a line
SHORT = 30  # symbols; in a line that would get too long only such closed forms are put in
DIGITS = 5  # significant digits where nothing else is asked for


def shown(expr: sp.Expr) -> Shown:
    """A SymPy expression as a shown tree, in the order of the plain grammar."""
    from derive.exact.plain import plain

    return from_text(parse(plain(expr)))


def derivation(
    graph: Graph, address: str, depth: int | None = 0, digits: int = DIGITS, form: str | None = None
) -> Derivation:
    """The worked derivation of a cell; depth more layers of the cells it reads, None: all.

    `form` leaves lines out: symbolic (formulas only), exact (no decimals), decimal (no
    exact numbers).
    """
    cell = graph[address]
    decimal = cell.decimal(digits)
    exact, guard = _exact(cell)
    return Derivation(
        cell=cell.address,
        operation=cell.matrix.operation.name,
        reads=tuple(read.address for read in cell.reads),
        steps=tuple(_step(c, digits, form) for c in _layers(cell, depth)),
        exact=exact,
        exact_guard=guard,
        decimal=decimal,
        digits=digits,
        enclosure=_enclosure(cell, digits),
        names=short_names(graph),
    )


def short_names(graph: Graph) -> Names:
    """The names of all matrices, with the model's way to print indices and decimals."""
    names = Names((name, graph.short(name)) for name in graph.matrices)
    names.index_base = graph.model.notation["index_base"]
    names.comma = graph.model.notation["decimal"] == "comma"
    names.columns = graph.columns
    return names


def _layers(cell: Cell, depth: int | None) -> Iterator[Cell]:
    """The cell, then the cells that it reads, layer by layer, each once; given ones not."""
    layer, seen = [cell], {cell.address}
    while layer:
        yield from layer
        if depth is not None:
            depth -= 1
            if depth < 0:
                return
        reads = [read for c in layer for read in c.reads if read.reads or not _given(read)]
        layer = []
        for read in reads:
            if read.address not in seen:
                seen.add(read.address)
                layer.append(read)


def _given(cell: Cell) -> bool:
    return isinstance(cell.matrix.operation, Given)


def _exact(cell: Cell) -> tuple[str | None, str | None]:
    from derive.exact.plain import plain

    try:
        return plain(cell.closed), None
    except TooLong:
        return None, f"the closed form has more than {CLOSED_FORM_LIMIT} symbols"


def _enclosure(cell: Cell, digits: int) -> tuple[str, str] | None:
    if cell.node.op == "infinity":
        return ("-inf", "-inf")
    if cell.graph.free and cell.node.number is None:
        return None
    number = cell.node.number
    if number is not None:
        text = f"{number[0]}" if number[1] == 1 else f"{number[0]}/{number[1]}"
        return (text, text)
    low, high = cell.enclosure(32 + 4 * digits)
    return (str(low), str(high))


# one step


def _step(cell: Cell, digits: int, form: str | None) -> Step:
    lines = [*_lines(cell, digits)]
    kinds = {
        None: ("definition", "here", "substituted", "exact", "decimal"),
        "symbolic": ("definition", "here"),
        "exact": ("definition", "here", "substituted", "exact"),
        "decimal": ("definition", "here", "decimal"),
    }[form]
    kept = tuple(_printed(cell, line) for line in lines if line.kind in kinds)
    return Step(_title(cell), cell.address, kept, _note(cell, digits, lines))


def _printed(cell: Cell, line: Line) -> Line:
    """The line as it is printed: in column writing that of the transposed matrices."""
    if not cell.graph.columns:
        return line
    return replace(line, left=transposed(line.left), right=transposed(line.right))


def _lines(cell: Cell, digits: int) -> Iterator[Line]:
    left = Entry(cell.matrix.name, tuple(map(Num, cell.indices)))
    if not _given(cell):
        formulas = cell.formulas
        for formula in formulas:
            yield Line("definition", general(cell.matrix, cell.indices), "=", formula)
        here = elided(cell, at_cell(formulas[-1]))
        yield Line("here", left, "=", here, _rule(here))
        numbers = _numbers(cell, here)
        if numbers != here:
            yield Line("substituted", left, "=", numbers)
    try:
        yield Line("exact", left, "=", printed_value(cell))
    except TooLong:
        pass
    decimal = cell.decimal(digits)
    if decimal is not None and decimal != "-inf":
        exact = cell.equals(Fraction(decimal)) is True
        yield Line("decimal", left, "=" if exact else "≈", Decimal(decimal))


def general(matrix: Matrix, indices: tuple[int, ...]) -> Entry:
    """A matrix with letters for indices, the left side of its formula: row i, tile t, column j."""
    free = iter("ij")
    letters: list[Shown] = []
    for k, size, axis in zip(indices, matrix.shape, matrix.axes, strict=True):
        letter = "t" if axis == "T" else next(free)
        letters.append(Num(k) if size == 1 and axis == "1" else Letter(letter, Num(k)))
    return Entry(matrix.name, tuple(letters))


def printed_value(cell: Cell) -> Shown:
    """The closed form as it is printed; a given number as the model has it."""
    if _given(cell):
        return cell.formula
    if cell.node.op == "infinity":
        return Neg(Const("inf"))
    return shown(cell.closed)


def _numbers(cell: Cell, here: Shown) -> Shown:
    """Closed forms put in for entries; names stay where the line would get too long."""
    places = list(entries(here))
    sizes = {entry: closed_size(cell.at(entry)) for entry in places}
    total = sum(sizes[entry] or 0 for entry in places)
    whole = total <= CLOSED_FORM_LIMIT and closed_size(cell) is not None
    limit = CLOSED_FORM_LIMIT if whole else SHORT

    def put(entry: Entry) -> Shown:
        n = sizes[entry]
        return entry if n is None or n > limit else printed_value(cell.at(entry))

    return with_entries(here, put)


def closed_size(cell: Cell) -> int | None:
    """Printed symbols of the closed form; None where it is too long to be written."""
    from derive.exact.tidy import size

    try:
        return size(cell.closed)
    except TooLong:
        return None


def elided(cell: Cell, x: Shown) -> Shown:
    """Long sums with the terms marked that are printed."""
    x = rebuild(x, lambda part: elided(cell, part))
    if not isinstance(x, Plus) or len(x.terms) <= LONGEST_SUM:
        return x
    last = len(x.terms) - 1
    return Plus(x.terms, tuple(sorted({0, 1, last, _largest(cell, x.terms)})))


def _largest(cell: Cell, terms: tuple[Shown, ...]) -> int:
    """The place of the largest term in absolute value (a matter of print, not of truth)."""
    if cell.graph.free:
        return 0
    f = cell.graph.balls(64)
    with f:
        sizes = [
            abs(value(term, f, lambda m, at: cell.graph.values(m, f)[at])).mid() for term in terms
        ]
    return max(range(len(terms)), key=sizes.__getitem__)


def _rule(x: Shown) -> str:
    """The rule of elision in words, where it was used."""
    if isinstance(x, Plus) and x.shown is not None:
        return f"{len(x.terms)} terms; printed: the first two, the largest and the last"
    return next(filter(None, map(_rule, children(x))), "")


def _title(cell: Cell) -> str:
    """What the cell is, its row and column named, tokens by their text."""
    labels = cell.graph.addresses.labels(cell.matrix)
    kinds = ["row", *("tile" if axis == "T" else "column" for axis in cell.matrix.axes[1:])]
    kinds = [cell.graph.said(word) for word in kinds]
    base = cell.graph.model.notation["index_base"]
    places = []
    for axis, kind, k, label in zip(cell.matrix.axes, kinds, cell.indices, labels, strict=True):
        if axis != "1":
            places.append(f"“{label[k]}” ({kind} {k + base})" if label else f"{kind} {k + base}")
    sentence = cell.graph.said(cell.matrix.operation.sentence)
    if sentence and len(places) == 2:
        return sentence.format(row=places[0], column=places[1])
    if cell.graph.columns:
        places.reverse()
    return ", ".join([cell.graph.said(cell.matrix.meaning), *places])


def _note(cell: Cell, digits: int, lines: list[Line]) -> str:
    words = [remark(cell), _theorem(cell)]
    if _given(cell):
        words.append("The model gives this number.")
    elif not any(line.kind == "exact" for line in lines):
        words.append(
            f"The closed form has more than {CLOSED_FORM_LIMIT} symbols, so the cell stands "
            "in terms of named cells."
        )
        values = [named_value(r, digits) for r in cell.reads if not _short(r)]
        if values and len(values) <= MOST_VALUES and not cell.graph.free:
            words.append(f"Here {', '.join(values)}.")
    return " ".join(filter(None, words))


def remark(cell: Cell) -> str:
    """What the operation says of this cell in one sentence, or nothing."""
    return cell.graph.said(cell.matrix.operation.remark(_sign(cell.graph), *cell.indices))


def _theorem(cell: Cell) -> str:
    """What the kernel says of a cell that should equal this one by a theorem."""
    from derive.exact.decide import decide

    other = cell.matrix.operation.equal_to(*cell.indices)
    if other is None or other.matrix not in cell.graph.matrices:
        return ""
    address = _printed_address(cell.at(other))
    return {
        "equal": f"Proved: this is {address}.",
        "different": f"This is not {address}, because the model gives numbers on the way there.",
        "undecided": f"It is not decided whether this is {address}.",
    }[decide(cell.node, cell.at(other).node).verdict]


def _printed_address(cell: Cell) -> str:
    """A cell's address with its indices as they are printed."""
    return cell.graph.printed(cell.graph.short(cell.matrix.name), *cell.indices)


def named_value(cell: Cell, digits: int) -> str:
    """A cell and its decimal, both as the model prints them."""
    text = str(cell.decimal(digits))
    sign = "," if cell.graph.model.notation["decimal"] == "comma" else "."
    return f"{_printed_address(cell)} ≈ {text.replace('.', sign)}"


def _short(cell: Cell) -> bool:
    n = closed_size(cell)
    return n is not None and n <= SHORT


def _sign(graph: Graph) -> Sign:
    return lambda name, at: Cell(graph, graph.matrices[name], at).sign


# a whole matrix

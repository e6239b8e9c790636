"""What a page knows of one sentence: every matrix, every cell, as compact data.

Decimals are not stored rounded.  A cell without a short rational value has its first digits,
cut off, and whether more follow; from these the page rounds correctly to any smaller number of
digits.  Rationals the page divides itself, in whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from derive.documents.page_trees import Patterns, Trees
from derive.documents.solution import headings
from derive.errors import UndefinedCell
from derive.graph import Cell
from derive.graph.address import split
from derive.graph.cell import CLOSED_FORM_LIMIT, TooLong
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.graph.worked import (
    LONGEST_SUM,
    MOST_VALUES,
    SHORT,
    closed_size,
    elided,
    printed_value,
    remark,
)
from derive.line import Num, Plus, Shown, at_cell, children, entries, transposed
from derive.ops import Given
from derive.render import names
from derive.render.escape import label

KEPT = 13  # digits of a cell; the page shows up to one fewer
SHADES = 8  # of a heat map, each way
HEAT = {"A", "probs", "probs_cut", "S", "S_scaled", "router"}
BITS = (96, 256, 1024, 4096)


def sentence(graph: Graph) -> dict[str, Any]:
    """All matrices of one graph, in forward order."""
    matrices = list(graph)
    trees = Trees({matrix.name: k for k, matrix in enumerate(matrices)})
    labels: list[list[str]] = []
    made = [_matrix(graph, m, trees, labels) for m in matrices]
    return {
        "tokens": [label(token) for token in graph.model.tokens or ()],
        "labels": labels,
        "sections": headings(matrices),
        "matrices": made,
        "trees": trees.nodes,
        "base": graph.model.notation["index_base"],
        "comma": graph.model.notation["decimal"] == "comma",
        "columns": graph.columns,
        "free": graph.free,
    }


LIMITS = {
    "closed": CLOSED_FORM_LIMIT,
    "short": SHORT,
    "sum": LONGEST_SUM,
    "values": MOST_VALUES,
    "kept": KEPT,
}


# one matrix


def _matrix(graph: Graph, m: Matrix, trees: Trees, labels: list[list[str]]) -> dict[str, Any]:
    cells = [Cell(graph, m, at) for at in m.places]
    given = isinstance(m.operation, Given)
    base, above = plain_symbol(graph.short(m.name))
    out: dict[str, Any] = {
        "name": graph.short(m.name),
        "symbol": [base, *above],
        "meaning": graph.said(m.meaning).replace("-inf", "−∞"),
        "operation": m.operation.name,
        "shape": list(m.shape),
        "axes": [_axis(graph, m, k, labels) for k in range(len(m.shape))],
        "ones": [k for k, axis in enumerate(m.axes) if axis == "1"],
        "row": len(m.axes) > 0 and m.axes[0] == "n",
    }
    if words := graph.said(m.operation.sentence):
        out["sentence"] = words
    values = [_value(cell, trees) for cell in cells]
    out["values"] = _same(values)
    out["sizes"] = _same([_size(cell) for cell in cells])
    if digits := _digits(graph, cells, values, trees):
        out["digits"] = digits
    if faults := {k: str(v) for k, v in enumerate(values) if isinstance(v, str)}:
        out["values"] = [-1 if isinstance(v, str) else v for v in values]
        out["faults"] = faults
    if given:
        out["given"] = True
    else:
        out |= _formulas(graph, cells, trees)
    if split(m.name)[1] in HEAT and not graph.free:
        out["heat"] = _shades(cells)
    return out


def _axis(graph: Graph, m: Matrix, k: int, labels: list[list[str]]) -> int:
    """Which list of labels an axis has; -1: numbers."""
    found = list(graph.addresses.labels(m))[k] if k < 2 else None
    if not found:
        return -1
    texts = [label(text) for text in found]
    if texts not in labels:
        labels.append(texts)
    return labels.index(texts)


def _same(values: list[Any]) -> Any:
    """One value for all, in a list of its own, where all are the same."""
    return [values[0]] if values and all(x == values[0] for x in values) else values


def _value(cell: Cell, trees: Trees) -> int | str:
    """The tree of the exact value; -1 where it is too long; why there is none."""
    try:
        cell.node  # noqa: B018 - raises where there is no value
        return trees.add(printed_value(cell))
    except TooLong:
        return -1
    except UndefinedCell as fault:
        return str(fault)


def _size(cell: Cell) -> int:
    """Printed symbols of the closed form; 0: too long, or none."""
    try:
        return closed_size(cell) or 0
    except UndefinedCell:
        return 0


def _digits(graph: Graph, cells: list[Cell], values: Sequence[int | str], trees: Trees) -> Any:
    """First digits of the cells that the page can't divide out itself."""
    found: dict[int, str | list[str]] = {}
    for k, (cell, value) in enumerate(zip(cells, values, strict=True)):
        if isinstance(value, str) or (value >= 0 and _plain(trees.nodes[value])):
            continue
        if cell.node.op == "infinity" or (graph.free and cell.node.number is None):
            continue
        text = first_digits(cell)
        if text is not None:
            found[k] = text
        elif decimals := _decimals(cell):
            found[k] = decimals
    if len(found) == len(cells):
        return list(found.values())
    return found


def _decimals(cell: Cell) -> list[str]:
    """The rounded decimals, shortest first, of a cell that may or may not be exactly one.

    Where that is undecided digits can't be cut off: 1.0000… and 0.9999… are both possible.
    """
    texts = [cell.decimal(n) for n in range(2, KEPT)]
    return [text for text in texts if text is not None] if None not in texts else []


def _plain(node: Any) -> bool:
    return isinstance(node, int | str)


def first_digits(cell: Cell, kept: int = KEPT) -> str | None:
    """The first digits of a value, cut off: "-12345e-2+" is -0.012345…, + for more; None: open.

    >>> import derive
    >>> from derive.blocks import build
    >>> first_digits(build(derive.load("cats"))["A[2,0]"], 4)
    '4123e-1+'
    """
    for bits in BITS:
        low, high = cell.enclosure(bits)
        if low <= 0 <= high:
            candidate = Fraction(0)
        else:
            minus = high < 0
            a, b = (-high, -low) if minus else (low, high)
            exponent = _exponent(a)
            scale = Fraction(10) ** (kept - 1 - exponent)
            first, last = floor(a * scale), floor(b * scale)
            if first == last and (a == b or a * scale != first):
                return _text(minus, first, exponent, more=a * scale != first)
            candidate = Fraction(ceil(a * scale)) / scale * (-1 if minus else 1)
        known = cell.equals(candidate)
        if known is None:
            return None
        if known:
            if not candidate:
                return "0e0"
            exponent = _exponent(abs(candidate))
            units = abs(candidate) * Fraction(10) ** (kept - 1 - exponent)
            return _text(candidate < 0, floor(units), exponent, more=False)
    return None


def _exponent(x: Fraction) -> int:
    """e with 10^e <= x < 10^(e+1)."""
    e = len(str(floor(x))) - 1 if x >= 1 else -len(str(floor(1 / x)))
    while Fraction(10) ** e > x:
        e -= 1
    while Fraction(10) ** (e + 1) <= x:
        e += 1
    return e


def _text(minus: bool, units: int, exponent: int, more: bool) -> str:
    digits = str(units) if more else str(units).rstrip("0")
    return f"{'-' if minus else ''}{digits}e{exponent}{'+' if more else ''}"


# formulas


def _formulas(graph: Graph, cells: list[Cell], trees: Trees) -> dict[str, Any]:
    patterns = Patterns(trees)
    notes: dict[str, int] = {}
    largest: dict[int, list[int]] = {}
    more: dict[int, list[list[int]]] = {}
    of_note = []
    for k, cell in enumerate(cells):
        formulas = cell.formulas
        printed = [transposed(x) for x in formulas] if graph.columns else formulas
        patterns.add(cell.indices, printed)
        here = at_cell(formulas[-1])
        if _long(here):
            largest[k] = list(_shown_terms(elided(cell, here)))
        try:
            words = remark(cell)
        except UndefinedCell:
            words = ""
        of_note.append(notes.setdefault(words, len(notes)))
        stands = {(e.matrix, tuple(map(repr, e.indices))) for e in entries(here)}
        extra = [
            [trees.matrices[e.matrix], *(x.p for x in e.indices if isinstance(x, Num))]
            for e in cell.matrix.operation.decided_by(*cell.indices)
            if (e.matrix, tuple(map(repr, e.indices))) not in stands
        ]
        if extra:
            more[k] = extra
    out: dict[str, Any] = {
        "patterns": patterns.data(),
        "of": _same([patterns.of_cell[cell.indices] for cell in cells]),
    }
    if any(notes):
        out |= {"notes": list(notes), "noted": _same(of_note)}
    if largest:
        out["largest"] = largest
    if more:
        out["more"] = more
    if patterns.branches:
        out["branches"] = {
            k: patterns.branches[c.indices]
            for k, c in enumerate(cells)
            if c.indices in patterns.branches
        }
    return out


def _long(x: Shown) -> bool:
    if isinstance(x, Plus) and len(x.terms) > LONGEST_SUM:
        return True
    return any(map(_long, children(x)))


def _shown_terms(x: Shown) -> Iterator[int]:
    """The largest term of every long sum, inner sums first."""
    for part in children(x):
        yield from _shown_terms(part)
    if isinstance(x, Plus) and x.shown is not None:
        kept = [k for k in x.shown if k not in (0, 1, len(x.terms) - 1)]
        yield kept[0] if kept else 0


# names, colours


def plain_symbol(short: str) -> tuple[str, list[str]]:
    """A matrix's letter and its superscripts without LaTeX, as the printers write them.

    >>> plain_symbol("b1.h0.Q_rot"), plain_symbol("N2.rms")
    (('Q', ['rot', '(b1.h0)']), ('rms', ['N2']))
    """
    symbol = names.matrix(short)
    parts = symbol.above.split(r"\,") if symbol.above else []
    return _bare(symbol.base), [_bare(part) for part in parts]


def _bare(code: str) -> str:
    code = re.sub(r"\\(?:mathrm|text)\{((?:[^{}]|\{\})*)\}", r"\1", code)
    for name, sign in ((r"\partial ", "∂"), (r"\ell", "ℓ"), (r"\alpha", "α"), (r"\_", "_")):
        code = code.replace(name, sign)
    return code


def _shades(cells: Sequence[Cell]) -> str:
    """One letter a cell: h hidden, a … i from 0 to the largest, A … I below 0."""
    middles: list[Fraction | None] = []
    for cell in cells:
        try:
            hidden = cell.node.op == "infinity"
            middles.append(None if hidden else sum(cell.enclosure(64), Fraction(0)) / 2)
        except UndefinedCell:
            middles.append(None)
    largest = max((abs(x) for x in middles if x is not None), default=Fraction(0)) or Fraction(1)
    out = []
    for x in middles:
        if x is None:
            out.append("-")
        else:
            step = int(abs(x) / largest * SHADES)
            out.append(chr((97 if x >= 0 else 65) + step))
    return "".join(out)

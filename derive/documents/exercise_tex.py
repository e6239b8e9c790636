"""A sheet with blanks and its solution as LaTeX documents.

The sheet is made without the answers: a blank's value is never handed to a renderer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from derive.documents.exercise import Exercise, rounded
from derive.documents.in_words import in_words
from derive.documents.solution import given_form, headings
from derive.documents.solution_tex import TOPIC_AND_WORDS, listed
from derive.graph import Cell, derivation, table
from derive.graph.matrix import Matrix
from derive.graph.worked import general, printed_value, short_names
from derive.line import Const, Decimal, Neg, Place, Shown, Table, transposed
from derive.ops import Given
from derive.render import latex
from derive.render.escape import latex as escaped
from derive.render.escape import latex_words
from derive.render.latex_maths import LatexPrinter
from derive.render.tex import KIND, PREAMBLE, plain_title

HEAD = r"""\newcommand{\blank}{\rule[-1.2ex]{0pt}{5.2ex}\underline{\hspace{4.6em}}}
\newcommand{\unseen}{\color{word}\cdot}
\newcommand{\room}[1]{\par\vspace{#1ex}}
"""
RESERVED = Decimal("00000.000")  # as wide as a blank, so that a table with blanks fits its page
ROOM = 6  # ex of paper to write on for each blank
MOST_ROOM = 36
DIGITS = 5


def sheet(x: Exercise) -> str:
    """The sheet: given numbers, formulas, blanks, room to write."""
    return _Writer(x, solved=False).document()


def solution(x: Exercise) -> str:
    """The same sheet filled in, and every blank worked."""
    return _Writer(x, solved=True).document()


class _Writer:
    def __init__(self, x: Exercise, solved: bool) -> None:
        self.x, self.solved = x, solved
        self.asked = set(x.blanks.asked)
        self.graph = x.graph

    def document(self) -> str:
        title = f"{self.x.title}: solution" if self.solved else self.x.title
        head = f"{PREAMBLE}{HEAD}\\hypersetup{{pdftitle={{{plain_title(title)}}}}}\n"
        body = "\n".join([*self._front(title), *self._sections()])
        return f"{head}\\begin{{document}}\n\\raggedright\n{body}\\end{{document}}\n"

    def _front(self, title: str) -> Iterator[str]:
        yield f"{{\\LARGE {escaped(title)}\\par}}\\medskip\n"
        name = escaped(self.x.student) if self.x.student else r"\underline{\hspace{16em}}"
        count = len(self.asked)
        blanks = f"{count} blank{'s' * (count != 1)}"
        yield f"Name: {name}\\hfill {blanks}, one point each\\par\\medskip\n"
        if not self.solved:
            yield f"{latex_words(self.x.rounding)} Indices count from {self._base}.\\par\\medskip\n"
        rows = "\n".join(
            f"{latex_words(a)} & {latex_words(b)} \\\\" for a, b in in_words(self.graph.model)
        )
        yield listed(TOPIC_AND_WORDS, "", rows)

    @property
    def _base(self) -> int:
        return int(self.graph.model.notation["index_base"])

    def _sections(self) -> Iterator[str]:
        matrices = list(self.graph)
        titled = zip(headings(matrices), matrices, strict=True)
        shown = [(title, m) for title, m in titled if self._is_shown(m)]
        for title, group in groupby(shown, lambda pair: pair[0]):
            yield f"\\filbreak\\section*{{{latex_words(title)}}}\n"  # and no break after it
            yield "\\filbreak\\bigskip\n".join(self._matrix(m) for _, m in group)

    def _is_shown(self, matrix: Matrix) -> bool:
        """Whether the sheet has anything of this matrix to print or to ask."""
        if len(matrix.shape) != 2 or matrix.name not in self.x.blanks.needed:
            return False
        return any((matrix.name, at) not in self.x.blanks.hidden for at in matrix.places)

    def _matrix(self, matrix: Matrix) -> str:
        asked = [(matrix.name, at) for at in matrix.places if (matrix.name, at) in self.asked]
        shown = latex.table(self._table(matrix), mark=self._mark(matrix))
        parts = [shown]
        if asked and not self.solved:
            parts += [self._formulas(matrix, asked), f"\\room{{{self._room(len(asked))}}}\n"]
        if asked and self.solved:
            parts += [self._worked(place) for place in asked]
        return "".join(parts)

    def _room(self, count: int) -> int:
        return min(ROOM * count, MOST_ROOM)

    def _table(self, matrix: Matrix) -> Table:
        """The matrix; on the sheet something else stands where a number must not."""
        given = isinstance(matrix.operation, Given)
        form, digits = given_form(self.graph, matrix, DIGITS) if given else ("decimal", DIGITS)
        if given or self.solved:
            whole = table(self.graph, matrix.name, form, digits)
            return whole if given else self._rounded(matrix, whole)
        whole = replace(self._outline(matrix), cells=())
        cells = tuple(
            tuple(self._printed(matrix, (i, j), digits) for j in range(matrix.shape[1]))
            for i in range(matrix.shape[0])
        )
        if self.graph.columns:
            cells = tuple(tuple(map(transposed, column)) for column in zip(*cells, strict=True))
        return replace(whole, cells=cells)

    def _printed(self, matrix: Matrix, at: tuple[int, int], digits: int) -> Shown:
        """A cell that may be seen; what may not is not even computed here."""
        if (matrix.name, at) in self.asked or (matrix.name, at) in self.x.blanks.hidden:
            return RESERVED
        return self._number(Cell(self.graph, matrix, at), digits)

    def _number(self, cell: Cell, digits: int) -> Shown:
        decimal = cell.decimal(digits)
        if decimal is None:
            return printed_value(cell)
        return Neg(Const("inf")) if decimal == "-inf" else Decimal(decimal)

    def _outline(self, matrix: Matrix) -> Table:
        """Name, labels and meaning of a matrix, without its numbers."""
        labels = [
            tuple(texts or (str(k + self._base) for k in range(size)))
            for texts, size in zip(self.graph.addresses.labels(matrix), matrix.shape, strict=True)
        ]
        return Table(
            name=self.graph.short(matrix.name),
            operation=matrix.operation.name,
            meaning=self.graph.said(matrix.meaning),
            shape=self.graph.printed_shape(matrix.shape),
            rows=labels[1] if self.graph.columns else labels[0],
            columns=labels[0] if self.graph.columns else labels[1],
            cells=(),
            plain=(),
            names=short_names(self.graph),
        )

    def _rounded(self, matrix: Matrix, whole: Table) -> Table:
        """With the answers as they are asked for."""
        if self.x.dp is None:
            return whole
        cells = [list(row) for row in whole.cells]
        for i, j in ((i, j) for i, row in enumerate(cells) for j, _ in enumerate(row)):
            at = (j, i) if self.graph.columns else (i, j)
            cell = Cell(self.graph, matrix, at)
            if (matrix.name, at) in self.asked and cell.node.op != "infinity":
                cells[i][j] = Decimal(rounded(cell, self.x.dp))
        return replace(whole, cells=tuple(map(tuple, cells)))

    def _mark(self, matrix: Matrix) -> latex.Mark:
        def mark(i: int, j: int, code: str) -> str:
            place = (matrix.name, (j, i) if self.graph.columns else (i, j))
            if place in self.asked:
                return rf"\mathbf{{{code}}}" if self.solved else r"\blank"
            if place in self.x.blanks.hidden and not self.solved:
                return r"\unseen"
            return code

        return mark

    def _formulas(self, matrix: Matrix, asked: list[Place]) -> str:
        """The formulas of the blanks, each once."""
        printer = LatexPrinter(self._outline(matrix).names)
        rows: dict[str, None] = {}
        for _, at in asked:
            left: Shown = general(matrix, at)
            formula = Cell(self.graph, matrix, at).formulas[0]  # of what the sheet prints
            if self.graph.columns:
                left, formula = transposed(left), transposed(formula)
            rows[f"{printer.line(left)} &= {printer.line(formula)}"] = None
        return latex.align(list(rows)) if rows else ""

    def _worked(self, place: Place) -> str:
        name, at = place
        d = derivation(self.graph, f"{name}[{','.join(map(str, at))}]", 0, DIGITS)
        step = d.steps[0]
        heading = latex.step_heading(d, step).removeprefix(r"\noindent")
        return f"\\filbreak\\medskip\\noindent {heading}\n{latex.step_maths(d, step, KIND)}"

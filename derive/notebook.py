"""Models for Python sessions and notebooks: matrices by name, cells by index, shown as maths.

    >>> import derive
    >>> m = derive.load("cats")
    >>> m
    <model cats: I like cats too>
    >>> m["A"][2, 0]
    <A[2,0] ≈ 0.41238>
    >>> m["A[cats,I]"].decimal(8)
    '0.41238224'

In Jupyter a matrix shows itself as a grid, a cell as its worked lines.  Nothing here imports
IPython: an object that knows its LaTeX is all that a notebook needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING, Any

from derive.blocks import build
from derive.errors import AddressError, DeriveError
from derive.graph import Cell, derivation, table
from derive.graph.cell import TooLong
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.line import Derivation, Line, Step
from derive.model import Model
from derive.model import load as load_model
from derive.model import loads as loads_model

if TYPE_CHECKING:
    import sympy as sp

JSON = "application/vnd.derive+json"
DIGITS = 5

Bundle = dict[str, Any]


def load(
    source: str | PathLike[str], *, sets: Sequence[str] = (), tokens: str | None = None
) -> LoadedModel:
    """The model of a bundled name, a path, or "-" (standard input), ready to be asked.

    `sets` are KEY=VALUE texts as of `--set`; `tokens` is another text of the model's vocabulary.
    Raises ModelError with every error of the file, one a line.

    >>> load("cats", tokens="you like dogs")["A"].shape
    (3, 3)
    """
    return LoadedModel.of(load_model(source, sets=sets, tokens=tokens))


def loads(
    text: str, name: str = "model", *, sets: Sequence[str] = (), tokens: str | None = None
) -> LoadedModel:
    """The model of a text, TOML or JSON; arguments and errors as for load.

    >>> loads("[given]\\nQ = [[1, 0]]\\nK = [[1, 2], [3, 4], [5, 6]]")["S"][0, 2].exact
    5
    """
    return LoadedModel.of(loads_model(text, name, sets=sets, tokens=tokens))


@dataclass(frozen=True, eq=False, repr=False)
class LoadedModel(Model):
    """A model with its forward pass: `m["A"]` is a matrix, `m["A[2,0]"]` a cell."""

    @classmethod
    def of(cls, model: Model) -> LoadedModel:
        """The same model, ready to be asked."""
        return cls(**{field.name: getattr(model, field.name) for field in fields(model)})

    @cached_property
    def graph(self) -> Graph:
        """The named matrices behind it."""
        return build(self)

    @property
    def matrices(self) -> tuple[str, ...]:
        """The names of all matrices, shortest unambiguous form, in the order of the pass.

        >>> load("cats").matrices[:3]
        ('E', 'X', 'X.rms')
        """
        return tuple(map(self.graph.short, self.graph.matrices))

    def __getitem__(self, name: str) -> Any:
        """A matrix by its name; a cell, row or column by its address.

        Raises AddressError with the nearest name.
        """
        if "[" not in name:
            return MatrixView(self.graph, self.graph.matrix(name))
        matrix, indices = self.graph.addresses.parts(name)
        return MatrixView(self.graph, matrix)[indices]

    def __iter__(self) -> Iterator[str]:
        return iter(self.matrices)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self[name] is not None
        except AddressError:
            return False

    def __repr__(self) -> str:
        return f"<model {self.name}: {self.title}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        lines = [repr(self), *(f"  {self.graph.short(m.name):<16} {'×'.join(map(str, m.shape)):<8} "
                               f"{m.meaning}" for m in self.graph)]  # fmt: skip
        return {"text/plain": "\n".join(line.rstrip() for line in lines)}


class MatrixView:
    """A named matrix: `A[2, 0]` is a cell, `A[2]` a row of cells."""

    def __init__(self, graph: Graph, matrix: Matrix) -> None:
        self._graph, self._matrix = graph, matrix

    name = property(lambda self: self._graph.short(self._matrix.name))
    shape = property(lambda self: self._matrix.shape)
    meaning = property(lambda self: self._matrix.meaning)
    operation = property(lambda self: self._matrix.operation.name)

    @property
    def labels(self) -> list[tuple[str, ...]]:
        """For every axis the texts of its rows or columns; () where they are numbers."""
        return self._graph.addresses.labels(self._matrix)

    def __getitem__(self, at: Any) -> Any:
        """A cell; with fewer indices, `:` or None a list of cells.

        Raises AddressError outside of the matrix; negative indices count from the end.
        """
        indices = at if isinstance(at, tuple) else (at,)
        if len(indices) > len(self._matrix.shape):
            raise AddressError(f"{self.name} has {len(self._matrix.shape)} indices, "
                               f"found {len(indices)}")  # fmt: skip
        chosen = [
            self._axis(axis, indices[axis] if axis < len(indices) else None)
            for axis in range(len(self._matrix.shape))
        ]
        if all(isinstance(x, int) for x in chosen):
            return CellView(Cell(self._graph, self._matrix, tuple(chosen)))  # type: ignore[arg-type]
        ranges = [[x] if isinstance(x, int) else x for x in chosen]
        return [CellView(Cell(self._graph, self._matrix, tuple(x))) for x in product(*ranges)]

    def _axis(self, axis: int, index: Any) -> int | list[int]:
        size = self._matrix.shape[axis]
        if index is None:
            return list(range(size))
        if isinstance(index, slice):
            return list(range(size))[index]
        if isinstance(index, str):
            parts = [":"] * len(self._matrix.shape)
            parts[axis] = json.dumps(index, ensure_ascii=False)
            _, found = self._graph.addresses.parts(f"{self._matrix.name}[{','.join(parts)}]")
            index = found[axis]
        if not isinstance(index, int) or not -size <= index < size:
            raise AddressError(f"{self.name}: index {index!r} is out of range 0…{size - 1}")
        return index % size

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self._matrix.shape[0]))

    def __len__(self) -> int:
        return self._matrix.shape[0]

    @property
    def exact(self) -> sp.Matrix:
        """The closed forms as a SymPy matrix; raises DeriveError where one is too long."""
        import sympy as sp

        rows, columns = self._matrix.shape
        return sp.Matrix(rows, columns, lambda i, j: self[int(i), int(j)].exact)

    def decimal(self, digits: int = DIGITS) -> list[list[str | None]]:
        """Correctly rounded decimals, row by row."""
        return [[cell.decimal(digits) for cell in self[i]] for i in range(len(self))]

    def latex(self, form: str = "decimal", digits: int = DIGITS) -> str:
        """A LaTeX fragment with row and column labels (needs amsmath)."""
        from derive.render import render

        return str(render(self._table(form, digits), "latex"))

    def text(self, form: str = "decimal", digits: int = DIGITS) -> str:
        """The grid that `derive show` prints."""
        from derive.render import render

        return str(render(self._table(form, digits), "text"))

    def _table(self, form: str, digits: int) -> Any:
        return table(self._graph, self._matrix.name, form, digits)

    def __repr__(self) -> str:
        return f"<{self.name} {'×'.join(map(str, self.shape))}: {self.meaning}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        if len(self._matrix.shape) != 2:
            return {"text/plain": repr(self)}
        from derive.render import json as as_json
        from derive.render.latex_maths import LatexPrinter

        t = self._table("decimal", DIGITS)
        printer = LatexPrinter(t.names)
        rows = r" \\ ".join(" & ".join(map(printer.line, row)) for row in t.cells)
        columns = "r" * len(t.columns)
        grid = rf"$$\left(\begin{{array}}{{{columns}}} {rows} \end{{array}}\right)$$"
        return {
            "text/plain": self.text().rstrip("\n"),
            "text/latex": grid,
            JSON: json.loads(as_json.table(t)),
        }


class CellView:
    """One entry of a named matrix: its exact value, its digits, its worked lines."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    address = property(lambda self: self._cell.address)

    @property
    def exact(self) -> sp.Expr:
        """The closed form as a SymPy expression.

        Raises DeriveError past the size guard; `decimal` and `enclosure` know such cells, too.
        """
        try:
            return self._cell.closed
        except TooLong as guard:
            raise DeriveError(f"{self.address}: the closed form has {guard}") from None

    def decimal(self, digits: int = DIGITS) -> str | None:
        """Significant digits, correctly rounded; None with free letters.

        >>> load("cats")["S_masked"][0, 1].decimal()
        '-inf'
        """
        return self._cell.decimal(digits)

    def enclosure(self, bits: int = 128) -> tuple[Fraction, Fraction]:
        """Exact rationals below and above the value."""
        return self._cell.enclosure(bits)

    @property
    def reads(self) -> tuple[CellView, ...]:
        """The cells that stand in its formula."""
        return tuple(map(CellView, self._cell.reads))

    @property
    def steps(self) -> tuple[Step, ...]:
        """This cell's worked steps as data: titles and lines."""
        return self.derivation().steps

    def derivation(self, depth: int | None = 0, digits: int = DIGITS) -> Derivation:
        """The worked derivation as data; depth: layers of the cells it reads, None: all."""
        return derivation(self._cell.graph, self._full, depth, digits)

    @property
    def _full(self) -> str:
        return f"{self._cell.matrix.name}[{','.join(map(str, self._cell.indices))}]"

    def latex(self, depth: int | None = 0, digits: int = DIGITS) -> str:
        """The worked lines as a LaTeX fragment (needs amsmath)."""
        from derive.render import render

        return str(render(self.derivation(depth, digits), "latex"))

    def text(self, depth: int | None = 0, digits: int = DIGITS) -> str:
        """The worked lines as `derive cell` prints them."""
        from derive.render import render

        return str(render(self.derivation(depth, digits), "text"))

    def __repr__(self) -> str:
        decimal = self.decimal()
        if decimal is None:
            return f"<{self.address}>"
        exact = decimal == "-inf" or self._cell.equals(Fraction(decimal)) is True
        return f"<{self.address} {'=' if exact else '≈'} {decimal}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        from derive.render import json as as_json

        d = self.derivation()
        return {
            "text/plain": self.text().rstrip("\n"),
            "text/latex": for_mathjax(d),
            JSON: json.loads(as_json.derivation(d)),
        }


def for_mathjax(d: Derivation) -> str:
    """The worked lines of a derivation's first step as one display for MathJax or KaTeX."""
    from derive.render.latex_maths import LatexPrinter

    rows = []
    last = ""
    for line in d.steps[0].lines:
        printer = LatexPrinter(d.names, line.kind == "substituted")
        left = printer.line(line.left)
        rows.append(f"{left if left != last else ''} &{_relation(line)} {printer.line(line.right)}")
        last = left
    return "$$\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}$$"


def _relation(line: Line) -> str:
    from derive.render.latex import RELATIONS

    return RELATIONS[line.relation]

"""A cell: its value as kernel node, ball, sign, certified decimal and closed form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from derive.errors import UndefinedCell
from derive.line import Entry, Shown, at_cell, entries, turned

if TYPE_CHECKING:
    import sympy as sp

    from derive.exact.dag import Node
    from derive.graph.graph import Graph
    from derive.graph.matrix import Matrix

CLOSED_FORM_LIMIT = 400  # printed symbols; a longer closed form is not written out


class TooLong(Exception):
    """The closed form of a cell is longer than a reader would want."""


class Cell:
    """One entry of a named matrix."""

    def __init__(self, graph: Graph, matrix: Matrix, indices: tuple[int, ...]) -> None:
        self.graph, self.matrix, self.indices = graph, matrix, indices

    @property
    def address(self) -> str:
        """The shortest unambiguous address, as it can be typed."""
        return f"{self.graph.short(self.matrix.name)}[{','.join(map(str, self.indices))}]"

    def __repr__(self) -> str:
        return f"<cell {self.address}>"

    # what it is made of

    @property
    def formula(self) -> Shown:
        """The formula at this cell: entries of earlier matrices, numbers, operations."""
        return at_cell(self.formulas[-1])

    @property
    def formulas(self) -> list[Shown]:
        """The general formulas, products in the order in which they are printed.

        Entries are those of the named matrices: only a printed line is transposed.
        """
        formulas = self.matrix.operation.formulas(*self.indices)
        return [turned(x) for x in formulas] if self.graph.columns else formulas

    @property
    def reads(self) -> tuple[Cell, ...]:
        """The cells that stand in the formula, in written order, each once."""
        if not self.matrix.operation.inputs:
            return ()
        deciding = self.matrix.operation.decided_by(*self.indices)
        seen = dict.fromkeys((*entries(self.formula), *deciding))
        return tuple(self.at(e) for e in seen)

    def at(self, entry: Entry) -> Cell:
        """The cell that an entry of a formula means."""
        indices = tuple(x.p for x in entry.indices)  # type: ignore[union-attr]
        return Cell(self.graph, self.graph.matrices[entry.matrix], indices)

    @property
    def one_step(self) -> sp.Expr:
        """The definition as a SymPy expression in the cells that it reads, as symbols."""
        operation, f = self.matrix.operation, self.graph.symbolic
        views = {role: _Letters(self.graph, name) for role, name in operation.inputs.items()}
        return operation.define(f, *self.indices, **views)

    # its value

    @property
    def node(self) -> Node:
        """The value as a node of the kernel's shared expressions."""
        return self.value(self.graph.dag)  # type: ignore[no-any-return]

    def value(self, f: Any) -> Any:
        """The value in any arithmetic of this graph.

        Raises UndefinedCell where a row is divided by an exact zero.
        """
        from derive.exact.dag import UndefinedValue

        try:
            return self.graph.values(self.matrix.name, f)[self.indices]
        except (UndefinedValue, ZeroDivisionError) as fault:
            raise UndefinedCell(f"{self.address} has no value: {fault}") from None

    def ball(self, bits: int) -> Any:
        """A certified enclosure, computed with at least this many bits over the whole graph.

        Raises UndefinedCell where the value is not a real number, or can't be certified.
        """
        from derive.exact.balls import real

        for more in (1, 4, 16):
            f = self.graph.balls(bits * more)
            with f:
                value = self.value(f)
                ball = real(value)
                if ball.is_finite() or ball > 0 or ball < 0:
                    return ball
                if ball is not value and not value.imag.contains(0):
                    raise UndefinedCell(f"{self.address} is not a real number")
        raise UndefinedCell(f"{self.address} has no value: a division by zero, or by what may be 0")

    @property
    def sign(self) -> int | None:
        """-1, 0 or 1, decided exactly; None with free letters or undecided."""
        if self.graph.free:
            number = self.node.number
            return None if number is None else (number[0] > 0) - (number[0] < 0)
        ball = self.ball(128)
        if ball > 0:
            return 1
        if ball < 0:
            return -1
        from derive.exact.sign import sign

        return sign(self.node)

    def enclosure(self, bits: int = 128) -> tuple[Fraction, Fraction]:
        """Exact rationals below and above the value, computed with so many bits."""
        from derive.exact.rounding import scaled_ends

        number = self.node.number
        if number is not None:
            return Fraction(*number), Fraction(*number)
        ends = scaled_ends(self.ball(bits), 0, bits)
        if ends is None:
            raise UndefinedCell(f"{self.address} has no finite value")
        return ends

    def decimal(self, digits: int) -> str | None:
        """Significant digits, correctly rounded; None with free letters or undecided.

        A value that fits exactly is not padded; -∞ is "-inf".
        """
        from derive.exact.digits import digits as known_digits
        from derive.exact.digits import digits_of

        if not self.graph.free:
            try:  # balls first: of a large model they take seconds, nodes minutes
                return digits_of(self.ball, self.equals, digits)
            except UndefinedCell:
                pass  # what no ball can certify may still be an exact number
        node = self.node
        if node.number is not None or node.op == "infinity":
            return known_digits(node, digits)
        return None if self.graph.free else digits_of(self.ball, self.equals, digits)

    def equals(self, number: Fraction) -> bool | None:
        """Is the value exactly this rational?  None: undecided."""
        from derive.exact.sign import is_zero

        low, high = self.enclosure()
        if not low <= number <= high:
            return False
        return is_zero(self.node - self.graph.dag.rational(*number.as_integer_ratio()))

    @property
    def closed(self) -> sp.Expr:
        """The closed form as a SymPy expression, made readable.

        Raises TooLong past CLOSED_FORM_LIMIT printed symbols.
        """
        return closed(self.graph, self.matrix, self.indices)


class _Letters:
    """An input matrix whose cells are symbols that carry their addresses as names."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.name = graph, name
        self.rows, self.columns = graph.matrices[name].shape[:2]

    def __getitem__(self, at: tuple[int, ...]) -> sp.Expr:
        import sympy as sp

        matrix = self.graph.matrices[self.name]
        return sp.Symbol(Cell(self.graph, matrix, at).address, real=True)


class _Closed:
    """An input matrix whose cells are closed forms."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.matrix = graph, graph.matrices[name]
        self.rows, self.columns = self.matrix.shape[:2]

    def __getitem__(self, at: tuple[int, ...]) -> sp.Expr:
        return closed(self.graph, self.matrix, at)


def closed(graph: Graph, matrix: Matrix, at: tuple[int, ...]) -> sp.Expr:
    """The closed form of a cell, kept once it is known; raises TooLong."""
    key = (matrix.name, at)
    if key not in graph.closed:
        try:
            graph.closed[key] = _closed(graph, matrix, at)
        except TooLong:
            graph.closed[key] = None
    found = graph.closed[key]
    if found is None:
        raise TooLong(f"more than {CLOSED_FORM_LIMIT} symbols")
    return found


def _closed(graph: Graph, matrix: Matrix, at: tuple[int, ...]) -> sp.Expr:
    import sympy as sp

    from derive.exact.tidy import size, tidy

    cell = Cell(graph, matrix, at)
    node = cell.node
    if node.number is not None:
        return sp.Rational(*node.number)
    if node.op == "infinity":
        return -sp.oo if node.data == -1 else sp.oo
    if sum(size(read.closed) for read in cell.reads) > 4 * CLOSED_FORM_LIMIT:
        raise TooLong
    views = {role: _Closed(graph, name) for role, name in matrix.operation.inputs.items()}
    expr = tidy(matrix.operation.define(graph.symbolic, *at, **views))
    if size(expr) > CLOSED_FORM_LIMIT:
        raise TooLong
    return expr

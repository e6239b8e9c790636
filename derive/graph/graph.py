"""The graph: named matrices, each made by one operation from earlier ones.

A cell is computed only when it is asked for, in the arithmetic that is asked for (closed
forms, the kernel's nodes, balls of a given precision), with everything it needs, once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from derive.errors import AddressError
from derive.graph.address import Addresses, split
from derive.graph.cell import Cell
from derive.graph.matrix import Matrix, Values
from derive.model.names import facts
from derive.operation import Operation
from derive.ops import Given

if TYPE_CHECKING:
    from derive.exact.dag import Dag, Node
    from derive.model import Model

FRAMES_A_MATRIX = 8  # Python frames that one matrix on the way to a cell can cost


class Graph:
    """The named matrices of one model, in forward order."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.matrices: dict[str, Matrix] = {}
        texts = {"n": model.tokens, "m": model.tokens, "V": model.vocabulary}
        self.addresses = Addresses(self.matrices, texts)
        self.given = dict(model.given)  # by full name
        self.closed: dict[tuple[str, tuple[int, ...]], Any] = {}  # None: too long
        self.kept: dict[str, Any] = {}  # what others work out of this graph, to find it again
        self._values: dict[tuple[int, str], Values] = {}
        self._arithmetics: dict[object, Any] = {}

    # building

    def add(self, name: str, operation: Operation | None) -> str | None:
        """Add a matrix unless something it needs does not exist; give back its name.

        Numbers that the model gives under this name replace the operation.
        """
        if name in self.given:
            operation = Given(self.given[name])
        if operation is None or not all(x in self.matrices for x in operation.inputs.values()):
            return None
        operation.index_base = self.model.notation["index_base"]
        shapes = {x: self.matrices[x].shape for x in operation.inputs.values()}
        shape = operation.output(shapes)
        meaning, axes = facts(split(name)[1])
        self.matrices[name] = Matrix(name, shape, operation, operation.meaning or meaning, axes)
        depth = 1000 + FRAMES_A_MATRIX * len(self.matrices)
        if sys.getrecursionlimit() < depth:
            sys.setrecursionlimit(depth)
        return name

    # reading

    def __getitem__(self, address: str) -> Cell:
        """The cell at an address such as "A[2,0]" or "b0.h0.A[cats,I]"."""
        matrix, indices = self.addresses.parts(address)
        if None in indices:
            raise AddressError(f"{address}: ':' names a whole row; a cell needs numbers")
        return Cell(self, matrix, tuple(i for i in indices if i is not None))

    def matrix(self, name: str) -> Matrix:
        """The matrix of a name, prefixes left out where they are clear."""
        return self.addresses.matrix(name)

    def short(self, name: str) -> str:
        """The shortest name that means this matrix only."""
        return self.addresses.short(name)

    def __iter__(self) -> Iterator[Matrix]:
        return iter(self.matrices.values())

    # computing

    def values(self, name: str, f: Any) -> Values:
        """The cells of a matrix (full name) in the arithmetic f."""
        key = (id(f), name)
        found = self._values.get(key)
        if found is None:  # f is kept by the graph, so its id is its own
            found = self._values[key] = Values(self, self.matrices[name], f)
        return found

    @property
    def dag(self) -> Dag:
        """The arithmetic of the kernel's nodes; signs of numbers are decided on the way."""
        return self._arithmetic("dag", self._new_dag)  # type: ignore[no-any-return]

    def balls(self, bits: int) -> Any:
        """The arithmetic of certified balls with this many bits."""
        from derive.exact.balls import Balls

        return self._arithmetic(bits, lambda: Balls(bits))

    @property
    def symbolic(self) -> Any:
        """The arithmetic of SymPy expressions."""
        from derive.exact.symbolic import Symbolic

        return self._arithmetic("symbolic", lambda: Symbolic(self.model.symbols))

    def forget(self) -> None:
        """Drop every computed value; the matrices stay."""
        self.closed.clear()
        self.kept.clear()
        self._values.clear()
        self._arithmetics.clear()

    def share(self, other: Graph) -> None:
        """Use the other graph's arithmetic of nodes, so that equal cells are one node."""
        self._arithmetics["dag"] = other.dag

    def _arithmetic(self, key: object, make: Any) -> Any:
        if key not in self._arithmetics:
            self._arithmetics[key] = make()
        return self._arithmetics[key]

    def _new_dag(self) -> Dag:
        from derive.exact.dag import Dag
        from derive.exact.sign import sign

        free = self.free

        class Decided(Dag):
            """Signs decided where they can be, so that a ReLU is one of its branches."""

            def select(self, x: Node, negative: Node, zero: Node, positive: Node) -> Node:
                found = None if free else sign(x)
                if found is not None:
                    return (zero, positive, negative)[found]
                return super().select(x, negative, zero, positive)

        return Decided()

    @property
    def free(self) -> bool:
        """True where the model has free letters: then cells have no decimals."""
        return bool(self.model.symbols)

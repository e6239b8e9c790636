"""The graph: named matrices, each made by one operation from earlier ones.

A cell is computed only when it is asked for, in the arithmetic that is asked for (closed
forms, the kernel's nodes, balls of a given precision), with everything it needs, once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from derive.errors import AddressError
from derive.graph.address import MEMORY, Addresses, split
from derive.graph.cell import Cell
from derive.graph.matrix import Matrix, Values
from derive.line import in_words
from derive.model.names import facts
from derive.operation import Operation
from derive.ops import Given
from derive.shapes import Shape

if TYPE_CHECKING:
    from derive.exact.dag import Dag, Node
    from derive.model import Model

MEMORY_WORDS = "V_mem"  # the axis of a second sequence's vocabulary
_EXPERT = re.compile("(e|shared)([0-9]+)")
FRAMES_A_MATRIX = 8  # Python frames that one matrix on the way to a cell can cost


class Graph:
    """The named matrices of one model, in forward order."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.matrices: dict[str, Matrix] = {}
        texts = {"n": model.tokens, "m": model.tokens, "V": model.vocabulary}
        memory: Mapping[str, Any] = model.memory or {}
        texts[MEMORY] = memory.get("tokens")
        texts[MEMORY_WORDS] = memory.get("vocabulary") or model.vocabulary
        self.addresses = Addresses(self.matrices, texts)
        self.given = dict(model.given)  # by full name
        self.reading_memory = _reading_memory(model)
        self.absorbed = False  # latent attention without keys and values
        self.closed: dict[tuple[str, tuple[int, ...]], Any] = {}  # None: too long
        self.kept: dict[str, Any] = {}  # what others work out of this graph, to find it again
        self._values: dict[tuple[int, str], Values] = {}
        self._chain = 0  # cells that can stand on the longest way to a cell
        self._arithmetics: dict[object, Any] = {}

    # building

    def add(self, name: str, operation: Operation | None) -> str | None:
        """Add a matrix unless something it needs does not exist; give back its name.

        Numbers that the model gives under this name replace the operation.
        """
        if name in self.given:
            operation = Given(self.given[name])
        if operation is None:
            return None
        needed = [x for role, x in operation.inputs.items() if role != operation.own]
        if not all(x in self.matrices for x in needed):
            return None
        operation.index_base = self.model.notation["index_base"]
        shapes = {x: self.matrices[x].shape for x in needed}
        shape = operation.output(shapes)
        prefixes, base = split(name)
        meaning, axes = facts(base)
        axes = tuple(self._axis(letter, prefixes, base) for letter in axes)
        if prefixes and (found := _EXPERT.fullmatch(prefixes[-1])):
            meaning += f" ({'shared ' if found[1] == 'shared' else ''}expert {found[2]})"
        self.matrices[name] = Matrix(name, shape, operation, operation.meaning or meaning, axes)
        self._chain += shape[1] if operation.own else 1
        depth = 1000 + FRAMES_A_MATRIX * self._chain
        if sys.getrecursionlimit() < depth:
            sys.setrecursionlimit(depth)
        return name

    def _axis(self, letter: str, prefixes: tuple[str, ...], base: str) -> str:
        """The letter of an axis; rows of the second sequence have one of their own."""
        whole = prefixes[:1] == ("mem",) or base == "X_mem"
        if letter == "V" and whole:
            return MEMORY_WORDS
        if (whole and letter in "nm") or (letter == "m" and prefixes[0] in self.reading_memory):
            return MEMORY
        return letter

    def read_rows(self, name: str) -> str:
        """The letter for how many rows the attention of a name's block reads: n or n_k."""
        return MEMORY if name.partition(".")[0] in self.reading_memory else "n"

    def existing(self, name: str) -> str | None:
        """The full name itself where there is such a matrix."""
        return name if name in self.matrices else None

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
    def columns(self) -> bool:
        """True where tokens are printed as columns."""
        return bool(self.model.notation["vectors"] == "column")

    def said(self, words: str) -> str:
        """Words about rows and columns as they are right for what is printed."""
        return in_words(words) if self.columns else words

    def printed_shape(self, shape: Shape) -> Shape:
        """The shape of a matrix as it is printed."""
        return shape[::-1] if self.columns else shape

    def printed(self, name: str, *indices: str | int) -> str:
        """An address as it is printed, not as it is typed: numbers count from the index base.

        `name` is printed as it is; an index that is a text (":", "0…2") stays.
        """
        base = self.model.notation["index_base"]
        texts = [str(k + base) if isinstance(k, int) else k for k in indices]
        return f"{name}[{','.join(texts[::-1] if self.columns else texts)}]"

    @property
    def free(self) -> bool:
        """True where the model has free letters: then cells have no decimals."""
        return bool(self.model.symbols)


def _reading_memory(model: Model) -> frozenset[str]:
    """The blocks whose attention reads the second sequence."""
    layers = ((k, block["attention"]) for k, block in enumerate(model.blocks))
    return frozenset(f"b{k}" for k, x in layers if x is not None and x["reads"] == "memory")

"""A graph with other operations for some of its matrices; what they don't touch is shared."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from derive.errors import DeriveError
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix, Values
from derive.operation import Operation


class Variant(Graph):
    """The graph `base` with changes: full names and the operations that make them instead.

    A name that `base` lacks is a matrix more, for the others to read.  Every arithmetic is that
    of `base`, and so is every value that does not depend on a change.  Raises DeriveError where
    a changed matrix would get another shape.
    """

    def __init__(self, base: Graph, changes: Mapping[str, Operation]) -> None:
        self.__dict__.update(copy(base.__dict__))
        self.base = base
        self.closed, self.kept, self._values = {}, {}, {}
        self.matrices = dict(base.matrices)
        for name, operation in changes.items():
            self.matrices[name] = self._with(name, operation)
        self.affected = self._affected(frozenset(changes))

    def _with(self, name: str, operation: Operation) -> Matrix:
        shapes = {x: self.matrices[x].shape for x in operation.inputs.values()}
        before = self.base.matrices.get(name)
        if before is not None and operation.inputs == before.operation.inputs:
            return Matrix(name, before.shape, operation, before.meaning, before.axes)
        shape = operation.output(shapes)
        if before is None:
            return Matrix(name, shape, operation, operation.meaning, ("", ""))
        if shape != before.shape:
            raise DeriveError(f"{name} would have the shape {shape}, not {before.shape}")
        return Matrix(name, shape, operation, before.meaning, before.axes)

    def _affected(self, changed: frozenset[str]) -> frozenset[str]:
        """The changed matrices and all that are made from them."""
        readers: dict[str, list[str]] = {}
        for name, matrix in self.matrices.items():
            for read in matrix.operation.inputs.values():
                readers.setdefault(read, []).append(name)
        found, waiting = set(changed), list(changed)
        while waiting:
            for reader in readers.get(waiting.pop(), ()):
                if reader not in found:
                    found.add(reader)
                    waiting.append(reader)
        return frozenset(found)

    def values(self, name: str, f: Any) -> Values:
        """The cells of a matrix; those of the base where no change reaches them."""
        return super().values(name, f) if name in self.affected else self.base.values(name, f)

    @property
    def work(self) -> int:
        """How many cells were computed for this graph alone."""
        return sum(map(len, self._values.values()))


def ancestors(graph: Graph, name: str) -> frozenset[str]:
    """The matrices that a matrix is made from, itself included."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        x = waiting.pop()
        if x not in found:
            found.add(x)
            waiting += graph.matrices[x].operation.inputs.values()
    return frozenset(found)

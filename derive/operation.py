"""An operation: the only place that knows one piece of transformer mathematics.

It says the same thing twice, in two independent ways: `define` computes a cell in any
arithmetic (SymPy expressions, the kernel's nodes, certified balls), `formulas` writes what
a teacher writes.  Tests prove for every operation that both are equal at every cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from derive.line import Entry, Letter, Num, Shown, Sum
from derive.shapes import Shape, output_shape

Law = Iterator[tuple[Any, ...]]


class View(Protocol):
    """The cells of an input matrix in some arithmetic; knows its shape."""

    rows: int
    columns: int

    def __getitem__(self, index: tuple[int, ...], /) -> Any: ...


Sign = Callable[[str, tuple[int, ...]], int | None]


@dataclass(frozen=True)
class Slip:
    """A known mistake: how someone who makes it works the operation out, and how to say so.

    `made` gives that operation, or nothing where the mistake can't be made here.  The mistake is
    made at every matrix at once, or with `alone` at one of them.
    """

    name: str  # kebab-case
    sentence: str  # for the student: what was probably done, without any number
    made: Callable[[Any], Operation | None]
    alone: bool = False


class Operation:
    """One way to make a matrix from earlier ones.

    `inputs` maps the roles of `define`'s arguments to full names of matrices, in the order
    of the shape rule.
    """

    name: ClassVar[str]
    shape: ClassVar[str]  # letters: n rows that read, m rows that are read, d k v f V h: sizes
    cached: ClassVar[tuple[str, ...]] = ()  # roles whose earlier rows a decoder keeps
    meaning: str = ""  # of its result, where that is another than the name's usual one
    sentence: ClassVar[str] = ""  # for a title: what the cell says of {row} and {column}
    slips: ClassVar[tuple[Slip, ...]] = ()  # mistakes that are often made with it
    own: ClassVar[str] = ""  # the role of its own result, where a cell reads earlier ones of it

    # define(f, i, j, /, **views): the cell (i, j) in the arithmetic f
    define: ClassVar[Callable[..., Any]]
    # law(f, out, /, **views): pairs that must be equal whatever the inputs are
    law: ClassVar[Callable[..., Law]]

    def __init__(self, **inputs: str) -> None:
        self.inputs = inputs
        self.sizes: dict[str, Shape] = {}  # of the inputs by role; the graph fills them in
        self.index_base = 0  # of printed indices; the graph sets it

    def output(self, shapes: Mapping[str, Shape]) -> Shape:
        """The shape that this operation gives for its input shapes (by full name)."""
        self.sizes = {role: shapes[name] for role, name in self.inputs.items()}
        return output_shape(self.shape, list(self.sizes.values()), list(self.inputs.values()))

    def formulas(self, i: int, j: int) -> list[Shown]:
        """The general formula at this cell, letters carrying their values.

        The last one is written in the cells that `define` reads; earlier ones, if any,
        say the same in terms of earlier matrices.
        """
        raise NotImplementedError

    def row(self, f: Any, i: int, /, **views: Any) -> list[Any] | None:
        """Row i as `define` gives it, at once, where an arithmetic f has a faster way."""
        return None

    def whole(self, f: Any) -> Any:
        """All cells as one matrix of the arithmetic f, where they need no other matrix."""
        return None

    def remark(self, sign: Sign, *at: int) -> str:
        """One plain sentence that helps at this cell, or nothing."""
        return ""

    def decided_by(self, *at: int) -> tuple[Entry, ...]:
        """Entries that decide which formula holds at this cell without standing in it."""
        return ()

    def equal_to(self, *at: int) -> Entry | None:
        """The cell of another matrix that this one equals by a theorem, for the reader."""
        return None

    def index(self, k: int) -> int:
        """An index as it is printed, for remarks."""
        return k + self.index_base

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        """A small instance, and sizes for the letters of its rule, all different.

        Tests fill the inputs with free letters, so what holds there holds for all numbers.
        """
        raise NotImplementedError

    def entry(self, role: str, *indices: Shown) -> Entry:
        """An entry of an input, for formulas."""
        return Entry(self.inputs[role], indices)


def row(i: int) -> Letter:
    """The row letter i with its value."""
    return Letter("i", Num(i))


def column(j: int) -> Letter:
    """The column letter j with its value."""
    return Letter("j", Num(j))


def size(name: str, n: int) -> Letter:
    """A size letter (d, d_k, n …) with its value."""
    return Letter(name, Num(n))


def total(index: Any, count: Letter, body: Shown) -> Sum:
    """A sum over a running index."""
    return Sum(index, count, body)


# slips


def changed(operation: Operation, **attributes: Any) -> Operation:
    """The operation with other attributes."""
    other = copy(operation)
    vars(other).update(attributes)
    return other


def worked_as(define: Callable[..., Any]) -> Callable[[Operation], Operation]:
    """For a slip: the operation with another definition, define(operation, f, i, j, **views)."""

    def made(operation: Operation) -> Operation:
        def mine(f: Any, i: int, j: int, /, **views: Any) -> Any:
            return define(operation, f, i, j, **views)

        return changed(operation, define=mine, row=_no_row, whole=_no_row)

    return made


def _no_row(*_: Any, **__: Any) -> None:
    """No faster way."""


def without(*roles: str) -> Callable[[Operation], Operation | None]:
    """For a slip: the operation with inputs forgotten, where it has one of them."""

    def made(operation: Operation) -> Operation | None:
        left = {role: name for role, name in operation.inputs.items() if role not in roles}
        if len(left) == len(operation.inputs):
            return None
        parts, _, result = operation.shape.partition(" -> ")
        kept = [
            p for role, p in zip(operation.inputs, parts.split(","), strict=True) if role in left
        ]
        return changed(operation, inputs=left, shape=f"{','.join(kept)} -> {result}")

    return made


def only(role: str) -> Callable[[Operation], Operation]:
    """For a slip: the input of one role, with nothing done to it."""
    return worked_as(lambda operation, f, i, j, **views: views[role][i, j])

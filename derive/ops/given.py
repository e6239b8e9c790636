"""A matrix that the model file gives: nothing to compute."""

from __future__ import annotations

from typing import Any

from derive.line import Shown, constant, from_text
from derive.operation import Law, Operation, View
from derive.shapes import Shape
from derive.text.tree import Name, Negative, Number, Tree


class Given(Operation):
    """The numbers (or letters) as the model file has them."""

    name = "given"
    shape = " -> n d"

    def __init__(self, rows: tuple[tuple[Tree, ...], ...]) -> None:
        super().__init__()
        self.rows = rows
        self._rationals = [[_rational(tree) for tree in row] for row in rows]

    def output(self, shapes: object) -> Shape:
        return len(self.rows), len(self.rows[0])

    def define(self, f: Any, i: int, j: int, /, **_: Any) -> Any:
        number = self._rationals[i][j]
        if number is not None:  # the bulk of every model
            return f.rational(*number)
        return constant(from_text(self.rows[i][j]), f)

    def whole(self, f: Any) -> Any:
        """All cells as one matrix of the arithmetic f, None where one is no fraction."""
        rows = [[x for x in row if x is not None] for row in self._rationals]
        if any(len(row) < len(self.rows[0]) for row in rows):
            return None
        return f.exact_matrix(rows)

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [from_text(self.rows[i][j])]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(((Number(1, 2), Name("a"), Number(0, 1)), (Number(3, 1),) * 3)), {}

    def law(self, f: Any, out: View, /) -> Law:
        """A number given twice is the same number."""
        yield out[1, 0], out[1, 2]


def _rational(tree: Tree) -> tuple[int, int] | None:
    match tree:
        case Number(p=p, q=q):
            return p, q
        case Negative(x=Number(p=p, q=q)):
            return -p, q
    return None

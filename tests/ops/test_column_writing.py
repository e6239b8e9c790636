"""Every operation in column writing: the printed formulas still say what is computed.

The inputs are free letters, and no two axes of an example have one length, so an index that
stands on the wrong side is found.
"""

from __future__ import annotations

import pytest

from derive.exact.dag import Dag
from derive.line import Entry, Letter, Num, Shown, entries, transposed, turned, value
from derive.operation import Operation
from derive.ops import ALL, FlashResult, FlashValues
from tests.line.shape_law import complaints
from tests.ops.helpers import over
from tests.ops.test_every_operation import NAMES, equal, letters


@pytest.mark.parametrize("kind", ALL, ids=NAMES)
def test_printed_formulas_say_what_define_computes(kind: type[Operation]) -> None:
    operation, sizes = kind.example()
    f = Dag()
    views = letters(operation, sizes, f)
    by_name = {operation.inputs[role]: view for role, view in views.items()}
    for at, computed in over(operation, f, views).items():
        printed = transposed(turned(operation.formulas(*at)[-1]))
        equal(value(printed, f, lambda name, k: by_name[name][k[::-1]]), computed, f)


def lines(operation: Operation, columns: bool) -> list[tuple[Entry, Shown]]:
    """The general formulas of the last cell of an operation's example, either way of writing."""
    sizes = operation.example()[1]
    views = letters(operation, sizes, Dag())
    shape = operation.output({operation.inputs[r]: (v.rows, v.columns) for r, v in views.items()})
    last = tuple(n - 1 for n in shape)
    left = Entry("out", (Letter("i", Num(last[0])), Letter("j", Num(last[1]))))
    if shape[1] == 1:  # a column of its own: its index is a number, as in print
        left = Entry("out", (left.indices[0], Num(0)))
    made = [(left, formula) for formula in operation.formulas(*last)]
    if not columns:
        return made
    return [(turn(a), transposed(turned(b))) for a, b in made]


def turn(x: Entry) -> Entry:
    out = transposed(x)
    assert isinstance(out, Entry)
    return out


def shapes(operation: Operation, columns: bool) -> dict[str, tuple[int, ...]]:
    """The shapes as they are printed; a matrix that only a long formula names is as the result."""
    views = letters(operation, operation.example()[1], Dag())
    found = {operation.inputs[r]: (v.rows, v.columns) for r, v in views.items()}
    out = operation.output(found)
    for _, right in lines(operation, False):
        for entry in entries(right):
            found.setdefault(entry.matrix, out)
    found["out"] = out
    return {name: shape[::-1] if columns else shape for name, shape in found.items()}


OF_TWO_AXES = [kind for kind in ALL if kind not in (FlashValues, FlashResult)]


@pytest.mark.parametrize("columns", [False, True], ids=["row", "column"])
@pytest.mark.parametrize("kind", OF_TWO_AXES, ids=lambda kind: kind.__name__)
def test_printed_shapes_agree_with_printed_formulas(kind: type[Operation], columns: bool) -> None:
    operation, _ = kind.example()
    known = shapes(operation, columns)
    for left, right in lines(operation, columns):
        assert complaints(left, right, known) == []


@pytest.mark.parametrize("kind", OF_TWO_AXES, ids=lambda kind: kind.__name__)
def test_a_formula_that_is_not_transposed_is_noticed(kind: type[Operation]) -> None:
    operation, _ = kind.example()
    known = shapes(operation, True)
    if known["out"][0] != known["out"][1]:
        for left, right in lines(operation, False):
            assert complaints(left, right, known)


def test_a_product_that_is_not_turned_is_noticed() -> None:
    from derive.ops import Projection, Scores, WeightedValues

    for kind in (Projection, Scores, WeightedValues):
        operation, _ = kind.example()
        ((left, right),) = lines(operation, False)
        found = complaints(turn(left), transposed(right), shapes(operation, True))
        assert len(found) == 1 and "wrong order" in found[0]

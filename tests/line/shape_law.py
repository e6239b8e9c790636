"""A checker of shapes over formula trees: what a printed formula says of the sizes it reads.

It knows no operation and no way of writing.  Given the printed shape of every matrix it finds,
for a line `left = right`, each index that can't stand where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from derive.line import Bound, Cases, Entry, Letter, Num, Shown, Sum, Times, at_cell, children

Shapes = Mapping[str, tuple[int, ...]]


def complaints(left: Entry, right: Shown, shapes: Shapes) -> list[str]:
    """What is wrong with the shapes of a line, in words; nothing for a right one."""
    sizes: dict[str, int] = {}  # of index letters: the left side says how far i and j run
    found = list(_entry(left, shapes, sizes, {}))
    return found + list(_tree(right, shapes, sizes, {}))


def _tree(
    x: Shown, shapes: Shapes, sizes: dict[str, int], bounds: Mapping[str, int]
) -> Iterator[str]:
    match x:
        case Entry():
            yield from _entry(x, shapes, sizes, bounds)
            return
        case Sum(index=index, count=count, body=body):
            yield from _product(body)
            yield from _tree(body, shapes, sizes, {**bounds, index.name: _number(count)})
            return
        case Cases(branches=branches):
            for branch in branches:
                for side in (branch.condition.left, branch.condition.right):
                    if side is not None:
                        yield from _tree(side, shapes, sizes, bounds)
    for part in children(x):
        yield from _tree(part, shapes, sizes, bounds)


def _entry(
    x: Entry, shapes: Shapes, sizes: dict[str, int], bounds: Mapping[str, int]
) -> Iterator[str]:
    shape = shapes[x.matrix]
    if len(shape) != len(x.indices):
        yield f"{x.matrix} has {len(shape)} axes"
        return
    for index, size in zip(x.indices, shape, strict=True):
        match index:
            case Bound(name=name):
                if bounds.get(name, size) != size:  # outside of a sum it runs over the whole axis
                    yield f"{name} runs to {bounds[name]}, {x.matrix} has {size}"
            case Letter(name="i" | "j" as name):
                if sizes.setdefault(name, size) != size:
                    yield f"{name} is one of {sizes[name]}, {x.matrix} has {size}"
        if not isinstance(index, Bound) and not 0 <= _number(index) < size:
            yield f"{index} is outside of {x.matrix}, which has {size}"


def _product(body: Shown) -> Iterator[str]:
    """A product of matrices has the row letter in its first factor, the column letter in the last.

    So row i of the first times column j of the second, whichever of them is a transpose.
    """
    if isinstance(body, Times):
        entries = [x for x in body.factors if isinstance(x, Entry)]
        letters = [{i.name for i in x.indices if isinstance(i, Letter)} for x in entries]
        if len(entries) == 2 and letters[0] != letters[1] and letters != [{"i"}, {"j"}]:
            yield f"factors {entries[0].matrix}, {entries[1].matrix} in the wrong order"


def _number(x: Shown) -> int:
    number = at_cell(x)
    assert isinstance(number, Num) and number.q == 1
    return number.p

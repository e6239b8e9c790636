"""A model's forward pass as a program without dependencies: Python, JavaScript or SymPy.

The program is written from the same formulas that a worked solution prints: one block for
each named matrix, its general formula as a loop.  Where cells of one matrix have different
formulas (the two columns of a rotated pair) the loop chooses; where no rule over i and j is
found, the cells are written out one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from derive.documents.dialects import DIALECTS, Dialect
from derive.errors import OutputError
from derive.graph.address import split
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.line import (
    Case,
    Cases,
    Condition,
    Letter,
    Num,
    Shown,
    Sum,
    at_cell,
    children,
    rebuild,
)
from derive.ops import Given

MOST_PATTERNS = 4  # formulas of one matrix that a loop chooses between
INDICES = ("i", "j")

At = tuple[int, ...]


def code(graph: Graph, language: str) -> str:
    """The program: prints every matrix, one row a line.

    Raises OutputError for an unknown language, or free letters where there must be numbers.
    """
    if language not in DIALECTS:
        raise OutputError(f"no language {language!r}; there are {', '.join(DIALECTS)}")
    dialect = DIALECTS[language](graph)
    if graph.free and not dialect.letters:
        raise OutputError(
            f"the model has free letters ({', '.join(graph.model.symbols)}), and {language} "
            "computes with numbers; --language sympy keeps letters"
        )
    return "\n".join(_Writer(graph, dialect).lines()) + "\n"


class _Writer:
    def __init__(self, graph: Graph, dialect: Dialect) -> None:
        self.graph, self.d = graph, dialect
        self.tables: dict[str, str] = {}  # lists that formulas look up: name -> code
        # FlashAttention's steps come to the same Z by another way: they are not repeated here
        self.matrices = [m for m in graph if not split(m.name)[1].startswith("flash.")]

    def lines(self) -> Iterator[str]:
        model = self.graph.model
        about = [model.title, *([f"Source: {model.source}"] if model.source else [])]
        yield from self.d.head(about, model.tokens)
        for matrix in self.matrices:
            yield ""
            yield from self._matrix(matrix)
        yield ""
        for matrix in self.matrices:
            if not isinstance(matrix.operation, Given):
                name = self.graph.short(matrix.name)
                yield self.d.shown(name, self.d.name(matrix.name))

    def _matrix(self, matrix: Matrix) -> Iterator[str]:
        rows, columns = matrix.shape
        name = self.d.name(matrix.name)
        yield self.d.comment(
            f"{self.graph.short(matrix.name)} ({rows}x{columns}): {matrix.meaning}"
        )
        if isinstance(matrix.operation, Given):
            cells = [
                [self.d.show(matrix.operation.formulas(i, j)[-1]) for j in range(columns)]
                for i in range(rows)
            ]
            yield from self.d.rows(name, cells)
            return
        formula = self._general(matrix)
        if formula is None:
            yield from self.d.rows(name, self._spelled(matrix))
            return
        for table, values in formula.tables:
            if self.tables.get(table) != values:
                self.tables[table] = values
                yield self.d.table(table, values)
        yield from self.d.loop(name, formula.code, rows, columns)

    def _spelled(self, matrix: Matrix) -> list[list[str]]:
        """Every cell by itself, in the cells that it reads."""
        rows, columns = matrix.shape
        return [
            [self.d.show(at_cell(matrix.operation.formulas(i, j)[-1])) for j in range(columns)]
            for i in range(rows)
        ]

    def _general(self, matrix: Matrix) -> _Formula | None:
        """One formula in i and j for all cells; None where none was found."""
        cells = list(product(*map(range, matrix.shape)))
        patterns: dict[Shown, list[At]] = {}
        values: dict[At, dict[str, Shown]] = {}
        for at in cells:
            tree, letters = _pattern(matrix.operation.formulas(*at)[-1])
            if letters is None:
                return None
            patterns.setdefault(tree, []).append(at)
            values[at] = letters
        if len(patterns) > MOST_PATTERNS:
            return None
        tables: list[tuple[str, str]] = []
        codes = []
        for tree, places in patterns.items():
            known = self._letters(tree, places, values, tables)
            if known is None:
                return None
            codes.append(self.d.show(tree, known))
        chosen = self._choice(list(patterns.values()), codes)
        return None if chosen is None else _Formula(chosen, tuple(tables))

    def _letters(
        self,
        tree: Shown,
        places: Sequence[At],
        values: dict[At, dict[str, Shown]],
        tables: list[tuple[str, str]],
    ) -> dict[str, str] | None:
        """Code for each letter of a pattern: an index, a number, or a look-up."""
        known: dict[str, str] = {}
        for letter in dict.fromkeys(_names(tree)):
            found = {at: values[at][letter] for at in places}
            whole = {at: x[letter] for at, x in values.items() if letter in x}
            code = self._letter(letter, found, whole, tables)
            if code is None:
                return None
            known[letter] = code
        return known

    def _letter(
        self,
        letter: str,
        found: dict[At, Shown],
        whole: dict[At, Shown],
        tables: list[tuple[str, str]],
    ) -> str | None:
        """`found`: the letter's values in one pattern; `whole`: in all, for a list of them."""
        first = next(iter(found.values()))
        if letter in INDICES and all(
            x == Num(at[INDICES.index(letter)]) for at, x in found.items()
        ):
            return letter
        if all(x == first for x in found.values()):
            return self.d.show(at_cell(first))
        for axis, index in enumerate(INDICES):
            for rule, follows in RULES:
                if all(x == Num(follows(at[axis])) for at, x in found.items()):
                    return rule.format(index)
        for axis, index in enumerate(INDICES):
            by_index: dict[int, Shown] = {}
            if all(by_index.setdefault(at[axis], x) == x for at, x in whole.items()):
                name = self.d.free_name(letter)
                size = max(by_index) + 1
                cells = [self.d.show(at_cell(by_index.get(k, Num(0)))) for k in range(size)]
                tables.append((name, self.d.list(cells)))
                return f"{name}[{index}]"
        return None

    def _choice(self, groups: Sequence[Sequence[At]], codes: Sequence[str]) -> str | None:
        """The code that chooses between formulas by i or by j."""
        if len(codes) == 1:
            return codes[0]
        for axis, index in enumerate(INDICES):
            sets = [{at[axis] for at in group} for group in groups]
            if sum(map(len, sets)) == len(set.union(*sets)):
                return self._by_index(index, sets, codes)
        return None

    def _by_index(self, index: str, sets: Sequence[set[int]], codes: Sequence[str]) -> str:
        if sets[0] == {k for k in set.union(*sets) if k % 2 == 0} and len(codes) == 2:
            return self.d.choose(f"{index} % 2 == 0", codes[0], codes[1])
        result = codes[-1]
        for places, code in zip(sets[-2::-1], codes[-2::-1], strict=True):
            low, high = min(places), max(places)
            if places == set(range(low, high + 1)):
                test = self.d.between(low, index, high)
            else:
                test = self.d.among(index, sorted(places))
            result = self.d.choose(test, code, result)
        return result


@dataclass(frozen=True)
class _Formula:
    code: str
    tables: tuple[tuple[str, str], ...]


RULES: tuple[tuple[str, Callable[[int], int]], ...] = (  # of an index that follows another
    ("{0}", lambda k: k),
    ("{0} - {0} % 2", lambda k: k - k % 2),
    ("{0} - {0} % 2 + 1", lambda k: k - k % 2 + 1),
    ("{0} - 1", lambda k: k - 1),
    ("{0} + 1", lambda k: k + 1),
)


def _pattern(x: Shown) -> tuple[Shown, dict[str, Shown] | None]:
    """The tree with letters by name alone, and their values; None where a name has two."""
    values: dict[str, Shown] = {}
    clash = False

    def bare(part: Any) -> Any:
        nonlocal clash
        if isinstance(part, Letter):
            if values.setdefault(part.name, part.value) != part.value:
                clash = True
            return Letter(part.name, Num(0))
        if isinstance(part, Cases):
            return Cases(tuple(map(branch, part.branches)))
        return rebuild(part, bare)

    def branch(b: Case) -> Case:
        c = b.condition
        sides = [None if side is None else bare(side) for side in (c.left, c.right)]
        return Case(bare(b.value), Condition(sides[0], c.relation, sides[1]), holds=False)

    tree = bare(x)
    return tree, None if clash else values


def _names(x: Shown) -> Iterator[str]:
    """The names of all letters of a pattern, counts of sums left out."""
    if isinstance(x, Letter):
        yield x.name
        return
    if isinstance(x, Sum):
        yield from _names(x.body)
        return
    if isinstance(x, Cases):
        for b in x.branches:
            yield from _names(b.value)
            for side in (b.condition.left, b.condition.right):
                if side is not None:
                    yield from _names(side)
        return
    for part in children(x):
        yield from _names(part)

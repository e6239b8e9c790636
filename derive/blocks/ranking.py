"""Exact rankings of a row: the likeliest word, ties named, and which words stay."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cmp_to_key
from typing import TYPE_CHECKING

from derive.errors import DeriveError
from derive.graph import Cell, Graph
from derive.text import show

if TYPE_CHECKING:
    from derive.text import Tree


class UndecidedRanking(DeriveError):
    """Two values could not be compared exactly."""

    exit_code = 3


def compare(a: Cell, b: Cell) -> int:
    """-1, 0 or 1, exactly; raises UndecidedRanking where the kernel can't tell."""
    from derive.exact.sign import sign

    if a.graph.free and a.node != b.node:
        pair = f"{a.address} and {b.address}"
        raise UndecidedRanking(f"{pair} have free letters: either may be larger")
    for bits in () if a.graph.free else (64, 256):
        x, y = a.ball(bits), b.ball(bits)
        if x < y or x > y:
            return -1 if x < y else 1
    found = sign(a.node - b.node)
    if found is None:
        raise UndecidedRanking(f"{a.address} and {b.address} could not be compared exactly")
    return found


def ranked(graph: Graph, name: str, row: int) -> list[list[int]]:
    """The columns of a row from the largest value down; equal values in one group."""
    matrix = graph.matrices[name]
    cells = [Cell(graph, matrix, (row, j)) for j in range(matrix.shape[1])]

    def by_value(a: int, b: int) -> int:
        return compare(cells[a], cells[b])

    order = sorted(range(len(cells)), key=cmp_to_key(by_value), reverse=True)
    groups: list[list[int]] = []
    for j in order:
        if groups and compare(cells[groups[-1][0]], cells[j]) == 0:
            groups[-1].append(j)
        else:
            groups.append([j])
    return [sorted(group) for group in groups]


def largest(graph: Graph, name: str) -> Callable[[int], tuple[int, ...]]:
    """For a row the columns with its largest score, decided exactly; hidden ones never."""

    @cache
    def best(row: int) -> tuple[int, ...]:
        matrix = graph.matrices[name]
        found: list[int] = []
        cells = [Cell(graph, matrix, (row, j)) for j in range(matrix.shape[1])]
        for j, cell in enumerate(cells):
            if cell.node.op == "infinity":
                continue
            order = compare(cell, cells[found[0]]) if found else 1
            if order > 0:
                found = [j]
            elif order == 0:
                found.append(j)
        return tuple(found)

    return best


def kept_words(
    graph: Graph, name: str, k: int | str, p: Tree | str
) -> tuple[Callable[[int], tuple[int, ...]], str]:
    """Which columns stay in a row, and the rule in words.

    Top-k keeps the k likeliest and whatever ties with the last of them; top-p the fewest
    likeliest words whose chances reach p, ties again kept.  Both: what stays in both.
    """
    rules = []
    if k != "none":
        rules.append(f"top-k with k = {k}")
    if not isinstance(p, str):
        rules.append(f"top-p with p = {show(p)}")

    @cache
    def kept(row: int) -> tuple[int, ...]:
        groups = ranked(graph, name, row)
        stay: list[int] = []
        for group in groups:
            if k != "none" and len(stay) >= int(str(k)):
                break
            if not isinstance(p, str) and _reached(graph, name, row, stay, p):
                break
            stay += group
        return tuple(stay)

    return kept, " and ".join(rules)


def _reached(graph: Graph, name: str, row: int, columns: list[int], p: Tree) -> bool:
    """Do the chances of these columns add up to p or more?"""
    from derive.exact.sign import sign
    from derive.line import constant, from_text

    if not columns:
        return False
    f = graph.dag
    values = graph.values(name, f)
    found = sign(f.add(*(values[row, j] for j in columns)) - constant(from_text(p), f))
    if found is None:
        raise UndecidedRanking(f"the chances of row {row} could not be compared with top_p")
    return found >= 0

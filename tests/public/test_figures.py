"""Every number that others have printed: reproduced to its digits, or shown wrong."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from worked.public_examples import PAGE, Figure, cells, examples, graph, page, verdict

BY_ROW: dict[tuple[str, str, str], list[Figure]] = defaultdict(list)
for _example in examples():
    for _figure in _example.figures:
        BY_ROW[_example.name, _figure.model, _figure.where].append(_figure)


@pytest.mark.parametrize("row", BY_ROW, ids="-".join)
def test_figures(row: tuple[str, str, str]) -> None:
    figures = BY_ROW[row]
    found = cells(graph(row[1]), row[2])
    for k in range(0, len(figures), len(found)):  # the same row can be printed twice
        printed = figures[k : k + len(found)]
        assert [x.place for x in printed] == list(range(len(found))), "as many numbers as cells"
    for figure in figures:
        cell = found[figure.place]
        said = verdict(cell, figure.number, figure.half_unit)
        assert said is not figure.wrong and said is not None, (figure, cell.decimal(20))


def test_a_number_beside_the_value_is_refused() -> None:
    """The comparison can fail: one unit in the last place that counts is too much."""
    for row, figures in BY_ROW.items():
        figure = figures[-1]
        cell = cells(graph(row[1]), row[2])[figure.place]
        if not figure.wrong:
            off = figure.number + 3 * figure.half_unit
            assert verdict(cell, off, figure.half_unit) is False, row


def test_half_units() -> None:
    def half(printed: str, places: str) -> Fraction:
        return Figure("", "", 0, printed, places, False).half_unit

    assert half("1.5", "2") == Fraction(1, 200)
    assert half("4.67695573e-10", "s9") == Fraction(1, 2 * 10**18)
    assert half("12", "s2") == Fraction(1, 2)


def test_every_example_is_there() -> None:
    """At least so many of each sort: the table can't lose its rows unnoticed."""
    found = examples()
    assert len(found) == 17
    assert sum(x.wrong for one in found for x in one.figures) >= 50
    assert sum(not x.wrong for one in found for x in one.figures) >= 1300


def test_the_page_is_what_the_figures_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make public writes it again"

"""The published numbers of an AI-by-Hand sheet, as they stand there: tokens are columns.

Source: ai-by-hand-excel (MIT licence), Self-Attention, sheet "small".  Its spreadsheet holds
doubles; twelve digits of them are compared, the integers exactly.
"""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.graph import Graph, table
from derive.line import Num
from derive.model import load
from derive.render import render

INTEGERS = {
    "X": "2 0 0 2; 0 1 0 0; 0 2 1 0; 0 0 1 1; 2 0 0 0; 1 0 1 1",
    "W_Q": "1 1 0 0 0 0; 0 1 0 1 0 0; 0 0 1 0 1 1",
    "W_K": "0 0 1 0 0 0; 0 1 0 0 0 0; 1 0 0 0 0 -1",
    "W_V": "10 0 0 0 0 0; 0 0 0 10 0 0; 0 10 0 0 0 0",
    "Q": "2 1 0 2; 0 1 1 1; 3 2 2 1",
    "K": "0 2 1 0; 0 1 0 0; 1 0 -1 1",
    "V": "20 0 0 20; 0 0 10 10; 0 10 0 0",
    "S": "3 2 2 1; 4 3 1 5; -1 -1 -2 1; 3 2 2 1",
}
DECIMALS = {
    "S_scaled": """
        1.73205080757 1.15470053838 1.15470053838 0.577350269190;
        2.30940107676 1.73205080757 0.577350269190 2.88675134595;
        -0.577350269190 -0.577350269190 -1.15470053838 0.577350269190;
        1.73205080757 1.15470053838 1.15470053838 0.577350269190""",
    "A.exp": """
        5.65223367403 3.17307306164 3.17307306164 1.78131217411;
        10.0683926545 5.65223367403 1.78131217411 17.9349504091;
        0.561383913799 0.561383913799 0.315151898672 1.78131217411;
        5.65223367403 3.17307306164 3.17307306164 1.78131217411""",
    "A.sum": "21.9342439163 12.5597637111 8.44261019605 23.2788869315",
    "A": """
        0.257689925196 0.252637958374 0.375840289668 0.0765205045823;
        0.459026200897 0.450027070894 0.210990692777 0.770438486253;
        0.0255939487105 0.0446970123572 0.0373287278879 0.0765205045823;
        0.257689925196 0.252637958374 0.375840289668 0.0765205045823""",
    "Z": """
        10.3075970078 10.1055183350 15.0336115867 3.06082018329;
        2.83283873907 2.97334970731 4.13169017555 1.53041009165;
        4.59026200897 4.50027070894 2.10990692777 7.70438486253""",
}


@pytest.fixture(scope="module")
def sheet() -> Graph:
    return build(load("aibyhand"))


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(sheet: Graph, name: str) -> None:
    printed = table(sheet, name, form="exact")
    rows = [[int(x) for x in row.split()] for row in INTEGERS[name].split(";")]
    assert printed.cells == tuple(tuple(map(Num, row)) for row in rows)
    assert printed.shape == (len(rows), len(rows[0]))


@pytest.mark.parametrize("name", DECIMALS)
def test_decimals(sheet: Graph, name: str) -> None:
    printed = table(sheet, name, digits=12)
    rows = tuple(tuple(row.split()) for row in DECIMALS[name].split(";"))
    assert printed.plain == rows


def test_it_reads_as_a_sheet(sheet: Graph) -> None:
    """Indices from 1, a token in a column, W_Q on the left of X."""
    lines = str(render(table(sheet, "W_Q"), "text")).splitlines()
    assert lines[0] == "W_Q   query weights (3×6)"
    assert lines[2].split() == ["1", "2", "3", "4", "5", "6"]
    assert lines[3].split() == ["1", "1", "1", "0", "0", "0", "0"]

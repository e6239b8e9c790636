"""derive.cell/1 and the others, exactly as in the contract."""

from __future__ import annotations

import json
from dataclasses import replace

from derive.line import Num
from derive.render import json as output
from tests.render.ugly import DERIVATION, HOSTILE, QUERY, SOFTMAX, derivation, line, table


def test_cell() -> None:
    text = output.derivation(derivation(SOFTMAX, QUERY))
    value = json.loads(text)
    assert text.startswith('{\n  "schema": "derive.cell/1",\n')
    assert text.endswith("}\n")
    assert list(value) == [
        "schema",
        "cell",
        "operation",
        "reads",
        "steps",
        "exact",
        "exact_guard",
        "decimal",
        "digits",
        "enclosure",
    ]
    assert value["reads"] == ["A.exp[2,0]", "A.sum[2,0]"]
    assert value["enclosure"] == ["41237/100000", "41239/100000"]
    assert list(value["steps"][0]) == ["title", "cell", "lines"]
    assert value["steps"][0]["lines"][1] == {
        "kind": "here",
        "text": "A[2,0] = A.exp[2,0]/A.sum[2,0]",
        "latex": r"A_{2,0} = \frac{A^{\mathrm{exp}}_{2,0}}{A^{\mathrm{sum}}_{2,0}}",
    }
    assert value["steps"][0]["lines"][4] == {
        "kind": "decimal",
        "text": "A[2,0] ≈ 0.41238",
        "latex": r"A_{2,0} \approx 0.41238",
    }
    kinds = [x["kind"] for x in value["steps"][1]["lines"]]
    assert kinds == ["definition", "here", "substituted", "exact", "decimal"]


def test_guard_and_notes() -> None:
    step = replace(SOFTMAX, lines=(line("here", Num(1), Num(1), "a rule"),), note="a note")
    d = replace(derivation(step), exact=None, exact_guard="too long", decimal=None, enclosure=None)
    value = json.loads(output.derivation(d))
    assert value["exact"] is None
    assert value["exact_guard"] == "too long"
    assert value["enclosure"] is None
    assert value["steps"][0]["note"] == "a note"
    assert value["steps"][0]["lines"][0]["note"] == "a rule"


def test_hostile_tokens_are_read_back() -> None:
    text = output.derivation(DERIVATION)
    text.encode()
    titles = [step["title"] for step in json.loads(text)["steps"]]
    assert titles == [step.title for step in DERIVATION.steps]


def test_matrix() -> None:
    t = table(tuple((Num(k),) for k in range(len(HOSTILE))), HOSTILE)
    value = json.loads(output.table(t))
    assert list(value) == ["schema", "name", "shape", "rows", "columns", "cells"]
    assert value["schema"] == "derive.matrix/1"
    assert value["rows"] == list(HOSTILE)
    assert value["cells"][0] == ["0"]
    assert json.loads(output.table(replace(t, notes=("n",))))["notes"] == ["n"]


def test_lists() -> None:
    assert json.loads(output.matrices([("A", (5, 5), "softmax", "weights")])) == {
        "schema": "derive.matrices/1",
        "matrices": [{"name": "A", "shape": [5, 5], "operation": "softmax", "meaning": "weights"}],
    }
    assert json.loads(output.models([("cats", "Cats", "book")])) == {
        "schema": "derive.models/1",
        "models": [{"name": "cats", "title": "Cats", "source": "book"}],
    }

"""`derive show`."""

from __future__ import annotations

import json

import pytest


def test_the_published_weights(run) -> None:
    """Row "cats" of the attention weights, as the article prints it."""
    lines = run("show", "cats", "A").stdout.splitlines()
    row = next(line for line in lines if line.startswith("cats"))
    assert row.split()[1:] == ["0.41238", "0.061626", "0.52599", "0"]


@pytest.mark.parametrize(
    ("form", "cell"),
    [("decimal", "-inf"), ("exact", "-inf"), ("symbolic", "S_scaled[0,1]")],
)
def test_json(run, form: str, cell: str) -> None:
    found = json.loads(run("show", "cats", "S_masked", "--form", form, "--to", "json").stdout)
    assert list(found)[:6] == ["schema", "name", "shape", "rows", "columns", "cells"]
    assert found["schema"] == "derive.matrix/1"
    assert found["rows"] == ["I", "like", "cats", "too"]
    assert cell in found["cells"][0][1]


def test_digits(run) -> None:
    found = json.loads(run("show", "cats", "A", "--digits", "12", "--to", "json").stdout)
    assert found["cells"][2][0] == "0.412382244737"


def test_another_text(run) -> None:
    found = json.loads(run("show", "cats", "A", "--tokens", "you like", "--to", "json").stdout)
    assert found["rows"] == ["you", "like"]


@pytest.mark.parametrize("to", ["latex", "tex"])
def test_latex(run, to: str) -> None:
    text = run("show", "cats", "A", "--to", to).stdout
    assert r"\begin{array}" in text
    assert text.endswith("\n")


def test_the_nearest_matrix(run) -> None:
    result = run("show", "cats", "S_scald")
    assert result.exit_code == 2
    assert "nearest: S_scaled" in result.stderr


def test_a_name_that_two_blocks_have(run) -> None:
    result = run("show", "cats-two-blocks", "Z")
    assert result.exit_code == 2
    assert "b0.h0.Z" in result.stderr
    assert "b1.h0.Z" in result.stderr


def test_no_format_of_that_name(run) -> None:
    result = run("show", "cats", "A", "--to", "latx")
    assert result.exit_code == 2
    assert "'latex'" in result.stderr

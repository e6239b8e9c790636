"""The published rows of tests/answers/fixtures: every verdict, value and form is right."""

from __future__ import annotations

import csv
import json
from functools import cache

import pytest

from derive.answers.check import check
from derive.answers.equality import equality
from derive.answers.policy import Policy
from derive.blocks import build
from derive.errors import DeriveError
from derive.graph import Graph
from derive.model import loads
from tests.answers.make_fixtures import FILES, FOLDER, text

csv.field_size_limit(1_000_000)
WORDS = {"equal": "right", "different": "wrong", "undecided": "undecided"}


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def graph(key: str, letters: str) -> Graph:
    """A model whose one cell is the key."""
    symbols = dict(part.split() for part in letters.split(",") if part)
    return build(loads(json.dumps({"symbols": symbols, "given": {"Q": [[key]]}}), "key.json"))


def policy(text: str) -> Policy:
    return Policy.of(json.loads(text) if text.startswith("{") else text)


def found(row: dict[str, str]) -> tuple[str, str, str]:
    """Verdict, value and form as they come out."""
    if row["judge"] == "equal":
        try:
            return WORDS[equality(row["answer"], row["key"]).verdict], row["value"], row["form"]
        except DeriveError:
            return "invalid", row["value"], row["form"]
    marked = check(
        graph(row["key"], row["letters"]), "Q[0,0]", row["answer"], policy(row["policy"])
    )
    value = "" if marked.verdict == "invalid" else marked.value
    form = "" if marked.form is None or not row["form"] else str(marked.form).lower()
    return marked.verdict, value, form


@pytest.mark.parametrize("name", FILES)
def test_rows(name: str) -> None:
    wrong = []
    for row in rows(name):
        expected = (row["verdict"], row["value"], row["form"])
        if (got := found(row)) != expected:
            wrong.append(
                (row["answer"][:60], row["key"], row["policy"], row["reason"], expected, got)
            )
    assert not wrong, f"{len(wrong)} rows: {wrong[:40]}"


@pytest.mark.parametrize("name", FILES)
def test_files_are_what_the_generator_writes(name: str) -> None:
    assert (FOLDER / f"{name}.csv").read_text(encoding="utf-8") == text(name).replace("\r\n", "\n")


def test_there_are_enough() -> None:
    assert sum(len(rows(name)) for name in FILES) >= 1_500

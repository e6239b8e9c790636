"""The README's table of options is the one that the schema and the bundled models give."""

from __future__ import annotations

from pathlib import Path

from worked.option_table import END, START, options, table

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_has_the_table() -> None:
    inside = README.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    assert inside.strip() == table().strip(), "make options writes it again"


def test_every_option_is_shown_by_a_bundled_model() -> None:
    assert [option for option, shown in options().items() if "(none)" in " ".join(shown)] == []

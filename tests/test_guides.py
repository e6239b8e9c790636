"""The guides in worked/ are true: every console block and every Python block."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from worked.guides import FOLDER, GUIDES, refreshed


@pytest.mark.parametrize("name", GUIDES)
def test_commands_print_what_the_guide_shows(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert refreshed(text) == text


@pytest.mark.parametrize("name", [*GUIDES, "answers.md"])
def test_python_does_what_the_guide_shows(name: str) -> None:
    failed, _ = doctest.testfile(str(FOLDER / name), module_relative=False)
    assert not failed


@pytest.mark.parametrize("name", [*GUIDES, "answers.md"])
def test_linked_files_exist(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (FOLDER / Path(target)).exists(), target


def test_the_readme_leads_to_every_guide() -> None:
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert all(f"worked/{name}" in readme for name in GUIDES)

"""The documents are true: what they show as printed is what is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.cli.program import program

ROOT = Path(__file__).parents[1]
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """(command, output) of every `$ derive …` in the documents."""
    found = []
    for name in ("README.md", "CONTRIBUTING.md"):
        for block in SESSION.findall((ROOT / name).read_text(encoding="utf-8")):
            for part in block.split("$ ")[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output.rstrip("\n")))
    return found


@pytest.mark.parametrize(("command", "output"), sessions())
def test_printed_as_shown(command: str, output: str) -> None:
    name, *words = shlex.split(command)
    assert name == "derive"
    assert CliRunner().invoke(program, words).stdout.rstrip("\n") == output


def test_the_readme_shows_a_worked_cell() -> None:
    assert any(command.startswith("derive cell") for command, _ in sessions())


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_named_files_exist(name: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    for path in re.findall(r"`((?:derive|tests|\.ci)/[\w./*-]*)`", text):
        if not path.endswith(("/x.py", "/test_x.py", "/x.toml")):
            assert list(ROOT.glob(path.rstrip("/"))), f"{name} names {path}"

"""Writes the outputs of the console blocks in the guides again (`make guides`).

A block is `$ derive …` lines, each followed by what it prints; a test compares them.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from derive.cli.program import program

FOLDER = Path(__file__).parent
GUIDES = ("solutions.md", "proofs.md", "marking.md", "models.md", "recipes.md")
SESSION = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)


def refreshed(text: str) -> str:
    """A guide with every output as it is now."""
    return SESSION.sub(lambda found: found[1] + _replayed(found[2]) + found[3], text)


def _replayed(block: str) -> str:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{_output(command)}" for command in commands)


def _output(command: str) -> str:
    name, *words = shlex.split(command)
    assert name == "derive"
    return CliRunner().invoke(program, words).stdout.rstrip("\n") + "\n"


if __name__ == "__main__":
    for name in GUIDES:
        path = FOLDER / name
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")

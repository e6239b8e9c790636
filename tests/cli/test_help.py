"""Every command explains itself: help, two examples that run, a place in the README."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from derive.cli import COMMANDS

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def examples(help: str) -> list[str]:
    return re.findall(r"^ +derive (.+)$", help.partition("Examples:")[2], re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert len(examples(result.stdout)) >= 2
    assert COMMANDS[name][1].endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_readme_has_it(name: str) -> None:
    assert re.search(rf"^\| `derive {name}\b", README, re.MULTILINE)


FILES = {  # that the examples of a command read
    "key.toml": 'model = "cats"\n[[question]]\ncell = "A[2,0]"\npolicy = { dp = 3 }\n',
    "answers.csv": 'student,cell,answer\nann,"A[2,0]",0.412\n',
    "answers/ann.csv": 'cell,answer\n"A[2,0]",0.412\n',
    "cluster.py": "from concurrent.futures import ThreadPoolExecutor as executor\n",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_run(run, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "grade":
        for path, text in FILES.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
    for example in examples(run(name, "--help").stdout):
        words = shlex.split(example)
        if ">" in words:  # the shell's
            words = words[: words.index(">")]
        result = run(*words)
        assert result.exit_code in (0, 1), f"{example}: {result.stderr}"

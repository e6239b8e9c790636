"""The repository: what must be there, and that its commands are the ones that are run."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

import derive

ROOT = Path(__file__).parents[1]
REQUIRED = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    ".ci/run",
    ".gitignore",
    "pyproject.toml",
    "derive/py.typed",
    "worked",
    "latex_out",
)
MODELS = ("cats", "cats-two-blocks", "next")


def readme_commands() -> list[str]:
    """The commands of the first screen: the `sh` blocks before the first section."""
    start = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    return [x.strip() for x in re.findall(r"```sh\n(.*?)```", start, re.DOTALL)]


@pytest.mark.parametrize("name", REQUIRED)
def test_it_is_there(name: str) -> None:
    assert (ROOT / name).exists()


def test_two_commands() -> None:
    main, check = readme_commands()
    assert (main, check) == ("make demo", "make check")
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == check
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    makefile = (ROOT / "Makefile").read_text()
    for command in (main, check):
        assert re.search(rf"^{command.split()[1]}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("name", MODELS)
def test_models_are_package_data(name: str) -> None:
    text = (resources.files("derive") / "models" / f"{name}.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text, parse_float=str)


def test_the_changelog_has_this_version() -> None:
    assert f"## {derive.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

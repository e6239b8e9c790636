"""The repository: what must be there, and that its commands are the ones that are run."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
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


def test_the_wheel_has_all_it_needs(tmp_path: Path) -> None:
    """Built, and run from the file itself: models and types are in it, tests are not."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("derive_transformer-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"derive/py.typed", "derive/models/cats.toml"} <= set(names)
    assert {name.partition("/")[0] for name in names if "dist-info" not in name} == {"derive"}
    code = f"import sys; sys.path.insert(0, {str(wheel)!r}); sys.argv[1:] = ['matrices', 'cats']"
    run = [sys.executable, "-c", f"{code}\nfrom derive.cli import main; main()"]
    found = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert found.startswith("E ")


def test_the_changelog_has_this_version() -> None:
    assert f"## {derive.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

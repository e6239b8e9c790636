"""Running the command line in this process, or as a program of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from derive.cli.program import program

Run = Callable[..., Result]
ENVIRONMENT = ("NO_COLOR", "FORCE_COLOR", "DERIVE_DEBUG", "_DERIVE_COMPLETE", "LC_ALL", "LANG")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing from the shell of whoever runs the tests."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run() -> Run:
    """`run("cell", "cats", "A[2,0]")`: exit_code, stdout, stderr, stdout_bytes."""

    def command(*words: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(program, list(words), input=stdin)

    return command


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """The same as a real process: `process("--version")`."""

    def command(
        *words: str, python: tuple[str, ...] = (), **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, *python, "-m", "derive", *words],
            capture_output=True,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    return command

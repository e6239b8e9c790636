"""The group: start-up, names, errors and their exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import click
import pytest

import derive
from derive.cli import COMMANDS, faults
from derive.errors import DeriveError

LOADED = """
import atexit, sys
atexit.register(lambda: print(sorted({'click', 'sympy', 'flint'} & set(sys.modules))))
"""


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Adds a command `boom` that raises what it is given."""

    def add(error: BaseException) -> None:
        @click.command()
        def command() -> None:
            raise error

        module = ModuleType("boom_command")
        module.command = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "boom_command", module)
        monkeypatch.setitem(COMMANDS, "boom", ("boom_command", "Raises."))

    return add


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["-h"]])
def test_version_and_help_import_nothing_heavy(words: list[str]) -> None:
    code = f"{LOADED}\nsys.argv = ['derive', *{words}]\nfrom derive.cli import main\nmain()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_version(process, run) -> None:
    expected = f"derive {derive.__version__}\n"
    assert process("--version").stdout.decode() == expected
    assert run("--version").stdout == expected


def test_help_is_the_same_both_ways(process, run) -> None:
    assert process("--help").stdout.decode() == run("--help").stdout
    assert all(name in run("-h").stdout for name in COMMANDS)


def test_no_command(run) -> None:
    result = run()
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "cell" in result.stderr


@pytest.mark.parametrize(("typed", "meant"), [("celll", "cell"), ("eqal", "equal")])
def test_did_you_mean_a_command(run, typed: str, meant: str) -> None:
    result = run(typed, "cats")
    assert result.exit_code == 2
    assert f"did you mean {meant}?" in result.stderr


def test_did_you_mean_an_option(run) -> None:
    result = run("models", "--quite")
    assert result.exit_code == 2
    assert "--quiet" in result.stderr
    assert result.stderr.startswith("derive: ")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (DeriveError("no such thing"), 2, "derive: no such thing\n"),
        (click.ClickException("odd"), 2, "derive: odd\n"),
        (KeyboardInterrupt(), 130, "derive: interrupted\n"),
        (click.Abort(), 130, "derive: interrupted\n"),
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left on device"), 2, "derive: No space left on device\n"),
        (
            PermissionError(13, "Permission denied", "x.toml"),
            2,
            "derive: x.toml: Permission denied\n",
        ),
        (SystemExit(3), 3, ""),
        (click.exceptions.Exit(1), 1, ""),
    ],
)
def test_exit_codes(run, raising, error: BaseException, code: int, words: str) -> None:
    raising(error)
    result = run("boom")
    assert (result.exit_code, result.stderr, result.stdout) == (code, words, "")


def test_an_internal_fault_asks_for_a_report(run, raising, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(ZeroDivisionError("by zero"))
    result = run("boom")
    assert result.exit_code == 70
    assert "please report it: ZeroDivisionError: by zero" in result.stderr
    assert f"derive {derive.__version__}" in result.stderr
    assert "Traceback" not in result.stderr
    monkeypatch.setenv("DERIVE_DEBUG", "1")
    assert "Traceback" in run("boom").stderr


@pytest.mark.parametrize("module", ["flint", "flint.pyflint"])
def test_a_missing_library_is_named(run, raising, module: str) -> None:
    raising(ImportError("libflint.so: no such file", name=module))
    result = run("boom")
    assert result.exit_code == 2
    assert "python -m pip install python-flint" in result.stderr


def test_missing_flint_for_real(tmp_path) -> None:
    """Everything that needs the kernel says so in one message."""
    code = (
        "import sys; sys.modules['flint'] = None; sys.argv = ['derive', 'equal', 'sqrt(2)', '1']\n"
        "from derive.cli import main; main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "python-flint" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("words", [("--help",), ("models",), ("nonsense",)])
def test_closed_pipe_is_silent(words: tuple[str, ...]) -> None:
    """As in `derive … | true`: no traceback, and no exit code that could be a verdict."""
    with subprocess.Popen(
        [sys.executable, "-m", "derive", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        message = child.stderr.read()
    expected = faults.CLOSED_PIPE if words != ("nonsense",) else faults.USAGE
    assert child.returncode == expected
    assert message == b"" or words == ("nonsense",)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("words", ["--help", "models"])
def test_full_disk(words: str) -> None:
    command = [sys.executable, "-m", "derive", words]
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode == 2
    assert run.stderr == b"derive: No space left on device\n"


def test_completion_of_commands(process) -> None:
    found = process(
        _DERIVE_COMPLETE="bash_complete", COMP_WORDS="derive ce", COMP_CWORD="1"
    ).stdout.decode()
    assert found.split() == ["plain,cell"]
    assert b"_DERIVE_COMPLETE" in process(_DERIVE_COMPLETE="zsh_source").stdout


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_interrupted_while_it_waits_for_a_terminal() -> None:
    ours, theirs = os.openpty()
    # a job in the background ignores interrupts, and so would its children
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "import sys; sys.argv = ['derive', 'equal', '-', '1'];"
        "from derive.cli import main; main()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=theirs, stderr=subprocess.PIPE) as child:
        assert child.stderr is not None
        assert b"Ctrl-D" in child.stderr.readline()
        child.send_signal(signal.SIGINT)
        try:
            _, words = child.communicate(timeout=60)
        finally:
            child.kill()
        assert words == b"derive: interrupted\n"
    os.close(ours)
    os.close(theirs)
    assert child.returncode == 130

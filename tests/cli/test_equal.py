"""`derive equal`: verdicts, exit codes, what is read."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from derive.cli.program import program


@pytest.mark.parametrize(
    ("words", "code", "verdict"),
    [
        (["sin(2x)", "2 sin(x) cos(x)"], 0, "equal"),
        (["sqrt(x^2)", "x"], 1, "different"),
        (["--assume", "x > 0", "sqrt(x^2)", "x"], 0, "equal"),
        (["sqrt(x^2)", "x", "--assume", "x > 0"], 0, "equal"),
        (["--assume", "-1 < x < 1", "abs(x - 1)", "1 - x"], 0, "equal"),
        (["--assume=-1<x", "--assume", "x<1", "abs(x - 1)", "1 - x"], 0, "equal"),
        (["--assume", "n integer", "cos(2 pi n)", "cos(-2 pi n)"], 0, "equal"),
        (["[1, 1/2]", "[1, 0.5]"], 0, "equal"),
        (["[[1, 2], [3, 4]]", "[[1, 2], [3, 5]]"], 1, "different"),
        (["[1, 2]", "[1, 2, 3]"], 1, "different"),
        (["-inf", "-inf"], 0, "equal"),
    ],
)
def test_verdict(run, words: list[str], code: int, verdict: str) -> None:
    result = run("equal", *words)
    assert (result.exit_code, result.stderr) == (code, "")
    assert result.stdout.splitlines()[0] == verdict
    found = json.loads(run("equal", *words, "--to", "json").stdout)
    assert (found["schema"], found["verdict"]) == ("derive.equality/1", verdict)


@pytest.mark.parametrize(
    "words",
    [
        ["-0.49", "-49/100"],
        ["-49/100", "--to", "text", "-0.49"],
        ["-cos(0)", "-1"],  # the o in it is no option
        ["-h", "-1h"],
        ["--", "-0.49", "-49/100"],
        ["--", "-o", "-1o"],
    ],
)
def test_names_may_begin_with_a_minus(run, words: list[str]) -> None:
    assert run("equal", *words).exit_code == 0


def test_undecided_is_said(run) -> None:
    """A power that nobody can write out."""
    result = run("equal", "9^9^9^9", "1")
    assert result.exit_code == 3
    assert result.stdout.splitlines()[0] == "undecided"
    assert "too many digits" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["x + * 2", "1"], "at character 5: found '*'"),
        (["foo(2)", "1"], "unknown function"),
        (["1/0", "1"], "division by zero"),
        (["1", "1,22"], "1.22"),
        (["--assume", "x >", "1", "1"], "at character 4"),
        (["--assume", "[1,2] > 0", "1", "1"], "not vectors"),
        (["1"], "missing argument 'B'"),
        (["1", "2", "3"], "extra argument"),
        (["--asume", "x > 0", "1", "1"], "--assume"),
        (["--to", "pdf", "1", "1"], "'json'"),
        (["-", "-"], "only one"),
    ],
)
def test_bad_input(run, words: list[str], message: str) -> None:
    result = run("equal", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_the_fault_is_marked(run) -> None:
    lines = run("equal", "1 + 猫", "2").stderr.splitlines()
    assert lines[1:] == ["  1 + 猫", "      ^"]


def test_a_side_from_standard_input(run) -> None:
    assert run("equal", "-", "1/4", stdin="\ufeff0.25\r\n").exit_code == 0
    assert run("equal", "1/4", "-", stdin="0.26\n").exit_code == 1
    assert run("equal", "1/4", "-", stdin=b"\xff").exit_code == 2


def test_hostile_text_is_only_text(run) -> None:
    result = run("equal", "__import__('os').system('x')", "1")
    assert result.exit_code == 2
    assert "\x1b" not in run("equal", "\x1b[31m", "1").stderr


def test_sympy_is_not_needed() -> None:
    code = (
        "import sys; sys.modules['sympy'] = None\n"
        "sys.argv = ['derive', 'equal', 'sin(x)^2 + cos(x)^2', '1']\n"
        "from derive.cli import main; main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "side"),
    [(["x+", "x+"], "A, at"), (["1", "x+"], "B, at"), (["1/0", "1"], "A: 1/0 has no value"),
     (["1", "1/0"], "B: 1/0 has no value"), (["--assume", "x >", "1", "1"], "assumption, at")],
)  # fmt: skip
def test_errors_name_the_side_at_fault(arguments: list[str], side: str) -> None:
    result = CliRunner().invoke(program, ["equal", *arguments])
    assert result.exit_code == 2 and side in result.stderr

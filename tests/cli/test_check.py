"""`derive check`: exit codes, options, what is printed."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("words", "code", "verdict"),
    [
        (["A[2,0]", "0.412", "--dp", "3"], 0, "right"),
        (["A[2,0]", "--dp", "3", "0.413"], 1, "wrong"),
        (["--dp", "3", "A[2,0]", "--", "0.412"], 0, "right"),
        (["A[2,0]", "0.41238", "--sf", "5"], 0, "right"),
        (["A[2,0]", "0.412", "--sf", "2"], 1, "wrong"),
        (["A[2,0]", "0.412", "--sf", "2", "--places", "at-least"], 0, "right"),
        (["A[2,0]", "41.24%", "--dp", "4"], 0, "right"),
        (["A[2,0]", "41.24", "--dp", "2", "--percent"], 0, "right"),
        (["A[2,0]", "0.4", "--tolerance", "abs:0.02"], 0, "right"),
        (["A[2,0]", "0.4", "--tolerance", "rel:0.02"], 1, "wrong"),
        (["Q[0,0]", "-1"], 0, "right"),
        (["Q[0,0]", "-1/1", "--require", "lowest-terms"], 1, "wrong"),
        (["A[2,0]", "A.exp[2,0]/A.sum[2,0]", "--cells"], 0, "right"),
        (["A[2,0]", "A.exp[2,0]/A.sum[2,0]"], 2, "invalid"),
        (["A[2,0]", "0.41", "--dp", "2", "--rounded-steps", "3"], 0, "right"),
        (["A[2,0]", "1 +"], 2, "invalid"),
        (["A[2,0]", ""], 2, "invalid"),
        (["Q", "[[-1, 0], [-1, 0], [1, -1], [-1, 1]]"], 0, "right"),
        (["Q[cats,:]", "(1, -1)"], 0, "right"),
        (["Q[0,0]", "9^9^9^9"], 3, "undecided"),
    ],
)
def test_verdict(run, words: list[str], code: int, verdict: str) -> None:
    result = run("check", "cats", *words)
    assert (result.exit_code, result.stderr) == (code, "")
    assert result.stdout.splitlines()[0] == verdict
    data = json.loads(run("check", "cats", "--to", "json", *words).stdout)
    assert next(iter(data)) == "schema"
    assert (data["schema"], data["verdict"]) == ("derive.verdict/1", verdict)


def test_an_answer_from_standard_input(run) -> None:
    assert run("check", "cats", "A[2,0]", "-", "--dp", "3", stdin="0.412\r\n").exit_code == 0
    matrix = "\\begin{pmatrix}\n-1 & 0 \\\\\n-1 & 0 \\\\\n1 & -1 \\\\\n-1 & 1\n\\end{pmatrix}\n"
    assert run("check", "cats", "Q", "-", stdin=matrix).exit_code == 0
    assert run("check", "cats", "Q[0,0]", "-", stdin=b"\xff").exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["B[0,0]", "1"], "no matrix B"),
        (["A[9,0]", "1"], "out of range"),
        (["A[2,0]", "1", "--dp", "3", "--sf", "2"], "dp and sf"),
        (["A[2,0]", "1", "--exact", "--sf", "2"], "exact and sf"),
        (["A[2,0]", "1", "--sf", "0"], "from 1"),
        (["A[2,0]", "1", "--tolerance", "0.1"], "abs:X"),
        (["A[2,0]", "1", "--require", "nice"], "lowest-terms"),
        (["A[2,0]"], "missing argument 'ANSWER'"),
    ],
)
def test_what_the_lecturer_wrote(run, words: list[str], message: str) -> None:
    result = run("check", "cats", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_the_key_is_shown_only_where_that_is_asked_for(run) -> None:
    for words in (["0.5"], ["0.5", "--dp", "4"], ["0.5", "--to", "json"], ["0.4123", "--dp", "5"]):
        result = run("check", "cats", "A[2,0]", *words)
        assert "0.4124" not in result.output and "41238" not in result.output
    shown = json.loads(
        run("check", "cats", "A[2,0]", "1", "--dp", "4", "--reveal", "--to", "json").stdout
    )
    assert shown["rounding"]["accepted"] == ["1031/2500", "1031/2500"]


def test_the_model_can_be_changed(run) -> None:
    words = ["check", "cats", "A[2,2]", "1", "--set", "block.0.attention.weights=hard"]
    assert run(*words).exit_code == 0
    assert run("check", "cats", "A[2,2]", "1").exit_code == 1


def test_hostile_text_is_only_text(run) -> None:
    result = run("check", "cats", "A[2,0]", "\x1b[31m__import__('os')")
    assert result.exit_code == 2 and "\x1b" not in result.output

"""Errors carried forward: right given the student's own earlier answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.answers.carried import GivenError, in_arithmetic, pair, sheet
from derive.answers.check import check
from derive.cli.program import program
from derive.exact.balls import Balls
from derive.exact.dag import Dag
from derive.exact.reading import evaluate
from derive.text import parse


@pytest.mark.parametrize(
    ("cell", "answer", "given", "verdict", "carried"),
    [
        ("S_scaled[2,0]", "1", {"S[2,0]": "sqrt(2)"}, "right", True),
        ("S_scaled[2,0]", "1/sqrt(2)", {"S[2,0]": "1"}, "right", True),
        ("S_scaled[2,0]", "2", {"S[2,0]": "sqrt(2)"}, "wrong", False),
        ("S_scaled[2,0]", "1", {"S[2,1]": "sqrt(2)"}, "wrong", False),  # of another cell
        ("S_scaled[2,0]", "1", {"Z[2,1]": "1"}, "error", None),  # made from it
        ("S_scaled[2,0]", "1", {"S_scaled[2,0]": "1"}, "error", None),
        ("S_scaled[2,0]", "0", {"S[2,0]": "0"}, "wrong", False),  # nothing left to do
        ("A[2,:]", "[1/3, 1/3, 1/3, 0]", {"S[2,:]": "[5, 5, 5, 5]"}, "wrong", False),
        ("Z[2,0]", "3", {"A[2,:]": "[1, 0, 0, 0]", "V[0,0]": "3"}, "wrong", False),
        ("H_mid[2,0]", "7", {"O[2,0]": "6"}, "right", True),  # the stream there is 1
        ("H_mid[2,0]", "7", {"O[2,0]": "5"}, "wrong", False),
    ],
)
def test_carried(
    cell: str, answer: str, given: dict[str, str], verdict: str, carried: bool | None
) -> None:
    if verdict == "error":
        with pytest.raises(GivenError):
            check("cats", cell, answer, given=given)
        return
    found = check("cats", cell, answer, given=given)
    assert (found.verdict, found.carried) == (verdict, carried), found
    assert (found.value == "equal") == (verdict == "right")


def test_without_earlier_answers_nothing_is_said() -> None:
    assert check("cats", "S_scaled[2,0]", "1").carried is None


def test_a_right_answer_needs_no_carrying() -> None:
    found = check("cats", "A[2,0]", "0.412", "dp:3", given={"S[2,0]": "5"})
    assert (found.verdict, found.carried) == ("right", False)


def test_rows_and_matrices_and_entries() -> None:
    """The second entry is right by itself, the first one only given the row before."""
    given = {"O[2,:]": "[6, 0.5, 1, 2]"}
    own = check("cats", "H_mid[2,:]", "[7, 1.5, 0, 1]", given=given)
    assert (own.verdict, own.carried) == ("right", True)
    half = check("cats", "H_mid[2,:]", "[7, 1.5, 0, 2]", given=given)
    assert (half.verdict, half.carried) == ("wrong", True)
    assert [part.verdict for part in half.entries] == ["right", "right", "right", "wrong"]


def test_a_slip_after_an_earlier_error() -> None:
    found = check("cats", "S_scaled[2,0]", "7", given={"S[2,0]": "7"})
    assert found.verdict == "wrong" and found.carried is False
    assert found.mistake is not None and found.mistake.name == "no-scale"


def test_rounded_earlier_answers() -> None:
    """What a student rounded and went on with is theirs: both results are right."""
    rounded = {"A[2,:]": "[0.41, 0.10, 0.49, 0]", "V[0,:]": "[-1.5, 1.5]"}
    found = check("cats", "Z[2,0]", "[0]", given=rounded)
    assert found.carried is False


@pytest.mark.parametrize(
    ("address", "answer"),
    [("S[2,0]", "[1, 2]"), ("S[2,:]", "1"), ("S[2,0]", "1 +"), ("S[2,0]", "x > 0")],
)
def test_earlier_answers_that_cannot_be_used(address: str, answer: str) -> None:
    with pytest.raises(GivenError):
        check("cats", "S_scaled[2,0]", "1", given={address: answer})


def test_pairs_and_sheets(tmp_path: Path) -> None:
    assert pair('A["a=b",0] = x=1') == ('A["a=b",0]', "x=1")
    with pytest.raises(GivenError):
        pair("S[2,0]")
    path = tmp_path / "sheet.csv"
    path.write_text('cell,answer\n"S[2,0]",sqrt(2)\n"S[2,:]","[1, 2, 3, 4]"\n', encoding="utf-8")
    assert sheet(str(path)) == [("S[2,0]", "sqrt(2)"), ("S[2,:]", "[1, 2, 3, 4]")]
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(GivenError):
        sheet(str(path))
    with pytest.raises(GivenError):
        sheet(str(tmp_path / "none.csv"))


@pytest.mark.parametrize("text", ["sqrt(2)/3 - exp(-1)", "pi^2", "max(1, sqrt(3))", "-inf", "5/7"])
def test_values_in_another_arithmetic(text: str) -> None:
    node = evaluate(parse(text), Dag())
    other = Dag()
    assert repr(in_arithmetic(node, other)) == repr(evaluate(parse(text), other))
    if "inf" not in text:
        with Balls(80) as f:
            assert in_arithmetic(node, f).overlaps(f.value(node))


def command(*words: str) -> tuple[int, dict[str, object]]:
    found = CliRunner().invoke(program, ["check", *words, "--to", "json"])
    return found.exit_code, json.loads(found.stdout) if found.stdout else {}


def test_the_command(tmp_path: Path) -> None:
    code, data = command("cats", "S_scaled[2,0]", "1", "--given", "S[2,0]=sqrt(2)")
    assert (code, data["verdict"], data["carried"]) == (0, "right", True)
    path = tmp_path / "sheet.csv"
    path.write_text('cell,answer\n"S[2,0]",sqrt(2)\n', encoding="utf-8")
    assert command("cats", "S_scaled[2,0]", "1", "--given", f"@{path}")[0] == 0
    assert command("cats", "S_scaled[2,0]", "1", "--given", "S[2,0]")[0] == 2
    assert command("cats", "S_scaled[2,0]", "1", "--given", "Nope[2,0]=1")[0] == 2


def test_counting_answers() -> None:
    question = "kv-cache --layers 2 --heads 4 --head-dim 8 --tokens 128 --bytes 8"
    assert command("--count", question, "128 KiB")[0] == 0
    assert command("--count", question, "-5")[0] == 1
    assert command("--count", question, "12 bananas")[0] == 2
    code, data = command("--count", question, "128 ms")
    assert (code, data["schema"]) == (2 if data["verdict"] == "invalid" else 1, "derive.verdict/1")
    assert command("--count", question, "cats", "1")[0] == 2
    assert command("cats", "A[2,0]")[0] == 2

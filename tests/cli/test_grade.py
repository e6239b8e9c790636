"""`derive grade` as it is typed: exit codes, JSON, what is said where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from derive.cli.grade import progress_line

from .conftest import Run

KEY = 'model = "cats"\n[[question]]\ncell = "A[2,0]"\npolicy = { dp = 3 }\n'
ROWS = 'student,cell,answer\nann,"A[2,0]",0.412\nbob,"A[2,0]",-2+3\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "key.toml").write_text(KEY)
    (tmp_path / "a.csv").write_text(ROWS)
    return tmp_path


def words(folder: Path, *more: str) -> list[str]:
    return ["grade", str(folder / "key.toml"), str(folder / "a.csv"), "--jobs", "0", *more]


def test_done_is_0_and_data_is_json(run: Run, folder: Path) -> None:
    done = run(*words(folder, "-o", str(folder / "out"), "--to", "json"))
    assert (done.exit_code, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert next(iter(data)) == "schema" and data["schema"] == "derive.grade/1"
    assert sorted(data["files"]) == sorted(
        path.name for path in (folder / "out").iterdir() if not path.name.startswith(".")
    )
    assert (data["totals"]["right"], data["totals"]["wrong"]) == (1, 1)


def test_no_progress_without_a_terminal(run: Run, folder: Path) -> None:
    done = run(*words(folder, "-o", str(folder / "out")))
    assert done.stdout == "" and "\r" not in done.stderr
    assert done.stderr.startswith("2 rows, 2 different answers, 2 judged now; wrote 5 files")
    assert run(*words(folder, "-o", str(folder / "out"), "--quiet")).stderr == ""


def test_a_row_that_cannot_be_read_is_2_and_named(run: Run, folder: Path) -> None:
    (folder / "a.csv").write_text(ROWS + "cy,A[2,0],0.4\n")
    done = run(*words(folder, "-o", str(folder / "out"), "--quiet"))
    assert done.exit_code == 2
    assert done.stderr.startswith("derive: a.csv:4: 4 fields, the header has 3")
    assert len((folder / "out" / "results.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [({"key.toml": KEY.replace("A[2,0]", "B[2,0]")}, "question 1 (B[2,0])"),
     ({"key.toml": KEY.replace("dp", "dpp")}, "nearest: dp"),
     ({"a.csv": "a,b\n1,2\n"}, "no column 'answer'")],
)  # fmt: skip
def test_bad_input_is_2_and_writes_nothing(
    run: Run, folder: Path, change: dict[str, str], said: str
) -> None:
    for name, text in change.items():
        (folder / name).write_text(text)
    done = run(*words(folder, "-o", str(folder / "out")))
    assert done.exit_code == 2 and said in done.stderr
    assert not (folder / "out").exists()


def test_a_folder_is_needed(run: Run, folder: Path) -> None:
    done = run(*words(folder))
    assert done.exit_code == 2 and "-o FOLDER" in done.stderr


def test_rows_from_standard_input(run: Run, folder: Path) -> None:
    for text in (ROWS, '{"student": "ann", "cell": "A[2,0]", "answer": 0.412}'):
        key, out = str(folder / "key.toml"), str(folder / "out")
        done = run("grade", key, "-", "-o", out, "--jobs", "0", "--to", "json", stdin=text)
        assert json.loads(done.stdout)["totals"]["right"] == 1


def test_the_line_of_progress() -> None:
    assert progress_line(1, 3, 5, ", 1 s left").rstrip() == "1/3 answers, 5 a second, 1 s left"

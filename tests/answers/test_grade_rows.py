"""Reading submissions: formats, signs, and rows that can't be read."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.answers.grade_results import COLUMNS, Table
from derive.answers.grade_rows import (
    DANGEROUS,
    SubmissionProblem,
    guarded,
    read_submissions,
    unguarded,
)


def rows(folder: Path, data: str | bytes, name: str = "a.csv") -> list[tuple[str, str, str]]:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    found = read_submissions(str(path))
    assert not found.unread
    return [(r.student, r.question, r.answer) for r in found.rows]


ONE = [("ann", "A[2,0]", "0.41"), ("bob", "A[2,:]", "[1, 2]")]


@pytest.mark.parametrize(
    "data",
    [
        'student,cell,answer\nann,"A[2,0]",0.41\nbob,"A[2,:]","[1, 2]"\n',
        '\ufeffstudent,cell,answer\r\nann,"A[2,0]",0.41\r\nbob,"A[2,:]","[1, 2]"',
        "student;cell;answer\rann;A[2,0];0.41\rbob;A[2,:];[1, 2]\r",
        "Student \tCELL\tAnswer\nann\tA[2,0]\t0.41\t\t\n\n\t\t\nbob\tA[2,:]\t[1, 2]\n",
        'answer,mark,question,student\n0.41,,"A[2,0]",ann\n"[1, 2]",3,"A[2,:]",bob\n',
        'student,cell,answer\n ann ," A[2,0]", 0.41 \nbob,"A[2,:]","[1, 2]"\n',
    ],
    ids=["plain", "bom-crlf", "semicolon-cr", "tabs-blank", "order-extra", "spaces"],
)
def test_csv_however_it_was_saved(tmp_path: Path, data: str) -> None:
    assert rows(tmp_path, data) == ONE
    assert rows(tmp_path, data.encode("utf-16")) == ONE


def test_json_lines_keep_the_digits_of_numbers(tmp_path: Path) -> None:
    data = (
        '{"student": "ann", "cell": "A[2,0]", "answer": 0.410}\n\n'
        '{"student": "bob", "question": "r", "answer": [0.10, "1/3", 2e-3]}\r\n'
        '{"answer": null, "cell": "Q", "student": "é", "more": {}}\n'
    )
    assert rows(tmp_path, data, "a.jsonl") == [
        ("ann", "A[2,0]", "0.410"), ("bob", "r", "[0.10, 1/3, 2e-3]"), ("é", "Q", "")
    ]  # fmt: skip


def test_quotes_hold_signs_and_lines(tmp_path: Path) -> None:
    data = 'student,cell,answer\n"a ""b"", c",q,"[[1, 2],\n[3, 4]]"\nd,q,\n'
    assert rows(tmp_path, data) == [('a "b", c', "q", "[[1, 2],\n[3, 4]]"), ("d", "q", "")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"ann,A[2,0],0.41", "4 fields, the header has 3"),
        (b'ann,q,"0.41', "never closed"),
        (b",q,1", "no student"),
        (b"ann,,1", "no question"),
        (b"J\xf6rg,q,1", "not UTF-8"),
        (b"ann,q,1\x00", "code 0"),
        (b"ann,q," + b"1" * 200_000, "more than 100000 characters"),
    ],
)
def test_a_row_that_cannot_be_read_costs_only_itself(
    tmp_path: Path, line: bytes, reason: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"student,cell,answer\nx,q,1\n" + line + b'\ny,q,"2"\n')
    found = read_submissions(str(path))
    assert [(r.student, r.answer) for r in found.rows] == [("x", "1"), ("y", "2")]
    assert [(u.place, reason in u.reason) for u in found.unread] == [("a.csv:3", True)]


@pytest.mark.parametrize(
    "line",
    ["{", "[1]", '{"student": "a", "cell": "q"}', "[" * 10**5,
     '{"student": "a", "cell": "q", "answer": {"x": 1}}',
     '{"student": "a", "cell": "q", "answer": true}',
     '{"student": "a", "cell": "q", "answer": "1", "time": "noon"}'],
)  # fmt: skip
def test_json_that_is_no_row(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line + '\n{"student": "b", "cell": "q", "answer": "1"}\n')
    found = read_submissions(str(path))
    assert [r.student for r in found.rows] == ["b"]
    assert [u.place for u in found.unread] == ["a.jsonl:1"]


def test_a_folder_in_order_and_no_links(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "more").mkdir(parents=True)
    (folder / "b.csv").write_text("cell,answer\nq,2\n")  # the file is named after the student
    (folder / "a.jsonl").write_text('{"student": "ann", "cell": "q", "answer": "1"}')
    (folder / "more" / "c.csv").write_text("student,cell,answer\ncy,q,3\n")
    (folder / "notes.pdf").write_text("x")
    secret = tmp_path / "secret.csv"
    secret.write_text("student,cell,answer\nz,q,9\n")
    (folder / "link.csv").symlink_to(secret)
    found = read_submissions(str(folder))
    assert [(r.student, r.place) for r in found.rows] == [
        ("ann", "a.jsonl:1"), ("b", "b.csv:2"), ("cy", "more/c.csv:2")
    ]  # fmt: skip
    assert [x.split(":")[0] for x in found.skipped] == ["link.csv", "notes.pdf"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("student,cell,anwser\na,q,1\n", "'answer'"),
        ("student,answer\na,1\n", "'cell' or 'question'"),
    ],
)
def test_a_missing_column_is_named(tmp_path: Path, data: str, words: str) -> None:
    (tmp_path / "a.csv").write_text(data)
    with pytest.raises(SubmissionProblem, match=r"a\.csv:1.*" + words):
        read_submissions(str(tmp_path / "a.csv"))
    with pytest.raises(SubmissionProblem, match="No such file"):
        read_submissions(str(tmp_path / "b.csv"))


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)


@given(st.one_of(TEXT, st.text("=+-@'\t1/2", max_size=6)))
def test_no_formula_and_the_same_text_again(text: str) -> None:
    safe = guarded(text)
    assert unguarded(safe) == text
    assert not safe or safe[0] not in DANGEROUS.replace("'", "")


@given(st.lists(st.tuples(TEXT, st.text("=+-@',;\"\n12", max_size=8)), max_size=5))
def test_results_are_submissions_again(pairs: list[tuple[str, str]]) -> None:
    import tempfile

    wanted = [(a.strip() or "s", b.strip()) for a, b in pairs]
    file = io.BytesIO()
    table = Table(file)
    for student, answer in wanted:
        row = dict.fromkeys(COLUMNS)
        table.add({**row, "student": student, "question": "q", "answer": answer})
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "results.csv"
        path.write_bytes(file.getvalue())
        found = read_submissions(str(path))
    assert [(r.student, r.answer) for r in found.rows] == wanted
    for row in csv.reader(io.StringIO(file.getvalue().decode(), newline="")):
        assert all(cell[:1] not in ("=", "+", "-", "@", "\t", "\r") or not cell for cell in row)

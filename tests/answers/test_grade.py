"""A course from key and rows to results: rules, workers, kills, disks, and what nobody may see."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from derive.answers import grade_journal, grade_judge
from derive.answers.grade import FILES, Graded, grade
from derive.answers.grade_judge import answers_of, batch_of, judge_batch
from derive.answers.grade_run import factory_of
from derive.answers.policy import Policy
from derive.blocks import build
from derive.errors import DeriveError, OutputError
from derive.model import load

KEY = """
model = "cats"
feedback = "mistake"
[[question]]
cell = "A[2,0]"
policy = { dp = 3 }
points = 2
[[question]]
id = "row"
cell = "A[2,:]"
policy = { tolerance = "abs:0.01" }
points = 4
[[question]]
id = "kv"
count = "kv-cache --layers 2 --heads 4 --head-dim 8 --tokens 128 --bytes 8"
[[question]]
cell = "Q[2,0]"
"""
ROWS = """\
student,cell,answer
ann,"A[2,0]",0.412
ann,row,"[0.41, 0.06, 0.53, 0.2]"
ann,kv,128 KiB
ann,"Q[cats,0]",2/2
bob,"A[2,0]",0.411
bob,row,"[0.41, 0.06]"
bob,kv,
bob,"Q[2,0]",=1+1
cy,"A[2,0]",-2+3
cy,nope,1
"""


def course(folder: Path, rows: str = ROWS, key: str = KEY, **options: Any) -> Graded:
    (folder / "key.toml").write_text(key)
    (folder / "a.csv").write_text(rows)
    options.setdefault("jobs", 0)
    out = options.pop("out", "out")
    return grade(str(folder / "key.toml"), str(folder / "a.csv"), str(folder / out), **options)


def results(folder: Path, out: str = "out") -> list[dict[str, Any]]:
    text = (folder / out / "results.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_row_in_order_with_verdict_and_points(tmp_path: Path) -> None:
    done = course(tmp_path)
    found = results(tmp_path)
    assert [(r["student"], r["question"], r["verdict"], r["points"], r["of"]) for r in found] == [
        ("ann", "A[2,0]", "right", "2", "2"),
        ("ann", "row", "wrong", "3", "4"),  # three of four entries
        ("ann", "kv", "right", "1", "1"),
        ("ann", "Q[2,0]", "right", "1", "1"),
        ("bob", "A[2,0]", "wrong", "0", "2"),
        ("bob", "row", "wrong", "0", "4"),
        ("bob", "kv", "invalid", "0", "1"),
        ("bob", "Q[2,0]", "invalid", "0", "1"),
        ("cy", "A[2,0]", "wrong", "0", "2"),
        ("cy", "nope", "invalid", "0", "0"),
    ]
    assert found[4]["status"] == "marked" and found[6]["status"] == "empty"
    assert found[-1]["status"] == "unknown-question"
    assert [x["verdict"] for x in found[1]["entries"]] == ["right", "right", "right", "wrong"]
    data = done.data()
    assert data["schema"] == "derive.grade/1" and data["files"] == list(FILES)
    assert data["totals"]["points"] == "7" and data["totals"]["right"] == 3
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert [(x["student"], x["points"]) for x in summary["students"]] == [
        ("ann", "7"), ("bob", "0"), ("cy", "0")
    ]  # fmt: skip
    assert summary["questions"][2]["missing"] == 1


def test_partial_credit_can_be_off(tmp_path: Path) -> None:
    course(tmp_path, key=KEY.replace('id = "row"', 'id = "row"\npartial = false'))
    assert results(tmp_path)[1]["points"] == "0"


def test_feedback_levels(tmp_path: Path) -> None:
    said = {}
    for level in ("none", "verdict", "mistake"):
        key = KEY.replace('"mistake"', f'"{level}"')
        course(tmp_path, 'student,cell,answer\nx,row,"[0.41, 0.06, 0.53, 0.2]"\n', key)
        said[level] = results(tmp_path)[0]["feedback"]
    assert said["none"] == "" and said["verdict"] == "This is not what was asked for."
    assert said["mistake"].startswith("3 of 4 entries")


RULES = """\
student,cell,answer,time
ann,"A[2,0]",0.1,2026-05-01T10:00Z
ann,"A[2,0]",0.412,2026-05-01T11:00Z
ann,"A[2,0]",,2026-05-01T11:30Z
ann,"A[2,0]",0.2,2026-05-01T12:01Z
bob,"A[2,0]",0.412,2026-05-01T11:00+01:00
bob,"A[2,0]",0.3,2026-05-01T09:00Z
cy,"A[2,0]",0.1
cy,"A[2,0]",0.412
dee,"A[2,0]",0.412
"""


def test_duplicates_late_rows_and_strangers(tmp_path: Path) -> None:
    key = "deadline = 2026-05-01T12:00:00Z\n" + KEY
    key += "".join(f"[student.{name}]\n" for name in ("ann", "bob", "cy", "eve"))
    done = course(tmp_path, RULES, key)
    assert [(r["status"], r["points"]) for r in results(tmp_path)] == [
        ("replaced", "0"), ("marked", "2"), ("replaced", "0"), ("late", "0"),
        ("marked", "2"), ("replaced", "0"), ("replaced", "0"), ("marked", "2"),
        ("unknown-student", "0"),
    ]  # fmt: skip
    totals = done.data()["totals"]
    assert (totals["replaced"], totals["late"], totals["unknown_student"]) == (4, 1, 1)
    assert totals["students"] == 4 and totals["of"] == "32"


def test_one_answer_is_judged_once(tmp_path: Path) -> None:
    rows = "student,cell,answer\n" + "".join(f's{k},"A[2,0]",0.41{k % 3}\n' for k in range(300))
    done = course(tmp_path, rows)
    assert (done.distinct, done.judged) == (3, 3)


def dying_executor() -> Executor:
    return _Dying()


class _Dying(ThreadPoolExecutor):
    """Loses each job that it gets first, and every job with a bad answer."""

    def __init__(self) -> None:
        super().__init__(1)
        self.lost = 0

    def submit(self, fn: Any, data: Any, /, *args: Any, **more: Any) -> Future[Any]:
        tasks = pickle.loads(data)[2]
        if self.lost < 2 or any(answer == "0.411" for _, answer, _ in tasks):
            self.lost += 1
            failed: Future[Any] = Future()
            failed.set_exception(RuntimeError("node went away"))
            return failed
        return super().submit(fn, data, *args, **more)


@pytest.fixture(scope="module")
def by_one(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("one")
    course(folder)
    return everything(folder / "out")


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_same_bytes_for_any_number_of_processes(
    tmp_path: Path, by_one: dict[str, bytes], jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("derive.answers.grade_run.BATCH", 2)
    course(tmp_path, jobs=jobs)
    assert everything(tmp_path / "out") == by_one


def test_the_same_bytes_from_a_process_pool(tmp_path: Path, by_one: dict[str, bytes]) -> None:
    course(tmp_path, executor=lambda: ProcessPoolExecutor(1))
    assert everything(tmp_path / "out") == by_one


def test_the_same_bytes_from_a_cluster(
    tmp_path: Path, by_one: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="dask.distributed is not installed: a cluster is NOT tested"
    )
    monkeypatch.setattr("derive.answers.grade_run.BATCH", 2)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        course(tmp_path, executor=client.get_executor)
    assert everything(tmp_path / "out") == by_one


def test_a_lost_worker_costs_one_answer(tmp_path: Path) -> None:
    course(tmp_path, executor=dying_executor)
    verdicts = [r["verdict"] for r in results(tmp_path)]
    assert verdicts[4] == "undecided" and verdicts.count("undecided") == 1
    assert "node went away" in str(results(tmp_path)[4]["notes"])


# workers that hang or die


def tasks(*answers: str) -> list[grade_judge.Task]:
    job = ("cell", ("Q[2,0]",), Policy(), ())
    return [(job, answer, ()) for answer in answers]


@pytest.fixture
def trap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that hangs in native code or dies, where the answer says so."""
    trap = """
import os, re
import derive.answers.check as check
whole = check.check
def trapped(graph, cell, answer, *more, **other):
    if answer == "hang":
        re.match("(a|a)*b", "a" * 60)
    if answer == "die":
        os.abort()
    return whole(graph, cell, answer, *more, **other)
check.check = trapped
"""
    monkeypatch.setattr(grade_judge, "SERVE", trap + grade_judge.SERVE)
    monkeypatch.setattr(grade_judge, "_kept", SimpleNamespace())


@pytest.mark.usefixtures("trap")
def test_hanging_and_dying_cost_one_answer_each() -> None:
    name, model = "m", pickle.dumps(load("cats"))
    start = time.monotonic()
    found = answers_of(
        judge_batch(batch_of(name, model, tasks("1", "hang", "2", "die", "1.0"), 1.5))
    )
    assert time.monotonic() - start < 60
    assert [x["verdict"] for x in found] == ["right", "undecided", "wrong", "undecided", "right"]
    assert found[1]["notes"] == ["it took longer than 1.5 s"]
    assert found[3]["notes"] == [f"the worker process ended (signal {signal.SIGABRT.value})"]
    assert found[1]["key"] == found[3]["key"] == "1"


def test_any_exception_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:

    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("a fault")

    monkeypatch.setattr("derive.answers.check.check", broken)
    name, model = "m", pickle.dumps(load("cats"))
    (found,) = answers_of(judge_batch(batch_of(name, model, tasks("1"), None)))
    assert (found["verdict"], found["notes"]) == ("undecided", ["ValueError: a fault"])


# kills, disks


def test_resume_judges_nothing_twice_and_forgets_half_a_line(
    tmp_path: Path, by_one: dict[str, bytes]
) -> None:
    course(tmp_path)
    journal = tmp_path / "out" / grade_journal.NAME
    whole = journal.read_bytes()
    for cut in (0, 1, len(whole) // 3, len(whole) // 2, len(whole) - 1, len(whole)):
        for name in FILES:
            (tmp_path / "out" / name).unlink()
        journal.write_bytes(whole[:cut])
        kept = whole[:cut].count(b"\n")
        done = course(tmp_path, resume=True)
        assert done.judged == max(0, done.distinct - kept)
        assert everything(tmp_path / "out") == by_one


def test_a_line_that_was_changed_is_judged_again(tmp_path: Path, by_one: dict[str, bytes]) -> None:
    course(tmp_path)
    journal = tmp_path / "out" / grade_journal.NAME
    journal.write_bytes(journal.read_bytes().replace(b'"wrong"', b'"right"', 1))
    assert course(tmp_path, resume=True).judged == 1
    assert everything(tmp_path / "out") == by_one


def test_another_key_takes_no_verdict_over(tmp_path: Path) -> None:
    course(tmp_path)
    done = course(tmp_path, key=KEY.replace("dp = 3", "dp = 2"), resume=True)
    assert done.judged == 3
    assert results(tmp_path)[0]["verdict"] == "wrong"


def test_an_unfinished_run_is_put_aside_not_lost(tmp_path: Path) -> None:
    course(tmp_path)
    journal = tmp_path / "out" / grade_journal.NAME
    half = journal.read_bytes().splitlines(keepends=True)[0]
    journal.write_bytes(half)
    assert course(tmp_path).aside
    assert (tmp_path / "out" / f"{grade_journal.NAME}.old").read_bytes() == half


def test_killed_at_any_moment(tmp_path: Path, by_one: dict[str, bytes]) -> None:
    (tmp_path / "key.toml").write_text(KEY)
    (tmp_path / "a.csv").write_text(ROWS)
    command = [sys.executable, "-c",
               "from derive.answers import grade_run; grade_run.BATCH = 1; "
               "from derive.answers.grade import grade; "
               "grade('key.toml', 'a.csv', 'out', jobs=1, resume=True)"]  # fmt: skip
    journal = tmp_path / "out" / grade_journal.NAME
    for lines in (1, 3):
        process = subprocess.Popen(command, cwd=tmp_path)
        until = time.monotonic() + 60
        while time.monotonic() < until and process.poll() is None:
            if journal.exists() and journal.read_bytes().count(b"\n") >= lines:
                break
            time.sleep(0.005)
        process.kill()
        process.wait()
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    assert everything(tmp_path / "out") == by_one


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes there")
@pytest.mark.parametrize("room", [700, 2500])
def test_a_full_disk_keeps_what_was_done(
    tmp_path: Path, by_one: dict[str, bytes], room: int
) -> None:
    (tmp_path / "key.toml").write_text(KEY)
    (tmp_path / "a.csv").write_text(ROWS)
    code = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, resource.RLIM_INFINITY))
from derive.answers import grade_run; grade_run.BATCH = 1
from derive.answers.grade import grade
from derive.errors import OutputError
try:
    grade("key.toml", "a.csv", "out", jobs=0)
except OutputError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "File too large" in ran.stdout and "--resume" in ran.stdout, ran.stderr
    left = {path.name for path in (tmp_path / "out").iterdir()}
    assert left == {grade_journal.NAME}  # no half file
    done = course(tmp_path, resume=True)
    assert 0 <= done.judged < done.distinct
    assert everything(tmp_path / "out") == by_one


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(OutputError, match="out"):
        course(tmp_path)


@pytest.mark.parametrize(
    "text", ["nothing", "no.such:thing", "os:path.nothing", "json:dumps", "os:getcwd"]
)
def test_an_executor_that_is_none(text: str) -> None:
    with pytest.raises(DeriveError):
        factory_of(text)()


def test_an_executor_by_name() -> None:
    with factory_of(f"{__name__}:dying_executor")() as executor:
        assert isinstance(executor, _Dying)


# carried errors and properties

CARRY = """
model = "cats"
carry = true
[[question]]
cell = "S[2,0]"
[[question]]
cell = "S_scaled[2,0]"
"""


def test_an_earlier_error_is_carried(tmp_path: Path) -> None:
    rows = (
        'student,cell,answer\nann,"S_scaled[2,0]",1\nann,"S[2,0]",sqrt(2)\n'
        'bob,"S_scaled[2,0]",1\ncy,"S[2,0]",9\ncy,"S_scaled[2,0]",8\n'
    )
    course(tmp_path, rows, CARRY)
    assert [(r["verdict"], r["carried"], r["points"]) for r in results(tmp_path)] == [
        ("right", True, "1"), ("wrong", None, "0"), ("wrong", None, "0"),
        ("wrong", None, "0"), ("wrong", False, "0"),
    ]  # fmt: skip
    before = everything(tmp_path / "out")
    assert course(tmp_path, rows, CARRY, resume=True).judged == 0
    assert everything(tmp_path / "out") == before
    course(tmp_path, rows, CARRY.replace("true", "false"))
    assert [r["points"] for r in results(tmp_path)] == ["0"] * 5


def test_a_witness_has_every_property(tmp_path: Path) -> None:
    pytest.importorskip("derive.answers.witness")
    key = (
        'model = "cats"\n[[question]]\nid = "w"\npoints = 2\n'
        'property = ["q[0] > 0", "q[0] + q[1] = 1"]\nunknowns = ["q[2]"]\n'
    )
    rows = 'student,question,answer\nann,w,"[1/2, 1/2]"\nbob,w,"[-1, 2]"\ncy,w,"[1"\n'
    course(tmp_path, rows, key)
    found = [(r["verdict"], r["points"]) for r in results(tmp_path)]
    assert found == [("right", "2"), ("wrong", "0"), ("invalid", "0")]
    course(tmp_path, rows, key + "partial = true\n")
    assert results(tmp_path)[1]["points"] == "1"


# exercises


def test_perfect_answers_to_an_exercise_get_full_marks(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from derive.cli.program import program
    from derive.documents.exercise import rounded

    words = ["exercise", "cats", "A", "Z", "--students", "3", "--seed", "5", "-o", str(tmp_path)]
    assert CliRunner().invoke(program, words).exit_code == 0
    from derive.answers.grade_key import read_key

    key = read_key(str(tmp_path / "key.toml"))
    perfect, flawed = [], []
    for name, variant in key.students.items():
        graph = build(variant.load())
        for k, question in enumerate(key.questions):
            answer = rounded(graph[question.cell], 3)
            row = {"student": name, "cell": question.cell, "answer": answer}
            perfect.append(json.dumps(row))
            flawed.append(json.dumps({**row, "answer": "7.777"} if k == 0 else row))
    for rows, full in ((perfect, True), (flawed, False)):
        (tmp_path / "a.jsonl").write_text("\n".join(rows))
        grade(str(tmp_path / "key.toml"), str(tmp_path / "a.jsonl"), str(tmp_path / "out"), jobs=0)
        summary = json.loads((tmp_path / "out" / "summary.json").read_text())
        assert len(summary["students"]) == 3
        for student in summary["students"]:
            assert (student["points"] == student["of"]) is full, student
            assert full or int(student["points"]) == int(student["of"]) - 1


def test_what_students_may_see_has_no_key(tmp_path: Path) -> None:
    course(tmp_path, 'student,cell,answer\nx,"A[2,0]",0.5\nx,"Q[2,0]",9^9^9^9^9\n')
    for name in ("results.jsonl", "results.csv"):
        text = (tmp_path / "out" / name).read_text()
        assert "0.412" not in text and '"key"' not in text


def test_the_queue_has_both_values_and_the_reason(tmp_path: Path) -> None:
    course(tmp_path, 'student,cell,answer\nx,"Q[2,0]",9^9^9^9^9\ny,"Q[2,0]",9^9^9^9^9\n')
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    (found,) = summary["undecided"]
    assert (found["answer"], found["key"], found["students"]) == ("9^9^9^9^9", "1", ["x", "y"])
    assert found["reason"]
    assert "9^9^9^9^9" in (tmp_path / "out" / "summary.txt").read_text()


@pytest.mark.skipif(os.environ.get("PATH") is None, reason="no programs")
def test_the_summary_compiles(tmp_path: Path) -> None:
    from derive.render.pdf import compiled

    rows = ROWS + 'x_1,"Q[2,0]","\\input{x} & % # ~ ^ $"\n{y},"Q[2,0]",9^9^9^9^9\n'
    course(tmp_path, rows)
    assert compiled((tmp_path / "out" / "summary.tex").read_text())[:4] == b"%PDF"

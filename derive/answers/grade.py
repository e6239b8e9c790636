"""Grade a whole course: a key, everybody's answers, results and a summary for the lecturer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from derive.answers.cells import asked_for, depends
from derive.answers.grade_journal import Journal, atomic
from derive.answers.grade_judge import DEADLINE, Task
from derive.answers.grade_key import GradingKey, KeyProblem, Variant, read_key
from derive.answers.grade_results import Table, json_lines, result
from derive.answers.grade_rows import Submissions, Unread, read_submissions
from derive.answers.grade_rules import MARKED, Entry, entries, judged
from derive.answers.grade_run import Factory, Progress, Runner, processes, task_name
from derive.answers.grade_summary import Summary, write_summary
from derive.answers.verdict import WRONG
from derive.blocks import build
from derive.errors import DeriveError, OutputError

FILES = ("results.jsonl", "results.csv", "summary.txt", "summary.json", "summary.tex")


@dataclass(frozen=True)
class Graded:
    """What a run has written."""

    folder: str
    summary: Summary
    unread: tuple[Unread, ...]
    skipped: tuple[str, ...]
    distinct: int  # answers that had to be judged
    judged: int  # of them in this run
    aside: bool  # whether an unfinished run of before was put aside

    def data(self) -> dict[str, Any]:
        """The object derive.grade/1."""
        return {
            "schema": "derive.grade/1",
            "folder": self.folder,
            "files": list(FILES),
            "totals": {**self.summary.totals(), "distinct": self.distinct},
            "unread": [{"place": x.place, "reason": x.reason} for x in self.unread],
        }


def grade(
    key: str,
    submissions: str,
    folder: str,
    *,
    jobs: int = 1,
    executor: Factory | None = None,
    resume: bool = False,
    deadline: float = DEADLINE,
    progress: Progress | None = None,
) -> Graded:
    """Mark every row of `submissions` by `key`; the files go to `folder`.

    `jobs` processes judge (0: this process alone, without a deadline), or the workers of the
    executor that `executor` makes.  `deadline` is in seconds for one answer.  The files are the
    same for any number of workers.  Raises KeyProblem, ModelError, SubmissionProblem and
    OutputError; what was judged until then is kept in the folder, and `resume` goes on from it.
    """
    read = read_key(key)
    found = read_submissions(submissions)
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: {error.strerror}") from error
    journal = Journal(place)
    aside = journal.open(resume)
    factory = executor or (processes(jobs) if jobs else None)
    runner = Runner(journal, factory, deadline if factory else None, progress)
    try:
        known = len(journal.known)
        course = _Course(read, found, runner)
        course.judge()
        now = len(journal.known) - known
        summary = course.write(place)
        journal.finish(course.names())
    finally:
        runner.close()
        journal.close()
    return Graded(
        folder, summary, tuple(found.unread), tuple(found.skipped), len(course.order), now, aside
    )


class _Course:
    """Everybody's rows on their way from a task to a result."""

    def __init__(self, key: GradingKey, found: Submissions, runner: Runner) -> None:
        self.key, self.found, self.runner = key, found, runner
        self.entries = entries(key, found.rows)
        self.models: dict[str, bytes] = {}
        self.order: dict[str, None] = {}  # names of tasks, by first appearance
        self._graphs: dict[str, Any] = {}
        self._reads: dict[tuple[str, str, str], bool] = {}

    def judge(self) -> None:
        """All answers by themselves; then wrong ones with the student's own earlier values."""
        mine = list(judged(self.entries))
        self.runner.run(self.models, self._tasks((e, ()) for e in mine))
        if any(e.variant and e.variant.carry for e in mine):
            self.runner.run(self.models, self._tasks(self._carried(mine)))

    def names(self) -> Iterator[str]:
        """The tasks by their first appearance."""
        return iter(self.order)

    def _tasks(self, wanted: Any) -> list[tuple[str, str, Task]]:
        found = []
        for entry, given in wanted:
            name, model = self._model(entry)
            self.models[name] = model
            task: Task = (self.key.questions[entry.question].job, entry.row.answer, given)
            entry.task = task_name(name, task)
            if entry.task not in self.order:
                self.order[entry.task] = None
                found.append((entry.task, name, task))
        return found

    def _model(self, entry: Entry) -> tuple[str, bytes]:
        assert entry.variant is not None
        if self.key.questions[entry.question].kind == "count":
            return "", b""  # needs none: everybody's answers are the same task
        try:
            return self.key.model(entry.variant)
        except DeriveError as error:
            raise KeyProblem(f"the model of {entry.row.student!r}: {error}") from None

    # carried errors

    def _carried(
        self, mine: Sequence[Entry]
    ) -> Iterator[tuple[Entry, tuple[tuple[str, str], ...]]]:
        wrong: dict[str, list[Entry]] = {}
        for entry in mine:
            if self._is_wrong(entry):
                wrong.setdefault(entry.row.student, []).append(entry)
        for theirs in wrong.values():
            for entry in theirs:
                given = tuple(sorted(
                    (self.key.questions[other.question].cell, other.row.answer)
                    for other in theirs
                    if other is not entry and self._reads_it(entry, other)
                ))  # fmt: skip
                if given:
                    yield entry, given

    def _is_wrong(self, entry: Entry) -> bool:
        variant = entry.variant
        if variant is None or not variant.carry or entry.status != MARKED:
            return False
        if not self.key.questions[entry.question].cell:
            return False
        return bool(self.runner.journal.verdict(entry.task)["verdict"] == WRONG)

    def _reads_it(self, entry: Entry, other: Entry) -> bool:
        """Is what an entry asks for made from what another one asks for?"""
        assert entry.variant is not None
        name = self._model(entry)[0]
        cells = [self.key.questions[x.question].cell for x in (entry, other)]
        at = (name, cells[0], cells[1])
        if at not in self._reads:
            graph = self._graph(name, entry.variant)
            mine, theirs = (asked_for(graph, cell) for cell in cells)
            targets = {(c.matrix.name, c.indices) for row in theirs.cells for c in row}
            places = {(c.matrix.name, c.indices) for row in mine.cells for c in row}
            self._reads[at] = not places & targets and any(
                depends(cell, targets) for row in mine.cells for cell in row
            )
        return self._reads[at]

    def _graph(self, name: str, variant: Variant) -> Any:
        if name not in self._graphs:
            self._graphs = {name: build(variant.load())}  # students stand together, mostly
        return self._graphs[name]

    # files

    def write(self, folder: Path) -> Summary:
        """The five files; each is whole or not there."""
        summary = Summary(self.key, self.found)
        with atomic(folder / FILES[0]) as lines, atomic(folder / FILES[1]) as table:
            csv = Table(table)
            for entry in self.entries:
                verdict = self.runner.journal.verdict(entry.task) if entry.task else None
                row = result(self.key, entry, verdict)
                for line in json_lines([row]):
                    lines.write(line)
                csv.add(row)
                summary.add(entry, row, verdict)
        for name, data in write_summary(summary):
            with atomic(folder / name) as file:
                file.write(data)
        return summary


__all__ = ["Graded", "grade"]

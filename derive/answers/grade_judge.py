"""Judging in a process of its own: an answer that hangs or kills it costs itself, nothing else.

`judge_batch` is what an executor runs, on whatever machine: bytes in, bytes out.  It keeps one
child process for each thread; the child arms a watchdog for every answer that ends it even in
native code, and who waits for it knows which answer that was.
"""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from derive.answers.policy import Policy
from derive.answers.verdict import INVALID, UNDECIDED
from derive.errors import DeriveError

# kind, what is asked, policy, unknowns; the answer; the student's own values of other cells
Job = tuple[str, tuple[str, ...], Policy, tuple[str, ...]]
Task = tuple[Job, str, tuple[tuple[str, str], ...]]

DEADLINE = 30  # seconds for one answer; budgets in steps come first
GRACE = 5  # seconds after which a child whose watchdog didn't fire is killed from outside
ROOM = 2 << 30  # bytes of address space for a child, where the system can limit it
FRESH = 5_000  # answers after which a graph is built again, so that it doesn't grow for ever
DIGITS = 12  # of the key's value, for the lecturer's queue
LONGEST_KEY = 300  # characters
SERVE = "from derive.answers.grade_judge import serve; serve()"
NO_PROOF = "neither a proof nor a difference within the budget of steps"
SAID = "This could not be decided; a person will look at it."


def judge_batch(data: bytes) -> bytes:
    """The verdicts on a batch: pickled (name, model, tasks, deadline) to JSON, one for each task.

    `deadline` None: in this process, without a watchdog.
    """
    name, model, tasks, deadline = pickle.loads(data)
    if deadline is None:
        judge = Judge()
        found = [judge.verdict(name, model, task) for task in tasks]
    else:
        found = _child(deadline).verdicts(name, model, tasks)
    return json.dumps(found).encode()


# the judge, where it sits


class Judge:
    """Decides tasks one after another; keeps the graph of the last model."""

    def __init__(self) -> None:
        self.name, self.used = "", 0
        self.model: Any = None
        self._graph: Any = None

    @property
    def graph(self) -> Any:
        """The model's matrices, with all that was worked out for answers before."""
        if self._graph is None:
            from derive.blocks import build

            self._graph = build(self.model)
        return self._graph

    def verdict(self, name: str, model: bytes, task: Task) -> dict[str, Any]:
        """A verdict as derive.verdict/1 has it, without `schema`; never an exception."""
        job, answer, given = task
        try:
            self._take(name, model)
            found = self._marked(job, answer, given)
        except MemoryError:
            self.name = ""
            found = undecided("it needs too much memory")
        except Exception as error:  # noqa: BLE001 - one answer, whatever happens to it
            found = undecided(f"{type(error).__name__}: {error}"[:500])
        found.pop("schema", None)
        if found["verdict"] == UNDECIDED:
            found["notes"] = found.get("notes") or [NO_PROOF]
            found["key"] = self.value(name, model, job)
        return found

    def value(self, name: str, model: bytes, job: Job) -> str | None:
        """What was asked for, for the lecturer's queue."""
        try:
            self._take(name, model)
            return self._value(job)
        except Exception:  # noqa: BLE001 - the queue then says that it isn't known
            return None

    def _value(self, job: Job) -> str | None:
        kind, asked, _, _ = job
        if kind == "property":
            return "; ".join(asked)[:LONGEST_KEY]
        if kind == "count":
            from derive.counting.counted import count
            from derive.counting.settings import from_words
            from derive.counting.written import plain

            found = count(*from_words(asked[0]))
            return f"{plain(found.value)} {found.unit}".strip()[:LONGEST_KEY]
        return _value(self.graph, asked[0])

    def _take(self, name: str, model: bytes) -> None:
        self.used += 1
        if name != self.name or self.used > FRESH:
            self.model = pickle.loads(model) if model else None
            self.name, self.used, self._graph = name, 0, None

    def _marked(self, job: Job, answer: str, given: tuple[tuple[str, str], ...]) -> dict[str, Any]:
        kind, asked, policy, unknowns = job
        if not answer:
            return {"verdict": INVALID, "value": UNDECIDED, "message": "No answer was given."}
        if kind == "count":
            from derive.answers.counted import judge_count

            return judge_count(asked[0], answer, policy).data()
        if kind == "property":
            from derive.answers.witness import judge_properties

            return judge_properties(self.model, unknowns, asked, answer).data()
        from derive.answers.check import check

        if given:
            with suppress(DeriveError):  # an earlier answer that can't be used is left out of it
                return check(self.graph, asked[0], answer, policy, given=given).data()
        return check(self.graph, asked[0], answer, policy).data()


def _value(graph: Any, cell: str) -> str:
    from derive.answers.cells import asked_for

    region = asked_for(graph, cell)
    texts = [
        [cell.decimal(DIGITS) or "a formula in letters" for cell in row] for row in region.cells
    ]
    rows = [", ".join(row) for row in texts]
    if region.axes == 0:
        return rows[0]
    text = f"[{', '.join(rows)}]" if region.axes == 1 else f"[[{'], ['.join(rows)}]]"
    return text if len(text) <= LONGEST_KEY else text[:LONGEST_KEY] + "…"


def undecided(reason: str) -> dict[str, Any]:
    """The verdict on an answer that could not be judged, and why."""
    return {"verdict": UNDECIDED, "value": UNDECIDED, "message": SAID, "notes": [reason]}


# the child process


def serve() -> None:
    """What a child does: takes batches on stdin until it is closed, one JSON line a verdict."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # whatever prints, the answers stay whole
    _limit()
    answers.write(b"ready\n")
    answers.flush()
    judge = Judge()
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt), open(os.devnull, "w") as trace:  # noqa: PTH123
        while True:
            name, model, tasks, deadline, only_value = pickle.load(sys.stdin.buffer)
            for task in tasks:
                faulthandler.dump_traceback_later(deadline, exit=True, file=trace)
                if only_value:
                    found: Any = judge.value(name, model, task[0])
                else:
                    found = judge.verdict(name, model, task)
                faulthandler.cancel_dump_traceback_later()
                answers.write(json.dumps(found).encode() + b"\n")
                answers.flush()


def _limit() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Child:
    """A child process, started again when it ended."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.process: subprocess.Popen[bytes] | None = None
        self.since: float | None = None  # when the answer that it works on was begun
        self.late = False  # did its last answer take too long?
        self.new = True
        self.stopped = False

    def stop(self) -> None:
        """End it for good; who waits for it gets an exception."""
        self.stopped = True
        process = self.process
        if process is not None:
            process.kill()
            process.wait()
            _close(process)

    def verdicts(self, name: str, model: bytes, tasks: list[Task]) -> list[dict[str, Any]]:
        """A verdict for each task, in order."""
        found: list[dict[str, Any]] = []
        died = False  # did the next one end a child already?
        while len(found) < len(tasks):
            if self.stopped:
                raise RuntimeError("the run was stopped")
            before = len(found)
            found.extend(self._ask(name, model, tasks[before:], False))
            if len(found) == len(tasks):
                break
            if self.stopped:
                continue
            died = died and len(found) == before
            reason, late = self._end()
            if late or died:
                task = tasks[len(found)]
                verdict = undecided(reason)
                verdict["key"] = next(self._ask(name, model, [task], True), None)
                found.append(verdict)
                died = False
            else:  # it may have been killed from outside: once more
                died = True
        return found

    def _ask(self, name: str, model: bytes, tasks: list[Task], value: bool) -> Iterator[Any]:
        """Answers until all are there or the child has ended."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        message = pickle.dumps((name, model, tasks, self.deadline, value))
        try:
            if self.new:
                process.stdout.readline()  # it has started: the time runs from here
            self.new, self.late, self.since = False, False, time.monotonic()
            process.stdin.write(message)
            process.stdin.flush()
            for _ in tasks:
                line = process.stdout.readline()
                if not line.endswith(b"\n"):
                    elapsed = time.monotonic() - self.since
                    self.late = elapsed >= self.deadline * 99 / 100
                    return
                self.since = time.monotonic()
                yield json.loads(line)
        except (OSError, ValueError):  # its pipes are closed
            return
        finally:
            self.since = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.new = True
            path = os.pathsep.join(x for x in sys.path if x)
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
            _watch(self, self.process)
        return self.process

    def _end(self) -> tuple[str, bool]:
        """Why the child ended, in words, and whether a watchdog did it."""
        process, self.process = self.process, None
        assert process is not None
        try:
            code = process.wait(GRACE)  # it has closed its end, so it is ending
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        _close(process)
        if self.late and code in (1, -9):  # its own watchdog's exit code; a kill from outside
            return f"it took longer than {self.deadline:g} s", True
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"the worker process ended ({how})", False


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()


def _watch(child: _Child, process: subprocess.Popen[bytes]) -> None:
    """Kill a child that is stopped, so that its own watchdog can't fire."""

    def look() -> None:
        while process.poll() is None:
            since = child.since
            if since is not None and time.monotonic() - since > child.deadline + GRACE:
                process.kill()
            time.sleep(1)

    threading.Thread(target=look, daemon=True).start()


_kept = threading.local()


def _child(deadline: float) -> _Child:
    """This thread's child; it ends with the thread, as its stdin is closed then."""
    child: _Child | None = getattr(_kept, "child", None)
    if child is None:
        child = _kept.child = _Child(deadline)
        getattr(_kept, "all", []).append(child)
    child.deadline = deadline
    return child


class Processes(ThreadPoolExecutor):
    """An executor of threads, each of which waits for a process of its own that judges."""

    def __init__(self, jobs: int) -> None:
        self._all: list[_Child] = []
        super().__init__(max(1, jobs), "grade", initializer=self._begin)

    def _begin(self) -> None:
        _kept.all = self._all

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; what they work on is dropped, unless `wait`."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        for child in self._all:
            child.stop()


def answers_of(data: bytes) -> list[dict[str, Any]]:
    """What `judge_batch` gave back."""
    found: list[dict[str, Any]] = json.loads(data)
    return found


def batch_of(name: str, model: bytes, tasks: list[Task], deadline: float | None) -> bytes:
    """What `judge_batch` takes."""
    return pickle.dumps((name, model, tasks, deadline))

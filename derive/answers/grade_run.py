"""Tasks through an executor: each judged once, kept as soon as it is, whatever breaks."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any

from derive import __version__
from derive.answers.grade_journal import Journal
from derive.answers.grade_judge import (
    Processes,
    Task,
    answers_of,
    batch_of,
    judge_batch,
    undecided,
)
from derive.errors import DeriveError

BATCH = 100  # answers that one job takes
WINDOW = 64  # jobs that wait at a time
TRIES = 2  # of a job whose worker was lost, before it is taken apart

Factory = Callable[[], Executor]
Progress = Callable[[int, int], None]


@dataclass
class _Batch:
    model: tuple[str, bytes]
    tasks: list[tuple[str, Task]]
    tries: int = 0
    reason: str = field(default="", compare=False)


def task_name(model: str, task: Task) -> str:
    """A name that stands for all that a verdict depends on."""
    job, answer, given = task
    text = json.dumps([__version__, model, repr(job), answer, given])
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def processes(jobs: int) -> Factory:
    """An executor of threads, each of which waits for a process that judges."""
    return lambda: Processes(jobs)


def factory_of(text: str) -> Factory:
    """`module:factory`, a function without arguments that makes an executor.

    Raises DeriveError where there is no such thing.
    """
    import importlib
    import sys

    module, _, name = text.partition(":")
    if not module or not name:
        raise DeriveError(f"executor {text[:60]!r}: expected module:factory")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module beside the submissions, as with python -m
    try:
        made: Any = importlib.import_module(module)
        for part in name.split("."):
            made = getattr(made, part)
    except (ImportError, AttributeError) as error:
        raise DeriveError(f"executor {text[:60]!r}: {error}") from None

    def make() -> Executor:
        try:
            executor = made if isinstance(made, Executor) else made()
        except Exception as error:  # what a cluster says when it isn't there
            words = f"{type(error).__name__}: {error}"
            raise DeriveError(f"executor {text[:60]!r}: {words}") from error
        if not callable(getattr(executor, "submit", None)):
            raise DeriveError(f"executor {text[:60]!r}: it made no concurrent.futures.Executor")
        return executor

    return make


class Runner:
    """Sends what isn't known yet to the workers and writes down what comes back."""

    def __init__(
        self,
        journal: Journal,
        factory: Factory | None,
        deadline: float | None,
        progress: Progress | None = None,
    ) -> None:
        self.journal, self.factory, self.deadline = journal, factory, deadline
        self.progress = progress or (lambda done, total: None)
        self.executor: Executor | None = None

    def run(self, models: Mapping[str, bytes], tasks: Iterable[tuple[str, str, Task]]) -> None:
        """Judge every (name, model, task) that the journal doesn't know."""
        by_model: dict[str, list[tuple[str, Task]]] = {}
        seen: set[str] = set()
        for name, model, task in tasks:
            if name not in self.journal.known and name not in seen:
                seen.add(name)
                by_model.setdefault(model, []).append((name, task))
        waiting = deque(
            _Batch((model, models[model]), todo[k : k + BATCH])
            for model, todo in by_model.items()
            for k in range(0, len(todo), BATCH)
        )
        self._all(waiting, len(seen))

    def _all(self, waiting: deque[_Batch], total: int) -> None:
        done, running = 0, dict[Future[bytes], _Batch]()
        if total:
            self.progress(0, total)
        while waiting or running:
            while waiting and len(running) < (WINDOW if self.factory else 1):
                batch = waiting.popleft()
                running[self._submit(batch)] = batch
            finished, _ = wait(list(running), return_when=FIRST_COMPLETED)
            for future in finished:
                batch = running.pop(future)
                try:
                    found = answers_of(future.result())
                except Exception as error:  # noqa: BLE001 - a lost worker, in any library's words
                    done += self._lost(batch, error, waiting)
                    continue
                self._keep(batch, found)
                done += len(batch.tasks)
            self.progress(done, total)

    def _submit(self, batch: _Batch) -> Future[bytes]:
        data = batch_of(*batch.model, [task for _, task in batch.tasks], self.deadline)
        if self.factory is None:
            here: Future[bytes] = Future()
            here.set_result(judge_batch(data))
            return here
        for last in (False, True):
            try:
                if self.executor is None:
                    self.executor = self.factory()
                return self.executor.submit(judge_batch, data)
            except (RuntimeError, OSError) as error:  # a broken pool says so here
                self.close()
                if last:
                    raise DeriveError(f"the executor takes no work: {error}") from error
        raise AssertionError

    def _keep(self, batch: _Batch, found: Sequence[dict[str, Any]]) -> None:
        names = (name for name, _ in batch.tasks)
        self.journal.add(zip(names, found, strict=True))

    def _lost(self, batch: _Batch, error: Exception, waiting: deque[_Batch]) -> int:
        """A job without an answer: again, then one by one; then it is undecided."""
        batch.tries += 1
        if batch.tries < TRIES:
            waiting.append(batch)
        elif len(batch.tasks) > 1:
            waiting.extend(_Batch(batch.model, [task]) for task in batch.tasks)
        else:
            reason = f"the worker was lost: {type(error).__name__}: {error}"[:300]
            self._keep(batch, [undecided(reason)])
            return 1
        return 0

    def close(self) -> None:
        """Let the workers go; jobs that haven't begun are dropped."""
        executor, self.executor = self.executor, None
        if executor is not None:
            try:
                executor.shutdown(wait=False, cancel_futures=True)
            except TypeError:  # of an executor that knows no such thing
                executor.shutdown(wait=False)

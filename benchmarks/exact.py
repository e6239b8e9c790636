"""`make bench-exact`: the kernel beside SymPy's `simplify` and `equals`, in one run.

    python -m benchmarks.exact [--cases FILE] [--skip equals] [--cap 20]

Every engine works in a process of its own, which is ended when a case takes too long; the
same SymPy expressions go to all.  Times are the best of three (of one for long cases); with
both peers it takes some ten minutes, `--large` alone two.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.exact_cases import LARGE, Case, from_file

CASES = Path(__file__).parent.parent / "tests" / "exact" / "zero_cases.jsonl"
LONG = 0.5  # seconds: above, a case is timed once
REPEATS = 3


def by_derive(a: Any, b: Any) -> str:
    from derive.exact.decide import decide

    return decide(a, b).verdict


def by_simplify(a: Any, b: Any) -> str:
    import sympy

    return "equal" if sympy.simplify(a - b) == 0 else "undecided"


def by_equals(a: Any, b: Any) -> str:
    return {True: "equal", False: "different"}.get((a - b).equals(0), "undecided")


ENGINES: dict[str, Callable[[Any, Any], str]] = {
    "derive": by_derive,
    "simplify": by_simplify,
    "equals": by_equals,
}


@dataclass(frozen=True)
class Run:
    """One case with one engine."""

    verdict: str  # equal, different, undecided, too long, crash
    seconds: float


def serve(engine: str, connection: Connection) -> None:
    """The child: decide what comes in, until nothing more comes."""
    from sympy.core.cache import clear_cache

    decide = ENGINES[engine]
    decide(*connection.recv())  # the first call loads what the engine needs
    connection.send("ready")
    while (pair := connection.recv()) is not None:
        best = float("inf")
        for _ in range(REPEATS):
            clear_cache()
            start = time.perf_counter()
            try:
                verdict = decide(*pair)
            except Exception as why:  # noqa: BLE001  (whatever a peer raises is its answer)
                verdict = f"raises {type(why).__name__}"
            best = min(best, time.perf_counter() - start)
            if best > LONG:
                break
        connection.send((verdict, best))


class Worker:
    """One engine in a child process, started again after an accident."""

    def __init__(self, engine: str, cap: int, warm: Case) -> None:
        self.engine, self.cap, self.warm = engine, cap, warm
        self.process: Any = None
        self.connection: Any = None

    def start(self) -> None:
        """A fresh child that has loaded its engine."""
        context = multiprocessing.get_context("spawn")
        self.connection, far = context.Pipe()
        self.process = context.Process(target=serve, args=(self.engine, far), daemon=True)
        self.process.start()
        far.close()
        self.connection.send((self.warm.left, self.warm.right))
        self.connection.recv()

    def stop(self) -> None:
        """End the child, wherever it is."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None

    def run(self, case: Case) -> Run:
        """The verdict and the time, or what went wrong."""
        if self.process is None:
            self.start()
        self.connection.send((case.left, case.right))
        try:
            if self.connection.poll(self.cap):
                return Run(*self.connection.recv())
            verdict = "too long"
        except (EOFError, ConnectionError):
            verdict = "crash"
        self.stop()
        return Run(verdict, float(self.cap))


def grade(run: Run, truth: str) -> str:
    """right, wrong or undecided; whatever gives no verdict is undecided."""
    if run.verdict not in ("equal", "different"):
        return "undecided"
    return "right" if run.verdict == truth else "wrong"


def milliseconds(run: Run) -> str:
    mark = {"too long": ">", "crash": "crash "}.get(run.verdict, "")
    return f"{mark}{run.seconds * 1000:.{1 if run.seconds < 0.1 else 0}f}"


def ratio(run: Run, ours: Run) -> str:
    mark = "> " if run.verdict == "too long" else ""
    return f"{mark}{run.seconds / ours.seconds:.0f}x"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side, the first to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            x.ljust(w) if k == 0 else x.rjust(w)
            for k, (x, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def case_table(cases: Sequence[Case], runs: dict[str, list[Run]]) -> str:
    """Verdict and time of every case, one a line."""
    rows = [["case", "truth", *(f"{e} (ms)" for e in runs)]]
    for k, case in enumerate(cases):
        cells = [f"{grade(r[k], case.truth)} {milliseconds(r[k])}" for r in runs.values()]
        rows.append([case.name, case.truth, *cells])
    return table(rows)


def summary(cases: Sequence[Case], runs: dict[str, list[Run]]) -> str:
    """Counts of verdicts, and medians with their ratio to ours."""
    rows = [["engine", "right", "wrong", "undecided", "median (ms)", "total (s)", "median ratio"]]
    ours = statistics.median(r.seconds for r in runs["derive"])
    for engine, all_runs in runs.items():
        grades = [grade(r, c.truth) for r, c in zip(all_runs, cases, strict=True)]
        median = statistics.median(r.seconds for r in all_runs)
        rows.append(
            [
                engine,
                *(str(grades.count(g)) for g in ("right", "wrong", "undecided")),
                f"{median * 1000:.1f}",
                f"{sum(r.seconds for r in all_runs):.1f}",
                f"{median / ours:.0f}x",
            ]
        )
    return table(rows)


def large_table(cases: Sequence[Case], runs: dict[str, list[Run]]) -> str:
    """The large cases: times, and how many times longer the others need."""
    peers = [e for e in runs if e != "derive"]
    rows = [
        ["case", "derive (ms)", *(f"{e} (ms)" for e in peers), *(f"{e} / derive" for e in peers)]
    ]
    for k, case in enumerate(cases):
        ours = runs["derive"][k]
        verdict = "" if grade(ours, case.truth) == "right" else f" ({ours.verdict}!)"
        others = [runs[e][k] for e in peers]
        rows.append(
            [
                case.name + verdict,
                milliseconds(ours),
                *map(milliseconds, others),
                *(ratio(r, ours) for r in others),
            ]
        )
    return table(rows)


def main() -> int:
    """Run all engines over all cases and print the tables; 1 if derive was ever wrong."""
    parser = argparse.ArgumentParser(description="the kernel against simplify and equals")
    parser.add_argument("--cases", type=Path, default=CASES, help="JSON Lines of cases")
    parser.add_argument("--cap", type=int, default=20, help="seconds for one case")
    parser.add_argument("--skip", action="append", default=[], choices=("simplify", "equals"))
    parser.add_argument("--large", action="store_true", help="only the large cases")
    parser.add_argument("--each", action="store_true", help="also a line for every case")
    options = parser.parse_args()
    if not options.large and not options.cases.exists():
        parser.error(
            f"{options.cases} is not there; --cases names another file, --large needs none"
        )
    small = [] if options.large else from_file(options.cases)
    large = [build() for build in LARGE]
    runs: dict[str, list[Run]] = {}
    for engine in [e for e in ENGINES if e not in options.skip]:
        worker = Worker(engine, options.cap, large[0])
        runs[engine] = [worker.run(case) for case in (*small, *large)]
        worker.stop()
    if small:
        head = {e: r[: len(small)] for e, r in runs.items()}
        print(*([case_table(small, head), ""] if options.each else []), sep="\n")
        print(f"{len(small)} cases of {options.cases.name}", summary(small, head), "", sep="\n")
    print(large_table(large, {e: r[len(small) :] for e, r in runs.items()}))
    wrong = [grade(r, c.truth) for r, c in zip(runs["derive"], (*small, *large), strict=True)]
    return 1 if "wrong" in wrong else 0


if __name__ == "__main__":
    sys.exit(main())

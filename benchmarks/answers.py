"""`make bench-answers`: marking beside Math-Verify and SymPy's `equals`, on the same answers.

    python -m benchmarks.answers [--every 4] [--cap 10] [--peer-python PATH]

The answers are the published rows with numbers and letters, judged for their exact value. SymPy
gets the expressions from our parser (it has none that is safe); Math-Verify gets the typed text
between dollars, in an interpreter of its own that has it (--peer-python, or a venv that this makes
with pip; without either that is said). What takes longer than the cap is cut and is no verdict.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.exact import Run
from derive.answers.check import check
from derive.answers.equality import equality
from derive.answers.policy import Policy
from derive.errors import DeriveError
from derive.exact.dag import UndefinedValue
from derive.exact.reading import evaluate
from derive.text import parse
from tests.answers.make_fixtures import FILES
from tests.answers.test_fixtures import WORDS, graph, policy, rows

VALUES = ("fractions", "surds", "softmax", "polynomials", "decimal-places", "significant-figures")
PEER = r"""
import json, sys, time
from math_verify import parse, verify
for line in sys.stdin:
    answer, key = json.loads(line)
    start = time.perf_counter()
    try:
        found = verify(parse(f"${key}$"), parse(f"${answer}$"))
        word = "right" if found else "wrong"
    except Exception as why:
        word = f"raises {type(why).__name__}"
    print(json.dumps([word, time.perf_counter() - start]), flush=True)
"""


@dataclass(frozen=True)
class Row:
    """An answer, its key, and the verdict that is right for the exact value."""

    answer: str
    key: str
    letters: str
    verdict: str


def exact_rows(every: int) -> list[Row]:
    """Rows with one number, judged exactly; those of rounding files are other numbers there."""
    found = []
    for name in VALUES[:4]:
        for row in rows(name)[::every]:
            if row["judge"] == "check" and row["policy"] == "exact" and row["verdict"] != "invalid":
                found.append(Row(row["answer"], row["key"], row["letters"], row["verdict"]))
    return found


def derive_all() -> None:
    """Every published row in this process: rate, median, p99, right against wrong."""
    times: dict[str, list[float]] = {}
    wrong = 0
    every = []
    for name in FILES:
        for row in rows(name):
            rules = policy(row["policy"]) if row["judge"] == "check" else Policy()
            g = graph(row["key"], row["letters"]) if row["judge"] == "check" else None
            every.append((row, rules, g))
    for row, rules, g in every[::50]:
        _judge(row, rules, g)  # loads what is needed
    start = time.perf_counter()
    for row, rules, g in every:
        before = time.perf_counter()
        verdict = _judge(row, rules, g)
        times.setdefault(row["verdict"], []).append(time.perf_counter() - before)
        wrong += verdict != row["verdict"]
    seconds = time.perf_counter() - start
    rate = f"{len(every) / seconds:.0f} a second"
    print(f"derive, all {len(every)} published rows: {wrong} other verdicts, {rate}")
    together = [x for found in times.values() for x in found]
    for verdict, found in [*sorted(times.items()), ("all", together)]:
        print(f"  {verdict:<9} {len(found):5}  {_figures(found)}")


def _judge(row: dict[str, str], rules: Policy, g: Any) -> str:
    if g is not None:
        return check(g, "Q[0,0]", row["answer"], rules).verdict
    try:
        return WORDS[equality(row["answer"], row["key"]).verdict]
    except DeriveError:
        return "invalid"


def _figures(seconds: list[float]) -> str:
    found = sorted(x * 1000 for x in seconds)
    at = found[min(len(found) - 1, len(found) * 99 // 100)]
    return (
        f"median {statistics.median(found):8.2f} ms   p99 {at:8.1f} ms   worst {found[-1]:8.1f} ms"
    )


# SymPy, in a process of its own


def serve(connection: Any) -> None:
    """The child: `equals` on what comes in."""
    import sympy

    from derive.exact.symbolic import Symbolic

    while (item := connection.recv()) is not None:
        answer, key, letters = item
        f = Symbolic(dict(part.split() for part in letters.split(",") if part))
        start = time.perf_counter()
        try:
            a, b = evaluate(parse(answer), f), evaluate(parse(key), f)
            same = sympy.Expr.equals(a, b)
            word = {True: "right", False: "wrong"}.get(same, "undecided")
        except (UndefinedValue, DeriveError, TypeError, ValueError) as why:
            word = f"raises {type(why).__name__}"
        connection.send((word, time.perf_counter() - start))


class Sympy:
    """`equals` with a cut."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.process: Any = None

    def __call__(self, row: Row) -> Run:
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.connection, far = context.Pipe()
            self.process = context.Process(target=serve, args=(far,), daemon=True)
            self.process.start()
            self.connection.send(("1", "1", ""))
            self.connection.recv()
        self.connection.send((row.answer, row.key, row.letters))
        if self.connection.poll(self.cap):
            return Run(*self.connection.recv())
        self.close()
        return Run("undecided", float(self.cap))

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


# Math-Verify, in an interpreter of its own


def peer_python(given: str | None) -> str | None:
    """An interpreter that has Math-Verify; None where pip can't get it."""
    if given:
        return given
    folder = Path(tempfile.mkdtemp(prefix="derive-peer-"))
    python = folder / "bin" / "python"
    made = subprocess.run([sys.executable, "-m", "venv", str(folder)], check=False)
    got = (
        made.returncode
        or subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "math-verify"], check=False
        ).returncode
    )
    return None if got else str(python)


class MathVerify:
    """`verify(parse(key), parse(answer))`, which has a cut of its own (5 s each)."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self(Row("1", "1", "", "right"))

    def __call__(self, row: Row) -> Run:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps([row.answer, row.key]) + "\n")
        self.process.stdin.flush()
        word, seconds = json.loads(self.process.stdout.readline())
        return Run(word, seconds)

    def close(self) -> None:
        self.process.kill()


def ours(row: Row) -> Run:
    g = graph(row.key, row.letters)
    start = time.perf_counter()
    verdict = check(g, "Q[0,0]", row.answer).verdict
    return Run(verdict, time.perf_counter() - start)


def table(name: str, judge: Callable[[Row], Run], cases: list[Row]) -> None:
    """One engine's verdicts against what is right, and its times."""
    counts: Counter[str] = Counter()
    seconds = []
    for row in cases:
        run = judge(row)
        seconds.append(run.seconds)
        if run.verdict == row.verdict:
            counts["correct"] += 1
        elif run.verdict == "right":
            counts["accepts wrong"] += 1
        elif run.verdict == "wrong":
            counts["rejects right"] += 1
        else:
            counts["no verdict"] += 1
    words = "  ".join(
        f"{key} {counts[key]}"
        for key in ("correct", "accepts wrong", "rejects right", "no verdict")
    )
    rate = f"{len(cases) / sum(seconds):.1f} a second"
    print(f"{name:<12} {words}\n{'':<12} {_figures(seconds)}   {rate}")


def engines(arguments: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    yield "derive", ours
    yield "SymPy equals", Sympy(arguments.cap)
    python = peer_python(arguments.peer_python)
    if python is None:
        print("Math-Verify: pip could not install it here, so it is left out")
    else:
        yield "Math-Verify", MathVerify(python)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=4, help="take every n-th row for the peers")
    parser.add_argument("--cap", type=int, default=10, help="seconds for one answer")
    parser.add_argument("--peer-python", help="an interpreter that has math-verify")
    arguments = parser.parse_args()
    derive_all()
    cases = exact_rows(arguments.every)
    print(f"\n{len(cases)} answers, exact value, all engines:")
    for name, judge in engines(arguments):
        table(name, judge, cases)
        if hasattr(judge, "close"):
            judge.close()


if __name__ == "__main__":
    main()

"""A course of generated answers graded: time, peak memory, rate; the same with kills and restarts.

python -m benchmarks.grade [--answers N] [--students N] [--jobs N] [--kills N] [--distinct]
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KEY = """\
model = "cats"
feedback = "mistake"
"""
CELLS = [f"{name}[{i},{j}]" for name in ("Q", "K", "V", "A", "Z") for i in range(4) for j in (0, 1)]
HOSTILE = (
    "9^9^9^9^9", "(" * 5000, "__import__('os').system('id')", "1" * 20_000, "exp(exp(exp(exp(9))))",
    "root(2, 10^9)", "\\input{/etc/passwd}", "=cmd|' /C calc'!A0", "99999!", "1/0",
    "sqrt(" * 150 + "2" + ")" * 150, "sum(k, 0, 10^12, k^k)",
)  # fmt: skip
GARBAGE = ("", "?", "see attached", "1,22", "idk", "0,41 or 0.42", "1..2", "--", "½½", "x", "0.4l2")


def write(folder: Path, answers: int, students: int, seed: int, distinct: bool) -> int:
    """key.toml and answers.csv; how many rows."""
    from derive.blocks import build
    from derive.documents.exercise import rounded
    from derive.model import load

    graph, rng = build(load("cats")), random.Random(seed)
    questions = [f'[[question]]\ncell = "{cell}"\npolicy = {{ dp = 3 }}\n' for cell in CELLS]
    (folder / "key.toml").write_text(KEY + "\n".join(questions))
    right = {cell: rounded(graph[cell], 3) for cell in CELLS}
    count = 0
    with (folder / "answers.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(("student", "cell", "answer"))
        while count < answers:
            for cell in CELLS:
                student = f"s{count // len(CELLS) % students:05}"
                if count < answers:
                    table.writerow((student, cell, _answer(rng, right[cell], distinct)))
                count += 1
    return answers


def _answer(rng: random.Random, right: str, distinct: bool) -> str:
    kind = rng.random()
    if kind < 0.01:
        return rng.choice(HOSTILE)
    if kind < 0.06:
        return rng.choice(GARBAGE) + (f" {rng.randrange(10**6)}" if distinct else "")
    if distinct:  # as many different answers as there are rows
        return f"{rng.randrange(-3000, 3000)}/{rng.randrange(1, 3000)}"
    if kind < 0.65:
        return right
    digits = rng.choice((2, 3, 3, 4))
    return f"{rng.choice(('', '-'))}{rng.randrange(3)}.{rng.randrange(10**digits):0{digits}}"


def run(folder: Path, out: str, jobs: int, *words: str, kill: float = 0) -> tuple[float, bool]:
    """Seconds, and whether it finished; `kill` after so many seconds."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "derive", "grade", "key.toml", "answers.csv", "-o", out,
         "--jobs", str(jobs), "--quiet", *words], cwd=folder, start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(kill or None)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return time.perf_counter() - start, False
    assert process.returncode == 0, process.returncode
    return time.perf_counter() - start, True


def digest(folder: Path) -> str:
    """One name for everything that was written."""
    found = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if not path.name.endswith(".old"):
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:12]


def _peak(folder: Path, out: str, jobs: int) -> tuple[float, int]:
    """Seconds, and the most memory that the run and its workers had together, in MB."""
    process = subprocess.Popen(
        [sys.executable, "-m", "derive", "grade", "key.toml", "answers.csv", "-o", out,
         "--jobs", str(jobs), "--quiet"], cwd=folder,
    )  # fmt: skip
    start, most = time.perf_counter(), 0
    while process.poll() is None:
        most = max(most, _memory(process.pid))
        time.sleep(0.05)
    assert process.returncode == 0
    return time.perf_counter() - start, most // 2**20


def _memory(pid: int) -> int:
    """Bytes of a process and its children that are in memory (Linux)."""
    total = 0
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        total = pages * os.sysconf("SC_PAGE_SIZE")
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                total += _memory(int(child))
    except OSError:
        pass
    return total


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--answers", type=int, default=100_000)
    options.add_argument("--students", type=int, default=1_000)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--kills", type=int, default=3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--distinct", action="store_true", help="hardly an answer twice")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, asked.answers, asked.students, asked.seed, asked.distinct)
        seconds, memory = _peak(folder, "one", asked.jobs)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent_here = used.ru_utime + used.ru_stime
        different = sum(1 for _ in (folder / "one" / ".journal.jsonl").open("rb")) - 1
        print(
            f"{asked.answers} answers, {different} different: {seconds:.1f} s with {asked.jobs} "
            f"jobs, {asked.answers / seconds:.0f} answers/s, {different / seconds:.0f} different "
            f"ones/s, {memory} MB together; {spent_here:.1f} s of processor time"
        )
        total, kills = 0.0, 0
        for k in range(asked.kills):
            spent, ended = run(
                folder, "two", asked.jobs, "--resume", kill=seconds * (k + 1) / (asked.kills + 1)
            )
            total, kills = total + spent, kills + (not ended)
        spent, _ = run(folder, "two", asked.jobs, "--resume")
        total += spent
        same = digest(folder / "one") == digest(folder / "two")
        print(f"killed {kills} times and resumed: {total:.1f} s, the same bytes: {same}")
        assert same, "kills changed the results"


if __name__ == "__main__":
    main()

"""Hostile answers: nothing is evaluated, nothing is large, the place of the fault is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from derive.answers.check import check
from derive.blocks import build
from derive.model import loads

ROOT = Path(__file__).parent.parent.parent
BANNED = (
    "exec",
    "compile",
    "open",
    "import",
    "subprocess",
    "socket",
    "os.system",
    "os.exec",
    "ctypes",
)
PROGRAM = f"""
import csv, json, sys
csv.field_size_limit(1_000_000)
from derive.answers.check import check
from derive.answers.equality import equality
from derive.blocks import build
from derive.errors import DeriveError
from derive.model import loads
graph = build(loads(json.dumps({{"symbols": {{"x": "real"}}, "given": {{"Q": [["1"]]}}}}), "key.json"))
rows = []
for name in ("hostile", "unreadable"):
    with open(f"tests/answers/fixtures/{{name}}.csv", encoding="utf-8", newline="") as file:
        rows += [row["answer"] for row in csv.DictReader(file)]
rows += ["a" * 2_800_000, "7" * 100_000, "(" * 9_000, "-" * 5_000 + "x", "x^" * 3_000 + "x", "1+" * 4_000 + "1",
         "\\\\frac" * 1_500, "{{" * 4_000, "|" * 5_000, "[" * 5_000, "√" * 5_000, "x_" * 4_000, "²" * 5_000, "%" * 5_000,
         "!" * 5_000, "sin " * 2_000 + "x", "x and " * 1_500 + "x", "±" * 5_000, "1:" * 3_000 + "1"]
for text in ("1", "x", "sqrt(2)+e", "[1,2]", "{{1,2}}", "x<1", "1/0", "ln(x)", "\\\\frac12", "cos(2)^x",
             "sum(k,0,n-1,s[k])"):
    check(graph, "Q[0,0]", text, "dp:2"), check(graph, "Q[0,0]", text)   # loads what is needed
    try:
        equality(text, text), equality(text, "x + 1")
    except DeriveError:
        pass
for text in rows[:400]:
    check(graph, "Q[0,0]", text)                                         # and once more
seen = []
sys.addaudithook(lambda event, args: seen.append(event) if watching and event.startswith({BANNED!r}) else None)
watching = True
verdicts = [check(graph, "Q[0,0]", text).verdict for text in rows]
for text in rows:
    try:
        equality(text, "1")
    except DeriveError:
        pass
watching = False
with open("/proc/self/status") as file:  # getrusage would count the test runner's own peak
    peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024
print(json.dumps([sorted(set(seen)), sorted(set(verdicts)), peak, len(rows)]))
"""


def test_nothing_is_evaluated_and_memory_stays_small() -> None:
    program = PROGRAM.replace("seen = []", "seen, watching = [], False")
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    seen, verdicts, peak, count = json.loads(run.stdout)
    assert seen == []
    assert "right" not in verdicts
    assert peak < 200
    assert count > 180


def test_the_place_of_a_fault_is_named() -> None:
    graph = build(loads('{"given": {"Q": [[1]]}}', "key.json"))
    for text, position in (
        ("(1 + 2", 7),
        ("1 + * 2", 5),
        ("1)", 2),
        ("sofmax(1)", 1),
        ("1 + \\foo", 5),
        ("", 1),
    ):
        error = check(graph, "Q[0,0]", text).error
        assert error is not None and error["position"] == position
        assert error["found"] and error["expected"]

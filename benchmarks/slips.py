"""`make bench-slips`: is every slip's value named as that slip?  A table by slip.

    python -m benchmarks.slips [--sheets 200] [--cells 3] [--model NAME …]

A sheet is a few cells of a bundled model.  At each cell every slip that can be made there is made,
its value printed to six figures and marked as an answer.  It must be named, or be among those
that give the same; the right answer must be right and no mistake; and no message may show the
key.  Slips that are also settings of a model file (no scale, no mask, another position …) are made
a second time by loading the model with that setting, which shares no code with the slips.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from derive.answers.check import Marker
from derive.answers.explained import slips_of
from derive.answers.policy import Policy
from derive.answers.sought import Sought
from derive.answers.verdict import Marked
from derive.blocks import build
from derive.errors import DeriveError
from derive.exact.dag import UndefinedValue
from derive.graph import Cell, Graph
from derive.model import load
from derive.model.bundled import bundled_names
from derive.ops import Given

FIGURES = 6
POLICY = Policy.of({"sf": FIGURES, "places": "at-least"})
LARGEST = 4_000  # cells of a graph whose every slip is tried
SETTINGS = {  # settings of a model file that are slips; the names that say the same
    "attention.scale=1": {"no-scale"},
    "attention.mask=none": {"no-mask"},
    "position.clockwise=true": {"rope-reversed"},
    "position.first=1": {"positions-from-one"},
    "block.0.residual=false": {"no-residual"},
    "output.temperature=1": {"no-temperature"},
}


@dataclass
class Tally:
    """What happened to the values of one slip."""

    named: int = 0
    tied: int = 0
    same: int = 0  # the slip changes nothing here
    missed: list[str] = field(default_factory=list)


@dataclass
class Result:
    slips: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    right: int = 0
    accused: list[str] = field(default_factory=list)  # right answers called a mistake
    leaks: list[str] = field(default_factory=list)  # messages that show the key
    seconds: list[float] = field(default_factory=list)  # of wrong answers
    first: list[float] = field(default_factory=list)  # of the first wrong answer to a cell

    @property
    def faults(self) -> list[str]:
        missed = [f"{name}: {x}" for name, t in self.slips.items() for x in t.missed]
        return [*missed, *self.accused, *self.leaks]


def sheet(graph: Graph, random: Random, count: int) -> list[Cell]:
    """Some computed cells with decimals, all over the graph."""
    names = [m.name for m in graph if not isinstance(m.operation, Given) and len(m.shape) == 2]
    found: list[Cell] = []
    for _ in range(8 * count):
        matrix = graph.matrices[random.choice(names)]
        cell = Cell(graph, matrix, tuple(random.randrange(n) for n in matrix.shape))
        try:
            text = cell.decimal(FIGURES)
        except (DeriveError, UndefinedValue):
            continue
        if text is not None and "inf" not in text:
            found.append(cell)
        if len(found) == count:
            break
    return found


def marked(marker: Marker, cell: Cell, answer: str, result: Result) -> Marked:
    start = time.process_time()
    found = marker.check(cell.address, typed(cell, answer), POLICY)
    result.seconds.append(time.process_time() - start)
    return found


def try_cell(marker: Marker, cell: Cell, result: Result) -> None:
    """Every slip at a cell."""
    key = cell.decimal(FIGURES)
    assert key is not None
    good = marker.check(cell.address, typed(cell, padded(key)), POLICY)
    result.right += good.right
    if not good.right or good.mistake is not None:
        result.accused.append(f"{cell.address} = {key}: {good.verdict}, {good.mistake}")
    start = time.process_time()
    values = dict(slip_values(marker, cell))
    result.first.append(time.process_time() - start)
    for (name, value), _ in values.items():
        judge(name, {name}, value, marker, cell, key, result)


def judge(
    name: str,
    fits: set[str],
    value: str,
    marker: Marker,
    cell: Cell,
    key: str,
    result: Result,
) -> None:
    tally = result.slips[name]
    found = marked(marker, cell, value, result)
    if found.right:
        tally.same += 1
        return
    mistake = found.mistake
    names = set() if mistake is None else {mistake.name, *mistake.also}
    if mistake is not None and mistake.name in fits:
        tally.named += 1
    elif names & fits:
        tally.tied += 1
    else:
        where = f"{cell.graph.model.name} {cell.address} {value}"
        tally.missed.append(f"{where}: {found.verdict}, {sorted(names)}")
    words = found.message.replace(found.read or "", "").split()
    if any(word.strip(".,;:()").lstrip("-") == key.lstrip("-") for word in words):
        result.leaks.append(f"{cell.address}: {found.message}")


def slip_values(marker: Marker, cell: Cell) -> Iterator[tuple[tuple[str, str], None]]:
    """Names of the slips at a cell, and their values to six figures."""
    nothing = Sought(None, lambda suspect: "different", 0, FIGURES, False)
    for suspect in slips_of(marker).suspects(cell, nothing):
        try:
            text = suspect.key.cell.decimal(FIGURES)
        except (DeriveError, UndefinedValue):
            continue
        if text is not None and "inf" not in text:
            yield (suspect.name, padded(text)), None


def typed(cell: Cell, text: str) -> str:
    """A decimal as students of the model write it."""
    comma = cell.graph.model.notation["decimal"] == "comma"
    return text.replace(".", ",") if comma else text


def padded(text: str) -> str:
    """At least so many figures: an exact 0.5 as 0.500000."""
    if "e" in text:
        return text
    digits = len(text.lstrip("-").replace(".", "").lstrip("0"))
    if digits >= FIGURES:
        return text
    return (text if "." in text else text + ".") + "0" * max(0, FIGURES - digits)


def by_settings(graph: Graph, marker: Marker, cells: list[Cell], result: Result) -> None:
    """The same slips made by the model file."""
    for setting, names in SETTINGS.items():
        try:
            other = build(load(graph.model.name, sets=[setting]))
        except DeriveError:
            continue
        if other.matrices.keys() - graph.matrices.keys():
            continue
        for cell in cells:
            matrix = other.matrices.get(cell.matrix.name)
            if matrix is None or matrix.shape != cell.matrix.shape:
                continue
            key = cell.decimal(FIGURES)
            try:
                value = Cell(other, matrix, cell.indices).decimal(FIGURES)
            except (DeriveError, UndefinedValue):
                continue
            if value in (None, "-inf") or key is None:
                continue
            judge(f"--set {setting}", names, padded(str(value)), marker, cell, key, result)


def run(sheets: int, cells: int, models: list[str]) -> Result:
    result = Result()
    graphs: dict[str, tuple[Graph, Marker]] = {}
    for number in range(sheets):
        name = models[number % len(models)]
        if name not in graphs:
            graph = build(load(name))
            graphs[name] = graph, Marker(graph)
        graph, marker = graphs[name]
        if graph.free:
            continue
        asked = sheet(graph, Random(number), cells)
        for cell in asked:
            try_cell(marker, cell, result)
        by_settings(graph, marker, asked, result)
    return result


def table(result: Result) -> str:
    rows = [f"{'slip':34} {'named':>6} {'tied':>6} {'no change':>10} {'missed':>7}"]
    for name, t in sorted(result.slips.items()):
        rows.append(f"{name:34} {t.named:>6} {t.tied:>6} {t.same:>10} {len(t.missed):>7}")
    totals = Counter[str]()
    for t in result.slips.values():
        totals.update(named=t.named, tied=t.tied, same=t.same, missed=len(t.missed))
    rows.append(
        f"{'all':34} {totals['named']:>6} {totals['tied']:>6} {totals['same']:>10} "
        f"{totals['missed']:>7}"
    )
    rows.append(f"right answers: {result.right}, called a mistake: {len(result.accused)}")
    rows.append(f"messages with the key: {len(result.leaks)}")
    for word, found in (("a wrong answer", result.seconds), ("all slips of a cell", result.first)):
        times = sorted(found)
        middle, late = statistics.median(times), times[len(times) * 95 // 100]
        rows.append(f"{word}: median {1000 * middle:.1f} ms, 95 % under {1000 * late:.0f} ms")
    return "\n".join(rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sheets", type=int, default=200)
    options.add_argument("--cells", type=int, default=3)
    options.add_argument("--model", action="append")
    asked = options.parse_args()
    result = run(asked.sheets, asked.cells, asked.model or list(bundled_names()))
    print(table(result))
    for fault in result.faults[:40]:
        print("FAULT", fault)
    raise SystemExit(bool(result.faults))


if __name__ == "__main__":
    main()

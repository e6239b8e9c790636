"""Numbers that others have printed, compared with derive's; writes worked/public-examples.md.

    python worked/public_examples.py          writes the page
    python worked/public_examples.py --print  prints it

The printed numbers stand in tests/public/figures.txt, the models beside it.  The tests compare
the same figures one by one, and the page with what this module makes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path

from derive.blocks import build
from derive.graph import Cell, Graph
from derive.model import load

FOLDER = Path(__file__).parents[1] / "tests" / "public"
PAGE = Path(__file__).with_name("public-examples.md")
BITS = (128, 512, 4096)


@dataclass(frozen=True)
class Figure:
    """One printed number: whose, of which cell, how many of its digits count."""

    model: str
    where: str  # CELLS as they stand in the table
    place: int  # which of its cells
    printed: str
    places: str  # decimals, or s and a number of significant digits
    wrong: bool  # known to be wrong

    @property
    def number(self) -> Fraction:
        """The printed number, exactly."""
        return Fraction(self.printed)

    @property
    def half_unit(self) -> Fraction:
        """Half a unit of the last digit that counts."""
        if not self.places.startswith("s"):
            return Fraction(1, 2 * 10 ** int(self.places))
        size, exponent = abs(self.number), 0
        while size and size < 1:
            size, exponent = size * 10, exponent - 1
        while size >= 10:
            size, exponent = size / 10, exponent + 1
        return Fraction(10) ** (exponent + 1 - int(self.places[1:])) / 2


@dataclass
class Example:
    """One source and its figures."""

    name: str
    source: str
    licence: str
    recomputed: bool  # from memory or without printed numbers: another program's numbers
    remarks: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)


def examples(text: str | None = None) -> list[Example]:
    """The table of figures."""
    text = (FOLDER / "figures.txt").read_text(encoding="utf-8") if text is None else text
    found: list[Example] = []
    model = ""
    for line in text.splitlines():
        if line.startswith("=="):
            name, source, licence, *rest = (part.strip() for part in line[2:].split(" | "))
            found.append(Example(name, source, licence, bool(rest)))
        elif line.startswith(":"):
            found[-1].remarks.append(line[1:].strip())
        elif line.startswith("model "):
            model = line.removeprefix("model ")
        elif line and not line.startswith("#"):
            where, places, *numbers = line.split()
            found[-1].figures += [
                Figure(model, where, k, x.rstrip("!"), places, x.endswith("!"))
                for k, x in enumerate(numbers)
            ]
    return found


@cache
def graph(model: str) -> Graph:
    """The graph of a model line: a file of the folder or a bundled model, with its settings."""
    name, *sets = model.split(" --set ")
    path = FOLDER / "models" / f"{name}.toml"
    source = path if path.exists() else name
    return build(load(source, sets=tuple(sets)))


def cells(on: Graph, where: str) -> list[Cell]:
    """The cells that CELLS means, in printed order."""
    matrix, indices = on.addresses.parts(where)
    i, j = indices
    rows = range(matrix.shape[0]) if i is None else [i]
    columns = range(matrix.shape[1]) if j is None else [j]
    return [Cell(on, matrix, (a, b)) for a in rows for b in columns]


def verdict(cell: Cell, number: Fraction, half_unit: Fraction) -> bool | None:
    """Whether the exact value lies within half a unit of a printed number; None: undecided."""
    from flint import arb, fmpq

    printed, half = (fmpq(x.numerator, x.denominator) for x in (number, half_unit))
    for bits in BITS:
        ball = cell.ball(bits)
        if not ball.is_finite():
            return False
        with cell.graph.balls(bits):
            off = abs(ball - arb(printed))
            if off <= half:  # certainly, for every number in the ball
                return True
            if off > half:
                return False
    return None


# the page

LARGE = {  # checked by tests/public/test_large.py where their files are: source, licence, numbers
    "bbycroft-llm-viz-nano-gpt": (
        "https://bbycroft.net/llm, bbycroft/llm-viz, public/gpt-nano-sort-*.json",
        "MIT",
        12_573,
        "Three blocks, 85,584 weights: float32 numbers as exact binary fractions; the printed "
        "numbers are float32 too, and count to 5·10⁻⁶. The first of its three texts.",
    ),
    "zhubert-manual-llm": (
        "https://www.zhubert.com/attention-to-detail/, zhubert/manual-llm, scripts/data",
        "MIT (c) 2025 zhubert",
        916,
        "The forward part, to 12 decimals. Left out: the gradients.",
    ),
}


def page() -> str:
    """The page as Markdown."""
    return "\n".join([*_head(), *_table(), "", *_wrong(), *_remarks()])


def _head() -> Iterator[str]:
    yield "# Numbers that others have printed"
    yield ""
    yield "Each number below was printed by somebody else and is compared with the exact value of"
    yield "a cell, to the digits that were printed. `make public` writes this page; tests compare"
    yield "every number and the page itself. The printed numbers are in"
    yield "[tests/public/figures.txt](../tests/public/figures.txt), the models beside it."
    yield ""


def _table() -> Iterator[str]:
    yield "| example | source | licence | reproduced | shown wrong | recomputed only |"
    yield "|---|---|---|--:|--:|--:|"
    total = [0, 0, 0]
    for one in examples():
        wrong = sum(x.wrong for x in one.figures)
        right = len(one.figures) - wrong
        counts = [0, wrong, right] if one.recomputed else [right, wrong, 0]
        total = [a + b for a, b in zip(total, counts, strict=True)]
        yield _line(one.name, one.source, one.licence, counts)
    for name, (source, licence, count, _) in LARGE.items():
        total[0] += count
        yield _line(name, source, licence, [count, 0, 0])
    yield _line("**all**", "", "", total)


def _line(name: str, source: str, licence: str, counts: list[int]) -> str:
    return f"| {name} | {source} | {licence} | {' | '.join(f'{n:,}' for n in counts)} |"


def _wrong() -> Iterator[str]:
    yield "## Shown wrong"
    yield ""
    yield "| example | cell | printed | exact value |"
    yield "|---|---|--:|--:|"
    for one in examples():
        for x in one.figures:
            if x.wrong:
                cell = cells(graph(x.model), x.where)[x.place]
                yield f"| {one.name} | `{cell.address}` | {x.printed} | {cell.decimal(6)} |"
    yield ""


def _remarks() -> Iterator[str]:
    yield "## Remarks"
    yield ""
    for one in examples():
        if one.remarks:
            yield f"- **{one.name}**: {' '.join(one.remarks)}"
    for name, (*_, remark) in LARGE.items():
        yield f"- **{name}**: {remark}"
    yield ""


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.write(page())
    else:
        PAGE.write_text(page(), encoding="utf-8")

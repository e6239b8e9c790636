"""`make soak`: what takes minutes. Two blocks proved, a long fuzz run, every cell typeset.

    python -m benchmarks.soak [--pairs 20000]

The exit code is 1 if anything came out wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from derive.blocks import build
from derive.exact.budget import Budget
from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.graph import Cell, Graph, derivation
from derive.model import bundled_names, load
from derive.render import pdf, tex
from tests.exact.programs import Program, Shape
from tests.fuzz.kernel import main as fuzz

STEPS, TERMS = 2_000_000_000, 450_000  # allowed for one cell of two blocks


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def timed(name: str, run: Callable[[], str]) -> bool:
    """Run one part; say how it ended and how long it took."""
    start = time.perf_counter()
    try:
        result = run()
    except AssertionError as error:
        say(f"FAILED  {name}: {error}")
        return False
    say(f"{time.perf_counter() - start:8.1f} s  {name}: {result}")
    return True


def two_blocks(causal: bool, seed: int, final_norm: bool = False) -> str:
    """Two ways of writing two whole blocks (n = 4, d = 4, FFN with ReLU), cell by cell."""
    f = Dag()
    shape = Shape(tokens=4, width=4, blocks=2, hidden=8, final_norm=final_norm, causal=causal)
    program = Program(f, shape, seed)
    pairs = zip(program.cells(False), program.cells(True), strict=True)
    verdicts = [decide(one, other, budget=Budget(STEPS, TERMS)).verdict for one, other in pairs]
    assert "different" not in verdicts, verdicts
    return f"{verdicts.count('equal')} of {len(verdicts)} cells proved equal"


def every_cell(name: str) -> str:
    """All worked cells of a bundled model in one PDF, through the log gate."""
    graph: Graph = build(load(name))
    cells = [
        Cell(graph, matrix, (i, j))
        for matrix in graph
        for i in range(matrix.shape[0])
        for j in range(matrix.shape[1])
        if matrix.operation.inputs
    ]
    source = tex.document(graph.model.title, [derivation(graph, c.address) for c in cells])
    return f"{len(cells)} cells, {len(pdf.compiled(source)) // 1000} kB of PDF"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20_000, help="pairs of the fuzz run")
    pairs = parser.parse_args().pairs
    done = [
        timed(
            f"two blocks, causal {causal}, seed {seed}", lambda c=causal, s=seed: two_blocks(c, s)
        )
        for causal in (True, False)
        for seed in (0, 1, 2)
    ]
    done += [
        timed(f"every cell of {name}", lambda name=name: every_cell(name))
        for name in bundled_names()
    ]
    say(f"fuzz, {pairs} pairs:")
    sys.argv = ["kernel", "--pairs", str(pairs)]
    sys.exit(0 if fuzz() == 0 and all(done) else 1)


if __name__ == "__main__":
    main()

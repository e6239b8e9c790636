"""`make soak`: what takes minutes. Two blocks proved, long fuzz runs, every cell typeset, token
texts at random in every document.

    python -m benchmarks.soak [--pairs 20000]

The exit code is 1 if anything came out wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from itertools import product
from xml.etree import ElementTree

from derive.blocks import build
from derive.documents import exercise_tex, solution_tex
from derive.documents.blanks import blanks
from derive.documents.exercise import Exercise
from derive.documents.pictures import picture
from derive.documents.solution import solution
from derive.exact.budget import Budget
from derive.exact.dag import Dag
from derive.exact.decide import decide
from derive.graph import Cell, Graph, derivation
from derive.model import bundled_names, load, loads
from derive.render import drawing, pdf, tex
from tests.exact.programs import Program, Shape
from tests.fuzz.answers import run as fuzz_answers
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


def answers(seconds: int) -> str:
    """A long fuzz run of the parser, of marking, and of the readers of files."""
    result = fuzz_answers(seed=int(time.time()), seconds=seconds)
    assert not result.problems, result.problems[:5]
    return f"{result.texts} texts, {result.read} read, slowest {result.slowest:.2f} s"


def every_cell(name: str) -> str:
    """All worked cells of a bundled model in one PDF, through the log gate."""
    graph: Graph = build(load(name))
    cells = [
        Cell(graph, matrix, at)
        for matrix in graph
        if matrix.operation.inputs
        for at in product(*map(range, matrix.shape))
    ]
    source = tex.document(graph.model.title, [derivation(graph, c.address) for c in cells])
    return f"{len(cells)} cells, {len(pdf.compiled(source)) // 1000} kB of PDF"


def whole_solution(name: str) -> str:
    """The solution of a model with every cell worked, through the log gate."""
    made = solution(build(load(name)), every_cell=True)
    found = pdf.compiled(solution_tex.document(made))
    return f"{len(found) // 1000} kB of PDF"


def hostile_tokens(count: int, rows: int = 250) -> str:
    """Random token texts, some of them TeX, in solutions, sheets and pictures."""
    draw = random.Random(2026)
    pieces = [
        *"\\{}$&#%_^~<>|\"`'-,?! é猫😀▁\u202e\u0007\u0301",
        "\\end{document}",
        "%\n",
        "$$",
        "]]>",
    ]
    for start in range(0, count, rows):
        tokens = ["".join(draw.choices(pieces, k=draw.randrange(9))) for _ in range(rows)]
        graph = build(loads(json.dumps({
            "tokens": tokens, "embedding": {"X": [[k % 3, 1] for k in range(rows)]},
            "block": [{"ffn": {"W_up": [[1], [2]], "W_down": [[1, 0]]}}],
        }), "tokens.json"))  # fmt: skip
        pdf.compiled(solution_tex.document(solution(graph, ["X", "U"])))
        x = Exercise(graph, blanks(graph, spec="U[0,:]"), "".join(tokens[:9]))
        pdf.compiled(exercise_tex.sheet(x))
        ElementTree.fromstring(drawing.svg(picture(graph, "U")))
        assert start + rows <= count
    return f"{count} texts"


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
    done.append(timed("solution of mat, every cell", lambda: whole_solution("mat")))
    done.append(timed("token texts at random", lambda: hostile_tokens(10_000)))
    done.append(timed("answers, files and policies at random", lambda: answers(120)))
    say(f"fuzz, {pairs} pairs:")
    sys.argv = ["kernel", "--pairs", str(pairs)]
    sys.exit(0 if fuzz() == 0 and all(done) else 1)


if __name__ == "__main__":
    main()

"""`make bench`: worked cells and certified digits beside plain SymPy, mpmath and bare Arb.

    python -m benchmarks.cell [--quick]

asv-style functions (time_*), run here in turn with their peers; only ratios are reported.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from benchmarks.passes import Ring, Rows, Weights, plain_pass, sympy_weighted_values
from derive.blocks import build
from derive.graph import derivation
from derive.model import load, loads
from derive.render import derivation as render


def fractions(rows: Any) -> Rows:
    from derive.exact.dag import Dag
    from derive.line import constant, from_text

    f = Dag()
    return [[Fraction(*constant(from_text(t), f).number) for t in row] for row in rows]


def cats(name: str) -> tuple[Rows, list[Weights]]:
    """The numbers of a bundled model as fractions."""
    model = load(name)
    table = fractions(model.embedding["E"])
    blocks = []
    for block in model.blocks:
        a, f = block["attention"], block["ffn"]
        heads = [fractions(a[key][0]) for key in ("W_Q", "W_K", "W_V")]
        rest = [fractions(x) for x in (a["W_O"], f["W_up"], f["W_down"])]
        eps = [
            None if n["kind"] == "none" else fractions([[n["eps"]]])[0][0]
            for n in (block["norm1"], block["norm2"])
        ]
        blocks.append(Weights(*heads, *rest, eps[0], eps[1] or Fraction(0)))
    return [table[k] for k in model.ids], blocks


def arb_ring() -> Ring:
    from flint import arb, fmpq

    return Ring(
        lambda q: arb(fmpq(q.numerator, q.denominator)),
        lambda x: x.exp(), lambda x: x.sqrt(), lambda x: x.cos(), lambda x: x.sin(),
        lambda x: x.max(arb(0)),
    )  # fmt: skip


def interval_ring() -> Ring:
    from mpmath import iv

    def relu(x: Any) -> Any:
        return x if x.a > 0 else iv.mpf(0) if x.b < 0 else iv.mpf([0, x.b])

    return Ring(
        lambda q: iv.mpf(q.numerator) / q.denominator, iv.exp, iv.sqrt, iv.cos, iv.sin, relu
    )


# what is timed


def time_worked_Z() -> None:
    """Load cats, derive Z[2,0] with all its lines, print it as LaTeX, 50 digits."""
    graph = build(load("cats"))
    render(derivation(graph, "Z[2,0]", digits=50), "latex")


def time_sympy_Z() -> None:
    x, blocks = cats("cats")
    sympy_weighted_values(x, blocks[0])


def time_last_cell() -> None:
    """b1.H[2,3] of two blocks, 50 certified digits, from the file on."""
    build(load("cats-two-blocks"))["b1.H[2,3]"].decimal(50)


BITS = 200


def whole_matrix() -> Callable[[], None]:
    graph = build(load("cats-two-blocks"))

    def run() -> None:
        graph.forget()
        f = graph.balls(BITS)
        with f:
            values = graph.values("b1.H", f)
            for i in range(4):
                for j in range(4):
                    values[i, j]

    return run


def bare_pass(ring: Ring, enter: Callable[[], None]) -> Callable[[], None]:
    x, blocks = cats("cats-two-blocks")

    def numbers(rows: Rows) -> Rows:
        return [[ring.number(a) for a in row] for row in rows]

    def run() -> None:
        enter()
        converted = [
            Weights(
                *(numbers(m) for m in (w.W_Q, w.W_K, w.W_V, w.W_O, w.W_up, w.W_down)),
                w.eps1,
                w.eps2,
            )
            for w in blocks
        ]
        plain_pass(numbers(x), converted, ring)

    return run


def arb_bits() -> None:
    import flint

    flint.ctx.prec = BITS


def interval_bits() -> None:
    from mpmath import iv

    iv.prec = BITS


def random_model(n: int, d: int) -> Any:
    """A block of n tokens and width d with generated weights."""
    return loads(
        f"""
        [weights]
        generator = "mulberry32"
        seed = 7
        order = ["X", "W_Q", "W_K", "W_V", "W_O"]
        map = "2*u-1"
        sizes = {{ n = {n}, d = {d}, k = {d}, v = {d} }}
        [[block]]
        norm1 = {{ kind = "rmsnorm", eps = "1/1000000" }}
          [block.attention]
          mask = "causal"
        """,
        f"random-{n}-{d}",
    )


def growth(n: int, d: int) -> Callable[[], None]:
    graph = build(random_model(n, d))

    def run() -> None:
        graph.forget()
        f = graph.balls(BITS)
        with f:
            values = graph.values("b0.H", f)
            for j in range(d):
                values[n - 1, j]

    return run


# running


def median(run: Callable[[], None], least: int = 3, seconds: int = 2) -> int:
    """Median time in nanoseconds; at least `least` runs, about `seconds` long."""
    run()
    times: list[int] = []
    end = time.perf_counter_ns() + seconds * 10**9
    while len(times) < least or (time.perf_counter_ns() < end and len(times) < 50):
        start = time.perf_counter_ns()
        run()
        times.append(time.perf_counter_ns() - start)
    return int(statistics.median(times))


def row(name: str, ours: int, theirs: int | None = None) -> None:
    ratio = f"{theirs / ours:10.1f}x" if theirs else ""
    other = f"{theirs / 1e6:12.2f}" if theirs else " " * 12
    sys.stdout.write(f"{name:58}{ours / 1e6:10.2f}{other}{ratio}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave the slow peers out")
    quick = parser.parse_args().quick
    sys.stdout.write(f"{'median, milliseconds':58}{'derive':>10}{'peer':>12}{'peer/derive':>11}\n")
    worked = median(time_worked_Z)
    row(
        "Z[2,0] of cats, worked, LaTeX, 50 digits | plain SymPy",
        worked,
        None if quick else median(time_sympy_Z, 1),
    )
    row("b1.H[2,3] of two blocks, 50 digits, from the file", median(time_last_cell))
    ours = median(whole_matrix())
    row("all of b1.H at 200 bits | bare Arb", ours, median(bare_pass(arb_ring(), arb_bits)))
    row(
        "all of b1.H at 200 bits | mpmath intervals",
        ours,
        median(bare_pass(interval_ring(), interval_bits)),
    )
    for n in (4, 8, 16, 32):
        row(f"last row of a block, n = {n}, d = 8", median(growth(n, 8), 2))
    for d in (4, 8, 16, 32):
        row(f"last row of a block, n = 8, d = {d}", median(growth(8, d), 2))


if __name__ == "__main__":
    main()

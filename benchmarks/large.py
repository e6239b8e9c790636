"""`make bench`: bbycroft's nano-gpt (three blocks, d = 48, 11 tokens) beside mpmath and SymPy.

Every peer gets the same exact weights and does the same pass as plain loops; derive starts from
the loaded model.  What grows with n, d and layers is measured on the same pass.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from derive.blocks import build
from derive.graph import Graph
from worked.large import NANO_GPT, nano_gpt, path, read

BITS = 128
IDS = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
Rows = list[list[Any]]


def timed(run: Callable[[], Any]) -> int:
    start = time.perf_counter_ns()
    run()
    return time.perf_counter_ns() - start


def whole(graph: Graph, name: str) -> None:
    """All cells of a matrix as certified balls, everything before them anew."""
    graph.forget()
    f = graph.balls(BITS)
    with f:
        values = graph.values(name, f)
        rows, columns = graph.matrices[name].shape
        for i in range(rows):
            for j in range(columns):
                values[i, j]


def one(graph: Graph, name: str, digits: int = 20) -> str | None:
    """Certified digits of one cell, everything before it anew."""
    graph.forget()
    return graph[f"{name}[10,3]"].decimal(digits)


class Peer:
    """The pass as plain loops over a number type of another library."""

    def __init__(self, number: Any, sqrt: Any, exp: Any, tanh: Any, pi: Any) -> None:
        self.number, self.sqrt, self.exp, self.tanh, self.pi = number, sqrt, exp, tanh, pi

    def product(self, x: Rows, w: Rows, b: list[Any]) -> Rows:
        columns = list(zip(*w, strict=True))
        return [
            [sum((a * c for a, c in zip(row, col, strict=True)), start)
             for col, start in zip(columns, b, strict=True)]
            for row in x
        ]  # fmt: skip

    def normed(self, x: Rows, gain: list[Any], shift: list[Any]) -> Rows:
        out = []
        for row in x:
            mean = sum(row) / len(row)
            var = sum((a - mean) * (a - mean) for a in row) / len(row)
            root = self.sqrt(var + self.number(Fraction(1, 100000)))
            out.append(
                [(a - mean) / root * g + s for a, g, s in zip(row, gain, shift, strict=True)]
            )
        return out

    def gelu(self, u: Any) -> Any:
        c, k = self.sqrt(2 / self.pi), self.number(Fraction(44715, 1000000))
        return u / 2 * (1 + self.tanh(c * (u + k * u * u * u)))

    def run(self, model: Any, rows: int | None = None, layers: int | None = None) -> Rows:
        """The stream after so many blocks, of so many tokens."""
        cells = self.converted
        x = [
            [a + b for a, b in zip(cells["E"][k], p, strict=True)]
            for k, p in zip(model.ids, cells["P"], strict=False)
        ][:rows]
        for block in cells["blocks"][:layers]:
            x = self.block(x, block)
        return x

    def block(self, x: Rows, w: dict[str, Any]) -> Rows:
        n1, z = self.normed(x, *w["norm1"]), []
        for h in range(3):
            q, k, v = (self.product(n1, w[f"W_{c}"][h], w[f"b_{c}"][h]) for c in "QKV")
            mixed = []
            for i, row in enumerate(q):
                e = [self.exp(sum(a * b for a, b in zip(row, k[j], strict=True)) / 4)
                     for j in range(i + 1)]  # fmt: skip
                total = sum(e)
                mixed.append([sum(e[j] * v[j][c] for j in range(i + 1)) / total
                              for c in range(16)])  # fmt: skip
            z.append(mixed)
        cat = [[*a, *b, *c] for a, b, c in zip(*z, strict=True)]
        x = self.added(x, self.product(cat, w["W_O"], w["b_O"]))
        u = self.product(self.normed(x, *w["norm2"]), w["W_up"], w["b_up"])
        g = [[self.gelu(a) for a in row] for row in u]
        return self.added(x, self.product(g, w["W_down"], w["b_down"]))

    @staticmethod
    def added(x: Rows, y: Rows) -> Rows:
        return [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(x, y, strict=True)]

    def convert(self, model: Any) -> None:
        """The weights in this number type, once."""

        def rows(m: Any) -> Rows:
            return [[self.number(_fraction(t)) for t in row] for row in m]

        blocks = []
        for block in model.blocks:
            a, f = block["attention"], block["ffn"]
            w: dict[str, Any] = {k: [rows(m) for m in a[k]] for k in ("W_Q", "W_K", "W_V")}
            w |= {k: [rows(m)[0] for m in a[k]] for k in ("b_Q", "b_K", "b_V")}
            w |= {k: rows(t[k]) for t, k in ((a, "W_O"), (f, "W_up"), (f, "W_down"))}
            w |= {k: rows(t[k])[0] for t, k in ((a, "b_O"), (f, "b_up"), (f, "b_down"))}
            w |= {k: [rows(block[k][r])[0] for r in ("gain", "shift")] for k in ("norm1", "norm2")}
            blocks.append(w)
        self.converted: dict[str, Any] = {
            "E": rows(model.embedding["E"]), "P": rows(model.position["P"]), "blocks": blocks,
        }  # fmt: skip


def _fraction(tree: Any) -> Fraction:
    from derive.model.exact_numbers import rational

    found = rational(tree)
    assert found is not None
    return found


def mpmath_intervals() -> Peer:
    from mpmath import iv

    iv.prec = BITS

    def tanh(x: Any) -> Any:
        e = iv.exp(2 * x)
        return 1 - 2 / (e + 1)

    return Peer(lambda q: iv.mpf(q.numerator) / q.denominator, iv.sqrt, iv.exp, tanh, iv.pi)


def sympy_floats() -> Peer:
    import sympy as sp

    def number(q: Fraction) -> Any:
        return sp.Float(sp.Rational(q.numerator, q.denominator), 38)

    return Peer(number, sp.sqrt, sp.exp, sp.tanh, sp.pi.evalf(38))


def main() -> None:
    if not path(NANO_GPT).exists():
        sys.stdout.write(f"{path(NANO_GPT)} is not there: the large model is left out\n")
        return
    data = read(NANO_GPT)
    graphs = {layers: build(nano_gpt(data, IDS, layers)) for layers in (1, 2, 3)}
    graph = graphs[3]
    ours = {
        "all": statistics.median([timed(lambda: whole(graph, "b2.H")) for _ in range(5)]),
        "one": statistics.median([timed(lambda: one(graph, "b2.H")) for _ in range(5)]),
    }
    for name, peer in (("mpmath intervals", mpmath_intervals()),
                       ("SymPy Float, uncertified", sympy_floats())):  # fmt: skip
        peer.convert(graph.model)
        theirs = timed(lambda peer=peer: peer.run(graph.model))  # type: ignore[misc]
        for what, words in (("one", "one cell, 20 digits"), ("all", "all cells")):
            line(f"nano-gpt, last layer, {words} | {name}", ours[what], theirs)
    for layers, smaller in graphs.items():
        line(
            f"nano-gpt, all cells, layers = {layers}",
            timed(lambda g=smaller: whole(g, f"b{len(g.model.blocks) - 1}.H")),
        )  # type: ignore[misc]
    for n in (2, 4, 8, 11):
        small = build(nano_gpt(data, IDS[:n], 1))
        line(f"nano-gpt, one layer, n = {n}", timed(lambda g=small: whole(g, "b0.H")))  # type: ignore[misc]
    graph.forget()
    tracemalloc.start()
    whole(graph, "b2.H")
    sys.stdout.write(
        f"memory for all cells of three layers: {tracemalloc.get_traced_memory()[1] // 2**20} MiB\n"
    )


def line(name: str, ours: int, theirs: int | None = None) -> None:
    ratio = f"{theirs // 10**6:12,}{theirs / ours:10.1f}x" if theirs else ""
    sys.stdout.write(f"{name:64}{ours // 10**6:10,}{ratio}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

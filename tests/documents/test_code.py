"""Programs: run, in each language, their numbers are the certified ones."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from derive.blocks import build
from derive.cli.program import program
from derive.documents.code import code
from derive.errors import OutputError
from derive.graph.graph import Graph
from derive.model import bundled_names, load, loads
from derive.ops import Given

NUMERIC = [name for name in bundled_names() if not load(name).symbols]
FEW = ("cats", "gpt", "gemma", "weights", "activations", "sampling", "sheet", "neox", "bloom")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
LETTERS = """
tokens = ["a", "b"]
symbols = { w = "positive", z = "real" }
[embedding]
X = [["w", 1], ["1/3", "z"]]
[[block]]
[block.attention]
mask = "causal"
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
"""


def run(graph: Graph, language: str) -> dict[str, list[list[float]]]:
    """What a program prints: matrix by matrix."""
    command = {"python": [sys.executable, "-"], "javascript": ["node", "-"]}[language]
    done = subprocess.run(
        command, input=code(graph, language), capture_output=True, text=True, check=True, timeout=60
    )
    found: dict[str, list[list[float]]] = {}
    name = ""
    for line in done.stdout.splitlines():
        if line.startswith("  "):
            found[name].append([float(x) for x in line.split()])
        else:
            name = line
            found[name] = []
    return found


def compared(graph: Graph, found: dict[str, list[list[float]]]) -> int:
    """Every computed cell against its certified digits; how many there were."""
    count = 0
    for matrix in graph:
        if isinstance(matrix.operation, Given) or "flash." in matrix.name:
            continue
        name = graph.short(matrix.name)
        for i, row in enumerate(found[name]):
            for j, x in enumerate(row):
                low, _ = graph_ends(graph, f"{matrix.name}[{i},{j}]")
                assert math.isclose(x, low, rel_tol=1e-8, abs_tol=1e-10), f"{name}[{i},{j}]"
                count += 1
        assert (len(found[name]), len(found[name][0])) == matrix.shape
    return count


def graph_ends(graph: Graph, address: str) -> tuple[float, float]:
    cell = graph[address]
    if cell.node.op == "infinity":
        return -math.inf, -math.inf
    low, high = cell.enclosure(80)
    return float(low), float(high)


@pytest.mark.parametrize("name", NUMERIC)
def test_python_agrees_with_the_certified_numbers(name: str) -> None:
    graph = build(load(name))
    assert compared(graph, run(graph, "python"))


@needs_node
@pytest.mark.parametrize("name", FEW)
def test_javascript_agrees_with_the_certified_numbers(name: str) -> None:
    graph = build(load(name))
    assert compared(graph, run(graph, "javascript"))


@needs_node
def test_the_error_function_far_out() -> None:
    """GELU of small and large numbers, where series and continued fraction meet."""
    rows = ", ".join(f"[{x}]" for x in ("-9", "-4.3", "-4.2", "0.001", "2", "4.2", "4.25", "9"))
    graph = build(loads(
        f"[embedding]\nX = [{rows}]\n[[block]]\nresidual = false\n[block.ffn]\n"
        'activation = "gelu"\nW_up = [[1]]\nW_down = [[1]]\n'
    ))  # fmt: skip
    found = run(graph, "javascript")["G"]
    for i, (x,) in enumerate(found):
        low, _ = graph_ends(graph, f"G[{i},0]")
        assert math.isclose(x, low, rel_tol=1e-8, abs_tol=1e-14)


def test_sympy_keeps_everything_exact() -> None:
    graph = build(loads(LETTERS))
    text = code(graph, "sympy")
    space: dict[str, object] = {}
    exec(compile(text, "program", "exec"), space)  # our own text, not a user's
    from derive.exact import decide

    for name in ("S", "A", "Z"):
        matrix = space[name]
        for i, row in enumerate(matrix):  # type: ignore[arg-type]
            for j, x in enumerate(row):
                expected = graph[f"{name}[{i},{j}]"].closed
                assert decide(x, expected.subs(_plain(graph, space))).verdict == "equal"


def _plain(graph: Graph, space: dict[str, object]) -> dict[object, object]:
    import sympy as sp

    symbols = space["symbols"]
    return {sp.Symbol(n, **k): symbols[n] for n in graph.model.symbols  # type: ignore[index]
            for k in ({"real": True}, {"positive": True})}  # fmt: skip


def test_letters_need_sympy() -> None:
    with pytest.raises(OutputError, match="free letters"):
        code(build(loads(LETTERS)), "python")


@pytest.mark.parametrize("language", ["python", "javascript", "sympy"])
def test_hostile_words_stay_words(language: str) -> None:
    """Titles and tokens that try to be code: inside comments and strings they stay."""
    hostile = "x\\n*/ \\u2028 import os; '''\\\"\\\"\\\" `${1}` </script>"
    model = loads(f'title = "{hostile}"\ntokens = ["{hostile}"]\n[embedding]\nX = [[1]]\n'
                  "[[block]]\n[block.ffn]\nW_up = [[2]]\nW_down = [[1]]\n")  # fmt: skip
    text = code(build(model), language)
    lines = text.split("\n")
    assert not any(line.startswith((" import", "import os", "*/")) for line in lines)
    assert text.isascii() or all(c.isprintable() or c == "\n" for c in text)
    if language == "python":
        assert run(build(model), "python")["U"] == [[2.0]]


def test_programs_are_readable() -> None:
    """One block a matrix, named; the general formula, not a table of numbers."""
    text = code(build(load("cats")), "python")
    assert "# Q (4x2): queries" in text
    assert "sum(X[i][k] * W_Q[k][j] for k in range(4))" in text
    assert max(map(len, text.splitlines())) <= 110
    compile(text, "cats.py", "exec")


def test_the_command() -> None:
    result = CliRunner().invoke(program, ["code", "next", "--language", "javascript"])
    assert result.exit_code == 0 and "const Q = " in result.stdout

"""What no file of the package may contain: text that is evaluated, and floats."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import derive

PACKAGE = Path(derive.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
EVALUATE = {"sympify", "parse_expr", "parse_latex", "parse_mathematica", "lambdify", "nsimplify"}
GUESS = {"simplify", "evalf"}  # SymPy's opinions; the kernel is the only judge
BUILTINS = {"eval", "exec", "compile", "float", "complex", "S"}
WHOLE = {"gcd", "lcm", "isqrt", "comb", "perm", "factorial", "prod", "floor", "ceil"}  # no floats


def faults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of everything banned in one file."""
    from_sympy = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "sympy"
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield node.lineno, f"float literal {node.value!r}"
        elif isinstance(node, ast.ExceptHandler) and node.type is None:
            yield node.lineno, "bare except"
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            yield from ((node.lineno, name) for name in names & EVALUATE)
            if node.module == "math":
                yield from ((node.lineno, f"math.{name}") for name in names - WHOLE)
        elif isinstance(node, ast.Attribute):
            if node.attr in EVALUATE | GUESS:
                yield node.lineno, f".{node.attr}"
            if ast.unparse(node.value) == "math" and node.attr not in WHOLE:
                yield node.lineno, f"math.{node.attr}"
        elif isinstance(node, ast.Call):
            yield from ((node.lineno, what) for what in _call(node, from_sympy))


def _call(node: ast.Call, from_sympy: set[str]) -> Iterator[str]:
    """What is wrong with one call: a banned name, or text handed to SymPy."""
    name = ast.unparse(node.func)
    if name in BUILTINS | EVALUATE or name == "sympy.S":
        yield f"{name}(…)"
    last = name.rpartition(".")[2]
    if (name.startswith("sympy.") or name in from_sympy) and last not in ("Symbol", "Dummy"):
        values = [*node.args, *(keyword.value for keyword in node.keywords if not keyword.arg)]
        if any(isinstance(x, ast.JoinedStr | ast.Constant) and _is_text(x) for x in values):
            yield f"{name} of a text"


def _is_text(node: ast.JoinedStr | ast.Constant) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(node.value, str)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_file(path: Path) -> None:
    found = [f"line {line}: {what}" for line, what in faults(ast.parse(path.read_bytes()))]
    assert not found


@pytest.mark.parametrize(
    "bad",
    [
        "x = 0.5",
        "x = 2j",
        "sympy.sympify(y)",
        "from sympy import sympify",
        "S('1/2')",
        "sympy.S('x')",
        "from sympy.parsing.sympy_parser import parse_expr",
        "sympy.Integer('12')",
        "from sympy import exp\nexp(f'{x}')",
        "x.evalf()",
        "eval(text)",
        "float(x)",
        "import math\nmath.exp(x)",
        "from math import sqrt",
        "try:\n    f()\nexcept:\n    g()",
    ],
)
def test_the_lint_sees(bad: str) -> None:
    assert list(faults(ast.parse(bad)))


@pytest.mark.parametrize(
    "good", ["sympy.Symbol('x')", "sympy.S.Half", "from math import gcd", "x = 1", "a.exp('x')"]
)
def test_the_lint_lets_pass(good: str) -> None:
    assert not list(faults(ast.parse(good)))

"""Imports point one way: a module imports only from rows above it (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import derive

PACKAGE = Path(derive.__file__).parent
ROWS = (
    "errors",
    "text",
    "exact",
    "shapes line",
    "operation model",
    "ops",
    "graph",
    "blocks",
    "render counting identities",
    "answers",
    "documents",
    "testing notebook",
    "cli",
    "__init__ __main__",
)
RANK = {name: rank for rank, row in enumerate(ROWS) for name in row.split()}
FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def module_name(path: Path) -> str:
    """derive/text/tree.py -> derive.text.tree"""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def imported(node: ast.AST) -> Iterator[str]:
    """The modules that one statement imports, with the names taken from them."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "relative imports hide the row"
        assert node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def unit(module: str) -> str:
    """derive.text.tree -> text: the part that stands in ROWS."""
    return [*module.split("."), "__init__"][1]


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_up(path: Path) -> None:
    mine = unit(module_name(path))
    assert mine in RANK, f"{mine} has no row in {Path(__file__).name}"
    for node in ast.walk(tree(path)):
        for name in imported(node):
            if not name.startswith("derive.") or name == "derive.__version__":
                continue
            other = unit(name)
            above = other == mine or RANK[other] < RANK[mine]
            assert above, f"{path.name} line {node.lineno} imports {name}"  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_click_and_print_stay_in_the_command_line(path: Path) -> None:
    if unit(module_name(path)) == "cli":
        return
    names = {x for node in ast.walk(tree(path)) for x in imported(node)}
    assert not {n for n in names if n.partition(".")[0] == "click"}


def top_level(module: ast.Module) -> Iterator[ast.stmt]:
    """Statements that run on import, those for type checkers left out."""
    for statement in module.body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            yield from statement.orelse
        else:
            yield statement


def test_no_cycles() -> None:
    modules = {module_name(path).removesuffix(".__init__"): path for path in FILES}
    edges: dict[str, set[str]] = {}
    for name, path in modules.items():
        targets = (x for s in top_level(tree(path)) for x in imported(s))
        edges[name] = {
            module
            for target in targets
            for module in (target, target.rpartition(".")[0])
            if module in modules and module != name and module != "derive"
        }
        # `from package import submodule` runs no code of ours in the package's own file
        package = name.rpartition(".")[0]
        if not any(t == package for t in _bare(path)):
            edges[name].discard(package)
    while leaves := {name for name, targets in edges.items() if not targets & set(edges)}:
        for name in leaves:
            del edges[name]
    assert not edges, f"import cycle among {sorted(edges)}"


def _bare(path: Path) -> set[str]:
    """Packages from which something else than a module is imported."""
    found = set()
    for statement in top_level(tree(path)):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            folder = PACKAGE.parent / statement.module.replace(".", "/")
            if not all((folder / f"{a.name}.py").exists() for a in statement.names):
                found.add(statement.module)
    return found


@pytest.mark.parametrize("part", ["text", "model"])
def test_models_are_read_without_sympy(part: str) -> None:
    for path in (PACKAGE / part).rglob("*.py"):
        for node in ast.walk(tree(path)):
            heavy = {x for x in imported(node) if x.partition(".")[0] in ("sympy", "flint")}
            assert not heavy, f"{path.name} imports {heavy}"


def test_nothing_heavy_on_import() -> None:
    light = [
        "text",
        "model",
        "line",
        "operation",
        "ops",
        "graph",
        "blocks",
        "cli.program",
        "testing",
    ]
    code = f"""
import importlib, sys
for name in {light}:
    importlib.import_module("derive." + name)
print(sorted({{"sympy", "flint", "mpmath"}} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

"""Writes worked/notebook.ipynb: a tour of the Python interface, its outputs computed here.

    python worked/make_notebook.py

A test runs the cells again and compares every output, so the notebook can't go stale; it
opens in Jupyter, where matrices and worked cells are shown as maths.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

PATH = Path(__file__).parent / "notebook.ipynb"
CELLS = (
    ("markdown", "# A transformer block, number by number\n\n`derive` knows every cell of a small "
     "transformer exactly. This notebook asks it for some."),
    ("code", 'import derive\n\nm = derive.load("cats")\nm'),
    ("markdown", "A matrix by its name. Rows are tokens: each row says how much a token attends "
     "to itself and to earlier ones."),
    ("code", 'm["A"]'),
    ("markdown", "One cell, worked: formula, the formula at this cell, the exact value, the "
     "decimal. It is the number that the matrix above rounds."),
    ("code", 'm["A"]["cats", "I"]'),
    ("markdown", "The same as data: exact, to any number of digits, and what it was made from."),
    ("code", 'cell = m["A"][2, 0]\ncell.exact'),
    ("code", "cell.decimal(30)"),
    ("code", "[r.address for r in cell.reads]"),
    ("markdown", "Rows of attention weights sum to 1, exactly, not to 0.99999…"),
    ("code", 'from sympy import Integer\n\nfrom derive.exact import decide\n\n'
     'decide(sum(c.exact for c in m["A"][2]), Integer(1)).verdict'),
    ("markdown", "Options are changed by their keys: the same model without its mask."),
    ("code", 'open_model = derive.load("cats", sets=["attention.mask=none"])\nopen_model["A"]'),
    ("markdown", "A model of your own is a text or a file."),
    ("code", 'own = derive.loads("""\n[given]\nQ = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 2]]\n'
     'V = [[1, 0], [0, 1]]\n""")\nown["Z"][0, 0]'),
)  # fmt: skip


def run(source: str, space: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of one code cell, as Jupyter would store them."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}
        )
    if value is not None:
        outputs.append({"output_type": "execute_result", "metadata": {}, "data": _shown(value)})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    if hasattr(value, "_repr_mimebundle_"):
        bundle = value._repr_mimebundle_()
        return {kind: _lines(text) for kind, text in bundle.items() if kind.startswith("text/")}
    return {"text/plain": _lines(repr(value))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def notebook() -> dict[str, Any]:
    """The notebook as nbformat 4.5 has it."""
    space: dict[str, Any] = {}
    cells, count = [], 0
    for number, (kind, source) in enumerate(CELLS):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
        if kind == "code":
            count += 1
            outputs = run(source, space)
            for output in outputs:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = count
            cell |= {"execution_count": count, "outputs": outputs}
        cells.append({**cell, "source": _lines(source)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def text() -> str:
    """The file's text."""
    return json.dumps(notebook(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8", newline="\n")

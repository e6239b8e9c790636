"""What the shell may suggest: models, matrices, cells.  Never an error, never SymPy."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice, product
from typing import Any

import click
from click.shell_completion import CompletionItem

from derive.errors import DeriveError

MOST = 200  # more suggestions than this help nobody


def models(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of bundled models, and files."""
    from derive.model import bundled

    names = [
        CompletionItem(name, help=title)
        for name, title, *_ in bundled()
        if name.startswith(incomplete)
    ]
    return [*names, CompletionItem(incomplete, type="file")]


def matrices(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of the matrices of the model that stands before on the line."""
    return [
        CompletionItem(name, help=matrix.meaning)
        for name, matrix in _matrices(context, incomplete)
        if name.startswith(incomplete)
    ]


def cells(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The first cell of each matrix; every cell of one, as soon as its bracket is open."""
    found = []
    for name, matrix in _matrices(context, incomplete):
        most = MOST if incomplete.startswith(f"{name}[") else 1
        for index in islice(product(*map(range, matrix.shape)), most):
            cell = f"{name}[{','.join(map(str, index))}]"
            if cell.startswith(incomplete):
                found.append(CompletionItem(cell, help=matrix.meaning))
    return found


def _matrices(context: click.Context, incomplete: str) -> list[tuple[str, Any]]:
    """The matrices of the model on the line, by their short or, once begun, full names."""
    source = context.params.get("source")
    with suppress(DeriveError, OSError):  # a model that can't be read yet has none
        if source and source != "-":
            from derive.blocks import build
            from derive.model import load

            chosen = {key: context.params.get(key) for key in ("sets", "tokens")}
            graph = build(load(source, sets=chosen["sets"] or (), tokens=chosen["tokens"]))
            short = [(graph.short(name), matrix) for name, matrix in graph.matrices.items()]
            begun = incomplete.partition("[")[0]
            return (
                short
                if any(n.startswith(begun) for n, _ in short)
                else list(graph.matrices.items())
            )
    return []

"""Renderers: derivations and tables, which are data, as text, LaTeX, PDF or JSON.

A format is one file with the functions `derivation` and `table` (or one of them), and one
line here.  No renderer knows an operation, and no operation knows a renderer.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from derive.errors import OutputError
from derive.line import Derivation, Table

FORMATS = {  # --to: the file that writes it
    "text": "derive.render.text",
    "latex": "derive.render.latex",
    "tex": "derive.render.tex",
    "pdf": "derive.render.pdf",
    "json": "derive.render.json",
}


def derivation(d: Derivation, to: str, width: int = 80, color: bool = False) -> str | bytes:
    """A worked derivation in a format; bytes for pdf.

    `width`: columns of text.  `color`: escape codes of a terminal, for text.  Raises
    OutputError for an unknown format or a page with faults, MissingDependency.
    """
    return _writer(to, "derivation")(d, width, color)


def table(t: Table, to: str, width: int = 80, color: bool = False) -> str | bytes:
    """A whole matrix in a format; arguments and errors as for derivation."""
    return _writer(to, "table")(t, width, color)


def render(x: Derivation | Table, to: str, width: int = 80, color: bool = False) -> str | bytes:
    """Either of the two in a format."""
    if isinstance(x, Table):
        return table(x, to, width, color)
    return derivation(x, to, width, color)


Writer = Callable[[Any, int, bool], str | bytes]


def _writer(to: str, kind: str) -> Writer:
    if to not in FORMATS:
        raise OutputError(f"no format {to!r}; there are {', '.join(FORMATS)}")
    module = import_module(FORMATS[to])
    if not hasattr(module, kind):
        raise OutputError(f"{to} can't show a {kind}")
    return cast(Writer, getattr(module, kind))

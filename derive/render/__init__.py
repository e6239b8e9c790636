"""Renderers: derivations and tables, which are data, as text, LaTeX, PDF or JSON.

A format is one file with the functions `derivation` and `table`, and one line here.  No
renderer knows an operation, and no operation knows a renderer.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from derive.errors import OutputError
from derive.line import Derivation, Table


class Format(Protocol):
    """What a format's file offers; a format that has no use for width or color ignores them."""

    def derivation(self, d: Derivation, width: int = 80, color: bool = False) -> str | bytes: ...

    def table(self, t: Table, width: int = 80, color: bool = False) -> str | bytes: ...


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
    return _format(to).derivation(d, width, color)


def table(t: Table, to: str, width: int = 80, color: bool = False) -> str | bytes:
    """A whole matrix in a format; arguments and errors as for derivation."""
    return _format(to).table(t, width, color)


def render(x: Derivation | Table, to: str, width: int = 80, color: bool = False) -> str | bytes:
    """Either of the two in a format."""
    if isinstance(x, Table):
        return table(x, to, width, color)
    return derivation(x, to, width, color)


def _format(to: str) -> Format:
    if to not in FORMATS:
        raise OutputError(f"no format {to!r}; there are {', '.join(FORMATS)}")
    return import_module(FORMATS[to])

"""Aligned columns for people; programs take `--to json`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from derive.render.escape import columns, terminal


def listing(rows: Iterable[Sequence[str]]) -> str:
    """One line a row, the columns aligned, nothing in it that steers a terminal.

    >>> print(listing([("A", "3×3"), ("A.exp", "3×3")]), end="")
    A      3×3
    A.exp  3×3
    """
    texts = [tuple(map(terminal, row)) for row in rows]
    widths = [max(map(columns, column)) for column in zip(*texts, strict=True)]
    lines = (
        "  ".join(
            text + " " * (width - columns(text)) for text, width in zip(row, widths, strict=True)
        )
        for row in texts
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)

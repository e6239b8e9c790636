"""Pieces of LaTeX put side by side, their parentheses as large as what is in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.render.layout import Piece
from derive.render.metrics import tall

BIG = ("", r"\big", r"\Big", r"\bigg", r"\Bigg")  # by `tall`


def joined(pieces: Sequence[Piece], linear: bool = False) -> str:
    """Pieces on one line; parentheses grow with what is in them, except in exponents."""
    stack: list[list[str]] = [[]]
    heads: list[str] = []
    for piece in pieces:
        if piece.bracket > 0:
            heads.append(piece.text)
            stack.append([])
        elif piece.bracket < 0:
            content, head = tex(stack.pop()), heads.pop()
            grows = not linear and tall(content) > 1
            opening = head[:-1] + (r"\left(" if grows else "(")
            closing = (r"\right)" if grows else ")") + piece.text[1:]
            stack[-1].append(opening + content + closing)
        else:
            stack[-1].append(piece.text)
    return tex(stack[0])


def tex(codes: Sequence[str]) -> str:
    """Codes side by side; a space only where a command would swallow a letter.

    >>> tex(["\\\\pi", "x", "+", "1"])
    '\\\\pi x + 1'
    """
    line = ""
    for code in codes:
        if not code:
            continue
        inside = line and not line.endswith(("(", ","))
        spaced = (inside and code in ("+", "-")) or line.endswith((" +", " -"))
        swallowed = re.search(r"\\[A-Za-z]+$", line) and code[0].isalnum()
        line += (" " if line and (spaced or swallowed) else "") + code
    return line

"""How wide and how tall a piece of LaTeX maths will be: an estimate, on the safe side.

pdflatex can't break a fraction, and a line that runs off the paper is found only in its log.
So widths are estimated beforehand, in hundredths of a point at 11pt (widths.py has the tables).
A test holds the estimate against pdflatex itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from derive.render.widths import (
    BETWEEN,
    DELIMITERS,
    FUNCTIONS,
    ITALIC,
    MEDIUM,
    SILENT,
    SYMBOLS,
    THICK,
    THIN,
    UPRIGHT,
)

TEXT_WIDTH = 45524  # A4 with margins of 2.5 cm
TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
DISPLAY, TEXT, SCRIPT, SMALLEST = range(4)  # TeX's styles
SHRINK = (100, 100, 78, 67)  # per cent of the size, in these styles; small letters are wider
BAR, SCRIPT_SPACE = 264, 50  # around a fraction; after a script


@dataclass(frozen=True)
class Size:
    """Width in 1/100 pt; height and depth from the baseline in pt, all rounded up."""

    width: int
    height: int = 8
    depth: int = 3


@lru_cache(maxsize=20000)
def size(code: str, style: int = DISPLAY) -> Size:
    """The size of a formula in one of TeX's styles.

    >>> size("x+1").width // 100, size("\\\\frac{1}{2}").width // 100
    (25, 8)
    """
    return _Reader(code, style).read()


def tall(code: str) -> int:
    """Which of ( \\bigl( \\Bigl( \\biggl( \\Biggl( goes around it: 0 to 4."""
    s = size(code)
    reach = max(s.height - 2, s.depth + 3)
    return next((k for k, limit in enumerate((8, 10, 13, 17)) if reach <= limit), 4)


class _Reader:
    """One pass over the tokens of a formula, adding widths and spaces."""

    def __init__(self, code: str, style: int) -> None:
        self.tokens: list[str] = [t for t in TOKEN.findall(code) if not t.isspace()]
        self.at = 0
        self.style = min(style, SMALLEST)
        small = max(0, self.style - TEXT)
        self.width, self.height, self.depth = 0, 8 - 2 * small, 3 - small
        self.last = ""  # class of the last atom
        self.pending = (0, 0)  # widths of the scripts at the last atom: above, below

    def read(self) -> Size:
        while self.at < len(self.tokens):
            self._step(self.tokens[self.at])
        self._end_scripts()
        return Size(self.width, self.height, self.depth)

    def _step(self, token: str) -> None:
        self.at += 1
        if token in "^_":
            return self._script(token)
        if token in ("}", "&") or token in SILENT:
            return None
        handler = getattr(self, "_" + token[1:].rstrip("*"), None) if len(token) > 2 else None
        if handler:
            return handler()  # type: ignore[no-any-return]
        if token == "{":
            self.at -= 1
            inner = size(self._group(), self.style)
            return self._atom(inner.width, "o", inner)
        if token[1:] in FUNCTIONS:
            return self._atom(self._scaled(sum(UPRIGHT[c] for c in token[1:])), "t")
        width, kind = self._symbol(token)
        self._atom(self._scaled(width), kind)
        if token == r"\sum" and self.style == DISPLAY:
            self._limits(self._scaled(width))
        return None

    def _limits(self, width: int) -> None:
        """What stands below and above a sum makes it wider only where it is wider itself."""
        while self.tokens[self.at : self.at + 1] in (["^"], ["_"]):
            self.at += 1
            self.width += max(0, size(self._group(), SCRIPT).width - width)
        self.height, self.depth = max(self.height, 20), max(self.depth, 15)

    def _symbol(self, token: str) -> tuple[int, str]:
        if token in SYMBOLS:
            return SYMBOLS[token]
        if token.isdigit():
            return 548, "o"
        return ITALIC.get(token, 760), "o"  # a Greek letter

    def _scaled(self, width: int) -> int:
        return -(-width * SHRINK[self.style] // 100)

    def _atom(self, width: int, kind: str, inner: Size | None = None) -> None:
        self._end_scripts()
        if kind == "b" and self.last in ("", *"brpnt"):
            kind = "o"
        if self.last and self.style <= TEXT:
            self.width += (0, THIN, MEDIUM, THICK)[BETWEEN.get(self.last + kind, 0)]
        self.width += width
        self.last = kind
        if inner:
            self.height = max(self.height, inner.height)
            self.depth = max(self.depth, inner.depth)

    def _script(self, token: str) -> None:
        code = self._group()
        inner = size(code, max(SCRIPT, self.style + 1))
        above, below = self.pending
        if token == "^":
            self.pending = (max(above, inner.width), below)
            self.height = max(self.height, inner.height + 6)
        else:
            self.pending = (above, max(below, inner.width))
            self.depth = max(self.depth, inner.depth + 2)

    def _end_scripts(self) -> None:
        if self.pending != (0, 0):
            self.width += max(self.pending) + SCRIPT_SPACE
            self.pending = (0, 0)

    def _group(self) -> str:
        """The next argument, its braces left out."""
        if self.at >= len(self.tokens):
            return ""
        if self.tokens[self.at] != "{":
            self.at += 1
            return self.tokens[self.at - 1]
        depth, start = 0, self.at + 1
        while self.at < len(self.tokens):
            depth += {"{": 1, "}": -1}.get(self.tokens[self.at], 0)
            self.at += 1
            if not depth:
                break
        return " ".join(self.tokens[start : self.at - 1])

    # commands with arguments

    def _frac(self) -> None:
        style = self.style + 1
        above, below = (size(self._group(), style) for _ in "ab")
        tall_above, tall_below = above.height + above.depth, below.height + below.depth
        inner = Size(0, 6 + tall_above, tall_below)
        self._atom(max(above.width, below.width) + BAR, "i", inner)

    def _sqrt(self) -> None:
        sign = 1100
        if self.tokens[self.at : self.at + 1] == ["["]:
            self.at += 3  # the degree of the root, one digit
            sign += 200
        inner = size(self._group(), self.style)
        taller = Size(0, inner.height + 3, inner.depth + 1)
        self._atom(inner.width + self._scaled(sign), "o", taller)

    def _mathrm(self) -> None:
        text = self._group().replace(" ", "")
        self._atom(self._scaled(sum(UPRIGHT.get(c, 548) for c in text)), "o")

    def _hyperlink(self) -> None:
        self._group()  # the target, unseen
        inner = size(self._group(), self.style)
        self._atom(inner.width, "o", inner)

    def _phantom(self) -> None:
        inner = size(self._group(), self.style)
        self._atom(inner.width, "o", inner)

    def _operatorname(self) -> None:
        text = self._group().replace(" ", "")
        self._atom(self._scaled(sum(UPRIGHT.get(c, 548) for c in text)), "t")

    def _text(self) -> None:
        text = self._group()
        letters = re.sub(r"\\[A-Za-z]+ ?|[{}]", "x", text)
        self._atom(self._scaled(sum(UPRIGHT.get(c, 560) for c in letters)), "o")

    def _underbrace(self) -> None:
        inner = size(self._group(), self.style)
        self.at += self.tokens[self.at : self.at + 1] == ["_"]
        below = size(self._group(), max(SCRIPT, self.style + 1))
        self._atom(max(inner.width, below.width), "t", Size(0, inner.height, 20))

    def _left(self) -> None:
        self.at += 1
        content = " ".join(self._until_right())
        inner = size(content, self.style)
        self._atom(inner.width + 2 * DELIMITERS[tall(content)] + 2 * THIN, "i", inner)

    def _until_right(self) -> Iterator[str]:
        depth = 1
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            depth += {r"\left": 1, r"\right": -1}.get(token, 0)
            self.at += 1
            if not depth:
                self.at += 1
                return
            yield token

    def _bigl(self) -> None:
        self._delimiter(1, "p")

    def _Bigl(self) -> None:
        self._delimiter(2, "p")

    def _biggl(self) -> None:
        self._delimiter(3, "p")

    def _Biggl(self) -> None:
        self._delimiter(4, "p")

    def _bigr(self) -> None:
        self._delimiter(1, "l")

    def _Bigr(self) -> None:
        self._delimiter(2, "l")

    def _biggr(self) -> None:
        self._delimiter(3, "l")

    def _Biggr(self) -> None:
        self._delimiter(4, "l")

    def _delimiter(self, step: int, kind: str) -> None:
        self.at += 1
        self._atom(DELIMITERS[step], kind)

    def _begin(self) -> None:
        """The cases environment: the widest row, a brace before it."""
        self._group()
        rows: list[list[str]] = [[]]
        while self.at < len(self.tokens) and self.tokens[self.at] != r"\end":
            token = self.tokens[self.at]
            self.at += 1
            if token == r"\\":
                rows.append([])
            elif token != "&":
                rows[-1].append(token)
        self.at += 1
        self._group()
        widths = [size(" ".join(row), TEXT).width for row in rows]
        half = 9 * len(rows)
        self._atom(max(widths) + 1095 + 900, "i", Size(0, half + 3, half))

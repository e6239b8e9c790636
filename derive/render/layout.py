"""Breaking a long formula into lines: pieces that stay whole, and how good a break would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

PLUS, SLASH, DOT = range(3)  # break rather before a plus than before a fraction's slash …
KINDS = 3


@dataclass(frozen=True)
class Piece:
    """A part of a formula that is never broken.

    `kind`: how good a break before it is (None: no break).  `depth`: how many parentheses
    are open, so that outer breaks are taken first.  `glue` stands before it when there is
    no break.  `bracket` is 1 for an opening parenthesis, -1 for a closing one.
    """

    text: str
    width: int
    kind: int | None = None
    depth: int = 0
    glue: str = ""
    bracket: int = 0

    @property
    def badness(self) -> int:
        """Of a break before this piece; the lower the better."""
        assert self.kind is not None
        return self.depth * KINDS + self.kind


def deeper(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The same pieces inside one more pair of parentheses."""
    return tuple(replace(piece, depth=piece.depth + 1) for piece in pieces)


def fill(
    pieces: Sequence[Piece], width: int, step: int = 2, hang: int = 0
) -> list[tuple[int, list[Piece]]]:
    """Lines (indent, pieces) no wider than width, where the pieces allow it.

    The outermost break is taken, of these the last that fits.  A line after the first is
    indented by `hang`, and by `step` for each open parenthesis, as far as there is room.
    """
    lines, start = [], 0
    while start < len(pieces):
        indent = 0
        if start:
            room = width - sum(p.width for p in pieces[start : _next_break(pieces, start)])
            indent = max(0, min(hang + pieces[start].depth * step, width // 4, room))
        end = _break(pieces, start, width - indent)
        lines.append((indent, list(pieces[start:end])))
        start = end
    return lines


def _next_break(pieces: Sequence[Piece], start: int) -> int:
    later = (k for k in range(start + 1, len(pieces)) if pieces[k].kind is not None)
    return next(later, len(pieces))


def _break(pieces: Sequence[Piece], start: int, room: int) -> int:
    """Where the next line starts."""
    used, ends = 0, []  # (place, width used before it)
    for k in range(start, len(pieces)):
        if k > start and pieces[k].kind is not None:
            ends.append((k, used))
        used += pieces[k].width + (len(pieces[k].glue) if k > start else 0)
        if used > room:
            break
    else:
        return len(pieces)
    if not ends:
        return _next_break(pieces, start)
    best = [k for k, filled in ends if 5 * filled >= 2 * room] or [k for k, _ in ends]
    return min(best, key=lambda k: (pieces[k].badness, -k))

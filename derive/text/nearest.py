"""The nearest known name to a mistyped one, for every error message."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name with the fewest edits, if they are few enough to be a slip.

    >>> nearest("sofmax", ["softmax", "sqrt", "max"])
    'softmax'
    >>> nearest("banana", ["softmax", "sqrt"]) is None
    True
    """
    word = word[:64]
    best, fewest = None, max(1, (len(word) + 1) // 3) + 1
    for name in sorted(known):
        if abs(len(name) - len(word)) >= fewest:
            continue
        edits = _edits(word.casefold(), name.casefold())
        if edits < fewest:
            best, fewest = name, edits
    return best


def _edits(a: str, b: str) -> int:
    """Insertions, deletions, changes and swaps of neighbours between two words."""
    last: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = last, row, [i] + [0] * len(b)
        for j, y in enumerate(b, 1):
            row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], before[j - 2] + 1)
    return row[-1]

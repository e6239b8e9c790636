"""Counting without Click, whose import alone would cost most of a count's time.

Only what is plainly right is answered here: a known quantity, numbers and choices, text or
JSON on stdout.  Everything else (errors too) is left to the command itself, so that there is
one source of messages.
"""

from __future__ import annotations

from collections.abc import Sequence

FORMATS = ("text", "json")


def quick(words: Sequence[str]) -> str | None:
    """What `derive WORDS` prints, or None where the whole program must run."""
    if not words or words[0] not in ("count", "shapes"):
        return None
    split = _format(words[1:])
    if split is None:
        return None
    rest, to = split
    from derive.errors import DeriveError

    try:
        return _counted(rest, to) if words[0] == "count" else _shapes(rest, to)
    except (DeriveError, OSError):
        return None


def _format(words: Sequence[str]) -> tuple[list[str], str] | None:
    """The words without `--to`, and the format; None where an option is not for here."""
    rest: list[str] = []
    to = "text"
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--to" and left:
            to = left.pop(0)
        elif word.startswith("--to="):
            to = word[5:]
        elif word in ("-", "--", "--help") or (word[:1] == "-" and word[:2] != "--"):
            return None
        else:
            rest.append(word)
    return (rest, to) if to in FORMATS else None


def _counted(words: list[str], to: str) -> str:
    from derive.counting.counted import count
    from derive.counting.settings import from_list
    from derive.documents.counting import write_count

    result = write_count(count(*from_list(words)), to)
    assert isinstance(result, str)
    return result


def _shapes(words: list[str], to: str) -> str | None:
    from derive.counting.question import PLAIN
    from derive.counting.settings import from_list
    from derive.counting.shapes import shapes
    from derive.documents.counting import write_shapes

    _, spec, question = from_list(["parameters", *words])
    if question != PLAIN:  # options that `shapes` doesn't have
        return None
    result = write_shapes(shapes(spec), spec, to)
    assert isinstance(result, str)
    return result

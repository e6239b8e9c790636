"""A coverage-guided fuzz run of the parser and of the readers of models and policies.

    python -m tests.fuzz.answers [--seconds 60] [--seed 1]

Texts of a corpus are changed at random; those that reach a new line of the code join the corpus.
Whatever is read must be shown and read again as the same; what isn't must be refused by a
DeriveError with a place inside the text; nothing else may be raised, and nothing may take long.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any

from derive.answers.check import check
from derive.answers.policy import Policy
from derive.blocks import build
from derive.errors import DeriveError, TextError
from derive.model import loads
from derive.text.statements import parse_statement, show_statement

WATCHED = ("derive/text/", "derive/answers/", "derive/model/")
SLOWEST = 1.0  # seconds for one text, with the tracing off
LONGEST = 400
SEEDS = [
    "1/2x", "sin 2x", "\\frac{1}{2}", "2\\frac12", "\\sqrt[3]{x}", "√2x", "x²+1½", "e^{x}", "log_2 8",
    "\\begin{pmatrix}1&2\\\\3&x\\end{pmatrix}", "[1, 2]", "{1, 2}", "(1, 2]", "x in [0, inf)", "|x-1|",
    "-1 < x < 1", "x = 1 or x = 2", "1 ± √2", "5.2%", "1.2×10^-3", "52_8", "x_{12}", "\\rho_1", "3:4", "1,5",
    "softmax([1,2])", "sum(k, 1, 3, k^2)", "4!", "-inf", "$x$", "\\text{ and }", "A[2,0]", "0.1e5",
]  # fmt: skip
PIECES = [
    "(", ")", "[", "]", "{", "}", "\\{", "\\}", "|", ",", ";", "+", "-", "*", "/", "^", "_", "!", "%", "=", "<",
    ">=", "±", "√", "½", "²", "⁻", "π", "∞", "\\frac", "\\sqrt", "\\left(", "\\right)", "\\begin{pmatrix}",
    "\\end{pmatrix}", "\\\\", "&", "\\text{", "\\mathrm{", "sin", "log_", "and", " or ", " in ", "x", "1", "0.5",
    "1e9", "9" * 30, " ", "\n", "e", "pi", "inf", "\u0430", "\x00", "'", "\\", "$", ":", "∪", "~", "１", "🐈",
]  # fmt: skip
GRAPH = build(
    loads(
        json.dumps({"symbols": {"x": "real"}, "given": {"Q": [["x + 1"]], "K": [["1/3"]]}}),
        "key.json",
    )
)
MODEL = '{"symbols": {"x": "real"}, "embedding": {"X": [[TEXT, 1]]}, "note": TEXT}'
TOML = 'tokens = ["a"]\n[embedding]\nX = [[TEXT]]\n'


@dataclass
class Result:
    """What a run found."""

    texts: int = 0
    read: int = 0
    corpus: list[str] = field(default_factory=list)
    slowest: float = 0.0
    problems: list[str] = field(default_factory=list)


def change(text: str, corpus: list[str], rng: Random) -> str:
    """One to four changes: a piece put in, characters dropped, doubled, swapped, another text."""
    for _ in range(rng.randint(1, 4)):
        k = rng.randrange(len(text) + 1)
        n = rng.randint(1, 5)
        how = rng.randrange(6)
        if how < 2:
            text = text[:k] + rng.choice(PIECES) + text[k:]
        elif how == 2:
            text = text[:k] + text[k + n :]
        elif how == 3:
            text = text[:k] + text[k : k + n] * rng.randint(2, 8) + text[k + n :]
        elif how == 4:
            other = rng.choice(corpus)
            text = text[:k] + other[rng.randrange(len(other) + 1) :]
        else:
            text = (
                text[:k]
                + chr(rng.choice((rng.randrange(32, 127), rng.randrange(128, 0x2600))))
                + text[k:]
            )
    return text[:LONGEST]


def parser(text: str) -> bool:
    """Read it; what is read is shown, and read again as the same."""
    try:
        found = parse_statement(text)
    except TextError as error:
        assert 0 <= error.position <= len(text), f"position {error.position}"
        assert error.found and error.expected
        return False
    shown = show_statement(found)
    if len(shown) < 9_000:
        again = show_statement(parse_statement(shown))
        assert again == shown, f"shown as {shown!r}, then as {again!r}"
    return True


def marker(text: str) -> bool:
    """Mark it in several ways: a verdict, never an exception."""
    verdicts = {check(GRAPH, "Q[0,0]", text).verdict, check(GRAPH, "K[0,0]", text, "dp:3").verdict}
    assert verdicts <= {"right", "wrong", "undecided", "invalid"}
    return "invalid" not in verdicts


def files(text: str) -> bool:
    """The readers of models and policies: a model, or an error that users can mend."""
    fine = 0
    for read in (
        lambda: loads(MODEL.replace("TEXT", json.dumps(text)), "fuzz.json"),
        lambda: loads(TOML.replace("TEXT", text), "fuzz.toml"),
        lambda: Policy.of(text),
    ):
        try:
            read()
            fine += 1
        except DeriveError:
            pass
    return fine > 0


TARGETS: tuple[Callable[[str], bool], ...] = (parser, marker, files)


@contextmanager
def reached(lines: set[tuple[str, int]]) -> Iterator[None]:
    """Lines of the watched files that run inside."""

    def line(frame: FrameType, event: str, _: Any) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename.replace("\\", "/")
        return line if any(part in name for part in WATCHED) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)


def run(seed: int, seconds: float | None = None, texts: int | None = None) -> Result:
    """Until the time or the number of texts is up; the same seed gives the same texts."""
    rng = Random(seed)
    result = Result(corpus=list(SEEDS))
    known: set[tuple[str, int]] = set()
    end = None if seconds is None else time.monotonic() + seconds
    while (texts is None or result.texts < texts) and (end is None or time.monotonic() < end):
        fresh = result.texts < len(SEEDS)
        text = (
            SEEDS[result.texts] if fresh else change(rng.choice(result.corpus), result.corpus, rng)
        )
        target = TARGETS[result.texts % 7 % 3] if not fresh else parser
        result.texts += 1
        watch = result.texts % 4 == 0
        lines: set[tuple[str, int]] = set()
        start = time.perf_counter()
        try:
            if watch:
                with reached(lines):
                    result.read += target(text)
            else:
                result.read += target(text)
        except Exception as error:  # noqa: BLE001  (that is what is looked for)
            result.problems.append(f"{target.__name__}({text!r}): {type(error).__name__}: {error}")
        if not watch:
            result.slowest = max(result.slowest, time.perf_counter() - start)
        if lines - known:
            known |= lines
            result.corpus.append(text)
    return result


def main(seconds: float = 60, seed: int = 1) -> Result:
    result = run(seed, seconds)
    print(
        f"{result.texts} texts, {result.read} read, corpus {len(result.corpus)}, "
        f"slowest {result.slowest:.3f} s, {len(result.problems)} problems"
    )
    for problem in result.problems[:20]:
        print(problem)
    return result


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    sys.exit(bool(main(given.seconds, given.seed).problems))

"""Results of every row, in the order of the submissions: as JSON Lines and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, BinaryIO

from derive.answers.grade_key import GradingKey, Question
from derive.answers.grade_rows import guarded
from derive.answers.grade_rules import LATE, REPLACED, WORDS, Entry
from derive.answers.verdict import INVALID, RIGHT, UNDECIDED, WRONG
from derive.text.show import integer_text

SAID = {
    RIGHT: "Right.",
    WRONG: "This is not what was asked for.",
    UNDECIDED: "This could not be decided; a person will look at it.",
}
COLUMNS = (
    "student", "question", "cell", "answer", "verdict", "points", "of", "status", "mistake",
    "carried", "feedback", "read", "place",
)  # fmt: skip


def number(x: Fraction) -> str:
    """An exact number: an integer, a decimal where it ends, else a fraction.

    >>> number(Fraction(3, 2)), number(Fraction(1, 3)), number(Fraction(2))
    ('1.5', '1/3', '2')
    """
    q, twos, fives = x.denominator, 0, 0
    while q % 2 == 0:
        q, twos = q // 2, twos + 1
    while q % 5 == 0:
        q, fives = q // 5, fives + 1
    places = max(twos, fives)
    if q != 1 or places > 12:
        return f"{integer_text(x.numerator)}/{integer_text(x.denominator)}"
    digits = integer_text(abs(x.numerator) * 10**places // x.denominator).rjust(places + 1, "0")
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return "-" * (x < 0) + whole + (f".{rest}" if rest else "")


def points(question: Question, verdict: dict[str, Any]) -> Fraction:
    """What a verdict is worth: all, none, or of a vector the part that is right."""
    if verdict["verdict"] == RIGHT:  # by itself, or carried
        return question.points
    parts = verdict.get("entries") or ()
    if not parts or not question.partial:
        return Fraction(0)
    right = sum(part["verdict"] == RIGHT for part in parts)
    return question.points * Fraction(right, len(parts))


def result(key: GradingKey, entry: Entry, verdict: dict[str, Any] | None) -> dict[str, Any]:
    """One row of the results; `verdict` None where there was nothing to judge."""
    question = key.questions[entry.question] if entry.question >= 0 else None
    found = verdict or {"verdict": INVALID, "value": UNDECIDED}
    got = Fraction(0)
    if question is not None and entry.counts and verdict is not None:
        got = points(question, verdict)
    row: dict[str, Any] = {
        "student": entry.row.student,
        "question": entry.row.question if question is None else question.id,
        "cell": None if question is None else question.cell or None,
        "answer": entry.row.answer,
        "verdict": found["verdict"],
        "value": found.get("value"),
        "form": found.get("form"),
        "points": number(got),
        "of": "0" if question is None else number(question.points),
        "status": entry.status,
        "mistake": (found.get("mistake") or {}).get("name"),
        "carried": found.get("carried"),
        "feedback": _feedback(entry, found, verdict is None),
        "read": found.get("read"),
        "error": found.get("error"),
        "place": entry.row.place,
    }
    if found.get("entries"):
        row["entries"] = [
            {"index": part["index"], "verdict": part["verdict"],
             "mistake": (part.get("mistake") or {}).get("name")}
            for part in found["entries"]
        ]  # fmt: skip
    if found.get("notes"):
        row["notes"] = found["notes"]
    return row


def _feedback(entry: Entry, found: dict[str, Any], unseen: bool) -> str:
    """What a student is told; the key is never in it."""
    if unseen:
        return WORDS.get(entry.status, "")
    level = entry.variant.feedback if entry.variant else "none"
    if level == "none":
        return ""
    before = {
        LATE: "Handed in late; it does not count. ",
        REPLACED: "Another answer counts instead. ",
    }.get(entry.status, "")
    if level == "mistake" or found["verdict"] == INVALID:
        return before + str(found.get("message") or "")
    return before + SAID[found["verdict"]]


def json_lines(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """results.jsonl; what UTF-8 or a terminal can't bear is escaped."""
    for row in rows:
        yield json.dumps(row, ensure_ascii=True).encode("ascii") + b"\n"


class Table:
    """results.csv: safe to open in a spreadsheet, and read again as submissions as it is."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self._line(COLUMNS)

    def add(self, row: dict[str, Any]) -> None:
        """One more row."""
        self._line([guarded(_plain(row[name])) for name in COLUMNS])

    def _line(self, cells: Iterable[str]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        self.file.write(text.getvalue().encode("utf-8", "backslashreplace"))


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)

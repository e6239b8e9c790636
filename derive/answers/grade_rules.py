"""Which rows count: duplicates, late ones, students and questions that the key doesn't have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from derive.answers.grade_key import GradingKey, Variant
from derive.answers.grade_rows import Row

MARKED, EMPTY, LATE, REPLACED = "marked", "empty", "late", "replaced"
NO_STUDENT, NO_QUESTION = "unknown-student", "unknown-question"
WORDS = {
    EMPTY: "No answer was given.",
    NO_STUDENT: "The key has no student of this name.",
    NO_QUESTION: "The key has no such question.",
}


@dataclass(slots=True)
class Entry:
    """A row and what becomes of it."""

    row: Row
    status: str
    question: int = -1  # its number in the key; -1: none
    variant: Variant | None = None
    task: str = ""  # the name of the task that decides it

    @property
    def counts(self) -> bool:
        """Does it give points?"""
        return self.status in (MARKED, EMPTY)


def entries(key: GradingKey, rows: Sequence[Row]) -> list[Entry]:
    """Every row with its status, in order.

    Of several rows of a student for a question the last one counts: the one with the latest
    time where all have one, else the one that stands last.  An empty row and a late one never
    replace an answer.
    """
    found = [_entry(key, row) for row in rows]
    last: dict[tuple[str, int], Entry] = {}
    for entry in found:
        if not entry.counts:
            continue
        at = (entry.row.student, entry.question)
        before = last.get(at)
        if before is None:
            last[at] = entry
        elif _replaces(entry, before):
            before.status, last[at] = REPLACED, entry
        else:
            entry.status = REPLACED
    return found


def _entry(key: GradingKey, row: Row) -> Entry:
    variant = key.variant(row.student)
    question = key.question(row.question)
    if variant is None:
        status = NO_STUDENT
    elif question is None:
        status = NO_QUESTION
    elif key.deadline is not None and row.time is not None and row.time > key.deadline:
        status = LATE
    else:
        status = MARKED if row.answer else EMPTY
    return Entry(row, status, -1 if question is None else question, variant)


def _replaces(new: Entry, old: Entry) -> bool:
    if (new.status == EMPTY) != (old.status == EMPTY):
        return old.status == EMPTY
    first: datetime | None = old.row.time
    return first is None or new.row.time is None or new.row.time >= first


def judged(found: Sequence[Entry]) -> Iterator[Entry]:
    """The rows that a judge must see."""
    for entry in found:
        if entry.variant is not None and entry.question >= 0 and entry.row.answer:
            yield entry

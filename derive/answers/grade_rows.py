"""Submissions: one row for each answer, read by stated rules; what can't be read is named."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from derive.answers.grade_key import moment
from derive.errors import DeriveError
from derive.text import nearest

COLUMNS = ("student", "question", "cell", "answer", "time")
OTHER = {"submitted": "time", "submitted_at": "time", "timestamp": "time"}
LINES = (".jsonl", ".ndjson", ".json")
TABLES = (".csv", ".tsv", ".txt")
MOST_LINES = 200  # of one row: more, and a quotation mark was never closed
LONGEST = 100_000  # characters of one field; an answer may have far fewer, and says so itself
DANGEROUS = "=+-@\t\r'"  # what makes a spreadsheet read a formula; and the mark against it


class SubmissionProblem(DeriveError):
    """Submissions can't be read at all: no file, no header, a missing column."""


@dataclass(frozen=True, slots=True)
class Row:
    """One answer as it was handed in."""

    student: str
    question: str  # an id or a cell
    answer: str
    place: str  # file and line
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that could not be read."""

    place: str
    reason: str


@dataclass
class Submissions:
    """All rows in order: files by name, lines as they stand."""

    rows: list[Row] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # files of other kinds


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula; `unguarded` gives it back.

    >>> guarded("=1+1"), guarded("-2+3"), guarded("1/2"), unguarded(guarded("-2+3"))
    ("'=1+1", "'-2+3", '1/2', '-2+3')
    """
    return f"'{text}" if text[:1] and text[0] in DANGEROUS else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in DANGEROUS else text


def read_submissions(path: str) -> Submissions:
    """The rows of a file (CSV or JSON Lines), of a folder of such files, or of "-".

    Raises SubmissionProblem where nothing can be read; single rows are named in `unread`.
    """
    found = Submissions()
    interned: dict[str, str] = {}
    if path == "-":
        data = sys.stdin.buffer.read()
        _read("stdin", data, "", found, interned)
        return found
    place = Path(path)
    if place.is_dir():
        files = sorted(_files(place, found.skipped), key=lambda p: p.as_posix())
        if not files:
            raise SubmissionProblem(f"{path}: no .csv and no .jsonl file in this folder")
        for file in files:
            _read_file(file, file.relative_to(place).as_posix(), found, interned)
    else:
        _read_file(place, place.name, found, interned)
    return found


def _files(folder: Path, skipped: list[str]) -> Iterator[Path]:
    """Files of a folder and of those in it; links are not followed."""
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise SubmissionProblem(f"{folder}: {error.strerror}") from None
    for path in inside:
        if path.name.startswith("."):
            continue
        if path.is_symlink():
            skipped.append(f"{path.name}: a link")
        elif path.is_dir():
            yield from _files(path, skipped)
        elif path.suffix.lower() in (*LINES, *TABLES):
            yield path
        else:
            skipped.append(f"{path.name}: neither CSV nor JSON Lines")


def _read_file(path: Path, name: str, found: Submissions, interned: dict[str, str]) -> None:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SubmissionProblem(f"{path}: {error.strerror}") from None
    _read(name, data, path.suffix.lower(), found, interned)


def _read(
    name: str, data: bytes, ending: str, found: Submissions, interned: dict[str, str]
) -> None:
    """The rows of one file; the ending decides what it is, else its first sign."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace").removeprefix("\ufeff")
    else:
        text = data.decode("utf-8-sig", "surrogateescape")
    lines = io.StringIO(text, newline=None)
    if ending in LINES or (ending not in TABLES and text.lstrip()[:1] == "{"):
        rows = _json_lines(name, lines)
    else:
        rows = _table(name, lines)
    for row in rows:
        if isinstance(row, Unread):
            found.unread.append(row)
            continue
        student, question, answer, place, time = row
        found.rows.append(
            Row(
                interned.setdefault(student, student),
                interned.setdefault(question, question),
                interned.setdefault(answer, answer),
                place,
                time,
            )
        )


Found = tuple[str, str, str, str, datetime | None]


def _row(fields: dict[str, str], place: str, stem: str) -> Found | Unread:
    """One row from its fields by name."""
    for name, text in fields.items():
        if len(text) > LONGEST:
            return Unread(place, f"{name}: more than {LONGEST} characters")
        if re.search("[\udc80-\udcff]", text):
            return Unread(place, f"{name}: not UTF-8; save the file as UTF-8")
        if "\x00" in text:
            return Unread(place, f"{name}: a character of code 0")
    student = fields.get("student", stem).strip()
    question = (fields.get("question") or fields.get("cell") or "").strip()
    if not student or not question:
        return Unread(place, f"no {'student' if not student else 'question'} in this row")
    time = None
    if fields.get("time", "").strip():
        time = moment(fields["time"])
        if time is None:
            shown = fields["time"].strip()[:40]
            return Unread(place, f"time: expected 2026-05-01T12:00Z, found {shown!r}")
    return student, question, fields.get("answer", "").strip(), place, time


# JSON Lines


def _json_lines(name: str, lines: io.StringIO) -> Iterator[Found | Unread]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            fields = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "nested too deeply")
            yield Unread(place, f"not JSON: {reason}")
            continue
        if not isinstance(fields, dict):
            yield Unread(place, "expected an object with student, cell and answer")
            continue
        known = {_column(key): value for key, value in fields.items()}
        missing = next((x for x in ("answer",) if x not in known), None)
        if missing:
            yield Unread(place, f"no {missing!r} in this object")
            continue
        texts = {key: _text(known[key]) for key in COLUMNS if key in known}
        bad = next((key for key, text in texts.items() if text is None), None)
        if bad:
            yield Unread(place, f"{bad}: expected a text, a number or a list of them")
        else:
            yield _row({k: v or "" for k, v in texts.items()}, place, Path(name).stem)


def _text(value: Any) -> str | None:
    """A JSON value as a student would type it; numbers are the digits that stand there."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [_text(x) for x in value]
        return None if None in parts else f"[{', '.join(x or '' for x in parts)}]"
    return None


# CSV


def _column(text: object) -> str:
    name = str(text).strip().lower()
    return OTHER.get(name, name)


def _table(name: str, lines: io.StringIO) -> Iterator[Found | Unread]:
    waiting = list(lines)
    start = next((k for k, line in enumerate(waiting) if line.strip()), None)
    if start is None:
        return
    header_line = waiting[start]
    cut = max(",;\t", key=lambda sign: header_line.count(sign))
    header = [_column(x) for x in next(csv.reader([header_line], delimiter=cut))]
    _check_header(header, f"{name}:{start + 1}")
    stem, k = Path(name).stem, start + 1
    while k < len(waiting):
        place, (cells, used) = f"{name}:{k + 1}", _split(waiting, k, cut)
        k += used
        if isinstance(cells, str):
            yield Unread(place, cells)
        elif any(x.strip() for x in cells):
            while len(cells) > len(header) and not cells[-1].strip():
                cells.pop()
            if len(cells) > len(header):
                sign = {"\t": "a tab"}.get(cut, f"a {cut!r}")
                yield Unread(
                    place,
                    f"{len(cells)} fields, the header has {len(header)}: "
                    f"a text with {sign} in it must stand in quotation marks",
                )
            else:
                fields = dict(zip(header, map(unguarded, cells), strict=False))
                yield _row({c: fields[c] for c in COLUMNS if c in fields}, place, stem)


def _split(lines: Sequence[str], k: int, cut: str) -> tuple[list[str] | str, int]:
    """The fields of the row that begins in a line, and how many lines it takes."""
    used, marks = 1, lines[k].count('"')
    while marks % 2 and used < MOST_LINES and k + used < len(lines):
        marks += lines[k + used].count('"')
        used += 1
    if marks % 2:
        return "a quotation mark that is never closed", 1
    if sum(map(len, lines[k : k + used])) > LONGEST:
        return f"more than {LONGEST} characters", used
    try:
        rows = list(csv.reader(lines[k : k + used], delimiter=cut))
    except csv.Error as error:
        return f"not CSV: {error}", used
    return rows[0] if rows else [], max(1, used)


def _check_header(header: Sequence[str], place: str) -> None:
    for wanted in (("answer",), ("cell", "question")):
        if not any(x in header for x in wanted):
            near = next((n for w in wanted for x in header if (n := nearest(x, [w]))), None)
            seen = ", ".join(x[:20] for x in header[:8])
            hint = "" if near is None else f"; is one of them {near!r}?"
            raise SubmissionProblem(
                f"{place}: no column {' or '.join(map(repr, wanted))} in the header {seen}{hint}"
            )

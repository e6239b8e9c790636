"""The lecturer's summary: each question, the mistakes, the queue of what a person must decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derive.answers.grade_key import GradingKey
from derive.answers.grade_results import number
from derive.answers.grade_rows import Submissions
from derive.answers.grade_rules import EMPTY, Entry
from derive.answers.verdict import INVALID, RIGHT, UNDECIDED, WRONG
from derive.render.escape import dumps, latex_words, terminal

VERDICTS = (RIGHT, WRONG, UNDECIDED, INVALID)
MOST_MISTAKES = 10  # of one question, in text and LaTeX; all are in the JSON
ROOM = 60  # characters of an answer in text and LaTeX


@dataclass
class _Line:
    """One question's figures."""

    counts: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    points: Fraction = Fraction(0)
    mistakes: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)  # answers as they were read


class Summary:
    """Figures over all rows that count; rows that don't are counted by their status."""

    def __init__(self, key: GradingKey, found: Submissions) -> None:
        self.key, self.found = key, found
        self.lines = [_Line() for _ in key.questions]
        self.statuses: Counter[str] = Counter()
        self.students: dict[str, Fraction] = dict.fromkeys(key.students, Fraction(0))
        self.queue: dict[tuple[str, ...], list[str]] = {}  # an undecided answer -> its students

    def add(self, entry: Entry, row: dict[str, Any], verdict: dict[str, Any] | None) -> None:
        """One row of the results."""
        self.statuses[entry.status] += 1
        if not entry.counts:
            return
        line = self.lines[entry.question]
        line.counts[row["verdict"]] += 1
        line.empty += entry.status == EMPTY
        got = Fraction(row["points"])
        line.points += got
        student = entry.row.student
        self.students[student] = self.students.get(student, Fraction(0)) + got
        for name in _mistakes(row):
            line.mistakes[name] += 1
        if row["verdict"] == WRONG:
            line.wrong[row["read"] or row["answer"]] += 1
        if row["verdict"] == UNDECIDED:
            reason = "; ".join((verdict or {}).get("notes") or ())
            key = (verdict or {}).get("key") or ""
            at = (row["question"], row["read"] or row["answer"], key, reason)
            self.queue.setdefault(at, []).append(student)

    @property
    def full(self) -> Fraction:
        """The points of one student who has everything right."""
        return sum((q.points for q in self.key.questions), Fraction(0))

    def totals(self) -> dict[str, Any]:
        """Rows and verdicts over all questions."""
        return {
            "rows": sum(self.statuses.values()) + len(self.found.unread),
            "students": len(self.students),
            "questions": len(self.lines),
            **{v: sum(line.counts[v] for line in self.lines) for v in VERDICTS},
            "empty": sum(line.empty for line in self.lines),
            **{
                status.replace("-", "_"): self.statuses[status]
                for status in ("replaced", "late", "unknown-student", "unknown-question")
            },
            "unread": len(self.found.unread),
            "points": number(sum((line.points for line in self.lines), Fraction(0))),
            "of": number(self.full * len(self.students)),
        }

    def data(self) -> dict[str, Any]:
        """summary.json."""
        return {
            "schema": "derive.summary/1",
            "title": self.key.title,
            "totals": self.totals(),
            "questions": [
                {
                    "question": q.id,
                    "name": q.name,
                    "cell": q.cell or None,
                    "points": number(q.points),
                    **{v: line.counts[v] for v in VERDICTS},
                    "empty": line.empty,
                    "missing": len(self.students) - sum(line.counts.values()),
                    "mean": number(line.points / max(1, len(self.students))),
                    "mistakes": [{"name": n, "count": c} for n, c in _common(line.mistakes)],
                    "wrong_answers": [
                        {"read": n, "count": c} for n, c in _common(line.wrong)[:MOST_MISTAKES]
                    ],
                }
                for q, line in zip(self.key.questions, self.lines, strict=True)
            ],
            "mistakes": [{"name": n, "count": c} for n, c in self.mistakes()],
            "undecided": [
                {"question": q, "answer": read, "key": key or None, "reason": reason,
                 "students": names}
                for (q, read, key, reason), names in self.queue.items()
            ],
            "students": [
                {"student": name, "points": number(got), "of": number(self.full)}
                for name, got in sorted(self.students.items())
            ],
            "unread": [{"place": x.place, "reason": x.reason} for x in self.found.unread],
            "skipped": self.found.skipped,
        }  # fmt: skip

    def mistakes(self) -> list[tuple[str, int]]:
        """All mistakes, the most common first."""
        found: Counter[str] = Counter()
        for line in self.lines:
            found.update(line.mistakes)
        return _common(found)


def _mistakes(row: dict[str, Any]) -> Iterator[str]:
    names = [row["mistake"], *(part["mistake"] for part in row.get("entries", ()))]
    yield from dict.fromkeys(name for name in names if name)


def _common(found: Counter[str]) -> list[tuple[str, int]]:
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def write_summary(summary: Summary) -> Iterator[tuple[str, bytes]]:
    """summary.txt, .json and .tex."""
    yield "summary.txt", text(summary).encode("utf-8", "backslashreplace")
    yield "summary.json", dumps(summary.data()).encode("utf-8", "backslashreplace")
    yield "summary.tex", tex(summary).encode("utf-8", "backslashreplace")


def _sections(s: Summary) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Title, head and rows of every table, as words."""
    data = s.data()
    yield "Questions", ("question", *VERDICTS, "missing", "mean", "of"), [
        (q["question"], *(str(q[v]) for v in (*VERDICTS, "missing")), q["mean"], q["points"])
        for q in data["questions"]
    ]  # fmt: skip
    yield (
        "Most common mistakes",
        ("mistake", "count"),
        [(m["name"], str(m["count"])) for m in data["mistakes"][:MOST_MISTAKES]],
    )
    yield (
        "Most common wrong answers",
        ("question", "answer", "count"),
        [
            (q["question"], w["read"], str(w["count"]))
            for q in data["questions"]
            for w in q["wrong_answers"][:3]
            if w["count"] > 1
        ],
    )
    yield (
        "For a person to decide",
        ("question", "answer", "key", "students", "reason"),
        [
            (
                u["question"],
                u["answer"],
                u["key"] or "not known",
                _names(u["students"]),
                u["reason"],
            )
            for u in data["undecided"]
        ],
    )
    yield (
        "Rows that could not be read",
        ("place", "reason"),
        [(u["place"], u["reason"]) for u in data["unread"]],
    )
    yield (
        "Students",
        ("student", "points", "of"),
        [(x["student"], x["points"], x["of"]) for x in data["students"]],
    )


def _names(students: Sequence[str]) -> str:
    shown = ", ".join(students[:3])
    return shown if len(students) <= 3 else f"{shown} and {len(students) - 3} more"


def _totals(s: Summary) -> str:
    t = s.totals()
    said = [f"{t['rows']} rows of {t['students']} students, {t['questions']} questions"]
    said.append(", ".join(f"{t[v]} {v}" for v in VERDICTS) + f" ({t['empty']} of them empty)")
    others = [
        f"{t[name]} {name.replace('_', ' ')}"
        for name in ("replaced", "late", "unknown_student", "unknown_question", "unread")
        if t[name]
    ]
    if others:
        said.append("not counted: " + ", ".join(others))
    said.append(f"points: {t['points']} of {t['of']}")
    return "\n".join(said)


def text(s: Summary) -> str:
    """summary.txt: for a terminal or a mail."""
    lines = [terminal(s.key.title)] * bool(s.key.title) + [_totals(s)]
    for title, head, rows in _sections(s):
        if not rows:
            continue
        shown = [head, *(tuple(_short(terminal(x)) for x in row) for row in rows)]
        widths = [max(len(row[k]) for row in shown) for k in range(len(head))]
        lines += ["", title]
        lines += [
            "  " + "  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip()
            for row in shown
        ]
    return "\n".join(lines) + "\n"


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= ROOM else words[: ROOM - 1] + "…"


def tex(s: Summary) -> str:
    """summary.tex: a document for pdflatex with no packages but longtable."""
    lines = [
        r"\documentclass[a4paper]{article}",
        r"\usepackage[margin=2cm]{geometry}",
        r"\usepackage{array,longtable}",
        r"\setlength{\parindent}{0pt}",
        r"\begin{document}",
        rf"\section*{{{latex_words(s.key.title or 'Summary')}}}",
        *(latex_words(line) + r"\par" for line in _totals(s).splitlines()),
    ]
    for title, head, rows in _sections(s):
        if not rows:
            continue
        lines += [
            rf"\subsection*{{{title}}}",
            rf"\begin{{longtable}}[l]{{{_columns(head)}}}",
            " & ".join(head) + r" \\ \hline \endhead",
            *(" & ".join(latex_words(_short(x)) for x in row) + r" \\" for row in rows),
            r"\end{longtable}",
        ]
    lines.append(r"\end{document}")
    return "\n".join(lines) + "\n"


WIDE = {
    "question": "2.4cm", "answer": "3.5cm", "key": "2.7cm", "reason": "3.5cm",
    "students": "2.3cm", "student": "6cm", "place": "4cm",
}  # fmt: skip


def _columns(head: Sequence[str]) -> str:
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{{WIDE[name]}}}"
        if name in WIDE
        else "r"
        if name in NUMBERS
        else "l"
        for name in head
    )


NUMBERS = (*VERDICTS, "missing", "mean", "of", "count", "points")

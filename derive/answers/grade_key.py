"""The marking key of a course: what is asked, how it is judged, which student has which model."""

from __future__ import annotations

import hashlib
import pickle
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from derive.answers.cells import asked_for
from derive.answers.policy import Policy, PolicyError
from derive.blocks import build
from derive.errors import DeriveError
from derive.model import Model, bundled_names, load
from derive.text import nearest

FEEDBACK = ("none", "verdict", "mistake")
OWN = ("model", "tokens", "set", "carry", "feedback")  # of the top, and of a student
TOP = (*OWN, "question", "student", "deadline", "partial", "title")
QUESTION = (
    "cell", "count", "property", "unknowns", "points", "policy", "id", "name", "partial",
)  # fmt: skip
KINDS = ("cell", "count", "property")
COUNT_POLICY = ("exact", "dp", "sf", "tolerance", "places", "ties")
LONGEST_NUMBER = 40  # characters of a number of points
MOST_BYTES = 10_000_000


class KeyProblem(DeriveError):
    """A marking key can't be used; the message lists all its errors, one a line."""


@dataclass(frozen=True)
class Question:
    """One question of a key."""

    id: str  # the id, else the cell as it is written, else q and its number
    kind: str  # cell, count or property
    asked: tuple[str, ...]  # the cell, the words after `derive count`, or the properties
    policy: Policy = field(default_factory=Policy)
    points: Fraction = Fraction(1)
    unknowns: tuple[str, ...] = ()
    name: str = ""
    partial: bool = True  # a part of the points for every entry that is right

    @property
    def cell(self) -> str:
        """The cell that is asked for; "" for another kind of question."""
        return self.asked[0] if self.kind == "cell" else ""

    @property
    def job(self) -> tuple[str, tuple[str, ...], Policy, tuple[str, ...]]:
        """All that a judge must know of it."""
        return self.kind, self.asked, self.policy, self.unknowns


@dataclass(frozen=True)
class Variant:
    """The model of some students, and what they are told."""

    source: str  # a bundled name or a path
    sets: tuple[str, ...] = ()
    tokens: str | None = None
    carry: bool = False
    feedback: str = "verdict"

    def load(self) -> Model:
        """Raises ModelError."""
        return load(self.source, sets=self.sets, tokens=self.tokens)


@dataclass
class GradingKey:
    """A key that was read and checked; models are loaded when they are first needed."""

    title: str
    questions: tuple[Question, ...]
    top: Variant | None  # for students without a table of their own; None where all have one
    students: dict[str, Variant]
    deadline: datetime | None = None
    _models: dict[tuple[Any, ...], tuple[str, bytes]] = field(default_factory=dict)

    def variant(self, student: str) -> Variant | None:
        """A student's variant; None for a student who isn't in a key that names students."""
        return self.students.get(student) if self.students else self.top

    def model(self, variant: Variant) -> tuple[str, bytes]:
        """A variant's model for the judges, with a name that stands for what is in it."""
        at = (variant.source, variant.sets, variant.tokens)
        if at not in self._models:
            model = variant.load()
            name = hashlib.sha256(repr(model).encode("utf-8", "backslashreplace")).hexdigest()[:16]
            self._models[at] = (name, pickle.dumps(model))
        return self._models[at]

    @cached_property
    def places(self) -> dict[str, int]:
        """What a row may call a question: its id, its cell however spaced, its name in full."""
        found: dict[str, int] = {}
        for k, question in enumerate(self.questions):
            for text in (question.id, question.cell):
                if text:
                    found.setdefault(text, k)
                    found.setdefault(_squeezed(text), k)
        return found

    @cached_property
    def _cells(self) -> dict[tuple[str, tuple[int, ...]], int]:
        if self.top is None:
            return {}
        graph = build(self.top.load())
        return {
            (region.cells[0][0].matrix.name, *_ends(region)): k  # type: ignore[misc]
            for k, question in reversed(list(enumerate(self.questions)))
            if question.cell
            for region in [asked_for(graph, question.cell)]
        }

    def question(self, text: str) -> int | None:
        """The number of the question that a row names; another name of the same cell will do."""
        at = self.places.get(text)
        if at is None:
            at = self.places.get(_squeezed(text))
        if at is None and self.top is not None and len(text) < 200:
            at = self._other_name(text)
            if at is not None:
                self.places[text] = at
        return at

    def _other_name(self, text: str) -> int | None:
        try:
            region = asked_for(self._graph, text)
        except DeriveError:
            return None
        return self._cells.get((region.cells[0][0].matrix.name, *_ends(region)))  # type: ignore[arg-type]

    @cached_property
    def _graph(self) -> Any:
        assert self.top is not None
        return build(self.top.load())


def _ends(region: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return region.cells[0][0].indices, region.cells[-1][-1].indices


def _squeezed(text: str) -> str:
    return "".join(text.split())


def read_key(path: str) -> GradingKey:
    """The marking key of a TOML file, checked as a whole.

    Raises KeyProblem with every error of the file: unknown keys with the nearest one, cells that
    the model doesn't have, policies, points, students.
    """
    place = Path(path)
    try:
        data = place.read_bytes()
    except OSError as error:
        raise KeyProblem(f"{path}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise KeyProblem(f"{path}: more than {MOST_BYTES // 10**6} MB")
    try:
        top = tomllib.loads(data.decode("utf-8-sig"), parse_float=str)
    except UnicodeDecodeError as error:
        raise KeyProblem(f"{path}: not UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise KeyProblem(f"{path}: not TOML: {error}") from None
    return _Reader(path, place.parent).key(top)


class _Reader:
    """Collects every error before it raises."""

    def __init__(self, path: str, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.problems: list[str] = []

    def key(self, top: Mapping[str, Any]) -> GradingKey:
        self.known(top, TOP, "the key")
        base = self.variant(top, None, "")
        tables = self.list(top, "question", "[[question]]")
        partial = self.flag(top, "partial", True, "")
        questions = self.distinct([
            self.question(k, table, partial) for k, table in enumerate(tables, 1)
        ])  # fmt: skip
        if not tables:
            self.problem("", "no [[question]] in it")
        students = dict(self.students(top.get("student", {}), base))
        deadline = self.deadline(top.get("deadline"))
        if base is not None:
            self.check_cells(base, questions)
        elif not students:
            if "model" not in top and any(q.kind != "count" for q in questions):
                self.problem("", "no `model`: expected a bundled name or a path")
        if self.problems:
            raise KeyProblem("\n".join(self.problems))
        title = str(top.get("title", ""))
        return GradingKey(title, tuple(questions), base or _no_model(questions), students, deadline)

    # parts

    def variant(self, table: Mapping[str, Any], base: Variant | None, at: str) -> Variant | None:
        source = table.get("model")
        if source is None and base is not None:
            name = base.source
        elif isinstance(source, str) and source:
            name = source if source in bundled_names() else str(self.folder / source)
            if source not in bundled_names() and not Path(name).is_file():
                near = nearest(source, bundled_names())
                hint = f"; nearest: {near}" if near else ""
                self.problem(at, f"model: no bundled model and no file {source!r}{hint}")
                return None
        else:
            if source is not None:
                self.problem(at, f"model: expected a name or a path, found {source!r}")
            return None
        own = "model" in table  # another model takes nothing over that was set for the first
        sets = table.get("set", () if own or base is None else base.sets)
        if isinstance(sets, str):
            sets = [sets]
        if not isinstance(sets, Sequence) or not all(isinstance(x, str) for x in sets):
            self.problem(at, f'set: expected a list of "KEY=VALUE", found {sets!r}')
            sets = ()
        tokens = table.get("tokens", None if own or base is None else base.tokens)
        if isinstance(tokens, list) and all(isinstance(x, str) for x in tokens):
            tokens = " ".join(tokens)
        if tokens is not None and not isinstance(tokens, str):
            self.problem(at, f"tokens: expected a text, found {tokens!r}")
            tokens = None
        feedback = table.get("feedback", base.feedback if base else "verdict")
        if feedback not in FEEDBACK:
            near = nearest(str(feedback), FEEDBACK)
            hint = f"; nearest: {near}" if near else ""
            self.problem(at, f"feedback: expected {' | '.join(FEEDBACK)}, found {feedback!r}{hint}")
            feedback = "verdict"
        carry = self.flag(table, "carry", base.carry if base else False, at)
        return Variant(name, tuple(sets), tokens, carry, feedback)

    def students(self, tables: Any, base: Variant | None) -> Iterator[tuple[str, Variant]]:
        if not isinstance(tables, Mapping):
            self.problem("", "student: expected tables [student.NAME]")
            return
        for name, table in tables.items():
            at = f"student {name!r}"
            if not isinstance(table, Mapping):
                self.problem(at, "expected a table")
                continue
            self.known(table, OWN, at)
            found = self.variant(table, base, at)
            if found is not None:
                yield name.strip(), found
            elif table.get("model") is None:
                self.problem(at, "no `model`, and the key has none at the top")

    def question(self, k: int, table: Any, partial: bool) -> Question:
        at = f"question {k}"
        if not isinstance(table, Mapping):
            self.problem(at, "expected a table [[question]]")
            return Question(f"q{k}", "count", ("",))
        self.known(table, QUESTION, at)
        kinds = [kind for kind in KINDS if kind in table]
        if len(kinds) != 1:
            found = " and ".join(kinds) or "none of them"
            self.problem(at, f"one of cell, count, property; found {found}")
            return Question(f"q{k}", "count", ("",))
        kind = kinds[0]
        asked = self.texts(table, kind, at)
        at = f"{at} ({asked[0][:40]})" if asked else at
        if kind != "property" and len(asked) != 1:
            self.problem(at, f"{kind}: expected one text")
        if not asked:
            asked = ("",)
        unknowns = self.texts(table, "unknowns", at) if "unknowns" in table else ()
        if kind == "property" and not unknowns:
            self.problem(at, 'a property needs unknowns = ["q[2]"]')
        policy = self.policy(kind, table.get("policy"), at)
        if kind == "count":
            self.check_count(asked[0], at)
        name, id_ = str(table.get("name", "")), str(table.get("id", "")).strip()
        id_ = id_ or (asked[0].strip() if kind == "cell" else f"q{k}")
        points = self.points(table.get("points", 1), at)
        return Question(
            id_, kind, asked, policy, points, unknowns, name,
            self.flag(table, "partial", partial and kind != "property", at),
        )  # fmt: skip

    def policy(self, kind: str, given: Any, at: str) -> Policy:
        try:
            if given is not None and not isinstance(given, Mapping | str):
                raise PolicyError(f"policy: expected a table such as {{ dp = 3 }}, found {given!r}")
            if kind != "cell" and isinstance(given, Mapping):
                allowed = COUNT_POLICY if kind == "count" else ("exact",)
                for key in given:
                    if key not in allowed:
                        raise PolicyError(f"policy {key!r} is not for a {kind} question")
            return Policy.of(given)
        except DeriveError as error:
            self.problem(at, str(error))
            return Policy()

    def check_count(self, words: str, at: str) -> None:
        from derive.counting.counted import count
        from derive.counting.settings import from_words

        try:
            count(*from_words(words))
        except DeriveError as error:
            self.problem(at, str(error))

    def check_cells(self, base: Variant, questions: Sequence[Question]) -> None:
        try:
            graph = build(base.load())
        except DeriveError as error:
            self.problems.append(str(error))
            return
        for k, question in enumerate(questions, 1):
            if question.kind == "cell" and question.cell:
                try:
                    asked_for(graph, question.cell)
                except DeriveError as error:
                    self.problem(f"question {k} ({question.cell[:40]})", str(error))

    def distinct(self, questions: list[Question]) -> list[Question]:
        seen: dict[str, int] = {}
        for k, question in enumerate(questions, 1):
            if question.id in seen:
                first = seen[question.id]
                self.problem(
                    f"question {k}", f"{question.id!r} is question {first} too: give an `id`"
                )
            seen.setdefault(question.id, k)
        return questions

    def points(self, given: Any, at: str) -> Fraction:
        text = str(given)
        number = None
        if not isinstance(given, bool) and len(text) <= LONGEST_NUMBER and "e" not in text.lower():
            try:
                number = Fraction(text)
            except (ValueError, ZeroDivisionError):
                number = None
        if number is None or number < 0:
            self.problem(at, f'points: expected a number such as 2, 0.5 or "1/3", found {given!r}')
            return Fraction(1)
        return number

    def deadline(self, given: Any) -> datetime | None:
        if given is None:
            return None
        if isinstance(given, date) and not isinstance(given, datetime):
            given = datetime.combine(given, time.max)
        found = given if isinstance(given, datetime) else moment(str(given))
        if found is None:
            self.problem(
                "", f"deadline: expected a time such as 2026-05-01T12:00Z, found {given!r}"
            )
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)

    # what tables have in common

    def problem(self, at: str, words: str) -> None:
        self.problems.append(": ".join(x for x in (self.path, at, words) if x))

    def known(self, table: Mapping[str, Any], keys: Sequence[str], at: str) -> None:
        for key in table:
            if key not in keys:
                near = nearest(key, keys)
                hint = f"; nearest: {near}" if near else f"; there are {', '.join(keys)}"
                self.problem(at, f"no key {key[:40]!r}{hint}")

    def flag(self, table: Mapping[str, Any], key: str, default: bool, at: str) -> bool:
        found = table.get(key, default)
        if not isinstance(found, bool):
            self.problem(at, f"{key}: expected true or false, found {found!r}")
            return default
        return found

    def list(self, table: Mapping[str, Any], key: str, words: str) -> list[Any]:
        found = table.get(key, [])
        if not isinstance(found, list):
            self.problem("", f"{key}: expected tables {words}")
            return []
        return found

    def texts(self, table: Mapping[str, Any], key: str, at: str) -> tuple[str, ...]:
        found = table[key]
        found = [found] if isinstance(found, str) else found
        if not isinstance(found, Sequence) or not all(isinstance(x, str) and x for x in found):
            self.problem(at, f"{key}: expected a text, found {found!r}")
            return ()
        return tuple(found)


def _no_model(questions: Sequence[Question]) -> Variant | None:
    """What stands for the model where only counting is asked."""
    return Variant("") if all(q.kind == "count" for q in questions) else None


def moment(text: str) -> datetime | None:
    """A point in time as ISO 8601 writes it; without a zone it is UTC.  None: not one."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

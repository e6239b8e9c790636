"""Marking counting answers: right, wrong or unreadable, with the slip where it is a known one."""

from __future__ import annotations

from typing import NamedTuple

from derive.counting.answer import read_answer, shown
from derive.counting.counted import count
from derive.counting.mistakes import mistake, same, scale, wanted_of
from derive.counting.policy import Answer, Judged, Policy, is_rounding, judged, policy
from derive.counting.result import Count
from derive.counting.settings import from_words
from derive.counting.units import UNITS
from derive.errors import DeriveError, TextError


class CountVerdict(NamedTuple):
    """The fields of derive.verdict/1."""

    verdict: str  # right | wrong | undecided | invalid
    value: str | None = None  # equal | different
    form: bool | None = None
    rounding: dict[str, object] | None = None
    mistake: dict[str, object] | None = None
    carried: bool | None = None
    read: str = ""
    message: str = ""
    error: dict[str, object] | None = None

    def data(self) -> dict[str, object]:
        """derive.verdict/1, `schema` first."""
        return {"schema": "derive.verdict/1", **self._asdict()}


def check_count(words: str, answer: str, **options: object) -> CountVerdict:
    """Marks the answer to a counting question, as it is typed after `derive count`.

    An answer with a unit is taken in it; without one, in the unit asked for (`--in GiB`), else
    in the base unit.  Options are those of a marking key: one of `exact=True`, `dp=N`, `sf=N`,
    `tolerance="abs:X"` or `"rel:X"` (X in the answer's unit), and `places` and `ties`.  Without
    one of them the answer must be exactly right, but `≈` before it asks for a rounding to the
    digits that are written, two at least.  Letters may stand side by side (`2LgkT`).
    Raises DeriveError where the question or an option can't be read.

    >>> question = "kv-cache --layers 2 --heads 4 --head-dim 8 --tokens 128 --bytes 8"
    >>> check_count(question, "128 KiB").verdict
    'right'
    >>> check_count("kv-cache --tokens T --bytes 1", "2LgkT").verdict
    'right'
    >>> check_count(question, "0.13 MB", dp=2).verdict
    'right'
    """
    asked = policy(options)
    quantity, sizes, question = from_words(words)
    found = count(quantity, sizes, question)
    try:
        given = read_answer(answer, found)
    except TextError as error:
        return _invalid(answer, error, error.position, error.found, error.expected)
    except DeriveError as error:
        return _invalid(answer, error, 0, answer[:40], "a number or letters, and a unit")
    if message := _wrong_unit(given, found):
        return _wrong(given, asked, "wrong-unit", message)
    verdict = _compare(given, found, asked)
    if verdict.verdict == "wrong" and verdict.value == "different" and verdict.mistake is None:
        slip = mistake(quantity, sizes, question, given, found)
        if slip:
            verdict = verdict._replace(mistake=slip, message=str(slip["explanation"]))
    return verdict


def _invalid(
    answer: str, error: DeriveError, position: int, found: str, expected: str
) -> CountVerdict:
    where: dict[str, object] = {"position": position, "found": found, "expected": expected}
    return CountVerdict("invalid", read=answer[:200], message=str(error), error=where)


def _wrong(given: Answer, asked: Policy, name: str, message: str) -> CountVerdict:
    slip: dict[str, object] = {"name": name, "explanation": message, "also": []}
    rounding: dict[str, object] = {"policy": asked.words}
    return CountVerdict(
        "wrong", "different", None, rounding, slip, None, shown(given), message
    )  # fmt: skip


def _wrong_unit(given: Answer, found: Count) -> str:
    """What is wrong with the answer's unit, or nothing."""
    kind = found.unit if found.answer is None else ""
    measured = UNITS[given.unit][0] if given.unit else kind
    if measured == kind or {measured, kind} <= {"values", "scores"}:
        return ""
    wanted = f" ({kind})" if kind else ""
    return f"The unit {given.unit} doesn't measure what is asked for{wanted}."


def _compare(given: Answer, found: Count, asked: Policy) -> CountVerdict:
    wanted, size = wanted_of(found), scale(given, found)
    target, mine = wanted.number, given.value.number
    if target is None or mine is None:
        equal = same(wanted, given.value, size)
        if found.answer is None:  # in letters where numbers are known: the formula itself
            equal = equal or same(found.formula, given.value, size)
        return _verdict(Judged(equal), given, asked)
    target /= size
    result = judged(target, mine, given, asked)
    exact = asked.kind in ("", "exact")
    if exact and not result.equal and is_rounding(target, mine, given):
        words = "This is rounded; all digits are asked for."
        if not asked.kind:
            words = "This is rounded; write ≈ before a rounded answer, or give all digits."
        return _wrong(given, asked, "rounded", words)
    return _verdict(result, given, asked)


def _verdict(result: Judged, given: Answer, asked: Policy) -> CountVerdict:
    right = result.equal and result.form
    words = "Right." if right else result.why if result.equal else "The number isn't right."
    policy_words = asked.words
    if not asked.kind and given.approximate and given.decimals is not None:
        policy_words = "rounded to the digits written"
    return CountVerdict(
        "right" if right else "wrong", "equal" if result.equal else "different", result.form,
        {"policy": policy_words}, None, None, shown(given), words,
    )  # fmt: skip

"""The verdict on an answer: a record for programs, and sentences that never show the key."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

RIGHT, WRONG, UNDECIDED, INVALID = "right", "wrong", "undecided", "invalid"
CODES = {RIGHT: 0, WRONG: 1, INVALID: 2, UNDECIDED: 3}


@dataclass(frozen=True)
class Mistake:
    """A slip that explains the answer exactly."""

    name: str  # kebab-case
    explanation: str  # one sentence, without the key
    also: tuple[str, ...] = ()  # other slips that give the same

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "explanation": self.explanation, "also": list(self.also)}


@dataclass(frozen=True)
class Part:
    """One entry of a vector or matrix."""

    index: tuple[int, ...]
    verdict: str
    value: str
    form: bool | None = None
    mistake: Mistake | None = None
    message: str = ""

    def data(self) -> dict[str, Any]:
        return {
            "index": list(self.index),
            "verdict": self.verdict,
            "value": self.value,
            "form": self.form,
            "mistake": self.mistake and self.mistake.data(),
            "message": self.message,
        }


@dataclass(frozen=True)
class Marked:
    """What `check` says.  Nothing in it shows the key, but for `accepted` where that is wanted."""

    verdict: str  # right, wrong, undecided, invalid
    value: str = "undecided"  # equal, different, undecided
    form: bool | None = None  # None where no form is asked for
    policy: str = "exact"
    accepted: tuple[str, str] | None = None  # only with reveal
    mistake: Mistake | None = None
    carried: bool | None = None
    read: str | None = None  # the answer as it was understood
    message: str = ""
    error: dict[str, Any] | None = None  # position, found, expected
    entries: tuple[Part, ...] = ()
    notes: tuple[str, ...] = field(default=())  # for the lecturer: why undecided, open choices

    @property
    def right(self) -> bool:
        """True for a right answer: `assert check(…).right` in anybody's tests."""
        return self.verdict == RIGHT

    def __bool__(self) -> bool:
        return self.right

    def with_mistake(self, mistake: Mistake) -> Marked:
        """The same with a slip that explains it."""
        return replace(
            self, mistake=mistake, message=f"{self.message} {mistake.explanation}".strip()
        )

    def data(self) -> dict[str, Any]:
        """The object derive.verdict/1."""
        rounding: dict[str, Any] = {"policy": self.policy}
        if self.accepted is not None:
            rounding["accepted"] = list(self.accepted)
        return {
            "schema": "derive.verdict/1",
            "verdict": self.verdict,
            "value": self.value,
            "form": self.form,
            "rounding": rounding,
            "mistake": self.mistake and self.mistake.data(),
            "carried": self.carried,
            "read": self.read,
            "message": self.message,
            "error": self.error,
            **({"entries": [part.data() for part in self.entries]} if self.entries else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }


def text(marked: Marked) -> str:
    """A verdict for people.

    >>> print(text(Marked("wrong", "different", message="Not the value.", read="1/2")), end="")
    wrong
      read     1/2
      Not the value.
    """
    from derive.render.escape import terminal

    lines = [marked.verdict]
    if marked.read is not None:
        lines.append(f"  read     {terminal(marked.read)}")
    if marked.policy != "exact":
        lines.append(f"  policy   {marked.policy}")
    if marked.accepted is not None:
        lines.append(f"  accepted {' to '.join(dict.fromkeys(marked.accepted))}")
    lines += [f"  {terminal(line)}" for line in marked.message.splitlines()]
    for part in marked.entries:
        if part.verdict != RIGHT:
            at = ",".join(map(str, part.index))
            lines.append(f"  [{at}]  {part.verdict}: {terminal(part.message)}")
    lines += [f"  note: {terminal(note)}" for note in marked.notes]
    return "\n".join(lines) + "\n"

"""An exercise as data: the sheet's blanks, its solution, and the key that marks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.documents.blanks import Blanks
from derive.graph import Cell
from derive.graph.graph import Graph
from derive.line import Place

DP = 3  # decimal places that a sheet asks for


@dataclass(frozen=True)
class Exercise:
    """What one student gets: a model, the blanks, how answers are rounded."""

    graph: Graph
    blanks: Blanks
    title: str
    student: str = ""
    dp: int | None = DP  # None: exact answers

    def address(self, place: Place) -> str:
        """The cell as it can be typed."""
        name, at = place
        return Cell(self.graph, self.graph.matrices[name], at).address

    @property
    def rounding(self) -> str:
        """The rule for answers, in words for the student."""
        if self.dp is None:
            return "Give exact values: fractions, roots and powers stay as they are."
        places = f"{self.dp} decimal place{'s' if self.dp != 1 else ''}"
        return (
            f"Give every number to {places}, rounded once, at the end; a number with fewer "
            "places is filled up with zeros."
        )


def key(
    model: str,
    exercise: Exercise,
    sets: Sequence[str] = (),
    tokens: str | None = None,
    variants: Sequence[tuple[str, Sequence[str]]] = (),
) -> str:
    """The marking key as TOML: the model, one question for each blank, students' variants.

    `model` is a bundled name or a path relative to the key's folder.
    """
    lines = [f"model = {toml_text(model)}"]
    if tokens is not None:
        lines.append(f"tokens = {toml_text(tokens)}")
    if sets:
        lines.append(f"set = {toml_list(sets)}")
    lines += ["carry = true", 'feedback = "mistake"', ""]
    policy = "{ exact = true }" if exercise.dp is None else f"{{ dp = {exercise.dp} }}"
    for place in exercise.blanks.asked:
        lines += ["[[question]]", f"cell = {toml_text(exercise.address(place))}", "points = 1",
                  f"policy = {policy}", ""]  # fmt: skip
    for student, own in variants:
        lines += [f"[student.{toml_text(student)}]", f"set = {toml_list([*sets, *own])}", ""]
    return "\n".join(lines)


def toml_list(texts: Sequence[str]) -> str:
    """A TOML list of strings."""
    return "[" + ", ".join(map(toml_text, texts)) + "]"


def toml_text(text: str) -> str:
    """A TOML basic string; what can't be seen as an escape."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    if c.isprintable():
        return c
    return f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}"


def answers(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """The perfect answers, as a student would type them: (cell, answer)."""
    from derive.exact.plain import plain

    for name, at in exercise.blanks.asked:
        cell = Cell(exercise.graph, exercise.graph.matrices[name], at)
        if exercise.dp is None or exercise.graph.free:
            yield cell.address, plain(cell.closed)
        else:
            yield cell.address, rounded(cell, exercise.dp)


def rounded(cell: Cell, dp: int) -> str:
    """A cell to so many decimal places, correctly rounded; "-inf" for a hidden score."""
    from derive.exact.digits import places, places_of

    node = cell.node
    if node.op == "infinity" or node.number is not None:
        return str(places(node, dp))
    return str(places_of(cell.ball, cell.equals, dp))

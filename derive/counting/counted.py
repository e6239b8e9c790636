"""One quantity of one transformer: parts, formula, numbers, shortcuts, notes."""

from __future__ import annotations

from collections.abc import Callable

from derive.counting.counted_parts import matching
from derive.counting.polynomial import Formula, Poly, Ratio, total
from derive.counting.quantities import COUNTERS
from derive.counting.question import PLAIN, Question, check_quantity
from derive.counting.result import Count, Part
from derive.counting.spec import Spec
from derive.counting.units import UNITS
from derive.errors import DeriveError

WINDOWED = "a window is taken to be narrower than the tokens: n ≥ w"


def count(quantity: str, spec: Spec, question: Question = PLAIN) -> Count:
    """Counts a quantity, and answers what is asked about it (threshold, growth, time).

    Raises DeriveError for an unknown quantity, for sizes that don't fit together, for a
    question that the quantity doesn't have.

    >>> from derive.counting.spec import make
    >>> from derive.counting.written import plain
    >>> plain(count("kv-cache", make({})).formula)
    '2*L*g*k*n*b'
    """
    check_quantity(quantity)
    found = counted(quantity, spec, question)
    if question.solve or question.growth:
        from derive.counting.solve import grows, solved  # only where something is asked

    if question.solve:
        return solved(found, spec, question)
    if question.growth:
        return grows(found, question.growth)
    return found


def counted(quantity: str, spec: Spec, question: Question) -> Count:
    """The quantity itself, its unit and parts as asked for."""
    found = COUNTERS[quantity](spec, question)
    found = found._replace(
        quantity=quantity, model=spec.title, source=spec.source, typed=spec.typed
    )
    if question.part and not question.across:
        found = _only(found, question.part)
    if question.in_:
        found = _in(found, question.in_, spec)
    notes = [*found.notes, *_notes(found, spec)]
    return found._replace(notes=tuple(dict.fromkeys(notes)))


def _notes(found: Count, spec: Spec) -> list[str]:
    notes = []
    if spec.has("w") and "w" in found.formula.letters:
        n, w = (found.values.get(x) for x in "nw")
        if n is None or w is None:
            notes.append(WINDOWED)
    for letter, source in (("g", "h"), ("k", "d/h")):
        if letter in found.formula.letters and not spec.has(letter) and letter in found.values:
            if not spec.model:
                notes.append(f"{letter} = {source}, as nothing else is given")
    return notes


def _only(found: Count, wanted: str) -> Count:
    """The parts whose names have one of the texts."""
    parts = chosen(found, wanted)
    return found._replace(
        parts=parts,
        formula=total(p.formula for p in parts if isinstance(p.formula, Poly)),
        shortcuts=(),
        lines=(),
        title=f"{found.title}: {wanted}",
    )


def chosen(found: Count, wanted: str) -> tuple[Part, ...]:
    """The parts that a text names; raises DeriveError with the names there are."""
    if isinstance(found.formula, Ratio):
        raise DeriveError(f"part: {found.title} is a quotient, no sum of parts")
    names = matching([p.name for p in found.parts], wanted)
    return tuple(p for p in found.parts if p.name in names)


def _in(found: Count, unit: str, spec: Spec) -> Count:
    """The count in another kind of unit: numbers as bytes, bytes as numbers."""
    if unit not in UNITS:
        raise DeriveError(f"in: read the unit {unit[:20]!r}, expected one of {', '.join(UNITS)}")
    kind = UNITS[unit][0]
    b = spec.symbol("b")
    result = found
    if kind == "bytes" and found.unit in ("parameters", "scores", "values"):
        result = _scaled(found, lambda x: x * b, "bytes")
    elif kind in ("values", "scores") and found.unit == "bytes":
        if any(x.degree("b") != 1 for x in (p.formula for p in found.parts) if isinstance(x, Poly)):
            raise DeriveError(f"in: {found.title} is no number of values of one size")
        result = _scaled(found, lambda x: x.divided(b), "values")
    elif kind != found.unit and not (kind == "share" or found.unit == "MACs"):
        raise DeriveError(f"in: read the unit {unit!r}, expected one of {found.unit}")
    return result._replace(answer_unit=unit)


def _scaled(found: Count, scale: Callable[[Poly], Poly], unit: str) -> Count:
    def apply(x: Formula) -> Formula:
        return scale(x) if isinstance(x, Poly) else x

    return found._replace(
        unit=unit,
        formula=apply(found.formula),
        parts=tuple(p._replace(formula=apply(p.formula)) for p in found.parts),
        shortcuts=(),
    )

"""Known slips of counting answers, each by the value that it gives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.counting.policy import Answer, is_rounding
from derive.counting.polynomial import Formula, Poly, Ratio
from derive.counting.question import Question
from derive.counting.result import Count
from derive.counting.spec import Spec
from derive.counting.units import UNITS


def wanted_of(found: Count) -> Formula:
    """What is asked for: the count, or what was solved."""
    return found.answer if found.answer is not None else found.value


def scale(given: Answer, found: Count) -> Fraction:
    """The answer's unit in base units; the one asked for, where none is written."""
    unit = given.unit or (found.answer_unit if found.answer is None else "")
    return UNITS[unit][1] if unit in UNITS else Fraction(1)


def same(wanted: Formula, given: Formula, scale: Fraction) -> bool:
    """Whether two formulas are equal, the second in its unit."""
    if isinstance(wanted, Ratio):
        return isinstance(given, Ratio) and (
            wanted.top * given.bottom == scale * given.top * wanted.bottom
        )
    return isinstance(given, Poly) and wanted == scale * given


def mistake(
    quantity: str, spec: Spec, question: Question, given: Answer, found: Count
) -> dict[str, object] | None:
    """The first known slip that gives this answer, with the other ones that do too."""
    hits = []
    for name, words, wanted in _slips(quantity, spec, question, found):
        number, mine = wanted.number, given.value.number
        if number is not None and mine is not None:
            target = number / scale(given, found)
            close = is_rounding(target, mine, given)
            if mine == target or close:
                hits.append((name, words))
        elif isinstance(wanted, Poly) and same(wanted, given.value, scale(given, found)):
            hits.append((name, words))
    if not hits:
        return None
    return {"name": hits[0][0], "explanation": hits[0][1], "also": [x for x, _ in hits[1:]]}


def _slips(
    quantity: str, spec: Spec, question: Question, found: Count
) -> Iterator[tuple[str, str, Formula]]:
    wanted, formula = wanted_of(found), found.formula
    if not isinstance(wanted, Poly) or not isinstance(formula, Poly) or found.answer is not None:
        return
    unit = {"kB": 10, "MB": 20, "GB": 30, "TB": 40}
    if found.unit == "bytes" and wanted.number is not None:
        for power, size in zip((3, 6, 9, 12), unit.values(), strict=True):
            factor = Fraction(10**power, 2**size)
            yield (
                "gib-for-gb",
                "A GiB is 2^30 bytes, a GB 10^9: the units are exchanged.",
                wanted * factor,
            )
            yield (
                "gib-for-gb",
                "A GiB is 2^30 bytes, a GB 10^9: the units are exchanged.",
                wanted * (1 / factor),
            )
        yield "bits-for-bytes", "A byte has 8 bits.", wanted * 8
    if found.unit == "bytes" and quantity == "kv-cache":
        b = spec.symbol("b")
        if wanted.degree("b") == 1 or b.put(found.values).number:
            values = formula.divided(b) if b.put(found.values) else formula
            yield (
                "values-for-bytes",
                "These are stored values; each takes several bytes.",
                values.put(found.values),
            )
        yield (
            "keys-only",
            "Keys and values are both kept: the factor 2 is missing.",
            wanted * Fraction(1, 2),
        )
        h, g = (spec.symbol(x).put(found.values) for x in "hg")
        if h != g and len(g.terms) == 1:
            yield (
                "all-heads",
                "Only the KV heads are cached, not every query head.",
                (wanted * h).divided(g),
            )
    if quantity == "flops" and question.cost == "2mnk":
        yield (
            "multiplications-only",
            "A multiplication and an addition: 2mnk FLOPs.",
            wanted * Fraction(1, 2),
        )
    layers = spec.symbol("L").put(found.values)
    if not spec.model and len(layers.terms) == 1 and layers != 1 and formula.degree("L") == 1:
        one = formula.put({**found.values, "L": Poly.of(1)})
        yield "one-layer", "This is one layer; the model has more.", one

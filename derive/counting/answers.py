"""Counting answers: numbers with units, letters, rounded values; right, wrong or unreadable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from derive.counting.counted import count
from derive.counting.polynomial import Formula, Poly, Ratio
from derive.counting.question import Question
from derive.counting.reading import read_formula
from derive.counting.result import Count
from derive.counting.settings import from_words
from derive.counting.spec import Spec
from derive.counting.units import UNITS
from derive.counting.written import grouped, plain
from derive.errors import DeriveError, TextError

APPROXIMATE = ("≈", "~", "approx.", "about", "ca.")
GROUPED = re.compile(r"\d{1,3}(,\d{3})+(?!\d)")
NUMBER = re.compile(r"([+-]?)(\d+)(?:\.(\d+))?(?:\s*(?:[eE]|[x×·*]\s*10\^)\s*([+-]?\d{1,3}))?")
ALIASES = {"T": "n", "S": "n", "d_k": "k", "d_v": "v", "d_ff": "f"}  # where the question lacks them
LONGEST = 2000


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


class _Answer(NamedTuple):
    value: Formula
    unit: str  # "" where none is written
    approximate: bool
    step: Fraction | None  # the last digit's place, of a decimal number, in the answer's unit
    digits: int  # significant ones

    @property
    def read(self) -> str:
        return f"{'≈ ' if self.approximate else ''}{plain(self.value)} {self.unit}".rstrip()


def check_count(
    spec: str,
    answer: str,
    *,
    dp: int | None = None,
    sf: int | None = None,
    tolerance: tuple[str, Fraction] | None = None,
) -> CountVerdict:
    """Marks the answer to a counting question, as it is typed after `derive count`.

    An answer with a unit is taken in it; without one, in the unit asked for (`--in GiB`), else
    in the base unit.  An exact answer must be exactly right; `≈` asks for a rounding to the
    digits that are written (at least two), `dp`, `sf` and `tolerance` ("abs" or "rel",
    in the answer's unit) say what is accepted.  Ties are right either way.
    Letters may stand side by side (`2LgkT`).  Raises DeriveError where the question itself
    can't be read.

    >>> question = "kv-cache --layers 2 --heads 4 --head-dim 8 --tokens 128 --bytes 8"
    >>> check_count(question, "128 KiB").verdict
    'right'
    >>> check_count("kv-cache --tokens T --bytes 1", "2LgkT").verdict
    'right'
    """
    quantity, sizes, question = from_words(spec)
    found = count(quantity, sizes, question)
    wanted = _wanted(found)
    try:
        given = _read(answer, found)
    except TextError as error:
        where = {"position": error.position, "found": error.found, "expected": error.expected}
        return CountVerdict("invalid", read=answer[:200], message=str(error), error=where)
    except DeriveError as error:
        where = {"position": 0, "found": answer[:40], "expected": "a number or letters, and a unit"}
        return CountVerdict("invalid", read=answer[:200], message=str(error), error=where)
    kind = _kind(found)
    if given.unit and UNITS[given.unit][0] != kind:
        if not {UNITS[given.unit][0], kind} <= {"values", "scores"}:
            message = f"The unit {given.unit} doesn't measure what is asked for ({kind})."
            slip: dict[str, object] = {"name": "wrong-unit", "explanation": message, "also": []}
            return CountVerdict("wrong", "different", None, None, slip, None, given.read, message)
    verdict = _compare(wanted, given, found, dp, sf, tolerance)
    if verdict.verdict == "wrong" and verdict.mistake is None:
        verdict = verdict._replace(mistake=_mistake(quantity, sizes, question, given, found))
        if verdict.mistake:
            verdict = verdict._replace(message=str(verdict.mistake["explanation"]))
    return verdict


def _wanted(found: Count) -> Formula:
    return found.answer if found.answer is not None else found.value


def _kind(found: Count) -> str:
    return found.unit if found.answer is None else ""


def _scale(given: _Answer, found: Count) -> Fraction:
    unit = given.unit or (found.answer_unit if found.answer is None else "")
    return UNITS[unit][1] if unit in UNITS else Fraction(1)


def _compare(
    wanted: Formula,
    given: _Answer,
    found: Count,
    dp: int | None,
    sf: int | None,
    tolerance: tuple[str, Fraction] | None,
) -> CountVerdict:
    scale = _scale(given, found)
    number = wanted.number
    mine = given.value.number
    rounding: dict[str, object] = {"policy": "exact"}
    if number is None or mine is None:
        same = _same(wanted, given.value, scale)
        if not same:
            same = _same(found.formula, given.value, scale) if found.answer is None else False
    else:
        target = number / scale
        if tolerance is not None:
            kind, size = tolerance
            room = size if kind == "abs" else size * abs(target)
            rounding, same = {"policy": f"tolerance {kind}"}, abs(mine - target) <= room
        elif dp is not None:
            rounding, same = (
                {"policy": f"{dp} decimals"},
                _rounds(target, mine, Fraction(1, 10**dp)),
            )
        elif sf is not None:
            rounding = {"policy": f"{sf} significant digits"}
            same = _rounds(target, mine, _step(target, sf))
        elif given.approximate and given.step is not None and mine != target:
            rounding = {"policy": f"rounded to the {given.digits} digits written"}
            same = given.digits >= 2 and _rounds(target, mine, given.step)
        else:
            same = mine == target
            if (
                not same
                and given.step is not None
                and given.digits >= 2
                and _rounds(target, mine, given.step)
            ):
                words = "This is rounded; write ≈ before a rounded answer, or give all digits."
                slip: dict[str, object] = {"name": "rounded", "explanation": words, "also": []}
                return CountVerdict(
                    "wrong", "different", True, rounding, slip, None, given.read, words
                )
    words = "Right." if same else "The number isn't right."
    return CountVerdict(
        "right" if same else "wrong", "equal" if same else "different", True, rounding,
        None, None, given.read, words,
    )  # fmt: skip


def _same(wanted: Formula, given: Formula, scale: Fraction) -> bool:
    if isinstance(wanted, Ratio):
        return isinstance(given, Ratio) and (
            wanted.top * given.bottom == scale * given.top * wanted.bottom
        )
    return isinstance(given, Poly) and wanted == scale * given


def _step(target: Fraction, sf: int) -> Fraction:
    size, power = abs(target), 0
    while size and size >= Fraction(10) ** (power + 1):
        power += 1
    while size and size < Fraction(10) ** power:
        power -= 1
    return Fraction(10) ** (power - sf + 1)


def _rounds(target: Fraction, mine: Fraction, step: Fraction) -> bool:
    """Whether mine is target rounded to a multiple of step; a tie may go either way."""
    return (mine / step).denominator == 1 and 2 * abs(mine - target) <= step


# reading


def _read(text: str, found: Count) -> _Answer:
    if len(text) > LONGEST:
        raise TextError(LONGEST, f"an answer of {len(text)} characters", f"at most {LONGEST}")
    body = text.strip()
    approximate = False
    for mark in APPROXIMATE:
        if body.startswith(mark):
            approximate, body = True, body[len(mark) :].strip()
            break
    body = body.replace("\u2009", " ").replace("\u202f", " ").replace("\u00a0", " ")
    number, unit = _unit(body)
    if not number:
        raise TextError(0, repr(text[:40]), "a number or letters, and a unit")
    number = _ungrouped(number, unit)
    digits = NUMBER.fullmatch(number)
    if digits:
        sign, whole, part, power = digits.groups()
        exponent = int(power or 0)
        value = (
            Fraction(int(f"{whole}{part or ''}"), 10 ** len(part or "")) * Fraction(10) ** exponent
        )
        step = Fraction(10) ** (exponent - len(part or ""))
        significant = len((whole + (part or "")).lstrip("0"))
        return _Answer(
            Poly.of(-value if sign == "-" else value), unit, approximate, step, significant
        )
    return _Answer(_letters(number, found), unit, approximate, None, 0)


def _unit(body: str) -> tuple[str, str]:
    """The text before a unit, and the unit: the longest one that ends it."""
    for unit in sorted(UNITS, key=len, reverse=True):
        if body.endswith(unit):
            before = body[: -len(unit)]
            if before and (before[-1].isspace() or (before[-1].isdigit() and unit not in "sBh")):
                return before.strip(), unit
            if before and before[-1].isdigit() and unit == "B":
                return before, unit
    return body, ""


def _ungrouped(number: str, unit: str) -> str:
    """1,073,741,824 without its commas; one comma before a large unit has two readings."""
    match = GROUPED.match(number)
    if match and number.count(",") == 1 and unit and UNITS[unit][1] != 1:
        a, b = number.split(",", 1)
        raise TextError(len(a), f"{number} {unit}", f"{a}.{b} or {a}{b}, whichever is meant")
    if match:
        return number.replace(",", "")
    if "," in number and not any(c.isalpha() for c in number):
        raise TextError(number.index(","), repr(","), "a decimal point, or groups of three digits")
    if re.fullmatch(r"\d{1,3}( \d{3})+", number):
        return number.replace(" ", "")
    return number


def _letters(text: str, found: Count) -> Formula:
    """A formula in letters; known letters side by side are a product."""
    known = {*found.formula.letters, *found.values, *found.value.letters}
    usable = {*known, *(x for x, y in ALIASES.items() if x not in known and y in known)}
    text = text.replace("²", "^2").replace("³", "^3")
    split = re.sub(r"[A-Za-z_][A-Za-z0-9_]*", lambda m: _split(m[0], usable), text)
    value = read_formula(split, "the answer", usable | {"e"})
    return value.put({x: Poly.letter(y) for x, y in ALIASES.items() if x not in known})


def _split(word: str, known: set[str]) -> str:
    """`LgkT` as a product of known letters, where it is one; else the word."""
    rest, parts = word, []
    while rest:
        name = next((x for x in sorted(known, key=len, reverse=True) if rest.startswith(x)), None)
        if name is None:
            return word
        parts.append(name)
        rest = rest[len(name) :]
    return "(" + "*".join(parts) + ")" if len(parts) > 1 else word


# mistakes


def _mistake(
    quantity: str, spec: Spec, question: Question, given: _Answer, found: Count
) -> dict[str, object] | None:
    """The first known slip that gives this answer, with the other ones that do too."""
    hits = []
    for name, words, wanted in _slips(quantity, spec, question, found):
        number, mine = wanted.number, given.value.number
        if number is not None and mine is not None:
            target = number / _scale(given, found)
            close = (
                given.step is not None and given.digits >= 2 and _rounds(target, mine, given.step)
            )
            if mine == target or close:
                hits.append((name, words))
        elif isinstance(wanted, Poly) and _same(wanted, given.value, _scale(given, found)):
            hits.append((name, words))
    if not hits:
        return None
    return {"name": hits[0][0], "explanation": hits[0][1], "also": [x for x, _ in hits[1:]]}


def _slips(
    quantity: str, spec: Spec, question: Question, found: Count
) -> Iterator[tuple[str, str, Formula]]:
    wanted, formula = _wanted(found), found.formula
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


__all__ = ["CountVerdict", "check_count", "grouped"]

"""An equality for people, and as derive.equality/1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from derive.answers.equality import Entry, Equality
from derive.exact.evidence import Evidence
from derive.exact.refute import Box
from derive.exact.rounding import Rounded, decimal_text, round_enclosure
from derive.exact.sums.prove import SumEvidence
from derive.exact.verdict import Verdict
from derive.render.escape import dumps, terminal

PLACES = (*range(3, 20), *range(25, 5000, 10))  # tried until the two values differ
LARGEST_EXPONENT = 20_000  # of 2, in an end of an interval that is written out
KINDS = {  # variables of a normal form in words
    "symbol": "letter",
    "exp": "exponential",
    "log": "logarithm",
    "arg": "angle",
    "erf": "error function",
    "root": "root",
    "abs": "absolute value",
    "unity": "root of unity",
}


def text(found: Equality) -> str:
    """The verdict, both sides as they were read, and why.

    >>> from derive.answers.equality import equality
    >>> print(text(equality("sqrt(2)", "1.4142")), end="")
    different
      A        sqrt(2)
      B        1.4142
      method   ball: the two sides lie apart (64 bits)
      values   A ≈ 1.41421, B ≈ 1.41420
    """
    rows = [*zip("AB", map(terminal, found.read), strict=True), *_why(found)]
    return "".join([f"{found.verdict}\n", *(f"  {name:<7}  {line}\n" for name, line in rows)])


def json(found: Equality) -> str:
    """derive.equality/1; `entries` and no evidence of its own for vectors and matrices."""
    vector = [_entry(entry) for entry in found.entries if entry.index]
    return dumps(
        {
            "schema": "derive.equality/1",
            "verdict": found.verdict,
            "method": found.decisive.method,
            "reason": found.decisive.reason,
            "evidence": None if vector else _data(found.decisive),
            "read": list(found.read),
            "domain": found.domain,
            **({"entries": vector} if vector else {}),
        }
    )


def _entry(entry: Entry) -> dict[str, object]:
    verdict = entry.verdict
    return {
        "index": list(entry.index),
        "verdict": verdict.verdict,
        "method": verdict.method,
        "reason": verdict.reason,
        "evidence": _data(verdict),
    }


def _data(verdict: Verdict) -> dict[str, object] | None:
    return verdict.evidence.data() if verdict.evidence else None


def _why(found: Equality) -> Iterator[tuple[str, str]]:
    """Name and words of each further line."""
    decisive = found.decisive
    places = [entry.index for entry in found.entries if entry.verdict is decisive]
    if found.verdict != "equal" and places and places[0]:
        yield "entry", str(list(places[0]))
    yield "method", f"{decisive.method}: {decisive.reason}".removesuffix(": ")
    if decisive.evidence is not None:
        yield from _facts(decisive.evidence)
    for side, conditions in (found.domain or {}).items():
        if conditions:
            yield "where", f"{side} needs {', '.join(conditions)}"


def _facts(evidence: Evidence | SumEvidence) -> Iterator[tuple[str, str]]:
    """The two values at the witness point, or what the normal form is made of."""
    if evidence.witness is not None:
        values = _values(evidence.witness.left, evidence.witness.right)
        if values:
            yield "values", f"A {values[0]}, B {values[1]}"
    elif evidence.tower is not None:
        kinds = Counter(v.kind for v in evidence.tower.ground.generators.table.values())
        words = [_count(n, KINDS[kind]) for kind, n in kinds.items() if kind in KINDS]
        words += [kind for kind in kinds if kind not in KINDS]  # i, pi
        if words:
            yield "made of", ", ".join(words)


def _count(n: int, word: str) -> str:
    return f"{n} {word}" + "s" * (n > 1)


def _values(left: Box, right: Box) -> tuple[str, str] | None:
    """Both values with as many correctly rounded decimals as it takes to tell them apart.

    >>> _values((("1*2^-1", "1*2^-1"),), (("1*2^-2", "1*2^-2"), ("1*2^0", "1*2^0")))
    ('= 0.5', '= 0.25 + 1 i')
    """
    for places in PLACES:
        a, b = _rounded(left, places), _rounded(right, places)
        if a and b and [x.units for x in a] != [x.units for x in b]:
            return _number(a), _number(b)
    return None


def _rounded(box: Box, places: int) -> list[Rounded] | None:
    """The parts of a number with so many decimals; None where one isn't certain."""
    parts = []
    for ends in box:
        low, high = map(_fraction, ends)
        units = None if low is None or high is None else round_enclosure(low, high, places)
        if units is None:
            return None
        parts.append(Rounded(units, places, exact=low == high == Fraction(units, 10**places)))
    return parts


def _number(parts: list[Rounded]) -> str:
    """`≈ 1.414`, `= 0.5`, `= 1 - 2 i`."""
    real, *imaginary = map(decimal_text, parts)
    number = real + "".join(f" + {part} i" for part in imaginary).replace("+ -", "- ")
    return f"{'=' if all(part.exact for part in parts) else '≈'} {number}"


def _fraction(end: str) -> Fraction | None:
    """The number of a text such as `3*2^-5`; None of an infinite or a very long one."""
    mantissa, _, exponent = end.partition("*2^")
    if not exponent or abs(int(exponent)) > LARGEST_EXPONENT:
        return None
    return int(mantissa) * Fraction(2) ** int(exponent)

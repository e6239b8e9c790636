"""What is asked of an answer: exact or rounded, how many digits, in which form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.errors import DeriveError
from derive.text import nearest, parse
from derive.text.tree import Negative, Number, Tree

MOST_DIGITS = 200
LARGEST = 10**1000  # of the numbers in a tolerance
PLACES = ("exactly", "at-least")
TIES = ("either", "even", "away")
FORMS = ("exact", "decimal", "lowest-terms", "simplified")
KEYS = (
    "exact", "dp", "sf", "tolerance", "places", "ties", "percent", "rounded_steps", "require",
    "cells", "unit",
)  # fmt: skip
KINDS = ("exact", "dp", "sf", "tolerance")


class PolicyError(DeriveError):
    """A policy asks for something that doesn't exist, or for two things at once."""


@dataclass(frozen=True)
class Policy:
    """How an answer is judged; the default is: exactly equal, in any form.

    >>> Policy.of({"dp": 3}).words
    'rounded to 3 decimal places'
    >>> Policy.of("sf:4") == Policy(kind="sf", digits=4)
    True
    """

    kind: str = "exact"
    digits: int = 0  # decimal places or significant figures
    bound: tuple[str, Fraction] | None = None  # ("abs" or "rel", how far off)
    places: str = "exactly"
    ties: str = "either"
    percent: bool = False
    rounded_steps: int | None = None
    require: str | None = None
    cells: bool = False
    unit: str | None = None

    @classmethod
    def of(cls, given: Policy | Mapping[str, Any] | str | None) -> Policy:
        """A policy from a key's table (`{ dp = 3, places = "at-least" }`) or a text such as dp:3.

        Raises PolicyError, with the nearest key.
        """
        if given is None:
            return cls()
        if isinstance(given, Policy):
            return given
        return _from_table(_table(given) if isinstance(given, str) else given)

    @property
    def words(self) -> str:
        """The policy in words, for people; it says nothing of the value."""
        parts = [_asked(self)]
        if self.kind in ("dp", "sf") and self.places == "at-least":
            parts[0] = parts[0].replace("to ", "to at least ", 1)
        if self.kind in ("dp", "sf") and self.ties != "either":
            parts.append(f"ties {'to even' if self.ties == 'even' else 'away from 0'}")
        if self.percent:
            parts.append("as a percentage")
        if self.rounded_steps is not None:
            parts.append(f"with every step rounded to {_count(self.rounded_steps, 'place')}")
        if self.require:
            parts.append(f"in the form: {self.require}")
        return ", ".join(parts)


def _asked(p: Policy) -> str:
    """The rounding in words."""
    if p.kind == "dp":
        return f"rounded to {_count(p.digits, 'decimal place')}"
    if p.kind == "sf":
        return f"rounded to {_count(p.digits, 'significant figure')}"
    if p.bound is None:
        return "exact"
    return f"within {p.bound[1]}{' of the value, relatively' * (p.bound[0] == 'rel')}"


def _count(n: int, word: str) -> str:
    return f"{n} {word}{'s' * (n != 1)}"


def _table(text: str) -> dict[str, Any]:
    kind, _, value = text.partition(":")
    if kind in ("abs", "rel"):
        return {"tolerance": text}
    if kind in ("dp", "sf") and value.isascii() and value.isdecimal():
        return {kind: int(value[:9])}
    if kind == "tolerance" and value:
        return {"tolerance": value}
    if text == "exact":
        return {}
    raise PolicyError(f"policy {text[:40]!r}: expected exact, dp:N, sf:N, abs:X or rel:X")


def _from_table(table: Mapping[str, Any]) -> Policy:
    table = {str(key).replace("-", "_"): value for key, value in table.items()}
    for key in table:
        if key not in KEYS:
            near = nearest(key, KEYS)
            hint = f"; nearest: {near}" if near else f"; there are {', '.join(KEYS)}"
            raise PolicyError(f"no policy {key[:40]!r}{hint}")
    kinds = [k for k in KINDS if table.get(k) is not None and table[k] is not False]
    if len(kinds) > 1:
        raise PolicyError(f"one of exact, dp, sf, tolerance; found {' and '.join(kinds)}")
    kind = kinds[0] if kinds else "exact"
    return Policy(
        kind=kind,
        digits=_number(table, kind, 0 if kind == "dp" else 1) if kind in ("dp", "sf") else 0,
        bound=_bound(table[kind]) if kind == "tolerance" else None,
        places=_choice(table, "places", PLACES) or "exactly",
        ties=_choice(table, "ties", TIES) or "either",
        percent=_flag(table, "percent"),
        rounded_steps=None
        if table.get("rounded_steps") is None
        else _number(table, "rounded_steps", 0),
        require=_choice(table, "require", FORMS),
        cells=_flag(table, "cells"),
        unit=None if table.get("unit") is None else str(table["unit"]),
    )


def _number(table: Mapping[str, Any], key: str, least: int) -> int:
    n = table[key]
    if isinstance(n, bool) or not isinstance(n, int) or not least <= n <= MOST_DIGITS:
        raise PolicyError(f"{key}: expected a number from {least} to {MOST_DIGITS}, found {n!r}")
    return n


def _flag(table: Mapping[str, Any], key: str) -> bool:
    found = table.get(key) or False
    if not isinstance(found, bool):
        raise PolicyError(f"{key}: expected true or false, found {found!r}")
    return found


def _choice(table: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> str | None:
    found = table.get(key)
    if found is None or found in choices:
        return found
    near = nearest(str(found), choices)
    hint = f"; nearest: {near}" if near else ""
    raise PolicyError(f"{key}: expected one of {', '.join(choices)}, found {found!r}{hint}")


def _bound(text: object) -> tuple[str, Fraction]:
    kind, _, value = str(text).partition(":")
    if kind in ("abs", "rel") and value:
        number = _fraction(parse(value))
        fits = number is not None and 0 <= number and (kind == "abs" or number < 1)
        if number is not None and fits and max(number.numerator, number.denominator) < LARGEST:
            return kind, number
    raise PolicyError(f"tolerance: expected abs:X, or rel:X with X below 1, found {text!r}")


def _fraction(tree: Tree) -> Fraction | None:
    from derive.exact.amounts import number_of
    from derive.exact.dag import Dag
    from derive.exact.reading import evaluate

    if isinstance(tree, Number):
        return Fraction(tree.p, tree.q)
    if isinstance(tree, Negative):
        return None
    return number_of(evaluate(tree, Dag(), {}))

"""Units, exactly: bytes decimal and binary, FLOPs, rates, times; and rounding that is stated."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from derive.counting.written import grouped
from derive.errors import DeriveError

_DECIMAL = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
UNITS: dict[str, tuple[str, Fraction]] = {  # unit: what it measures, in base units
    **{f"{p}B": ("bytes", Fraction(10**e)) for p, e in _DECIMAL.items()},
    **{f"{p}B": ("bytes", Fraction(2**e)) for p, e in _BINARY.items()},
    **{f"{p}bit": ("bytes", Fraction(10**e, 8)) for p, e in _DECIMAL.items()},
    **{f"{p}bit": ("bytes", Fraction(2**e, 8)) for p, e in _BINARY.items()},
    **{f"{p}FLOP": ("FLOPs", Fraction(10**e)) for p, e in _DECIMAL.items()},
    **{f"{p}FLOPs": ("FLOPs", Fraction(10**e)) for p, e in _DECIMAL.items()},
    **{f"{p}FLOP/s": ("FLOP/s", Fraction(10**e)) for p, e in _DECIMAL.items()},
    **{f"{p}B/s": ("bytes/s", Fraction(10**e)) for p, e in _DECIMAL.items()},
    **{f"{p}B/s": ("bytes/s", Fraction(2**e)) for p, e in _BINARY.items()},
    **{"KB": ("bytes", Fraction(1000)), "byte": ("bytes", Fraction(1))},
    **{"bytes": ("bytes", Fraction(1)), "bits": ("bytes", Fraction(1, 8))},
    **{"FLOPS": ("FLOP/s", Fraction(1)), "TFLOPS": ("FLOP/s", Fraction(10**12))},
    **{"GFLOPS": ("FLOP/s", Fraction(10**9)), "PFLOPS": ("FLOP/s", Fraction(10**15))},
    **{"s": ("seconds", Fraction(1)), "seconds": ("seconds", Fraction(1))},
    **{"ms": ("seconds", Fraction(1, 1000)), "min": ("seconds", Fraction(60))},
    **{"h": ("seconds", Fraction(3600)), "hours": ("seconds", Fraction(3600))},
    **{"day": ("seconds", Fraction(86400)), "days": ("seconds", Fraction(86400))},
    **{"%": ("share", Fraction(1, 100))},
    **{"thousand": ("parameters", Fraction(10**3)), "million": ("parameters", Fraction(10**6))},
    **{"billion": ("parameters", Fraction(10**9)), "trillion": ("parameters", Fraction(10**12))},
    **{word: (word, Fraction(1)) for word in ("parameters", "values", "scores", "tiles")},
    **{"params": ("parameters", Fraction(1)), "FLOPs/byte": ("FLOPs/byte", Fraction(1))},
    **{"numbers": ("values", Fraction(1)), "elements": ("values", Fraction(1))},
}
LARGE = {
    "bytes": ("PB", "TB", "GB", "MB", "kB"),
    "FLOPs": ("EFLOPs", "PFLOPs", "TFLOPs", "GFLOPs", "MFLOPs"),
    "parameters": ("trillion", "billion", "million"),
    "seconds": ("days", "h", "min"),
}
BINARY = ("PiB", "TiB", "GiB", "MiB", "KiB")
DIGITS = 3  # significant, where a number is rounded
LONGEST = 13  # digits of a decimal that is written out without rounding
_SIZED = re.compile(r"\s*([+-]?[0-9][0-9_, ]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)\s*([^0-9].*)?")


class Sized(NamedTuple):
    """A value in a unit as it is printed, exact or rounded."""

    text: str  # "1.07 GB"
    exact: bool

    @property
    def rounding(self) -> str:
        """How it was rounded; nothing where it is exact."""
        return "" if self.exact else f"rounded to {DIGITS} significant digits, ties to even"


def measured(text: str, kind: str, place: str) -> Fraction:
    """A number with its unit (`80 GB`, `312 TFLOP/s`, `40%`) in base units of a kind.

    A number alone is in the base unit.  Raises DeriveError naming the place.

    >>> measured("128 KiB", "bytes", "within")
    Fraction(131072, 1)
    """
    found = _SIZED.fullmatch(text)
    if not found:
        raise DeriveError(f"{place}: read {text[:40]!r}, expected a number and its unit")
    number = Fraction(found[1].replace("_", "").replace(",", "").replace(" ", ""))
    name = (found[2] or "").strip()
    if not name:
        return number
    if name not in UNITS or UNITS[name][0] != kind:
        known = [unit for unit, (what, _) in UNITS.items() if what == kind]
        raise DeriveError(f"{place}: read the unit {name[:20]!r}, expected {', '.join(known)}")
    return number * UNITS[name][1]


def in_unit(value: Fraction, unit: str, digits: int = DIGITS) -> Sized:
    """A value of base units in a unit: exact where that is short, else rounded.

    >>> in_unit(Fraction(2**30), "GB").text, in_unit(Fraction(2**30), "GiB").text
    ('1.073741824 GB', '1 GiB')
    """
    text, exact = _short(value / UNITS[unit][1], digits)
    return Sized(f"{text}{'' if unit == '%' else ' '}{unit}", exact)


def rounded_in(value: Fraction, unit: str, digits: int = DIGITS) -> Sized:
    """The same to so many significant digits; `exact` where nothing was lost."""
    scaled = value / UNITS[unit][1]
    text, exact = round_to(scaled, digits)
    return Sized(f"{text} {unit}", exact)


def sizes(value: Fraction, kind: str) -> list[Sized]:
    """A value in the units that suit its size: binary and decimal for bytes."""
    found: list[Sized] = []
    for units in (BINARY, LARGE["bytes"]) if kind == "bytes" else (LARGE.get(kind, ()),):
        unit = next((u for u in units if abs(value) >= UNITS[u][1]), None)
        if unit is None:
            continue
        whole = in_unit(value, unit)
        found.append(whole)
        if whole.exact and len(whole.text.partition(" ")[0].replace(".", "")) > DIGITS + 2:
            found.append(rounded_in(value, unit))
    return found


def round_to(value: Fraction, digits: int) -> tuple[str, bool]:
    """So many significant digits, ties to even, and whether that is exact.

    >>> round_to(Fraction(2, 3), 3), round_to(Fraction(125, 100), 2)
    (('0.667', False), ('1.2', False))
    """
    if value == 0:
        return "0", True
    size = abs(value)
    exponent = len(str(size.numerator)) - len(str(size.denominator))
    exponent -= size < Fraction(10) ** exponent
    step = Fraction(10) ** (exponent - digits + 1)
    result = round(value / step) * step
    return decimal(result) or "0", result == value


def decimal(value: Fraction) -> str | None:
    """A decimal that ends, written out; None for one that doesn't.

    >>> decimal(Fraction(5, 4)), decimal(Fraction(1, 3))
    ('1.25', None)
    """
    bottom, twos, fives = value.denominator, 0, 0
    while bottom % 2 == 0:
        bottom, twos = bottom // 2, twos + 1
    while bottom % 5 == 0:
        bottom, fives = bottom // 5, fives + 1
    if bottom != 1:
        return None
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    whole = grouped(Fraction(int(digits[:-places] if places else digits)))
    sign = "-" if value < 0 else ""
    return sign + (f"{whole}.{digits[-places:]}" if places else whole)


def _short(value: Fraction, digits: int) -> tuple[str, bool]:
    """The whole decimal where it is short, else rounded."""
    whole = decimal(value)
    if whole is not None and len(whole.replace(",", "").replace(".", "")) <= LONGEST:
        return whole, True
    return round_to(value, digits)

"""Letters, numbers and indices: what all printers must know about the leaves of a tree."""

from __future__ import annotations

from derive.line import Bound, Const, Decimal, Entry, Letter, Num, Shown, Sym

SUM, SIGMA, PRODUCT, POWER, ATOM = range(5)  # how tightly a printed form holds together


def letter_strength(name: str) -> int:
    """How tightly a letter's own name holds: 2p+1 is a sum, 2p a product.

    >>> letter_strength("2p+1") < letter_strength("2p") < letter_strength("d_k")
    True
    """
    if any(c in name[1:] for c in "+-−") or name.startswith(("-", "−")):
        return SUM
    if any(c in name for c in "·/ ") or (name[:1].isdigit() and not name.isdigit()):
        return PRODUCT
    return ATOM


def simple(x: Shown) -> bool:
    """One sign on paper: a whole number from 0, a letter, a constant."""
    match x:
        case Num(p=p, q=1):
            return p >= 0
        case Letter(name=name):
            return letter_strength(name) == ATOM
        case Const(name=name):
            return name != "inf"
        case Decimal(text=text):
            return not text.startswith("-") and "e" not in text
    return isinstance(x, Sym | Bound)


def last_index(count: Letter) -> str:
    """The last value of a running index that starts at 0, in words of the letter: d - 1.

    >>> last_index(Letter("d", Num(4))), last_index(Letter("i+1", Num(3)))
    ('d-1', 'i')
    """
    name = count.name.replace(" ", "").replace("−", "-")
    if name.isdigit():
        return str(int(name) - 1)
    return name.removesuffix("+1") if name.endswith("+1") else f"{name}-1"


def entry_indices(x: Entry) -> tuple[Shown, ...]:
    """The indices as they are printed (the one place where an index base would be added)."""
    return x.indices


def clean_decimal(text: str) -> tuple[bool, str, int | None]:
    """Sign, digits and power of ten of a decimal; -0.000 has no sign.

    >>> clean_decimal("-1.234e-10"), clean_decimal("-0.000")
    ((True, '1.234', -10), (False, '0.000', None))
    """
    digits, _, exponent = text.strip().lower().replace("−", "-").partition("e")
    minus = digits.startswith("-") and any(c in "123456789" for c in digits)
    return minus, digits.lstrip("+-"), int(exponent) if exponent else None


def decimal_digits(n: int) -> str:
    """All digits, also where Python's limit on long conversions is set."""
    chunk = 10**1000
    if n < chunk:
        return str(n)
    high, low = divmod(n, chunk)
    return decimal_digits(high) + str(low).rjust(1000, "0")

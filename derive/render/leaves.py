"""Letters, numbers and indices: what all printers must know about the leaves of a tree."""

from __future__ import annotations

from derive.line import Bound, Const, Decimal, Entry, Letter, Names, Num, Shown, Sym

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


# letters that stand for an index as it is printed
RUNNING = {"i", "j", "k", "c", "t", "t−1", "t_i", "t_j"}


def index_base(names: dict[str, str]) -> int:
    """What printed indices count from."""
    return names.index_base if isinstance(names, Names) else 0


def differs(names: dict[str, str]) -> bool:
    """Whether printed indices are others than those that are typed."""
    return isinstance(names, Names) and (names.index_base != 0 or names.columns)


def entry_indices(x: Entry, names: dict[str, str]) -> tuple[Shown, ...]:
    """The indices as they are printed: the one place where the index base is added.

    >>> names = Names()
    >>> names.index_base = 1
    >>> entry = Entry("A", (Letter("i", Num(0)), Letter("2p", Num(0))))
    >>> [index.name for index in entry_indices(entry, names)]
    ['i', '2p+1']
    """
    base = index_base(names)
    return tuple(_shifted(index, base) for index in x.indices) if base else x.indices


def _shifted(x: Shown, base: int) -> Shown:
    match x:
        case Num(p=p, q=1):
            return Num(p + base)
        case Letter(name=name, value=value) if name not in RUNNING:
            stem, _, more = name.partition("+")
            number = (int(more) if more.isdigit() else 0) + base
            return Letter(f"{stem}+{number}", value)
    return x


def sum_bounds(count: Letter, names: dict[str, str]) -> tuple[int, str]:
    """First and last value of a running index, as they are printed."""
    base = index_base(names)
    return base, count.name.replace(" ", "") if base else last_index(count)


def clean_decimal(text: str, comma: str = ".") -> tuple[bool, str, int | None]:
    """Sign, digits and power of ten of a decimal; -0.000 has no sign.

    >>> clean_decimal("-1.234e-10"), clean_decimal("-0.000", ",")
    ((True, '1.234', -10), (False, '0,000', None))
    """
    digits, _, exponent = text.strip().lower().replace("−", "-").partition("e")
    minus = digits.startswith("-") and any(c in "123456789" for c in digits)
    return minus, digits.lstrip("+-").replace(".", comma), int(exponent) if exponent else None


def decimal_digits(n: int) -> str:
    """All digits, also where Python's limit on long conversions is set."""
    chunk = 10**1000
    if n < chunk:
        return str(n)
    high, low = divmod(n, chunk)
    return decimal_digits(high) + str(low).rjust(1000, "0")

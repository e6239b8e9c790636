"""A tree back as a text of the plain grammar, with as few brackets as it needs."""

from __future__ import annotations

from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Number,
    Sum,
    Tree,
    Vector,
)

SUM, MINUS, PRODUCT, POWER, ATOM = 1, 2, 3, 4, 5
BINDING = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
LONG = 60  # zeros that are written out
BLOCK = 10**4000  # numbers below can be written by Python itself
SPACED = {"+": " + ", "-": " - ", "*": "*", "/": "/", "^": "^"}


def show(tree: Tree) -> str:
    """The plain text of a tree; reading it gives the tree back.

    >>> from derive.text import parse
    >>> show(parse("((1/2))*x**2 - -(3)"))
    '1/2*x^2 - (-3)'
    """
    return _show(tree)[0]


def _show(tree: Tree) -> tuple[str, int]:
    """The text and how tightly it binds."""
    match tree:
        case Number():
            return _number(tree)
        case Name(name=name) | Constant(name=name):
            return name, ATOM
        case Negative(x=x):
            return "-" + _within(x, PRODUCT), MINUS
        case Binary(op=op, left=left, right=right):
            return _binary(op, left, right)
        case Call(function="factorial" | "percent" as name, args=(x,)):
            return _within(x, ATOM) + ("!" if name == "factorial" else "%"), ATOM
        case Call(function=name, args=args):
            return f"{name}({_listed(args)})", ATOM
        case Index(name=name, indices=indices):
            return f"{name}[{_listed(indices)}]", ATOM
        case Vector(items=items):
            return f"[{_listed(items)}]", ATOM
        case Sum(index=index, low=low, high=high, body=body):
            return f"sum({index}, {_listed((low, high, body))})", ATOM
    raise TypeError(f"not a tree: {tree!r}")


def _listed(items: tuple[Tree, ...]) -> str:
    return ", ".join(map(show, items))


def _within(tree: Tree, least: int) -> str:
    text, binding = _show(tree)
    return text if binding >= least else f"({text})"


def _binary(op: str, left: Tree, right: Tree) -> tuple[str, int]:
    binding = BINDING[op]
    if op == "^":
        return f"{_within(left, ATOM)}^{_within(right, POWER)}", binding
    # a leading minus takes the whole product after it, so it may begin a sum only
    before = _within(left, SUM if binding == SUM else PRODUCT)
    after = _within(right, PRODUCT if binding == SUM else POWER)
    return f"{before}{SPACED[op]}{after}", binding


def _number(x: Number) -> tuple[str, int]:
    """Decimals that end are written out; any other fraction becomes a quotient."""
    if x.q == 1:
        return _whole(x.p), ATOM
    q, places = x.q, 0
    while q % 10 == 0:
        q, places = q // 10, places + 1
    while q % 2 == 0 or q % 5 == 0:
        q, places = q // (2 if q % 2 == 0 else 5), places + 1
    if q != 1:
        return f"{integer_text(x.p)}/{integer_text(x.q)}", PRODUCT
    units = integer_text(x.p * 10**places // x.q)
    if places > LONG:
        return f"{units}e-{places}", ATOM
    digits = units.rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}", ATOM


def _whole(n: int) -> str:
    """A natural number; one with many zeros at its end as 1e300."""
    digits = integer_text(n)
    short = digits.rstrip("0")
    zeros = len(digits) - len(short)
    return f"{short}e{zeros}" if zeros > LONG else digits


def integer_text(n: int) -> str:
    """A natural number in decimal, however long (Python refuses above 4,300 digits)."""
    parts = []
    while n >= BLOCK:
        n, rest = divmod(n, BLOCK)
        parts.append(str(rest).rjust(4000, "0"))
    return "".join([str(n), *reversed(parts)])

"""Is an answer written as asked?  Judged apart from its value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from derive.answers.written import Places, written
from derive.exact.amounts import number_of
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.reading import evaluate
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
    children,
)

SPECIAL_ANGLES = (1, 2, 3, 4, 6)  # k pi/n with these n has sines and cosines with square roots
CIRCULAR = ("sin", "cos", "tan", "cot", "sec", "csc")
UNDONE = (
    "softmax", "logsumexp", "max", "min", "sigmoid", "relu", "silu", "gelu", "factorial", "percent",
)  # fmt: skip
REASONS = {
    "exact": "an exact form is asked for, not a decimal",
    "decimal": "a decimal is asked for",
    "lowest-terms": "a fraction in lowest terms is asked for",
    "simplified": "a simplified form is asked for",
}


def has_form(form: str, tree: Tree, places: Places, decimal: str = ".") -> bool:
    """Is a number written in the form?

    >>> from derive.text import parse
    >>> [has_form("lowest-terms", parse(x), {}) for x in ("2/4", "1/2", "-3", "sqrt(2)/2")]
    [False, True, True, True]
    >>> [has_form("simplified", parse(x), {}) for x in ("sqrt(8)", "2*sqrt(2)", "cos(0)")]
    [False, True, False]
    """
    if form == "decimal":
        return written(tree, places, decimal) is not None
    if form == "exact":
        return not any(_is_decimal(x, places, decimal) for x in _parts(tree))
    if any(_is_decimal(x, places, decimal) for x in _parts(tree)):
        return False
    if form == "lowest-terms":
        return all(_lowest(x) for x in _parts(tree))
    return all(_lowest(x) and _done(x) for x in _parts(tree))


def _parts(tree: Tree) -> Iterator[Tree]:
    yield tree
    for part in children(tree):
        yield from _parts(part)


def _is_decimal(x: Tree, places: Places, decimal: str) -> bool:
    if not isinstance(x, Number) or x.position not in places:
        return False
    found = written(x, places, decimal)
    return found is not None and (found.fraction or found.decimals > 0)


def _lowest(x: Tree) -> bool:
    """No quotient whose numbers have a factor in common, or whose divisor is 1."""
    if not isinstance(x, Binary) or x.op != "/":
        return True
    above, below = _content(x.left), _content(x.right)
    return below != 1 and gcd(above, below) == 1 if below else True


def _content(x: Tree) -> int:
    """The whole number that divides an expression as it is written; 1 where none shows."""
    match x:
        case Number(p=p, q=1):
            return p
        case Negative(x=y):
            return _content(y)
        case Binary(op="*", left=a, right=b):
            return _content(a) * _content(b)
        case Binary(op="+" | "-", left=a, right=b):
            return gcd(_content(a), _content(b))
        case Binary(op="/", left=a):
            return _content(a)
    return 1


def _done(x: Tree) -> bool:
    """Nothing left to work out: no function with a plain value, no reducible root."""
    match x:
        case Call(function="sqrt", args=(y,)):
            return _root_done(y, 2)
        case Call(function="cbrt", args=(y,)):
            return _root_done(y, 3)
        case Call(function="root", args=(y, Number(p=n, q=1))) if n > 1:
            return _root_done(y, n)
        case Call():
            return _call_done(x)
        case Binary(op="+" | "-" | "*"):
            return _collected(x)
        case Binary(op="^"):
            return not _plain(x) and x.right not in (Number(0), Number(1)) and _power_done(x)
        case Binary(op="/", left=a, right=b):
            return a != b
        case Sum():
            return False
        case Negative(x=Negative() | Number(p=0)):
            return False
    return True


def _call_done(x: Call) -> bool:
    """No special angle, no logarithm of a power of e, no plain value."""
    if x.function in CIRCULAR:
        return not _special_angle(x.args[0])
    if x.function in ("ln", "log") and len(x.args) == 1:
        value = _value(x.args[0])
        return value is None or (value.op != "exp" and value.number != (1, 1))
    return x.function not in UNDONE and not _plain(x)


def _value(x: Tree) -> Node | None:
    try:
        found = evaluate(x, Dag())
    except UndefinedValue:
        return None
    return found if isinstance(found, Node) else None


def _plain(x: Tree) -> bool:
    """Is the value a rational number?"""
    value = _value(x)
    return value is not None and value.number is not None


def _root_done(x: Tree, n: int) -> bool:
    """A whole number without an n-th power in it, or something with letters or functions."""
    value = _value(x)
    number = None if value is None else number_of(value)
    if number is None:
        return True
    return number.denominator == 1 and number > 1 and _free_of_powers(int(number), n)


def _free_of_powers(z: int, n: int) -> bool:
    """Does no n-th power divide z?  Prime factors above 10^4 are not looked for."""
    p = 2
    while p**n <= z and p < 10_000:
        if z % p**n == 0:
            return False
        while z % p == 0:
            z //= p
        p += 1
    return True


def _power_done(x: Binary) -> bool:
    """Powers of numbers with broken exponents are roots."""
    if isinstance(x.left, Call) and x.left.function == "exp":
        return False
    value = _value(x.left)
    if value is None or value.number is None or not isinstance(x.right, Binary):
        return True
    p, q = value.number
    exponent = _value(x.right)
    if exponent is None or exponent.number is None:
        return True
    return (
        q == 1
        and 0 < exponent.number[0] < exponent.number[1]
        and _free_of_powers(p, exponent.number[1])
    )


def _special_angle(x: Tree) -> bool:
    """A multiple of pi that has a sine with square roots only, 0 included."""
    if isinstance(x, Number):
        return x.p == 0
    f = Dag()
    try:
        turned = evaluate(Binary("/", x, Constant("pi")), f)
    except UndefinedValue:
        return False
    number = number_of(turned) if isinstance(turned, Node) else None
    return number is not None and number.denominator in SPECIAL_ANGLES


def _collected(x: Binary) -> bool:
    """No like terms, no two numbers, in one sum or product."""
    kinds, op = (("+", "-"), "add") if x.op in "+-" else (("*",), "mul")
    parts: list[Tree] = []
    waiting: list[Tree] = [x]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.op in kinds:
            waiting += [part.left, part.right]
        else:
            parts.append(part)
    if op == "mul" and sum(isinstance(p, Call) and p.function == "sqrt" for p in parts) > 1:
        return False
    plain = [p for p in parts if not isinstance(p, Name | Index | Vector) and _plain(p)]
    if len(plain) > 1 or any(_value_is(p, 0 if op == "add" else 1) for p in plain):
        return False
    value = _value(x)
    if value is None:
        return True
    if value.op != op:
        return False
    return len(value.args) >= len(parts) - _split(parts, op)


def _split(parts: list[Tree], op: str) -> int:
    """Parts that the kernel joins though nothing is left to be done: 2*sqrt(2)/3 has a 1/3."""
    return 0 if op == "add" else sum(isinstance(p, Binary) and p.op == "/" for p in parts)


def _value_is(x: Tree, n: int) -> bool:
    value = _value(x)
    return value is not None and number_of(value) == Fraction(n)

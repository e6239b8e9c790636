"""A text's tree as a value of any arithmetic: SymPy expressions, kernel nodes, balls.

What a tree would cost is bounded before anything is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.errors import DeriveError
from derive.text import tree as t
from derive.text.nearest import nearest

BITS_ALLOWED = 100_000
MOST_TERMS = 10_000
LARGEST_FACTORIAL = 1_000


class ReadingError(DeriveError):
    """A text is in the grammar but has no value here; the message says why."""


def evaluate(tree: t.Tree, f: Any, symbols: Mapping[str, Any]) -> Any:
    """The value of a tree in the arithmetic f; vectors become tuples.

    Raises ReadingError for unknown names, for numbers past the size limit and for sums
    whose length is a letter.

    >>> from derive.exact.dag import Dag
    >>> from derive.text import parse
    >>> evaluate(parse("2^3 + 1/4"), Dag(), {}).number
    (33, 4)
    """
    bits = cost(tree)
    if bits > BITS_ALLOWED:
        raise ReadingError(f"too large a number: it may have {_about(bits)} bits")
    return _Reader(f, symbols).value(tree)


def cost(tree: t.Tree) -> int:
    """An upper bound for the bits of the rational arithmetic inside a tree.

    >>> from derive.text import parse
    >>> cost(parse("9^9^9")) > 10**9
    True
    """
    match tree:
        case t.Number(p=p, q=q):
            return p.bit_length() + q.bit_length()
        case t.Binary(op="^", left=base, right=exponent):
            times = _size(exponent) if _rational(base) else 1  # a power of a letter stays one
            return cost(exponent) + (cost(base) + 1) * times
        case t.Call(function="factorial", args=(x,)):
            n = _size(x)
            return n * n.bit_length() if n <= LARGEST_FACTORIAL else BITS_ALLOWED + 1
        case t.Sum(low=low, high=high, body=body):
            return cost(low) + cost(high) + cost(body)
    return 1 + sum(map(cost, t.children(tree)))


def _size(tree: t.Tree) -> int:
    """A bound for the absolute value of an exponent that is a plain number, else 1."""
    match tree:
        case t.Negative(x=x):
            return _size(x)
        case t.Number(p=p, q=q):
            return p // q + 1
        case t.Name() | t.Constant() | t.Index():
            return 1
        case t.Binary(op="^", left=base, right=exponent):
            b, n = _size(base), _size(exponent)
            return 1 << min(b.bit_length() * n, 4 * BITS_ALLOWED)
        case t.Binary(op="*", left=a, right=b):
            return _size(a) * _size(b)
        case t.Binary(op="+" | "-", left=a, right=b):
            return _size(a) + _size(b)
        case t.Binary(op="/", left=a, right=b):
            return _size(a) * (1 if _size(b) > 1 else _denominator(b))
        case t.Call(function="factorial"):
            return 1 << min(cost(tree), 4 * BITS_ALLOWED)
    return 1


def _rational(tree: t.Tree) -> bool:
    """Nothing but numbers and arithmetic inside."""
    if isinstance(tree, t.Name | t.Constant | t.Index | t.Sum):
        return False
    if isinstance(tree, t.Call) and tree.function != "factorial":
        return False
    return all(map(_rational, t.children(tree)))


def _denominator(tree: t.Tree) -> int:
    return tree.q if isinstance(tree, t.Number) else 1


def _about(bits: int) -> str:
    return str(bits) if bits < 10**9 else "more than 10^9"


class _Reader:
    """One walk over a tree in one arithmetic."""

    def __init__(self, f: Any, symbols: Mapping[str, Any]) -> None:
        self.f, self.symbols = f, symbols
        self.bound: dict[str, int] = {}

    def value(self, tree: t.Tree) -> Any:
        match tree:
            case t.Number(p=p, q=q):
                return self.f.rational(p, q)
            case t.Constant(name="inf"):
                return self.f.infinity(1)
            case t.Constant(name=name):
                return getattr(self.f, name)
            case t.Name(name=name):
                return self.name(name)
            case t.Negative(x=x):
                return -self.value(x)
            case t.Binary(op=op, left=left, right=right):
                return self.binary(op, left, right)
            case t.Call(function=name, args=args):
                return self.call(name, args)
        return self.collection(tree)

    def collection(self, tree: t.Tree) -> Any:
        match tree:
            case t.Vector(items=items):
                return tuple(map(self.value, items))
            case t.Sum():
                return self.sum(tree)
            case t.Index(name=name, indices=indices):
                return self.name(f"{name}[{','.join(str(self.integer(k)) for k in indices)}]")
        raise ReadingError(f"{type(tree).__name__} has no value")

    def name(self, name: str) -> Any:
        if name in self.bound:
            return self.f.rational(self.bound[name])
        try:
            return self.symbols[name]
        except KeyError:
            near = nearest(name, self.symbols)
            hint = f"; nearest: {near}" if near else ""
            raise ReadingError(f"the name {name} has no value here{hint}") from None

    def binary(self, op: str, left: t.Tree, right: t.Tree) -> Any:
        a, b = self.value(left), self.value(right)
        if isinstance(a, tuple) or isinstance(b, tuple):
            return _vectors(op, a, b)
        match op:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a / b
        whole = _integer(right)
        return self.f.power(a, whole) if whole is not None else self.f.general_power(a, b)

    def call(self, name: str, args: tuple[t.Tree, ...]) -> Any:
        f = self.f
        if name == "root":
            return f.root(self.value(args[0]), self.positive(args[1]))
        if name == "factorial":
            return f.rational(_factorial(self.integer(args[0])))
        values = [self.value(x) for x in args]
        if name in ("softmax", "logsumexp"):
            return self.over_vector(name, values[0])
        if any(isinstance(x, tuple) for x in values):
            raise ReadingError(f"{name} of a vector")
        if name in ("log", "lg", "ln"):
            base = values[1] if len(values) == 2 else f.rational(10) if name == "lg" else None
            return f.log(values[0]) if base is None else f.log(values[0]) / f.log(base)
        if name in WRITTEN:
            return WRITTEN[name](f, *values)
        return getattr(f, name)(*values)

    def over_vector(self, name: str, values: Any) -> Any:
        if not isinstance(values, tuple) or any(isinstance(x, tuple) for x in values):
            raise ReadingError(f"{name} of something that is not a vector such as [1, 2]")
        powers = [self.f.exp(x) for x in values]
        total = powers[0]
        for x in powers[1:]:
            total = total + x
        return self.f.log(total) if name == "logsumexp" else tuple(x / total for x in powers)

    def sum(self, tree: t.Sum) -> Any:
        low, high = self.integer(tree.low), self.integer(tree.high)
        if high - low >= MOST_TERMS:
            raise ReadingError(f"a sum of {high - low + 1} terms; at most {MOST_TERMS}")
        if (high - low + 1) * cost(tree.body) > 10 * BITS_ALLOWED:
            raise ReadingError("too large a sum")
        before = self.bound.get(tree.index)
        total = self.f.rational(0)
        for k in range(low, high + 1):
            self.bound[tree.index] = k
            total = total + self.value(tree.body)
        if before is None:
            self.bound.pop(tree.index, None)
        else:
            self.bound[tree.index] = before
        return total

    def integer(self, tree: t.Tree) -> int:
        """A bound of a sum or an index: integers, and running indices around."""
        match tree:
            case t.Number(p=p, q=1):
                return p
            case t.Name(name=name) if name in self.bound:
                return self.bound[name]
            case t.Negative(x=x):
                return -self.integer(x)
            case t.Binary(op="+", left=a, right=b):
                return self.integer(a) + self.integer(b)
            case t.Binary(op="-", left=a, right=b):
                return self.integer(a) - self.integer(b)
            case t.Binary(op="*", left=a, right=b):
                return self.integer(a) * self.integer(b)
        raise ReadingError("sums and indices whose size is a letter are not evaluated here")

    def positive(self, tree: t.Tree) -> int:
        n = self.integer(tree)
        if not 2 <= n <= 10_000:
            raise ReadingError(f"root of degree {n}; it must be from 2 to 10000")
        return n


def _integer(tree: t.Tree) -> int | None:
    """The integer that an exponent is, if it is written as one."""
    match tree:
        case t.Number(p=p, q=1):
            return p
        case t.Negative(x=t.Number(p=p, q=1)):
            return -p
    return None


def _factorial(n: int) -> int:
    if not 0 <= n <= LARGEST_FACTORIAL:
        raise ReadingError(f"the factorial of {n}; only 0 to {LARGEST_FACTORIAL}")
    from math import factorial

    return factorial(n)


def _vectors(op: str, a: Any, b: Any) -> Any:
    """Sums of vectors of one shape, and multiples of a vector by a number."""
    if isinstance(a, tuple) and isinstance(b, tuple) and op in "+-" and len(a) == len(b):
        return tuple(
            _vectors(op, x, y) if isinstance(x, tuple) else (x + y if op == "+" else x - y)
            for x, y in zip(a, b, strict=True)
        )
    if op == "*" and not isinstance(a, tuple):
        a, b = b, a
    if op in "*/" and isinstance(a, tuple) and not isinstance(b, tuple):
        return tuple(
            _vectors(op, x, b) if isinstance(x, tuple) else (x * b if op == "*" else x / b)
            for x in a
        )
    raise ReadingError(f"{op} between these vectors or numbers")


Written = Callable[..., Any]

WRITTEN: dict[str, Written] = {  # functions written with those that every arithmetic has
    "cbrt": lambda f, x: f.root(x, 3),
    "cot": lambda f, x: f.cos(x) / f.sin(x),
    "sec": lambda f, x: 1 / f.cos(x),
    "csc": lambda f, x: 1 / f.sin(x),
    "asinh": lambda f, x: f.log(x + f.sqrt(x * x + 1)),
    "acosh": lambda f, x: f.log(x + f.sqrt(x + 1) * f.sqrt(x - 1)),
    "atanh": lambda f, x: (f.log(1 + x) - f.log(1 - x)) / 2,
    "relu": lambda f, x: f.max(f.rational(0), x),
    "silu": lambda f, x: x * f.sigmoid(x),
    "gelu": lambda f, x: x * (1 + f.erf(x / f.sqrt(f.rational(2)))) / 2,
}

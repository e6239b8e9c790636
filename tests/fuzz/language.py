"""Random expressions of the plain grammar, and their value in any arithmetic.

Most are real by their form; "wild" ones have roots and logarithms of anything, and i, so
their values are complex and lie on every side of the branch cuts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from derive.text.tree import Binary, Call, Constant, Name, Negative, Number, Tree, children

POSITIVE_NAMES = ("x", "y")  # the letters that are assumed to be positive
FREE_NAMES = ("u", "v")  # and those that are only real
FUNCTIONS = ("exp", "sin", "cos", "tanh", "sigmoid", "erf", "cosh", "sinh", "atan")


def number(p: int, q: int = 1) -> Tree:
    """A rational number, negative ones with a sign in front."""
    return Number(p, q) if p >= 0 else Negative(Number(-p, q))


def call(name: str, *args: Tree) -> Tree:
    """A function of its arguments."""
    return Call(name, args)


def plus(a: Tree, b: Tree) -> Tree:
    """a + b"""
    return Binary("+", a, b)


def minus(a: Tree, b: Tree) -> Tree:
    """a - b"""
    return Binary("-", a, b)


def times(a: Tree, b: Tree) -> Tree:
    """a b"""
    return Binary("*", a, b)


def over(a: Tree, b: Tree) -> Tree:
    """a / b"""
    return Binary("/", a, b)


def power(a: Tree, n: int) -> Tree:
    """a^n"""
    return Binary("^", a, number(n))


def square(a: Tree) -> Tree:
    """a^2"""
    return power(a, 2)


def total(*terms: Tree) -> Tree:
    """The sum of one or more terms."""
    out = terms[0]
    for x in terms[1:]:
        out = plus(out, x)
    return out


def rebuilt(t: Tree, parts: Sequence[Tree]) -> Tree:
    """The same node over other parts."""
    match t:
        case Negative():
            return Negative(parts[0])
        case Binary(op=op):
            return Binary(op, parts[0], parts[1])
        case Call(function=name):
            return Call(name, tuple(parts))
    return t


def size(t: Tree) -> int:
    """The number of nodes."""
    return 1 + sum(map(size, children(t)))


def is_positive(t: Tree) -> bool:
    """Whether the tree is positive by its form, wherever it is defined."""
    match t:
        case Number(p=p):
            return p > 0
        case Name(name=name):
            return name in POSITIVE_NAMES
        case Constant(name=name):
            return name in ("pi", "e")
        case Binary(op="+", left=a, right=b) if is_positive(a) or is_positive(b):
            return not_negative(a) and not_negative(b)
        case Binary(op="*" | "/", left=a, right=b):
            return is_positive(a) and is_positive(b)
        case Binary(op="^", left=a):
            return is_positive(a)
        case Call(function="exp" | "cosh" | "sigmoid", args=(a,)):
            return is_real(a)
        case Call(function="sqrt" | "root", args=(a, *_)):
            return is_positive(a)
    return False


def not_negative(t: Tree) -> bool:
    """Whether the tree is at least 0 by its form."""
    match t:
        case Binary(op="^", right=Number(p=n)):
            return is_positive(t) or (n % 2 == 0 and is_real(t))
        case Call(function="abs" | "relu"):
            return is_real(t)
    return is_positive(t)


def is_real(t: Tree) -> bool:
    """Whether the tree is real by its form, wherever it is defined."""
    match t:
        case Constant(name="i"):
            return False
        case Call(function="sqrt" | "ln" | "root", args=(a, *_)):
            return is_positive(a)
        case Call(function="asin" | "acos"):
            return False
    return all(map(is_real, children(t)))


def leaf(rng: Random, names: Sequence[str]) -> Tree:
    """A number or one of the letters."""
    if names and rng.randrange(3):
        return Name(rng.choice(names))
    if rng.randrange(8) == 0:
        return Constant("pi")
    q = rng.choice((1, 1, 1, 2, 3, 5))
    return number(rng.choice((-1, 1, 1)) * rng.randint(1, 7), q)


def positive(rng: Random, names: Sequence[str], depth: int) -> Tree:
    """A random tree that is positive by its form."""
    kind = rng.randrange(8 if depth else 2)
    if kind == 0 or (kind < 4 and not depth):
        good = [n for n in names if n in POSITIVE_NAMES]
        return Name(rng.choice(good)) if good and rng.randrange(2) else number(rng.randint(2, 9))
    if kind == 1:
        return number(rng.randint(1, 9), rng.choice((2, 3)))
    if kind in (2, 3):
        return call("exp", expression(rng, names, depth - 1))
    if kind == 4:
        return plus(square(expression(rng, names, depth - 1)), number(rng.randint(1, 3)))
    if kind == 5:
        return call("sqrt", positive(rng, names, depth - 1))
    op = rng.choice("++*/")
    return Binary(op, positive(rng, names, depth - 1), positive(rng, names, depth - 1))


def expression(rng: Random, names: Sequence[str], depth: int, wild: bool = False) -> Tree:
    """A random tree; a tame one has roots and logarithms of positive trees only."""
    if depth <= 0 or rng.randrange(9) == 0:
        return Constant("i") if wild and rng.randrange(8) == 0 else leaf(rng, names)
    kind = rng.randrange(12)
    if kind < 5:
        op = rng.choice("++-**/")
        left = expression(rng, names, depth - 1, wild)
        right = expression(rng, names, depth - 1, wild)
        return Binary(op, left, right)
    inner = expression(rng, names, depth - 1, wild)
    if kind < 8:
        return call(rng.choice(FUNCTIONS), inner)
    if kind < 10 and wild:
        name = rng.choice(("sqrt", "sqrt", "ln", "root", "asin", "acos"))
        return call(name, inner, Number(3)) if name == "root" else call(name, inner)
    if kind < 10:
        return call(rng.choice(("sqrt", "ln")), positive(rng, names, depth - 1))
    if kind == 10:
        folded = is_real(inner) and rng.randrange(2)
        return call(rng.choice(("abs", "relu")), inner) if folded else square(inner)
    return positive(rng, names, depth)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def value(t: Tree, f: Any) -> Any:
    """The tree in an arithmetic; independent of the library's own reader."""
    match t:
        case Negative(x=x):
            return -value(x, f)
        case Binary(op="^", left=a, right=Number(p=n)):
            return f.power(value(a, f), n)
        case Binary(op=op, left=a, right=b):
            return OPERATORS[op](value(a, f), value(b, f))
        case Call(function="root", args=(a, Number(p=n))):
            return f.root(value(a, f), n)
        case Call(function=name, args=args):
            return _called(name, [value(x, f) for x in args], f)
    return _leaf(t, f)


def _called(name: str, args: list[Any], f: Any) -> Any:
    if name == "relu":
        return f.max(args[0], f.rational(0))
    return getattr(f, "log" if name == "ln" else name)(*args)


def _leaf(t: Tree, f: Any) -> Any:
    match t:
        case Number(p=p, q=q):
            return f.rational(p, q)
        case Name(name=name):
            return f.symbol(name)
        case Constant(name=name):
            return getattr(f, name)
    raise AssertionError(t)

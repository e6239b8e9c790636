"""A text of the plain grammar as a shown tree, as it was written."""

from __future__ import annotations

from math import gcd

from derive.line.tree import (
    Call,
    Const,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sym,
    Times,
)
from derive.text import tree as text


def from_text(tree: text.Tree, letters: dict[str, Shown] | None = None) -> Shown:
    """A text of the plain grammar as it was written; `letters` gives names a meaning here.

    >>> from derive.text import parse
    >>> from_text(parse("sqrt(2)/2"))
    Over(above=Root(x=Num(p=2, q=1), n=2), below=Num(p=2, q=1))
    """
    match tree:
        case text.Number(p=p, q=q):
            return Num(p, q)
        case text.Constant(name=name):
            return Const(name)
        case text.Name(name=name):
            return (letters or {}).get(name, Sym(name))
        case text.Negative(x=x):
            return _negative(from_text(x, letters))
        case text.Binary(op=op, left=a, right=b):
            return _binary(op, from_text(a, letters), from_text(b, letters))
        case text.Call(function=name, args=args):
            return _call(name, tuple(from_text(x, letters) for x in args))
    raise TypeError(f"{tree!r} is not a number")


def _binary(op: str, a: Shown, b: Shown) -> Shown:
    match op:
        case "+":
            return Plus((*_parts(a, Plus), b))
        case "-":
            return Plus((*_parts(a, Plus), Neg(b)))
        case "*":
            return Times((*_parts(a, Times), b))
        case "/":
            return _over(a, b)
    return Power(a, b)


def _call(name: str, args: tuple[Shown, ...]) -> Shown:
    match name, args:
        case "sqrt", (x,):
            return Root(x)
        case "cbrt", (x,):
            return Root(x, 3)
        case "root", (x, Num(p=n, q=1)):
            return Root(x, n)
        case "exp", (x,):
            return Power(Const("e"), x)
        case "ln", _:
            return Call("log", args)
        case "percent", (x,):
            return _over(x, Num(100))
    return Call(name, args)


def _negative(x: Shown) -> Shown:
    return Num(-x.p, x.q) if isinstance(x, Num) else Neg(x)


def _over(a: Shown, b: Shown) -> Shown:
    """A fraction of integers in lowest terms is a number; others stay as they are written."""
    match a, b:
        case Num(p=p, q=1), Num(p=q, q=1) if q > 0 and gcd(p, q) == 1:
            return Num(p, q)
    return Over(a, b)


def _parts(x: Shown, kind: type[Plus] | type[Times]) -> tuple[Shown, ...]:
    match x:
        case Plus(terms=parts) | Times(factors=parts) if isinstance(x, kind):
            return parts
    return (x,)

"""Limits of expressions in one letter: pure functions, exact values or None.

Two ways, each a proof.  *By parts*: the limit of a sum, product, quotient, exponential … from
those of its parts, a finite sum term by term; the sign of what multiplies an infinity is read by
`positivity`.  *By dominance*: a quotient of sums of c x^r exp(q(x)), rational c and polynomial q,
goes as the quotient of its leading terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from derive.identities.positivity import POSITIVE, Bound, Signs, put
from derive.text.parser import parse
from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Name,
    Negative,
    Number,
    Sum,
    Tree,
    names,
)

Point = Literal["inf", "-inf", "0+"]
INFINITY = Constant("inf")
MINUS_INFINITY = Negative(INFINITY)
ZERO, ONE = Number(0), Number(1)
ENDS: dict[str, tuple[Tree, Tree]] = {  # f: (limit at -inf, limit at inf)
    "exp": (ZERO, INFINITY),
    "tanh": (Negative(ONE), ONE),
    "erf": (Negative(ONE), ONE),
    "sigmoid": (ZERO, ONE),
}
CONTINUOUS = {*ENDS, "sin", "cos", "sinh", "cosh", "abs"}
MOST_TERMS = 400


def limit(
    expression: str | Tree,
    letter: str,
    point: Point = "inf",
    assumptions: Sequence[str] = (),
) -> Tree | None:
    """The limit of an expression as a letter goes to inf, -inf or 0 from above; None: undecided.

    An infinite limit is `inf` or `-inf` as a tree.  Other letters are real and stay fixed;
    `assumptions` tell their signs.

    >>> from derive.text import show
    >>> show(limit("x/(1 + exp(-x))", "x", "-inf"))
    '0'
    >>> show(limit("(3 n^2 + n)/(2 n^2 - 5)", "n"))
    '1.5'
    >>> show(limit("exp(a*T)/(exp(a*T) + exp(b*T))", "T", "inf", ["a < b"]))
    '0'
    >>> limit("sin(x)", "x") is None
    True
    """
    from derive.exact.sums.prove import statement

    tree = parse(expression) if isinstance(expression, str) else expression
    (tree,), facts = statement([tree], assumptions)
    return limit_of(tree, letter, point, Signs(facts))


def limit_of(t: Tree, letter: str, point: Point, signs: Signs) -> Tree | None:
    """The same under facts and bounds."""
    return _Limit(letter, point, signs).of(t)


def ratio_order(expression: str | Tree, letter: str) -> tuple[Fraction, int] | None:
    """(leading coefficient, degree) of a rational function of a letter as it grows.

    The expression is Theta(letter^degree), as expression/letter^degree has this limit.

    >>> ratio_order("12 n^2*3 + 5 n + 7", "n")
    (Fraction(36, 1), 2)
    """
    tree = parse(expression) if isinstance(expression, str) else expression
    quotient = _quotient(tree, letter)
    if quotient is None or not quotient[0]:
        return None
    (_, (r, c)), (_, (s, d)) = _lead(quotient[0]), _lead(quotient[1])
    exponents = {m[0] for part in quotient for m in part}
    return (c / d, r - s) if exponents == {()} else None


class _Limit:
    def __init__(self, letter: str, point: Point, signs: Signs) -> None:
        self.letter, self.point, self.signs = letter, point, signs

    def of(self, t: Tree) -> Tree | None:
        if self.letter not in names(t):
            return t
        found = self.by_parts(t)
        if found is None:
            found = self.divided(t)
        return found if found is not None else dominance(t, self.letter, self.point)

    def by_parts(self, t: Tree) -> Tree | None:  # noqa: C901
        match t:
            case Name():
                ends: dict[Point, Tree] = {"inf": INFINITY, "-inf": MINUS_INFINITY, "0+": ZERO}
                return ends[self.point]
            case Negative(x=x):
                return self._times(Negative(ONE), self.of(x))
            case Binary(op="+" | "-" as op, left=a, right=b):
                y = self.of(b)
                return self._plus(self.of(a), y if op == "+" else self._times(Negative(ONE), y))
            case Binary(op="*" | "/", left=Binary(op="-", left=x, right=y)) if x == y:
                return ZERO
            case Binary(op="*", left=a, right=b):
                return self._times(self.of(a), self.of(b))
            case Binary(op="/", left=a, right=b):
                return self._times(self.of(a), self._inverse(b))
            case Binary(op="^", left=a, right=Number(p=p, q=1)) if p > 0:
                value = self.of(a)
                if value is None:
                    return None
                if _infinite(value):
                    return INFINITY if p % 2 == 0 else value
                return Binary("^", value, Number(p))
            case Call(function=f, args=(x,)):
                return self._call(f, self.of(x))
            case Sum():
                return self._sum(t)
        return None

    def divided(self, t: Tree) -> Tree | None:
        """A quotient whose parts grow: both divided by one exponential of the divisor."""
        match t:
            case Binary("/", a, Binary("+", Call(function="exp"), Call(function="exp")) as b):
                for e in (b.left, b.right):
                    top = self._scaled(a, e)
                    bottom = [self._scaled(x, e) for x in (b.left, b.right)]
                    if top is None or None in bottom:
                        continue
                    below = self._plus(*map(self.of, bottom))  # type: ignore[arg-type]
                    above = self.of(top)
                    if above is not None and below is not None and not _infinite(below):
                        if not _infinite(above) and self.signs.of(below) == POSITIVE:
                            return self._tidy(Binary("/", above, below))
        return None

    @staticmethod
    def _scaled(t: Tree, by: Tree) -> Tree | None:
        """exp(a)/exp(b) as exp(a - b)."""
        match t, by:
            case Call(function="exp", args=(a,)), Call(function="exp", args=(b,)):
                return ONE if a == b else Call("exp", (_gap(a, b),))
        return None

    def _sum(self, t: Sum) -> Tree | None:
        """Term by term; a term whose index a bound leaves out is taken by itself."""
        if self.letter in names(t.low) | names(t.high) or t.index == self.letter:
            return None
        inner = _Limit(self.letter, self.point, self.signs._inside(t))
        value = inner.of(t.body)
        if value is not None:
            return None if _infinite(value) else self._tidy(replace(t, body=value))
        for bound in self.signs.bounds:
            if bound.without is None or (bound.low, bound.high) != (t.low, t.high):
                continue
            split = self._split(t, bound)
            if split is not None:
                return split
        return None

    def _split(self, t: Sum, bound: Bound) -> Tree | None:
        """The term at the index that a bound leaves out, and all others by the bound."""
        assert bound.without is not None
        signs = self.signs
        at = bound.without
        inside = signs.least(Binary("-", at, t.low), 0)
        if not inside or not signs.least(Binary("-", t.high, at), 0):
            return None
        own = self.of(put(t.body, t.index, at))
        free = replace(bound, without=None)
        others = [free if b is bound else b for b in signs.bounds]
        # in this one term the running index is not the one left out: the bound holds for it
        inner = signs._inside(t)
        rest = _Limit(
            self.letter, self.point, Signs(inner.facts, [_only(b, t.index) for b in others])
        ).of(t.body)
        if own is None or rest is None or _infinite(own) or _infinite(rest):
            return None
        count = Call("delta", (Name(t.index), at))
        body = Binary(
            "+", Binary("*", count, own), Binary("*", Binary("-", ONE, count), rest)
        )  # fmt: skip
        if rest == ZERO:
            return own
        return replace(t, body=body)

    def _call(self, f: str, x: Tree | None) -> Tree | None:
        if x is None:
            return None
        if _infinite(x):
            if f in ENDS:
                return ENDS[f][x == INFINITY]
            if f in ("ln", "sqrt") and x == INFINITY:
                return INFINITY
            return INFINITY if f == "abs" else None
        if f in ("ln", "sqrt"):
            return self._tidy(Call(f, (x,))) if self.signs.of(x) == POSITIVE else None
        return self._tidy(Call(f, (x,))) if f in CONTINUOUS else None

    def _inverse(self, b: Tree) -> Tree | None:
        value = self.of(b)
        if value is None:
            return None
        if _infinite(value):
            return ZERO
        if b == Name(self.letter) and self.point == "0+":
            return INFINITY
        return Binary("/", ONE, value) if self._sign(value) else None

    def _plus(self, a: Tree | None, b: Tree | None) -> Tree | None:
        if a is None or b is None:
            return None
        if _infinite(a) or _infinite(b):
            if _infinite(a) and _infinite(b):
                return a if a == b else None
            return a if _infinite(a) else b
        return self._tidy(Binary("+", a, b))

    def _times(self, a: Tree | None, b: Tree | None) -> Tree | None:
        if a is None or b is None:
            return None
        if not _infinite(a) and not _infinite(b):
            return self._tidy(Binary("*", a, b))
        signs = [self._sign(x) for x in (a, b)]
        if 0 in signs:
            return None
        return INFINITY if signs[0] == signs[1] else MINUS_INFINITY

    def _sign(self, x: Tree) -> int:
        """1, -1 or 0: not known, or zero."""
        if _infinite(x):
            return 1 if x == INFINITY else -1
        if self.signs.of(x) == POSITIVE:
            return 1
        return -1 if self.signs.of(_negated(x)) == POSITIVE else 0

    def _tidy(self, t: Tree) -> Tree:  # noqa: C901
        """Sums and products of numbers, factors 0 and 1, exp(0)."""
        match t:
            case (
                Binary(op="+", left=Number(p=0), right=x)
                | Binary(op="+", left=x, right=Number(p=0))
            ):
                return x
            case Binary(op="*", left=Number(p=0)) | Binary(op="*", right=Number(p=0)):
                return ZERO
            case Binary(op="*", left=Number(p=1, q=1), right=x):
                return x
            case Binary(op="*" | "/", left=x, right=Number(p=1, q=1)):
                return x
            case Binary(op="*", left=x, right=Binary(op="/", left=Number(p=1, q=1), right=y)):
                return self._tidy(Binary("/", x, y))
            case Binary(op="*", left=Negative(x=Number(p=1, q=1)), right=x):
                return ZERO if x == ZERO else _negated(x)
            case Call(function="exp", args=(x,)) if x == ZERO:
                return ONE
            case Call(function="tanh" | "erf", args=(x,)) if x == ZERO:
                return ZERO
            case Sum(body=body) if body == ZERO:
                return ZERO
        if not names(t):
            value = _number(t)
            if value is not None:
                number = Number(abs(value.numerator), value.denominator)
                return number if value >= 0 else Negative(number)
        return t


def _only(bound: Bound, index: str) -> Bound:
    """A bound at one index only, that of the term which is looked at."""
    return replace(bound, low=Name(index), high=Name(index))


def _infinite(t: Tree) -> bool:
    return t in (INFINITY, MINUS_INFINITY)


def _negated(t: Tree) -> Tree:
    match t:
        case Negative(x=x):
            return x
        case Binary("-", a, b):
            return Binary("-", b, a)
    return Negative(t)


def _gap(a: Tree, b: Tree) -> Tree:
    """a - b, with a common factor or divisor outside."""
    match a, b:
        case Binary("*", x, y), Binary("*", u, v) if y == v:
            return Binary("*", Binary("-", x, u), y)
        case Binary("*", x, y), Binary("*", u, v) if x == u:
            return Binary("*", x, Binary("-", y, v))
        case Binary("/", x, y), Binary("/", u, v) if y == v:
            return Binary("/", Binary("-", x, u), y)
    return Binary("-", a, b)


def _number(t: Tree) -> Fraction | None:
    """A tree of numbers without functions as a rational."""
    match t:
        case Number(p=p, q=q):
            return Fraction(p, q)
        case Negative(x=x):
            value = _number(x)
            return None if value is None else -value
        case Binary(op="+" | "-" | "*" | "/" as op, left=a, right=b):
            m, n = _number(a), _number(b)
            if m is None or n is None or (op == "/" and not n):
                return None
            return m + n if op == "+" else m - n if op == "-" else m * n if op == "*" else m / n
    return None


# dominance: sums of c x^r exp(q(x)), x -> inf

Exponent = tuple[tuple[int, Fraction], ...]  # of exp: (power, coefficient), highest power first
Terms = dict[tuple[Exponent, int], Fraction]  # (exponent, power of x): coefficient


def dominance(t: Tree, letter: str, point: Point) -> Tree | None:
    """The limit of a rational function of a letter and its exponentials, by leading terms."""
    x: Tree = Name(letter)
    if point != "inf":
        x = Negative(x) if point == "-inf" else Binary("/", ONE, x)
    quotient = _quotient(put(t, letter, x), letter)
    if quotient is None:
        return None
    num, den = quotient
    if not num:
        return ZERO
    (top, (r, c)), (bottom, (s, d)) = _lead(num), _lead(den)
    order = _compare(_minus(top, bottom), r - s)
    if order < 0:
        return ZERO
    value = c / d
    if order > 0:
        return INFINITY if value > 0 else MINUS_INFINITY
    number = Number(abs(value.numerator), value.denominator)
    return number if value > 0 else Negative(number)


def _compare(exponent: Exponent, power: int) -> int:
    """Whether exp(exponent) x^power goes to infinity (1), to 0 (-1), or is 1 (0)."""
    if exponent:
        return 1 if exponent[0][1] > 0 else -1
    return (power > 0) - (power < 0)


def _lead(terms: Terms) -> tuple[Exponent, tuple[int, Fraction]]:
    best = None
    for key in terms:
        if best is None or _compare(_minus(key[0], best[0]), key[1] - best[1]) > 0:
            best = key
    assert best is not None
    return best[0], (best[1], terms[best])


def _exponent(parts: Mapping[int, Fraction]) -> Exponent:
    return tuple(sorted(((p, c) for p, c in parts.items() if c), reverse=True))


def _minus(a: Exponent, b: Exponent) -> Exponent:
    out = dict(a)
    for p, c in b:
        out[p] = out.get(p, Fraction(0)) - c
    return _exponent(out)


def _add(a: Terms, b: Terms, sign: int = 1) -> Terms:
    out = dict(a)
    for key, c in b.items():
        out[key] = out.get(key, Fraction(0)) + sign * c
    return {key: c for key, c in out.items() if c}


def _mul(a: Terms, b: Terms) -> Terms:
    out: Terms = {}
    for (e, r), c in a.items():
        for (f, s), d in b.items():
            key = (_minus(e, _minus((), f)), r + s)
            out[key] = out.get(key, Fraction(0)) + c * d
    return {key: c for key, c in out.items() if c}


UNIT: Terms = {((), 0): Fraction(1)}


def _quotient(t: Tree, letter: str) -> tuple[Terms, Terms] | None:  # noqa: C901
    """A tree as a quotient of sums of c x^r exp(q(x)); None where it is none."""

    def go(x: Tree) -> tuple[Terms, Terms] | None:
        found = _quotient(x, letter)
        return found if found is None or sum(map(len, found)) <= MOST_TERMS else None

    match t:
        case Number(p=p, q=q):
            return ({((), 0): Fraction(p, q)} if p else {}), UNIT
        case Name(name=name) if name == letter:
            return {((), 1): Fraction(1)}, UNIT
        case Negative(x=x):
            return go(Binary("-", ZERO, x))
        case Binary(op="^", left=a, right=Number(p=p, q=1)) if p <= 12:
            base = go(a)
            if base is None:
                return None
            out = (UNIT, UNIT)
            for _ in range(p):
                out = (_mul(out[0], base[0]), _mul(out[1], base[1]))
            return out
        case Binary(op="+" | "-" | "*" | "/" as op, left=a, right=b):
            return _combined(op, go(a), go(b))
        case Call(function="exp", args=(x,)):
            return _exponential(go(x))
        case Call(function="sigmoid", args=(x,)):
            return go(Binary("/", ONE, Binary("+", ONE, Call("exp", (Negative(x),)))))
        case Call(function="silu", args=(x,)):
            return go(Binary("*", x, Call("sigmoid", (x,))))
        case Call(function="tanh", args=(x,)):
            twice = Call("exp", (Binary("*", Number(2), x),))
            return go(Binary("/", Binary("-", twice, ONE), Binary("+", twice, ONE)))
    return None


def _combined(
    op: str, x: tuple[Terms, Terms] | None, y: tuple[Terms, Terms] | None
) -> tuple[Terms, Terms] | None:
    if x is None or y is None:
        return None
    if op == "*":
        return _mul(x[0], y[0]), _mul(x[1], y[1])
    if op == "/":
        return (_mul(x[0], y[1]), _mul(x[1], y[0])) if y[0] else None
    sign = 1 if op == "+" else -1
    return _add(_mul(x[0], y[1]), _mul(y[0], x[1]), sign), _mul(x[1], y[1])


def _exponential(x: tuple[Terms, Terms] | None) -> tuple[Terms, Terms] | None:
    """exp of a polynomial without a constant term; a constant would be irrational."""
    if x is None or len(x[1]) != 1:
        return None
    ((e, s), d) = next(iter(x[1].items()))
    powers: dict[int, Fraction] = {}
    for (f, r), c in x[0].items():
        if f != e or r - s <= 0:
            return None
        powers[r - s] = c / d
    return {(_exponent(powers), 0): Fraction(1)}, UNIT


__all__ = ["Point", "dominance", "limit", "limit_of", "ratio_order"]

"""Rules that keep a value (wherever both sides are defined), and mutations that don't.

A rule takes a tree and returns another one, or None where it doesn't apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from derive.text.tree import Binary, Call, Constant, Name, Negative, Number, Tree, children
from tests.fuzz.language import (
    call,
    expression,
    is_positive,
    is_real,
    leaf,
    minus,
    not_negative,
    number,
    over,
    plus,
    positive,
    power,
    rebuilt,
    size,
    square,
    times,
)

Rule = Callable[[Random, Sequence[str], Tree], Tree | None]
RULES: list[Rule] = []
ONE, TWO = Number(1), Number(2)


def rule(f: Rule) -> Rule:
    """Put a rule on the list."""
    RULES.append(f)
    return f


def half(x: Tree) -> Tree:
    """x / 2"""
    return over(x, TWO)


# sums and products


@rule
def swap(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """a + b -> b + a, a b -> b a"""
    return Binary(t.op, t.right, t.left) if isinstance(t, Binary) and t.op in "+*" else None


@rule
def associate(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """(a + b) + c -> a + (b + c)"""
    match t:
        case Binary(op="+" | "*" as op, left=Binary(op=inner, left=a, right=b), right=c):
            return Binary(op, a, Binary(op, b, c)) if op == inner else None
    return None


@rule
def distribute(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """a (b + c) -> a b + a c"""
    match t:
        case Binary(op="*", left=a, right=Binary(op="+" | "-" as op, left=b, right=c)):
            return Binary(op, times(a, b), times(a, c))
        case Binary(op="*", left=Binary(op="+" | "-" as op, left=b, right=c), right=a):
            return Binary(op, times(b, a), times(c, a))
        case Binary(op="/", left=Binary(op="+" | "-" as op, left=b, right=c), right=a):
            return Binary(op, over(b, a), over(c, a))
    return None


@rule
def factor(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """a b + a c -> a (b + c); a + b -> c (a/c + b/c) with c not 0"""
    match t:
        case Binary(op="+" | "-" as op, left=Binary(op="*", left=a, right=b), right=r):
            if isinstance(r, Binary) and r.op == "*" and r.left == a:
                return times(a, Binary(op, b, r.right))
        case Binary(op="+" | "-" as op, left=a, right=b):
            c = positive(rng, names, 1)
            return times(c, Binary(op, over(a, c), over(b, c)))
    return None


@rule
def squares(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """(a + b)^2 expanded; a^2 - b^2 as a product; a b by squares of sum and difference"""
    match t:
        case Binary(op="^", left=Binary(op="+", left=a, right=b), right=Number(p=2)):
            return plus(plus(square(a), times(TWO, times(a, b))), square(b))
        case Binary(op="-", left=Binary(op="^", left=a, right=n), right=Binary(op="^") as r):
            if n == TWO and r.right == TWO:
                return times(minus(a, r.left), plus(a, r.left))
        case Binary(op="*", left=a, right=b):
            return over(minus(square(plus(a, b)), square(minus(a, b))), Number(4))
    return None


@rule
def common_denominator(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """a/b + c/d -> (a d + c b) / (b d)"""
    match t:
        case Binary(op="+" | "-" as op, left=Binary(op="/", left=a, right=b), right=r):
            c, d = (r.left, r.right) if isinstance(r, Binary) and r.op == "/" else (r, ONE)
            return over(Binary(op, times(a, d), times(c, b)), times(b, d))
    return None


@rule
def insert(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """a -> (a + c) - c, a c / c, a (sin^2 c + cos^2 c), a (cosh^2 c - sinh^2 c)"""
    c = leaf(rng, names) if rng.randrange(2) else expression(rng, names, 1)
    p = positive(rng, names, 1)
    ones = [
        minus(plus(t, c), c),
        over(times(t, p), p),
        times(t, plus(square(call("sin", c)), square(call("cos", c)))),
        times(t, minus(square(call("cosh", c)), square(call("sinh", c)))),
        plus(times(t, call("sigmoid", c)), times(t, call("sigmoid", Negative(c)))),
    ]
    return rng.choice(ones)


# exponentials and logarithms


@rule
def exponential(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """exp(a) -> exp(a - c) exp(c), exp(a/2)^2, 1/exp(-a); exp(a) exp(b) -> exp(a + b)"""
    match t:
        case Call(function="exp", args=(Binary(op="+", left=a, right=b),)) if rng.randrange(2):
            return times(call("exp", a), call("exp", b))
        case Call(function="exp", args=(a,)):
            c = leaf(rng, names)
            forms = (
                times(call("exp", minus(a, c)), call("exp", c)),
                square(call("exp", half(a))),
                over(ONE, call("exp", Negative(a))),
                plus(call("cosh", a), call("sinh", a)),
            )
            return rng.choice(forms)
        case Binary(op="*" | "/" as op, left=Call(function="exp", args=(a,)), right=r):
            if isinstance(r, Call) and r.function == "exp":
                return call("exp", Binary("+" if op == "*" else "-", a, r.args[0]))
    return None


@rule
def logarithm(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """ln(a b) -> ln a + ln b for positive a, b; ln a -> ln(a c) - ln c, -ln(1/a), 2 ln(sqrt a)"""
    match t:
        case Call(function="ln", args=(Binary(op="*" | "/" as op, left=a, right=b),)):
            if is_positive(a) and is_positive(b):
                return Binary("+" if op == "*" else "-", call("ln", a), call("ln", b))
        case Call(function="ln", args=(a,)):
            c = positive(rng, names, 1)
            forms = [
                minus(call("ln", times(a, c)), call("ln", c)),
                times(TWO, call("ln", call("sqrt", a))),
            ]
            if is_positive(a):
                forms += [Negative(call("ln", over(ONE, a))), half(call("ln", square(a)))]
            return rng.choice(forms)
        case _ if is_positive(t):
            return call("exp", call("ln", t))
    return call("ln", call("exp", t)) if is_real(t) else call("exp", call("ln", t))


@rule
def hyperbolic(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """The forms of tanh, sigmoid, sinh, cosh"""
    if not isinstance(t, Call) or t.function not in ("tanh", "sigmoid", "sinh", "cosh"):
        return None
    (a,) = t.args
    up, down = call("exp", a), call("exp", Negative(a))
    tanh2 = call("exp", times(TWO, a))
    forms = {
        "tanh": (
            over(minus(up, down), plus(up, down)),
            minus(times(TWO, call("sigmoid", times(TWO, a))), ONE),
            over(call("sinh", a), call("cosh", a)),
            minus(ONE, over(TWO, plus(tanh2, ONE))),
            Negative(call("tanh", Negative(a))),
        ),
        "sigmoid": (
            over(up, plus(ONE, up)),
            minus(ONE, call("sigmoid", Negative(a))),
            half(plus(ONE, call("tanh", half(a)))),
        ),
        "sinh": (half(minus(up, down)), Negative(call("sinh", Negative(a)))),
        "cosh": (half(plus(up, down)), call("sqrt", plus(ONE, square(call("sinh", a))))),
    }
    if t.function == "cosh" and not is_real(a):
        return forms["cosh"][0]
    return rng.choice(forms[t.function])


# angles


@rule
def angle(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """sin and cos of a sum, of twice an angle, moved by a quarter turn"""
    if not isinstance(t, Call) or t.function not in ("sin", "cos"):
        return None
    (a,) = t.args
    b = a.right if isinstance(a, Binary) and a.op == "+" else leaf(rng, names)
    rest = a.left if isinstance(a, Binary) and a.op == "+" else minus(a, b)
    sa, ca, sb, cb = (call(n, x) for x in (rest, b) for n in ("sin", "cos"))
    quarter = half(Constant("pi"))
    if t.function == "sin":
        forms = (
            plus(times(sa, cb), times(ca, sb)),
            times(TWO, times(call("sin", half(a)), call("cos", half(a)))),
            call("cos", minus(quarter, a)),
            Negative(call("sin", minus(a, Constant("pi")))),
        )
    else:
        forms = (
            minus(times(ca, cb), times(sa, sb)),
            minus(ONE, times(TWO, square(call("sin", half(a))))),
            call("sin", plus(a, quarter)),
            call("cos", Negative(a)),
        )
    return rng.choice(forms)


# roots, absolute values, odd functions


@rule
def root(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """sqrt(a b), a/sqrt(a), squares under roots, nested roots squared out"""
    match t:
        case Call(function="sqrt", args=(Binary(op="*" | "/" as op, left=a, right=b),)):
            if is_positive(a) and is_positive(b):
                return Binary(op, call("sqrt", a), call("sqrt", b))
        case Call(function="sqrt", args=(a,)):
            if rng.randrange(2) and not_negative(a):
                return call("root", square(a), Number(4))
            return over(a, call("sqrt", a))
        case Binary(op="+" | "-" as op, left=Call(function="sqrt", args=(a,)), right=r):
            if isinstance(r, Call) and r.function == "sqrt":
                return _two_roots(op, a, r.args[0])
        case _ if is_positive(t):
            cube = call("root", power(t, 3), Number(3))
            return rng.choice((call("sqrt", square(t)), square(call("sqrt", t)), cube))
    return None


def _two_roots(op: str, a: Tree, b: Tree) -> Tree:
    """sqrt a + sqrt b squared out; sqrt a - sqrt b = (a - b) / (sqrt a + sqrt b)"""
    if op == "+" and is_positive(a) and is_positive(b):
        return call("sqrt", plus(plus(a, b), times(TWO, call("sqrt", times(a, b)))))
    other = Binary("-" if op == "+" else "+", call("sqrt", a), call("sqrt", b))
    return over(minus(a, b), other)


@rule
def arc(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """asin a = pi/2 - acos a; atan of a reciprocal; atan as asin"""
    quarter = half(Constant("pi"))
    match t:
        case Call(function="asin" | "acos" as name, args=(a,)):
            return minus(quarter, call("acos" if name == "asin" else "asin", a))
        case Call(function="atan", args=(a,)) if is_positive(a) and rng.randrange(2):
            return minus(quarter, call("atan", over(ONE, a)))
        case Call(function="atan", args=(a,)) if is_real(a):
            return call("asin", over(a, call("sqrt", plus(ONE, square(a)))))
    return None


@rule
def choice(rng: Random, names: Sequence[str], t: Tree) -> Tree | None:
    """abs and relu with each other and with roots; odd functions"""
    match t:
        case Call(function="abs", args=(a,)):
            forms = (call("sqrt", square(a)), call("abs", Negative(a)), call("max", a, Negative(a)))
            return rng.choice(forms)
        case Call(function="relu", args=(a,)):
            return half(plus(a, call("abs", a))) if rng.randrange(2) else call("max", number(0), a)
        case Call(function="max", args=(a, b)):
            return half(plus(plus(a, b), call("abs", minus(a, b))))
        case Call(function="erf" | "sin" | "sinh" | "tanh" | "atan" as name, args=(a,)):
            return Negative(call(name, Negative(a)))
    return None


def rewrite(rng: Random, names: Sequence[str], t: Tree, times_: int, largest: int = 150) -> Tree:
    """Rules applied at random places, so many times."""
    for _ in range(times_):
        new = _somewhere(rng, names, t, rng.choice(RULES))
        if new is not None and size(new) <= largest:
            t = new
    return t


def _somewhere(rng: Random, names: Sequence[str], t: Tree, one: Rule) -> Tree | None:
    """The rule at a random node where it applies."""
    parts = list(children(t))
    order = list(range(len(parts))) if not _fixed(t) else [0]
    rng.shuffle(order)
    if rng.randrange(3) == 0 or not parts:
        here = one(rng, names, t)
        if here is not None:
            return here
    for k in order if parts else []:
        new = _somewhere(rng, names, parts[k], one)
        if new is not None:
            parts[k] = new
            return rebuilt(t, parts)
    return one(rng, names, t)


def _fixed(t: Tree) -> bool:
    """Exponents and indices of roots stay numbers."""
    return (isinstance(t, Binary) and t.op == "^") or (isinstance(t, Call) and t.function == "root")


def mutate(rng: Random, names: Sequence[str], t: Tree) -> Tree:
    """One small fault somewhere: nearly always another value."""
    parts = list(children(t))
    if parts and rng.randrange(4):
        k = 0 if _fixed(t) else rng.randrange(len(parts))
        parts[k] = mutate(rng, names, parts[k])
        return rebuilt(t, parts)
    match t:
        case Number(p=p, q=q):
            return rng.choice((number(p + 1, q), plus(t, Number(1, 10**30)), number(p, q + 1)))
        case Name(name=name):
            others = [n for n in names if n != name]
            return Name(rng.choice(others)) if others else times(TWO, t)
        case Negative(x=x):
            return x
        case Binary(op="-" | "/" as op, left=a, right=b):
            return Binary(op, b, a) if a != b else times(TWO, t)
        case Binary(op="+" | "*" as op, left=a, right=b):
            return Binary("-" if op == "+" else "/", a, b)
        case Call(function="sin" | "cos" as name, args=args):
            return Call("cos" if name == "sin" else "sin", args)
        case Call(function="exp", args=(a,)):
            return call("exp", Negative(a))
    return rng.choice((times(t, plus(ONE, Number(1, 10**40))), Negative(t), plus(t, number(-1, 9))))

"""Enclosures for the checker: the value of every node of a program at a point.

Values are exact (fmpq) as long as they are rational and short, then balls, real (arb) or
complex (acb).  A node that has no value there, or whose value isn't enclosed, gets a ball
that isn't finite.  `vanishes` decides with such balls whether an algebraic number is 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from math import lcm, prod
from operator import add, mul
from typing import Any

from flint import acb, arb, ctx, fmpq, fmpz

Value = fmpq | arb | acb
Program = Sequence[Sequence[Any]]
LEAVES = {"rational": 2, "symbol": 1, "pi": 0, "i": 0}  # operations, and how many data
ARGUMENTS = {
    "exp": 1, "log": 1, "sin": 1, "cos": 1, "asin": 1, "acos": 1, "atan": 1, "erf": 1,
    "power": 1, "root": 1, "select": 4,
}  # fmt: skip
TURNS = ("exp", "cos", "sin")  # algebraic at rational multiples of pi
AT = {("exp", 0): 1, ("cos", 0): 1, ("log", 1): 0, ("acos", 1): 0} | {
    (op, 0): 0 for op in ("sin", "asin", "atan", "erf")
}
WORD = 1 << 62  # flint takes exponents up to this one
LONGEST = 1 << 16  # bits of an exact value
LARGEST_BOUND = 1 << 18  # bits of a root separation
NAN = arb.nan()


def arguments(line: Sequence[Any]) -> list[int]:
    """The positions of a line's arguments."""
    op, *rest = line
    return [] if op in LEAVES else rest[: ARGUMENTS.get(op, len(rest))]


def well_formed(program: Program) -> bool:
    """Every line is an operation on nodes that stand before it."""
    for k, line in enumerate(program):
        op, inner = line[0], arguments(line)
        data = [*line[1 + len(inner) :]]
        kinds = [str] if op == "symbol" else [int] * LEAVES.get(op, op in ("power", "root"))
        fits = len(inner) == (0 if op in LEAVES else ARGUMENTS.get(op, max(len(inner), 1)))
        fits &= op in LEAVES or op in ARGUMENTS or op in ("add", "mul")
        fits &= all(type(j) is int and 0 <= j < k for j in inner) and [*map(type, data)] == kinds
        if not fits or (op == "rational" and data[1] < 1) or (op == "root" and data[0] < 2):
            return False
    return True


def reach(program: Program, ks: Iterable[int], closed: Collection[str] = ()) -> list[int]:
    """The positions that the given ones need, arguments first, not those below closed ones."""
    out: dict[int, None] = {}
    stack = [(k, False) for k in reversed([*ks])]
    while stack:
        k, ready = stack.pop()
        if ready or k in out:
            out[k] = None
        else:
            inner = () if program[k][0] in closed else arguments(program[k])
            stack += [(k, True), *((j, False) for j in reversed(inner))]
    return [*out]


def evaluate(
    program: Program, point: Mapping[str, fmpq], bits: int, ks: Iterable[int]
) -> list[Value]:
    """The values of all nodes that the given ones need."""
    needed = {*reach(program, ks)}
    values: list[Value] = []
    with ctx.workprec(bits):
        for j, line in enumerate(program):
            op, *rest = line
            if j not in needed:
                values.append(NAN)
            elif op == "rational":
                values.append(fmpq(*rest))
            elif op == "symbol":
                values.append(point.get(rest[0], NAN))
            else:
                x = apply(op, [values[k] for k in arguments(line)], *rest[-1:])
                values.append(arb(x) if isinstance(x, fmpq) and _bits(x) > LONGEST else x)
    return values


def _bits(x: fmpq) -> int:
    return int(x.p.bit_length() + x.q.bit_length())


def apply(op: str, args: Sequence[Value], n: int = 0) -> Value:
    """One operation; n is the exponent of a power or the index of a root."""
    if op in ("add", "mul"):
        return reduce(add if op == "add" else mul, args)
    if op in ("pi", "i"):
        return arb.pi() if op == "pi" else acb(0, 1)
    if op in ("power", "root"):
        return power(args[0], n) if op == "power" else root(args[0], n)
    if op == "select":
        return _select(*args)
    x = args[0]
    if isinstance(x, fmpq):
        if x.q == 1 and (op, int(x)) in AT:
            return fmpq(AT[op, int(x)])
        x = arb(x)
    if not x.is_finite():
        return NAN
    if isinstance(x, arb) and op in ("asin", "acos", "log"):
        x = x if (x > 0 if op == "log" else abs(x) <= 1) else acb(x)
    value: Value = getattr(x, op)()
    return value


def power(x: Value, n: int) -> Value:
    """x^n; no value for a negative power of what may be 0."""
    if isinstance(x, fmpq) and _bits(x) * abs(n) <= LONGEST and (x or n > 0):
        return x**n
    x = arb(x) if isinstance(x, fmpq) else x
    if not x.contains(0):
        return x**n if abs(n) < WORD else (acb(x).log() * n).exp()
    upper = arb(x.abs_upper()) if n > 0 else NAN
    size = arb(0, acb(power(upper, n)).real) if upper > 0 and upper.is_finite() else upper
    return size if isinstance(x, arb) else acb(size, size)


def root(x: Value, n: int) -> Value:
    """The principal root; for a ball around 0 it holds every root of its points."""
    if isinstance(x, fmpq):
        exact = fmpq(x.p.root(n), x.q.root(n)) if x >= 0 and n < WORD else x
        if x >= 0 and power(exact, n) == x:
            return exact
        x = arb(x)
    if not x.contains(0):
        y: Any = x if isinstance(x, arb) and x > 0 else acb(x)
        found: Value = y.root(n) if n < WORD else (y.log() / n).exp()
        return found
    upper = arb(x.abs_upper())
    size = arb(0, acb(root(upper, n)).real) if upper > 0 and upper.is_finite() else upper
    return size if isinstance(x, arb) and x >= 0 else acb(size, size)


def _select(x: Value, negative: Value, zero: Value, positive: Value) -> Value:
    """What the sign of the real x chooses; all that may be chosen when it isn't seen."""
    if isinstance(x, acb):
        x = x.real if x.imag == 0 else NAN
    if x > 0 or x < 0 or x == 0:
        return positive if x > 0 else negative if x < 0 else zero
    return NAN if arb(x).is_nan() else reduce(acb.union, map(acb, (negative, zero, positive)))


def disjoint(x: Value, y: Value) -> bool:
    """Both are finite and have no number in common."""
    with ctx.workprec(2 * LONGEST):  # exact values are not rounded much
        a, b = acb(x), acb(y)
        return bool(a.is_finite() and b.is_finite() and not a.overlaps(b))


# algebraic numbers


def vanishes(program: Program, k: int) -> bool | None:
    """Whether the algebraic number at position k is 0; None when that isn't found out.

    It is U/L with algebraic integers U and L all of whose conjugates are below 2^u and 2^l,
    in a field of degree d, so it is 0 or above 2^-((d-1) u + l) (Burnikel, Fleischer,
    Mehlhorn, Schirra, Schmitt, Algorithmica 27, 2000).
    """
    program = [*program[: k + 1]]
    for j in reach(program, [k], TURNS):
        if program[j][0] == "select":
            sign = _sign(program, program[j][1])
            if sign is None:
                return None
            program[j] = ("add", program[j][3 + sign])
    bound, bits = _separation(program, reach(program, [k], TURNS)), 64
    while bound is not None and bound <= LARGEST_BOUND and bits <= 4 * bound + 1024:
        value = acb(evaluate(program, {}, bits, [k])[k])
        if value.is_finite() and not value.contains(0):
            return False
        if value.is_finite() and value.abs_upper() < arb((1, -bound)):
            return True
        bits *= 2
    return None


def _sign(program: Program, k: int) -> int | None:
    zero = vanishes(program, k)
    for bits in (64, 1024, 16384) if zero is False else ():
        x = acb(evaluate(program, {}, bits, [k])[k])
        if x.imag == 0 and not x.real.contains(0):
            return 1 if x.real > 0 else -1
    return 0 if zero else None


def _separation(program: Program, needed: Sequence[int]) -> int | None:
    """(d - 1) u + l of the last node; None when a node isn't algebraic."""
    sizes: dict[int, tuple[int, int]] = {}  # u, l
    degree, order = 1, 1  # of roots, and of the roots of unity
    for j in needed:
        op, *rest = program[j]
        turn = _turn(program, op, rest[0]) if op in TURNS else None
        if op == "i" or turn is not None:
            order = lcm(order, 2 * int(turn.q) if turn else 1, 1 if op in ("exp", "cos") else 4)
        elif op == "root":
            degree *= rest[1]
        elif op not in ("rational", "add", "mul", "power"):
            return None
        sizes[j] = _size(op, rest, [sizes[a] for a in arguments(program[j]) if a in sizes])
    u, v = sizes[needed[-1]]
    return (degree * int(fmpz(order).euler_phi()) - 1) * u + v if order < LARGEST_BOUND else None


def _size(op: str, rest: Sequence[int], args: Sequence[tuple[int, int]]) -> tuple[int, int]:
    if op == "rational":
        return max(abs(rest[0]) - 1, 0).bit_length(), (rest[1] - 1).bit_length()
    if op == "mul":
        return sum(u for u, _ in args), sum(v for _, v in args)
    if op == "add":
        below = sum(v for _, v in args)
        return max(u + below - v for u, v in args) + (len(args) - 1).bit_length(), below
    if op not in ("power", "root"):
        return (0, 0) if op in ("i", "exp") else (1, 1)
    (u, v), n = args[0], rest[1]
    if op == "power":
        return (n * u, n * v) if n > 0 else (-n * v, -n * u)
    return (-(-(u + (n - 1) * v) // n), v) if u >= v else (u, -(-((n - 1) * u + v) // n))


def _turn(program: Program, op: str, k: int) -> fmpq | None:
    """r where the argument k of cos or sin is r pi, that of exp r pi i."""
    parts = [program[j] for j in (program[k][1:] if program[k][0] == "mul" else [k])]
    others = sorted(p[0] for p in parts if p[0] != "rational")
    r = prod((fmpq(p[1], p[2]) for p in parts if p[0] == "rational"), start=fmpq(1))
    return r if others == (["i", "pi"] if op == "exp" else ["pi"]) else None

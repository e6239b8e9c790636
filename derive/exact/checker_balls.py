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
LEAVES = {"rational": 2, "symbol": 1, "infinity": 1, "pi": 0, "i": 0}  # op: data without arguments
ARGUMENTS = {op: 1 for op in "exp log sin cos asin acos atan erf power root".split()} | {
    "select": 4
}
TURNS = ("exp", "cos", "sin")  # algebraic at rational multiples of pi
LONGEST = 1 << 16  # bits of an exact value
LARGEST_BOUND = 1 << 18  # bits of a root separation
NAN = arb.nan()


def arguments(line: Sequence[Any]) -> list[int]:
    """The positions of a line's arguments."""
    op, *rest = line
    return rest[: 0 if op in LEAVES else ARGUMENTS.get(op, len(rest))]


def reach(program: Program, ks: Iterable[int], closed: Collection[str] = ()) -> list[int]:
    """The positions that the given ones need, arguments first, not those below closed ones."""
    out: list[int] = []
    done: set[int] = set()
    stack = [(k, False) for k in reversed([*ks])]
    while stack:
        k, ready = stack.pop()
        if ready:
            out.append(k)
        elif k not in done:
            done.add(k)
            inner = () if program[k][0] in closed else arguments(program[k])
            stack += [(k, True), *((j, False) for j in reversed(inner))]
    return out


def evaluate(program: Program, point: Mapping[str, fmpq], bits: int) -> list[Value]:
    """The values of all nodes, the arguments of each standing before it."""
    values: list[Value] = []
    with ctx.workprec(bits):
        for line in program:
            op, *rest = line
            if op == "rational":
                values.append(fmpq(*rest))
            elif op == "symbol":
                values.append(point.get(rest[0], NAN))
            else:
                values.append(_short(apply(op, [values[k] for k in arguments(line)], rest[-1:])))
    return values


def _short(x: Value) -> Value:
    exact = isinstance(x, fmpq) and x.p.bit_length() + x.q.bit_length() > LONGEST
    return arb(x) if exact else x


def apply(op: str, args: Sequence[Value], data: Sequence[int] = ()) -> Value:
    """One operation; the last of the data is the exponent of a power, the index of a root."""
    if op in ("add", "mul"):
        return reduce(add if op == "add" else mul, args)
    if op in ("pi", "i"):
        return arb.pi() if op == "pi" else acb(0, 1)
    if op in ("power", "root"):
        return power(args[0], data[-1]) if op == "power" else root(args[0], data[-1])
    if op == "select":
        return _select(*args)
    x = args[0] if isinstance(args[0], acb) else arb(args[0])
    if not x.is_finite():
        return NAN
    if isinstance(x, arb) and op in ("asin", "acos", "log") and not _inside(op, x):
        x = acb(x)
    value: Value = getattr(x, op)()
    return value


def _inside(op: str, x: arb) -> bool:
    return bool(x > 0 if op == "log" else abs(x) <= 1)


def power(x: Value, n: int) -> Value:
    """x^n; no value for a negative power of what may be 0."""
    if isinstance(x, fmpq):
        if (x.p.bit_length() + x.q.bit_length()) * abs(n) <= LONGEST and (x or n > 0):
            return x**n
        x = arb(x)
    if not x.contains(0):
        return x**n
    size = arb(0, arb(x.abs_upper()) ** n) if n > 0 else NAN
    return size if isinstance(x, arb) else acb(size, size)


def root(x: Value, n: int) -> Value:
    """The principal root; for a ball around 0 it holds every root of its points."""
    if isinstance(x, fmpq):
        x = arb(x)
    if isinstance(x, arb) and x >= 0 and (x > 0 or x.is_zero()):
        return x.root(n)
    if not x.contains(0):
        return acb(x).root(n)
    size = arb(0, arb(x.abs_upper()).root(n))
    return size if isinstance(x, arb) and x >= 0 else acb(size, size)


def _select(x: Value, negative: Value, zero: Value, positive: Value) -> Value:
    """What the sign of the real x chooses; all that may be chosen when it isn't seen."""
    if isinstance(x, acb):
        x = x.real if x.imag.contains(0) else NAN
    if x > 0 or x < 0 or x == 0:
        return positive if x > 0 else negative if x < 0 else zero
    if x.is_nan():
        return NAN
    return reduce(acb.union, (acb(y) for y in (negative, zero, positive)))


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
    bound = _separation(program, reach(program, [k], TURNS))
    bits = 64
    while bound is not None and bound <= LARGEST_BOUND and bits <= 4 * bound + 1024:
        value = acb(evaluate(program, {}, bits)[k])
        if value.is_finite() and not value.contains(0):
            return False
        if value.is_finite() and value.abs_upper() < arb((1, -bound)):
            return True
        bits *= 2
    return None


def _sign(program: Program, k: int) -> int | None:
    zero = vanishes(program, k)
    for bits in (64, 1024, 16384) if zero is False else ():
        x = acb(evaluate(program[: k + 1], {}, bits)[k])
        if x.imag.contains(0) and not x.real.contains(0):
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
    u, l = sizes[needed[-1]]  # noqa: E741  (the letters of the paper)
    return (degree * int(fmpz(order).euler_phi()) - 1) * u + l if order < LARGEST_BOUND else None


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

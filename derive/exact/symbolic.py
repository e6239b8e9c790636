"""SymPy expressions at the kernel's edge: their arithmetic, and the way into shared nodes.

SymPy never decides anything here: whatever depends on a sign asks the kernel, and stays
unevaluated where the kernel can't tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from derive.errors import DeriveError
from derive.exact.dag import BITS_BUILT, Dag, Node, UndefinedValue

SignOf = Callable[[sp.Expr], int | None]

KINDS: dict[str, dict[str, bool]] = {
    "real": {},
    "positive": {"positive": True},
    "nonnegative": {"nonnegative": True},
    "nonzero": {"nonzero": True},
    "integer": {"integer": True},
}


class UnsupportedFunction(DeriveError):
    """The kernel has no rule for a function."""


def _sign(x: sp.Expr) -> int | None:
    if x.free_symbols:
        return None
    from derive.exact.sign import sign

    return sign(x)


class Symbolic:
    """The arithmetic of SymPy expressions.

    >>> f = Symbolic({"w": "positive"})
    >>> f.cos(f.rational(2)) / 2 + f.symbol("w")
    w + cos(2)/2
    >>> f.max(f.rational(0), f.sqrt(f.rational(2)) - 1)
    -1 + sqrt(2)
    """

    def __init__(self, symbols: Mapping[str, str] | None = None, sign: SignOf = _sign) -> None:
        self.kinds = symbols or {}  # name -> real | positive | nonnegative | nonzero | integer
        self.sign_of = sign

    pi, e, i = sp.pi, sp.E, sp.I

    def rational(self, p: int, q: int = 1) -> sp.Expr:
        """The number p/q."""
        if q == 0:
            raise UndefinedValue("division by zero")
        return sp.Rational(p, q)

    def symbol(self, name: str) -> sp.Expr:
        """A letter, real and whatever else its kind says."""
        return sp.Symbol(name, real=True, **KINDS[self.kinds.get(name, "real")])

    def infinity(self, sign: int = 1) -> sp.Expr:
        return sp.oo if sign > 0 else -sp.oo

    def power(self, x: sp.Expr, n: int) -> sp.Expr:
        """x to an integer power; a rational one that would be huge stays unevaluated."""
        if x.is_Rational and max(x.p.bit_length(), x.q.bit_length()) * abs(n) > BITS_BUILT:
            return sp.Pow(x, n, evaluate=False)
        return x**n

    def root(self, x: sp.Expr, n: int) -> sp.Expr:
        return sp.Pow(x, sp.Rational(1, n))

    def sqrt(self, x: sp.Expr) -> sp.Expr:
        return sp.sqrt(x)

    def general_power(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        if y.is_Integer:
            return self.power(x, int(y))
        if y.is_Rational and x.is_Rational and int(abs(y)) * x.p.bit_length() > BITS_BUILT:
            return sp.Pow(x, y, evaluate=False)
        return sp.Pow(x, y)

    def abs(self, x: sp.Expr) -> sp.Expr:
        sign = self.sign_of(x)
        return sp.Abs(x, evaluate=False) if sign is None else sign * x

    def sign(self, x: sp.Expr) -> sp.Expr:
        sign = self.sign_of(x)
        return sp.sign(x, evaluate=False) if sign is None else sp.Integer(sign)

    def max(self, *values: sp.Expr) -> sp.Expr:
        """The largest value; unevaluated where the kernel can't compare."""
        return self._extreme(sp.Max, 1, values)

    def min(self, *values: sp.Expr) -> sp.Expr:
        return self._extreme(sp.Min, -1, values)

    def _extreme(self, name: Any, direction: int, values: tuple[sp.Expr, ...]) -> sp.Expr:
        best = values[0]
        for x in values[1:]:
            infinite = [y for y in (best, x) if y in (sp.oo, -sp.oo)]
            if infinite:
                wins = infinite[0] == direction * sp.oo
                other = x if infinite[0] == best else best
                best = infinite[0] if wins else other
                continue
            sign = self.sign_of(x - best)
            if sign is None:
                return name(*values, evaluate=False)
            best = x if sign == direction else best
        return best

    def select(self, x: sp.Expr, negative: sp.Expr, zero: sp.Expr, positive: sp.Expr) -> sp.Expr:
        """negative where x < 0, zero where x = 0, positive where x > 0."""
        sign = self.sign_of(x)
        if sign is not None:
            return (zero, positive, negative)[sign]
        return sp.Piecewise((negative, sp.Lt(x, 0)), (zero, sp.Eq(x, 0)), (positive, True))

    def exp(self, x: sp.Expr) -> sp.Expr:
        return sp.exp(x)

    def log(self, x: sp.Expr) -> sp.Expr:
        if x == 0:
            raise UndefinedValue("the logarithm of 0")
        return sp.log(x)

    def sigmoid(self, x: sp.Expr) -> sp.Expr:
        return 1 / (1 + sp.exp(-x))

    sin, cos, tan = (staticmethod(g) for g in (sp.sin, sp.cos, sp.tan))
    asin, acos, atan = (staticmethod(g) for g in (sp.asin, sp.acos, sp.atan))
    sinh, cosh, tanh, erf = (staticmethod(g) for g in (sp.sinh, sp.cosh, sp.tanh, sp.erf))


# into shared nodes


def to_node(expr: sp.Basic, dag: Dag) -> Node:
    """A SymPy expression as a node of the kernel's shared expressions.

    Raises UndefinedValue for zoo and nan, UnsupportedFunction for what the kernel lacks and
    for floats.

    >>> to_node(sp.cos(1) ** 2 + sp.sqrt(3), Dag()).op
    'add'
    """
    done: dict[sp.Basic, Node] = {}
    stack = [expr]
    while stack:
        x = stack[-1]
        if x in done:
            stack.pop()
            continue
        parts = _parts(x)
        missing = [a for a in parts if a not in done]
        if missing:
            stack.extend(missing)
            continue
        done[x] = _build(x, [done[a] for a in parts], dag)
        stack.pop()
    return done[expr]


def _parts(x: sp.Basic) -> list[sp.Basic]:
    """What has to be converted before x."""
    if isinstance(x, sp.Indexed | sp.matrices.expressions.matexpr.MatrixElement):
        return []
    if isinstance(x, sp.Piecewise):
        parts = []
        for value, condition in x.args:
            parts += [value, *_sides(condition)]
        return parts
    if isinstance(x, sp.Pow) and isinstance(x.exp, sp.Rational):
        return [x.base]
    return list(x.args)


def _sides(condition: sp.Basic) -> list[sp.Basic]:
    if isinstance(condition, sp.core.relational.Relational):
        return list(condition.args)
    return [side for part in condition.args for side in _sides(part)]


def _build(x: sp.Basic, parts: list[Node], dag: Dag) -> Node:
    if isinstance(x, sp.Rational):
        return dag.rational(x.p, x.q)
    if isinstance(x, sp.Symbol):
        return dag.symbol(x.name)
    if isinstance(x, sp.Add):
        return dag.add(*parts)
    if isinstance(x, sp.Mul):
        return dag.mul(*parts)
    if isinstance(x, sp.Pow):
        return _power(x, parts, dag)
    if x in ATOMS:
        return ATOMS[x](dag)
    if x in (sp.zoo, sp.nan):
        raise UndefinedValue(f"{x} stands in the expression")
    if isinstance(x, sp.Piecewise):
        return _piecewise(x, dict(zip(_parts(x), parts, strict=True)), dag)
    if isinstance(x, sp.Indexed | sp.matrices.expressions.matexpr.MatrixElement):
        return dag.symbol(_indexed(x))
    if isinstance(x, sp.Heaviside):
        return dag.select(parts[0], dag.zero, parts[1], dag.one)
    if type(x) in RULES:
        return RULES[type(x)](dag, *parts)
    if isinstance(x, sp.Float):
        raise UnsupportedFunction(f"the float {x}: no float decides anything; write a fraction")
    raise UnsupportedFunction(f"no rule for {type(x).__name__}")


def _power(x: sp.Pow, parts: list[Node], dag: Dag) -> Node:
    if not isinstance(x.exp, sp.Rational):
        if x.base is sp.E:
            return dag.exp(parts[1])
        return dag.general_power(parts[0], parts[1])
    p, q = x.exp.p, x.exp.q
    if x.base is sp.E:
        return dag.exp(dag.rational(p, q))
    return dag.power(dag.root(parts[0], q) if q > 1 else parts[0], p)


def _indexed(x: Any) -> str:
    """The name of an entry: s[2], W[0,1]."""
    name, indices = (
        (x.base.label, x.indices) if isinstance(x, sp.Indexed) else (x.parent, x.indices)
    )
    if not isinstance(name, sp.Symbol | sp.MatrixSymbol) or not all(
        isinstance(k, sp.Integer | sp.Symbol) for k in indices
    ):
        raise UnsupportedFunction("an entry whose indices are not numbers")
    texts = [str(k.p) if isinstance(k, sp.Integer) else k.name for k in indices]
    return f"{name.name}[{','.join(texts)}]"


def _piecewise(x: sp.Piecewise, known: dict[sp.Basic, Node], dag: Dag) -> Node:
    """Nested selects, the last branch first."""
    pairs = list(x.args)
    if pairs[-1][1] != sp.true:
        raise UnsupportedFunction("a Piecewise without a last branch for all other cases")
    out = known[pairs[-1][0]]
    for value, condition in reversed(pairs[:-1]):
        out = _where(condition, known[value], out, known, dag)
    return out


def _where(c: sp.Basic, yes: Node, no: Node, known: dict[sp.Basic, Node], dag: Dag) -> Node:
    """yes where the condition holds, no elsewhere."""
    if isinstance(c, sp.And):
        for part in c.args:
            yes = _where(part, yes, no, known, dag)
        return yes
    if isinstance(c, sp.Or):
        for part in c.args:
            no = _where(part, yes, no, known, dag)
        return no
    if isinstance(c, sp.Not):
        return _where(c.args[0], no, yes, known, dag)
    if c in (sp.true, sp.false):
        return yes if c == sp.true else no
    for kind, (less, same, more) in HOLDS.items():
        if isinstance(c, kind):
            x = known[c.args[0]] - known[c.args[1]]
            return dag.select(x, *(yes if holds else no for holds in (less, same, more)))
    raise UnsupportedFunction(f"no rule for the condition {type(c).__name__}")


HOLDS: dict[Any, tuple[bool, bool, bool]] = {  # left < right, left = right, left > right
    sp.StrictLessThan: (True, False, False),
    sp.LessThan: (True, True, False),
    sp.StrictGreaterThan: (False, False, True),
    sp.GreaterThan: (False, True, True),
    sp.Equality: (False, True, False),
    sp.Unequality: (True, False, True),
}

ATOMS: dict[sp.Basic, Callable[[Dag], Node]] = {
    sp.pi: lambda f: f.pi,
    sp.E: lambda f: f.e,
    sp.I: lambda f: f.i,
    sp.oo: lambda f: f.infinity(1),
    -sp.oo: lambda f: f.infinity(-1),
}

RULES: dict[Any, Callable[..., Node]] = {
    sp.exp: Dag.exp,
    sp.log: Dag.log,
    sp.sin: Dag.sin,
    sp.cos: Dag.cos,
    sp.tan: Dag.tan,
    sp.cot: lambda f, x: f.cos(x) / f.sin(x),
    sp.sec: lambda f, x: 1 / f.cos(x),
    sp.csc: lambda f, x: 1 / f.sin(x),
    sp.asin: Dag.asin,
    sp.acos: Dag.acos,
    sp.atan: Dag.atan,
    sp.asinh: lambda f, x: f.log(x + f.sqrt(x * x + 1)),
    sp.acosh: lambda f, x: f.log(x + f.sqrt(x + 1) * f.sqrt(x - 1)),
    sp.atanh: lambda f, x: (f.log(1 + x) - f.log(1 - x)) / 2,
    sp.sinh: Dag.sinh,
    sp.cosh: Dag.cosh,
    sp.tanh: Dag.tanh,
    sp.erf: Dag.erf,
    sp.Abs: Dag.abs,
    sp.sign: Dag.sign,
    sp.Max: Dag.max,
    sp.Min: Dag.min,
}

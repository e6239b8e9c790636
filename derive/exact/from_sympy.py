"""SymPy expressions as the kernel's shared expressions.

Reads the structure alone: no assumption of SymPy, no float, no simplification is believed.
Unevaluated trees, and trees that share parts thousands of levels deep, are fine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.matrices.expressions.matexpr import MatrixElement

from derive.errors import DeriveError
from derive.exact import functions
from derive.exact.dag import Dag, Node, UndefinedValue, UnsupportedFunction


class InexactNumber(DeriveError):
    """A floating-point number, which has no exact value."""


def to_node(expr: sp.Basic, dag: Dag) -> Node:
    """The shared expression of a SymPy expression.

    Raises UnsupportedFunction for a function that the kernel lacks, InexactNumber for a
    float, UndefinedValue for nan, 1/0 and their like.

    >>> to_node(sp.exp(2) / sp.Symbol("x"), Dag()).op
    'mul'
    """
    known: dict[int, Node] = {}  # by identity: equal parts become equal nodes anyway
    waiting: list[tuple[sp.Basic, tuple[sp.Basic, ...] | None]] = [(expr, None)]
    while waiting:
        x, parts = waiting.pop()
        if id(x) in known:
            continue
        build = _builder(x.__class__)  # raises before anything inside is read
        if parts is None:
            parts = tuple(_parts(x))
            if any(id(part) not in known for part in parts):
                waiting.append((x, parts))
                waiting += [(part, None) for part in reversed(parts)]
                continue
        known[id(x)] = build(x, dag, lambda part: known[id(part)])
    return known[id(expr)]


Known = Callable[[Any], Node]


def _parts(x: sp.Basic) -> Iterator[sp.Basic]:
    """The expressions that are needed first."""
    if isinstance(x, sp.Piecewise):
        for value, condition in x.args:
            yield value
            yield from _compared(condition)
    elif isinstance(x, sp.Pow) and isinstance(x.exp, sp.Rational):
        yield x.base
    elif not isinstance(x, sp.Indexed | MatrixElement):
        yield from x.args


def _compared(condition: sp.Basic) -> Iterator[sp.Basic]:
    """Both sides of every relation in a condition."""
    if isinstance(condition, Relational | sp.And | sp.Or | sp.Not | sp.ITE):
        for part in condition.args:
            yield from [part] if isinstance(condition, Relational) else _compared(part)


Builder = Callable[[Any, Dag, Known], Node]


@cache
def _builder(kind: Any) -> Builder:
    """How an expression of this class becomes a node."""
    for kinds, build in BUILDERS.items():
        if issubclass(kind, kinds):
            return build
    for function, name in FUNCTIONS.items():
        if issubclass(kind, function):
            return partial(_function, name)
    raise UnsupportedFunction(f"the function {kind.__name__} is not one that can be decided")


def _function(name: str, x: sp.Expr, dag: Dag, known: Known) -> Node:
    args = [known(part) for part in x.args]
    if name in functions.WRITTEN:
        return functions.WRITTEN[name](dag, *args)  # type: ignore[no-any-return]
    return getattr(dag, name)(*args)  # type: ignore[no-any-return]


def _constant(name: str, x: sp.Expr, dag: Dag, known: Known) -> Node:
    return getattr(dag, name)  # type: ignore[no-any-return]


def _rational(x: sp.Rational, dag: Dag, known: Known) -> Node:
    return dag.rational(int(x.p), int(x.q))


def _float(x: sp.Float, dag: Dag, known: Known) -> Node:
    raise InexactNumber("a floating-point number has no exact value; write it as a fraction")


SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")  # strongest first
SAID = ("real", "finite", "rational", "integer", *SIGNS)  # all that a letter may be said to be


def _symbol(x: sp.Symbol, dag: Dag, known: Known) -> Node:
    said = [flag for flag in SAID if x.assumptions0.get(flag)]
    weaker = [flag for flag in said if flag in SIGNS][1:]  # 0 is two of them at once
    flags = {flag: True for flag in said if flag not in weaker}
    if sp.Symbol(x.name, **flags).assumptions0 != x.assumptions0:
        raise UnsupportedFunction(f"the letter {x.name} may only be {', '.join(SAID)}")
    return dag.symbol(f"{x.name}#{x.dummy_index}" if isinstance(x, sp.Dummy) else str(x.name))


def _add(x: sp.Add, dag: Dag, known: Known) -> Node:
    return dag.add(*map(known, x.args))


def _mul(x: sp.Mul, dag: Dag, known: Known) -> Node:
    return dag.mul(*map(known, x.args))


def _power(x: sp.Pow, dag: Dag, known: Known) -> Node:
    n = x.exp
    if x.base is sp.E:
        return dag.exp(dag.rational(int(n.p), int(n.q)) if n.is_Rational else known(n))
    if isinstance(n, sp.Rational):
        base = known(x.base)
        return dag.power(dag.root(base, int(n.q)) if n.q > 1 else base, int(n.p))
    return dag.general_power(known(x.base), known(n))


def _heaviside(x: sp.Heaviside, dag: Dag, known: Known) -> Node:
    return dag.select(known(x.args[0]), dag.zero, known(x.args[1]), dag.one)


def _piecewise(x: sp.Piecewise, dag: Dag, known: Known) -> Node:
    *cases, (last, otherwise) = x.args
    if otherwise is not sp.true:
        raise UnsupportedFunction("a Piecewise without a last case for everything else")
    out = known(last)
    for value, condition in reversed(cases):
        out = _where(condition, known(value), out, known)
    return out


def _where(condition: sp.Basic, yes: Node, no: Node, known: Known) -> Node:
    """The first value where the condition holds, the second where it doesn't."""
    if condition in (sp.true, sp.false):
        return yes if condition is sp.true else no
    if isinstance(condition, sp.Not):
        return _where(condition.args[0], no, yes, known)
    if isinstance(condition, sp.ITE):
        test, a, b = condition.args
        return _where(test, _where(a, yes, no, known), _where(b, yes, no, known), known)
    if isinstance(condition, sp.And):
        for part in condition.args:
            yes = _where(part, yes, no, known)
        return yes
    if isinstance(condition, sp.Or):
        for part in condition.args:
            no = _where(part, yes, no, known)
        return no
    holds = comparison(condition)
    a, b = map(known, condition.args)
    if a == b:
        return yes if holds[1] else no
    return a.dag.select(a - b, *(yes if h else no for h in holds))


def comparison(condition: sp.Basic) -> tuple[bool, bool, bool]:
    """Whether a relation holds where left - right is negative, zero, positive."""
    for kind, holds in RELATIONS.items():
        if isinstance(condition, kind):
            return holds
    raise UnsupportedFunction(f"a condition of the kind {type(condition).__name__}")


RELATIONS = {
    sp.StrictLessThan: (True, False, False),
    sp.LessThan: (True, True, False),
    sp.Equality: (False, True, False),
    sp.Unequality: (True, False, True),
    sp.GreaterThan: (False, True, True),
    sp.StrictGreaterThan: (False, False, True),
}


def _indexed(x: sp.Expr, dag: Dag, known: Known) -> Node:
    return dag.symbol(cell_name(x))


def cell_name(x: sp.Expr) -> str:
    """An indexed name or a matrix element as a letter of that name.

    >>> cell_name(sp.Indexed(sp.IndexedBase(sp.Symbol("s")), 2))
    's[2]'
    """
    base, *indices = x.args
    for part in (base, *indices):
        if not isinstance(part, sp.Integer | sp.Symbol | sp.IndexedBase | sp.MatrixSymbol):
            raise UnsupportedFunction("an index that is neither a number nor a name")
    name = base.label if isinstance(base, sp.IndexedBase) else base
    inside = ",".join(k.name if isinstance(k, sp.Symbol) else f"{int(k)}" for k in indices)
    return f"{name.name}[{inside}]"


def _undefined(x: sp.Expr, dag: Dag, known: Known) -> Node:
    raise UndefinedValue("division by zero, infinity - infinity or the like")


def _same(x: sp.Expr, dag: Dag, known: Known) -> Node:
    return known(x.args[0])


BUILDERS: dict[Any, Builder] = {
    sp.Rational: _rational,
    sp.Float: _float,
    sp.Symbol: _symbol,
    sp.Add: _add,
    sp.Mul: _mul,
    sp.Pow: _power,
    sp.Heaviside: _heaviside,
    sp.Piecewise: _piecewise,
    (sp.Indexed, MatrixElement): _indexed,
    (type(sp.nan), type(sp.zoo), sp.AccumBounds): _undefined,
    sp.UnevaluatedExpr: _same,
    type(sp.pi): partial(_constant, "pi"),
    type(sp.E): partial(_constant, "e"),
    type(sp.I): partial(_constant, "i"),
    type(sp.oo): lambda x, dag, known: dag.infinity(1),
    type(-sp.oo): lambda x, dag, known: dag.infinity(-1),
}
FUNCTIONS = {  # of an arithmetic, or of derive.exact.functions
    sp.exp: "exp", sp.log: "log", sp.erf: "erf", sp.Abs: "abs", sp.sign: "sign",
    sp.Max: "max", sp.Min: "min",
    sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.cot: "cot", sp.sec: "sec", sp.csc: "csc",
    sp.asin: "asin", sp.acos: "acos", sp.atan: "atan",
    sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh",
    sp.asinh: "asinh", sp.acosh: "acosh", sp.atanh: "atanh",
}  # fmt: skip

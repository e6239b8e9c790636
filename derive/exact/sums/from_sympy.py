"""SymPy's Sum, Indexed, KroneckerDelta, Piecewise and Derivative as trees of the plain grammar.

Read once, by structure: SymPy's own substitution, `doit` and expansion are never used on sums,
since they capture bound names and read reversed ranges in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, cast

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from derive.errors import DeriveError
from derive.exact.assumptions import Assumption, as_node, known
from derive.exact.budget import UndecidedError
from derive.exact.dag import UndefinedValue
from derive.exact.from_sympy import InexactNumber
from derive.exact.verdict import Verdict
from derive.text.parser import parse_assumption
from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Integer,
    Name,
    Negative,
    Number,
    Relation,
    Sum,
    Tree,
)

CALLS = {
    sp.exp: "exp", sp.log: "ln", sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.sinh: "sinh",
    sp.cosh: "cosh", sp.tanh: "tanh", sp.erf: "erf", sp.Abs: "abs", sp.Max: "max", sp.Min: "min",
}  # fmt: skip


def about_sums(*expressions: object) -> bool:
    """Whether the language of sums is needed: a sum, a delta, a derivative, an index that is no
    number."""
    for x in expressions:
        if isinstance(x, sp.Basic) and x.has(sp.Sum, sp.KroneckerDelta, sp.Derivative):
            return True
        if isinstance(x, sp.Basic) and any(
            not isinstance(k, sp.Integer) for s in x.atoms(sp.Indexed) for k in s.indices
        ):
            return True
    return False


def decide_sympy(a: sp.Basic, b: sp.Basic, assumptions: Sequence[Assumption] = ()) -> Verdict:
    """Decide a = b for all sizes.

    Integer symbols in bounds are sizes (at least 1 unless something else is assumed), those in
    indices are indices; `Idx("i", n)` and `IndexedBase("s", shape=(n,))` carry their ranges.

    >>> n, i, k = sp.symbols("n i k", integer=True)
    >>> s, c = sp.IndexedBase("s"), sp.Symbol("c")
    >>> total = sp.Sum(sp.exp(s[k] + c), (k, 0, n - 1))
    >>> decide_sympy(total, sp.exp(c) * sp.Sum(sp.exp(s[i]), (i, 0, n - 1))).verdict
    'equal'
    """
    from derive.exact.sums.prove import decide_trees, statement

    try:
        trees = [to_tree(x) for x in (a, b)]
        told = [*_assumed(assumptions), *_ranges((a, b))]
    except UndecidedError as why:
        return Verdict("undecided", "sums", reason=str(why))
    out, facts = statement(trees, told)
    return decide_trees(out[0], out[1], facts)


def decide_mixed(a: object, b: object, assumptions: Sequence[str | Assumption] = ()) -> Verdict:
    """Decide a = b for SymPy expressions and trees in any mixture; assumptions may be texts."""
    from derive.exact.dag import Dag
    from derive.exact.decide import decide_nodes
    from derive.exact.reading import evaluate
    from derive.exact.sums import language
    from derive.exact.sums.prove import decide_trees, statement

    sides = (a, b)
    summed = any(
        about_sums(x) if isinstance(x, sp.Basic) else language.about_sums(cast(Tree, x))
        for x in sides
    )
    if summed:
        told: list[str | Relation | Integer] = [x for x in assumptions if isinstance(x, str)]
        expressions = [x for x in sides if isinstance(x, sp.Basic)]
        try:
            trees = [to_tree(x) if isinstance(x, sp.Basic) else cast(Tree, x) for x in sides]
            told += _assumed(x for x in assumptions if isinstance(x, Assumption))
            told += _ranges(expressions)
        except UndecidedError as why:
            return Verdict("undecided", "sums", reason=str(why))
        out, facts = statement(trees, told)
        return decide_trees(out[0], out[1], facts)
    dag = Dag()
    left, right = (
        as_node(x, dag) if isinstance(x, sp.Basic) else evaluate(cast(Tree, x), dag) for x in sides
    )
    known_ = []
    for x in assumptions:
        if isinstance(x, Assumption):
            known_.append(x)
            continue
        for part in parse_assumption(x):
            if isinstance(part, Integer):
                known_.append(Assumption(dag.symbol(part.name), "integer"))
            else:
                turned = part.op in ("<", "<=")
                gap = Binary("-", *((part.right, part.left) if turned else (part.left, part.right)))
                op = {"<": ">", "<=": ">="}.get(part.op, part.op)
                known_.append(Assumption(evaluate(gap, dag), op))
    return decide_nodes(
        left, right, known(dag, known_, [x for x in sides if isinstance(x, sp.Basic)])
    )


def difference_at(a: object, b: object, verdict: Verdict, n: int) -> tuple[str, str] | None:
    """The exact difference and "= " or "≈ " a decimal of n digits, at the counterexample if there
    is one; None where it has no closed form here."""
    from derive.exact.digits import digits
    from derive.exact.plain import plain
    from derive.exact.reading import evaluate
    from derive.exact.symbolic import Symbolic

    evidence = verdict.evidence
    witness = evidence.witness if evidence is not None else None
    found = getattr(evidence, "counterexample", None)
    try:
        sides = found.sides if found is not None else [
            to_tree(x) if isinstance(x, sp.Basic) else x for x in (a, b)
        ]  # fmt: skip
        point = dict(witness.point) if witness is not None else {}
        values = {k: sp.Rational(x.numerator, x.denominator) for k, x in point.items()}
        exact = evaluate(Binary("-", *sides), Symbolic(), values)
        decimal = digits(exact, n)
        written = plain(exact)
    except (DeriveError, UndecidedError, ValueError):
        return None
    if decimal is None or len(written) > LONGEST:
        return None
    at = ", ".join(f"{k} = {v}" for k, v in sorted(point.items()))
    told = f"≈ {decimal}" if written != decimal else decimal
    if isinstance(exact, sp.Rational) and _short(exact):
        told = told.replace("≈", "=")
    return written, told + (f" at {at}" if at and found is None else "")


LONGEST = 200  # characters of a difference that is printed


def _short(x: sp.Rational) -> bool:
    """Whether a rational number is a decimal of few digits."""
    q = int(x.q)
    for prime in (2, 5):
        while q % prime == 0:
            q //= prime
    return q == 1 and int(x.q) < 10**6


def _assumed(assumptions: Iterable[Assumption]) -> Iterable[Relation | Integer]:
    for a in assumptions:
        if not isinstance(a.expr, sp.Basic):
            raise UndecidedError("an assumption on a node beside sums")
        if a.relation == "integer":
            yield Integer(_name(a.expr))
        else:
            yield Relation(a.relation, to_tree(a.expr), Number(0))


def _ranges(expressions: Iterable[sp.Basic]) -> Iterable[Relation | Integer]:
    """What symbols say of themselves: signs, Idx their range, shapes the range of an index."""
    bound = {v for x in expressions for s in x.atoms(sp.Sum) for v in s.variables}
    letters = {s for x in expressions for s in x.free_symbols if isinstance(s, sp.Symbol)}
    for s in sorted(letters - bound, key=lambda s: str(s.name)):
        yield from _flags(s)
    indices = {s for x in expressions for s in x.atoms(sp.Idx)} - bound
    for i in sorted(indices, key=str):
        if i.lower is not None:
            yield Relation("<=", to_tree(i.lower), to_tree(i))
            yield Relation("<=", to_tree(i), to_tree(i.upper))
    cells = sorted({s for x in expressions for s in x.atoms(sp.Indexed)}, key=str)
    for cell in cells:
        for k, size in zip(cell.indices, cell.base.shape or (), strict=False):
            if isinstance(k, sp.Symbol) and k not in bound:
                yield Relation("<=", Number(0), to_tree(k))
                yield Relation("<", to_tree(k), to_tree(size))


def _flags(s: sp.Symbol) -> Iterable[Relation | Integer]:
    """What one symbol says of itself."""
    name = Name(_name(s))
    if s.is_integer:
        yield Integer(name.name)
        if s.is_positive or s.is_nonnegative:
            yield Relation(">=", name, Number(1 if s.is_positive else 0))
    elif s.is_positive:
        yield Relation(">", name, Number(0))


def _name(x: sp.Basic) -> str:
    name = f"{x.name}~d{x.dummy_index}" if isinstance(x, sp.Dummy) else str(getattr(x, "name", x))
    if not name or name[0] == "#" or "@" in name:
        raise UndecidedError(f"the name {name!r}")
    return name


def to_tree(x: sp.Basic) -> Tree:
    """A SymPy expression as a tree; raises UndecidedError for what has no place there."""
    if isinstance(x, sp.Float):
        raise InexactNumber("a floating-point number has no exact value; write it as a fraction")
    if x in (sp.nan, sp.zoo):
        raise UndefinedValue("division by zero, infinity - infinity or the like")
    if isinstance(x, sp.Rational):
        size = Number(abs(int(x.p)), int(x.q))
        return Negative(size) if x.p < 0 else size
    if x in CONSTANTS:
        return Constant(CONSTANTS[x])
    if isinstance(x, sp.Idx):
        return to_tree(x.label)
    if isinstance(x, sp.Symbol):
        return Name(_name(x))
    if isinstance(x, sp.Indexed):
        return Index(_name(x.base.label), tuple(map(to_tree, x.indices)))
    return _compound(x)


CONSTANTS = {sp.pi: "pi", sp.E: "e", sp.I: "i"}


def _compound(x: sp.Basic) -> Tree:
    for kind, read in READERS.items():
        if isinstance(x, kind):
            return read(x)
    for kind, name in CALLS.items():
        if isinstance(x, kind):
            return Call(name, tuple(map(to_tree, x.args)))
    raise UndecidedError(f"the function {type(x).__name__} is not one that can be decided")


def _chained(x: sp.Basic) -> Tree:
    op = "+" if isinstance(x, sp.Add) else "*"
    return reduce(lambda a, b: Binary(op, a, b), map(to_tree, x.args))


def _power(x: sp.Pow) -> Tree:
    base, exponent = x.args
    if base is sp.E:
        return Call("exp", (to_tree(exponent),))
    if isinstance(exponent, sp.Rational) and exponent < 0:
        other = to_tree(base) if exponent == -1 else to_tree(sp.Pow(base, -exponent))
        return Binary("/", Number(1), other)
    if exponent == sp.Rational(1, 2):
        return Call("sqrt", (to_tree(base),))
    return Binary("^", to_tree(base), to_tree(exponent))


def _sum(x: sp.Sum) -> Tree:
    """Several limits are sums inside one another, the last outermost."""
    out = to_tree(x.function)
    for limit in x.limits:
        if len(limit) != 3:
            raise UndecidedError("a sum without bounds")
        index, low, high = limit
        name = index.label if isinstance(index, sp.Idx) else index
        out = Sum(_name(name), to_tree(low), to_tree(high), out)
    return out


def _derivative(x: sp.Derivative) -> Tree:
    out = to_tree(x.expr)
    for variable, times in x.variable_count:
        if not isinstance(times, sp.Integer):
            raise UndecidedError("a derivative of symbolic order")
        for _ in range(int(times)):
            out = Call("diff", (out, to_tree(variable)))
    return out


def _cases(x: sp.Piecewise) -> Tree:
    """Cases on indices: each value times its mask."""
    out: Tree = Number(0)
    left: Tree = Number(1)  # 1 where no case before holds
    for value, condition in x.args:
        holds = _holds(condition)
        part = Binary("*", Binary("*", left, holds), to_tree(value))
        out = Binary("+", out, part)
        left = Binary("*", left, Binary("-", Number(1), holds))
    return out


def _holds(condition: sp.Basic) -> Tree:
    """1 where a condition on indices holds, else 0."""
    if condition in (sp.true, sp.false):
        return Number(1 if condition is sp.true else 0)
    if isinstance(condition, sp.And):
        return reduce(lambda a, b: Binary("*", a, b), map(_holds, condition.args))
    if isinstance(condition, sp.Not):
        return Binary("-", Number(1), _holds(condition.args[0]))
    if isinstance(condition, sp.Or):
        none = (Binary("-", Number(1), _holds(c)) for c in condition.args)
        return Binary("-", Number(1), reduce(lambda a, b: Binary("*", a, b), none))
    if not isinstance(condition, Relational) or not all(a.is_integer for a in condition.args):
        raise UndecidedError("a condition that is not about indices")
    a, b = map(to_tree, condition.args)
    return COMPARED[condition.rel_op](a, b)


def _not(x: Tree) -> Tree:
    return Binary("-", Number(1), x)


COMPARED: dict[str, Callable[[Tree, Tree], Tree]] = {
    "==": lambda a, b: Call("delta", (a, b)),
    "!=": lambda a, b: _not(Call("delta", (a, b))),
    "<=": lambda a, b: Call("leq", (a, b)),
    ">=": lambda a, b: Call("leq", (b, a)),
    "<": lambda a, b: _not(Call("leq", (b, a))),
    ">": lambda a, b: _not(Call("leq", (a, b))),
}
READERS: dict[Any, Callable[[Any], Tree]] = {
    (sp.Add, sp.Mul): _chained,
    sp.Pow: _power,
    sp.Sum: _sum,
    sp.KroneckerDelta: lambda x: Call("delta", tuple(map(to_tree, x.args[:2]))),
    sp.Derivative: _derivative,
    sp.Piecewise: _cases,
    AppliedUndef: lambda x: Index(str(x.func.__name__), tuple(map(to_tree, x.args))),
    sp.UnevaluatedExpr: lambda x: to_tree(x.args[0]),
}

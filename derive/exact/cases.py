"""Proofs by cases: the signs of what stands in |x|, and conditions that are solved."""

from __future__ import annotations

from collections.abc import Sequence

from derive.exact.canonical import rebuild
from derive.exact.dag import Node, UndefinedValue
from derive.exact.field import Element, Poly
from derive.exact.nodes import linear
from derive.exact.points import compare_zero, exact, reach, subject
from derive.exact.tower import SMOOTH, Tower

MOST_SIZES = 8  # variables |x| that are looked at case by case


def vanishes(tower: Tower, p: Poly) -> bool:
    """A numerator with variables |f| is 0 for all signs of the f that can occur.

    Only strict signs are looked at: what is left out has no inner point, and both sides
    are continuous on a convex domain that is the closure of its inner points.
    """
    sizes = _sizes(tower, p)
    if not 2 <= len(sizes) <= MOST_SIZES or not _open_domain(tower):
        return False
    used = tower.ground.generators.used(p)
    if not all(tower.ground.generators.table[k].kind in SMOOTH for k in used):
        return False
    return _all_signs(tower, p, {})


def _all_signs(tower: Tower, p: Poly, chosen: dict[int, Poly]) -> bool:
    if p.is_zero():
        return True
    sizes = _sizes(tower, p)
    if not sizes:
        return False
    k = sizes[-1]  # the oldest, so that its argument has no other
    g = tower.ground.generators.table[k]
    assert g.argument is not None
    if not g.argument.den.is_constant():
        return False
    f = tower.ground.field.reduce(g.argument.num.compose(*_images(tower, chosen)))
    x = Element(tower.ground.field, f)
    possible = tower.signs.signs(x) if x else (0,)
    for sign in (1, -1) if x else (0,):
        if sign not in possible:
            continue
        now = {**chosen, k: f * sign}
        tower.ground.budget.allow(len(p) * len(f))
        rest = tower.ground.field.reduce(p.compose(*_images(tower, now)))
        with tower.signs.supposing(x, frozenset((sign,))):
            if not _all_signs(tower, rest, now):
                return False
    return True


def _images(tower: Tower, chosen: dict[int, Poly]) -> Sequence[Poly]:
    return [chosen.get(k, x) for k, x in enumerate(tower.ground.field.gens)]


def _sizes(tower: Tower, p: Poly) -> list[int]:
    """The variables |f| that occur, newest first."""
    table = tower.ground.generators.table
    return [k for k in tower.ground.generators.used(p) if table[k].kind == "abs"]


def _open_domain(tower: Tower) -> bool:
    """The assumptions are linear and hold strictly at some point."""
    point = tower.ground.generators.point
    if not tower.angles.convex or point is None:
        return False
    for a in tower.assumptions:
        value = exact(subject(a), point)
        if value is None or not compare_zero(value, ">"):
            return False
    return True


def follows(tower: Tower, p: Poly) -> bool:
    """The polynomial is a multiple of one that is assumed to be 0.

    Where no point of the domain is known, nothing may be divided by.
    """
    if tower.ground.generators.point is None and tower.divided:
        return False
    budget, reduce = tower.ground.budget, tower.ground.field.reduce
    for a in tower.assumptions:
        zero = tower.element(subject(a)).num if a.relation == "=" else None
        if zero is not None and not zero.is_zero() and not p.is_zero():
            budget.spend(20 * len(p) * len(zero))
            budget.allow(len(p) * len(zero))
            if max(p.degrees()) < budget.degree:
                p = reduce(divmod(p, zero)[1])
    return bool(p.is_zero())


def simplest(conditions: Sequence[Node]) -> Node:
    """The condition to look at first: one of letters alone, or the shortest."""
    return min(conditions, key=lambda x: (not linear(x), len(reach(x)), x.index))


def unknown_letters(tower: Tower, nodes: Sequence[Node]) -> list[Node]:
    """Letters whose signs would tell more of roots, logarithms and inverse functions."""
    facts, out = tower.facts, []
    for x in nodes:
        if x.op in ("root", "log", "asin", "acos", "atan") and facts.free.get(x.index):
            argument = x.args[0]
            if len(facts.signs(argument)) > 1 or not facts.real[argument.index]:
                out += [y for y in reach(argument) if y.op == "symbol"]
    return [y for y in dict.fromkeys(out) if facts.signs(y) >= {1, -1}]


def solve(node: Node) -> tuple[Node, Node] | None:
    """node = 0 solved for a symbol that stands alone in one term, with a number before it."""
    dag = node.dag
    terms = node.args if node.op == "add" else (node,)
    for term in reversed(terms):
        factors = [f for f in (term.args if term.op == "mul" else (term,)) if f.number is None]
        if len(factors) != 1 or factors[0].op != "symbol":
            continue
        letter = factors[0]
        rest = dag.add(*(t for t in terms if t is not term))
        if letter not in reach(rest):
            coefficient = term / letter
            return letter, dag.mul(rest, dag.power(coefficient, -1), -1)
    return None


def substitute(rule: tuple[Node, Node], nodes: Sequence[Node]) -> list[Node]:
    """The nodes with a symbol replaced; raises UndefinedValue where one has no value.

    A case that doesn't apply any more need not be defined.
    """
    letter, value = rule
    built: dict[int, Node | None] = {letter.index: value}
    for x in reach(*nodes):
        if x.index not in built:
            built[x.index] = _replaced(x, [built[y.index] for y in x.args])
    out = [built[x.index] for x in nodes]
    if any(x is None for x in out):
        raise UndefinedValue("division by zero")
    return [x for x in out if x is not None]


def _replaced(x: Node, args: Sequence[Node | None]) -> Node | None:
    """The node with other arguments, None where it is undefined."""
    if x.op == "select" and args[0] is not None and args[0].number is not None:
        p = args[0].number[0]
        return args[1 if p < 0 else 2 if p == 0 else 3]
    defined = [y for y in args if y is not None]
    if len(defined) < len(args):
        return None
    try:
        return rebuild(x.dag, x, defined) if args else x
    except UndefinedValue:
        return None

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


def solve(node: Node) -> tuple[Node, Node] | None:
    """node = 0 solved for one of its symbols, when the node is linear."""
    if not linear(node):
        return None
    dag = node.dag
    for term in reversed(node.args if node.op == "add" else (node,)):
        factors = term.args if term.op == "mul" else (term,)
        letter = next((f for f in factors if f.op == "symbol"), None)
        if letter is not None:
            coefficient = dag.mul(*(f for f in factors if f is not letter))
            return letter, dag.mul(dag.add(node, -term), dag.power(coefficient, -1), -1)
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

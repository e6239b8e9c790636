"""Proofs that an element which is not 0 in K is not 0 as a number or function."""

from __future__ import annotations

from derive.exact.field import Element, Poly
from derive.exact.tower import Tower

LONGEST = 300  # polynomials up to this length are factored


def nonzero_factors(tower: Tower, numerator: Poly) -> list[tuple[Poly, str]]:
    """The factors with the reason why each is nowhere 0; empty when one may be.

    Reasons: unit (a product of exponentials), range (terms of one sign), ball, sign.
    """
    if tower.names and tower.ground.generators.point is None:
        return []  # perhaps the assumptions hold nowhere
    if tower.unit(numerator):
        return [(numerator, "unit")]
    parts = [(numerator, 1)]
    if len(numerator) <= LONGEST:
        _, parts = tower.signs.split(numerator)
    out = []
    for f, _ in parts:
        why = _nonzero(tower, f)
        if not why:
            return []
        out.append((f, why))
    return out


def _nonzero(tower: Tower, f: Poly) -> str:
    ground = tower.ground
    if tower.unit(f):
        return "unit"
    x = Element(ground.field, f)
    number = ground.generators.number(x)
    if number and ground.nonzero(x):
        return "ball"
    if 0 not in ground.generators.range(f).signs:
        return "range"
    if number or not ground.real(x):
        return ""
    return "sign" if 0 not in tower.signs.signs(x) else ""


def independent(tower: Tower) -> bool:
    """Lindemann and Weierstrass: the variables are algebraically independent.

    exp(a), exp(b) … are, when a, b … are algebraic numbers independent over Q; so is pi
    alone.  Then what isn't 0 in K isn't 0, as long as every root is proved to be new.
    """
    ground = tower.ground
    if tower.names or ground.doubts:
        return False
    table = ground.generators.table
    kinds = {g.kind for g in table.values()}
    if kinds <= {"pi", "root", "i"}:
        return True
    return kinds <= {"exp", "root", "i"} and all(
        g.argument is not None and ground.generators.algebraic(g.argument)
        for g in table.values()
        if g.kind == "exp"
    )

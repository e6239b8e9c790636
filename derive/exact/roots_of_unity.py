"""Roots of unity: by square roots where these are enough, else by a variable.

exp(2 pi i k/n) is a product of roots of unity of prime power order.  Those of order 2^e,
3 and 5 are written with square roots, so that cos(pi/12) and sqrt(6) know each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq, fmpz

from derive.exact.budget import UndecidedError
from derive.exact.field import Element
from derive.exact.generators import UNIT

if TYPE_CHECKING:
    from derive.exact.roots import Roots

LARGEST_ORDER, LARGEST_PRIME = 5000, 200


def unity(roots: Roots, k: int, n: int) -> Element:
    """exp(2 pi i k/n)."""
    k, n = k % n, n
    g = int(fmpz(k).gcd(fmpz(n)))
    k, n = k // g, n // g
    if n in (1, 2):
        return roots.field.number(1 if n == 1 else -1)
    if n == 4:
        return roots.ground.i if k == 1 else -roots.ground.i
    if n > LARGEST_ORDER:
        raise UndecidedError(f"a root of unity of order {n}")
    out = roots.field.one
    for p, e in fmpz(n).factor():
        q = int(p) ** int(e)
        part = k * pow(n // q, -1, q) % q
        out = out * _prime_unity(roots, int(p), int(e)) ** part
    roots.ground.note("unity", power=k, degree=n, value=out)
    return out


def _prime_unity(roots: Roots, p: int, e: int) -> Element:
    """exp(2 pi i / p^e), by square roots where these are enough."""
    if (p, e) not in roots.unities:
        roots.unities[p, e] = _new_unity(roots, p, e)
    return roots.unities[p, e]


def _new_unity(roots: Roots, p: int, e: int) -> Element:
    number, ground = roots.field.number, roots.ground
    positive = frozenset((1,))
    if p == 2:
        if e <= 2:
            return unity(roots, 1, 2**e)
        return roots.root(_prime_unity(roots, 2, e - 1), 2)
    if e > 1:
        return roots.plain(_prime_unity(roots, p, e - 1), p, True, False)
    if p == 3:
        return (roots.root(number(3), 2, positive) * ground.i - 1) * fmpq(1, 2)
    if p == 5:
        five = roots.root(number(5), 2, positive)
        sine = roots.root(five * 2 + 10, 2, positive)
        return (five - 1 + sine * ground.i) * fmpq(1, 4)
    if p > LARGEST_PRIME:
        raise UndecidedError(f"a root of unity of order {p}")
    ground.doubts.append(f"a root of unity of order {p}")
    index = roots.field.next_root
    z = roots.field.gens[index]
    modulus = roots.field.p0
    for k in range(p):
        modulus = modulus + z**k
    ground.filter.unities[index] = p
    return ground.root("unity", p - 1, roots.field.p0, modulus, name=str(p), nature=UNIT)

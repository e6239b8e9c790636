"""Large expressions: decided, or undecided for a said reason, never built beyond the budget."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import mul

import pytest
from flint import Ordering, fmpq_mpoly_ctx
from hypothesis import given
from hypothesis import strategies as st

from derive.answers.equality import equality
from derive.exact.budget import Budget, UndecidedError
from derive.exact.polynomials import Polynomials
from derive.exact.square_classes import SquareClasses

PRIMES = [n for n in range(2, 180) if all(n % k for k in range(2, n))]
SAME = "+sin(x)^2+cos(x)^2-1"  # 0, which the sides have to be converted to see


def many(term: Callable[[int], str], count: int = 40, sign: str = "+") -> str:
    return sign.join(term(k) for k in range(1, count + 1))


@pytest.mark.parametrize(
    ("left", "right", "assume"),
    [
        (many(lambda k: f"sqrt({PRIMES[k]})"), many(lambda k: f"sqrt({PRIMES[41 - k]})"), []),
        (many(lambda k: f"sqrt(x+{k})"), many(lambda k: f"sqrt({k}+x)"), ["x > 0"]),
        (many(lambda k: f"atan({k}*x)"), many(lambda k: f"atan({k}*x)"), []),
        (many(lambda k: f"atan(1/{k})"), many(lambda k: f"atan(1/{k})"), []),
        (many(lambda k: f"abs(x-{k})"), many(lambda k: f"abs({k}-x)"), []),
        (many(lambda k: f"abs(x-{k})", sign="*"), many(lambda k: f"abs({k}-x)", sign="*"), []),
        (many(lambda k: f"tanh({k}*x)"), many(lambda k: f"1-2/(exp(2*{k}*x)+1)"), []),
        (many(lambda k: f"ln({k}+sqrt({k}))"), many(lambda k: f"ln({k}+sqrt({k}))"), []),
        ("x^1000000/(x-1)+y/(x-1)", "(x^1000000+y)/(x-1)", []),
        ("sqrt(x^1000000+x+1)^2", "x^1000000+x+1", ["x > 0"]),
        (f"sqrt({many(lambda k: f'sqrt({PRIMES[k]})', 20)})^2",
         many(lambda k: f"sqrt({PRIMES[k]})", 20), []),
    ],
)  # fmt: skip
def test_many_terms_are_decided(left: str, right: str, assume: list[str]) -> None:
    for other in (right, right + SAME):
        assert equality(left, other, assume).verdict == "equal"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (many(lambda k: f"tanh(x{k})", 25), many(lambda k: f"tanh(x{k})", 25)),
        (many(lambda k: f"1/(1+x{k})", 30), many(lambda k: f"1/(1+x{k})", 30)),
        ("(x+y+z+w+1)^60", "(x+y+z+w+1)^60"),
        ("sqrt(x^2+y^2+z^2)^100001", "(x^2+y^2+z^2)^50000*sqrt(x^2+y^2+z^2)"),
        ("(10^20000*x+1)^40", "(10^20000*x+1)^40"),
        (many(lambda k: f"cos(pi/{k})"), many(lambda k: f"cos(pi/{k})")),
    ],
)
def test_what_is_too_large_is_undecided(left: str, right: str) -> None:
    found = equality(left, right + SAME)
    assert found.verdict == "undecided"
    assert any(word in found.decisive.reason for word in ("budget", "too large", "digits"))


def polynomials(work: int = 10**9, terms: int = 200_000) -> Polynomials:
    return Polynomials(fmpq_mpoly_ctx.get(["x", "y"], Ordering.lex), Budget(work, terms))


def test_products_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = polynomials()
    x, y = ring.ring.gens()
    a, b = (x + 2 * y + 1) ** 12, (x - y + 3) ** 9
    modulus = x**2 - y - 1
    expected = a * b, divmod(a, modulus)[1]
    monkeypatch.setattr("derive.exact.polynomials.ROOM", 100)
    assert (ring.product(a, b), ring.remainder(a, modulus, 0, 2)) == expected
    assert ring.power(x + y, 7) == (x + y) ** 7
    monkeypatch.setattr("derive.exact.polynomials.ROOM", 10)
    with pytest.raises(UndecidedError, match="product"):
        ring.product(a, b)


def test_what_is_too_large_is_not_built() -> None:
    ring = polynomials(terms=1000)
    x, y = ring.ring.gens()
    with pytest.raises(UndecidedError, match="too large"):
        ring.power(x + y + 1, 60)
    with pytest.raises(UndecidedError, match="too large"):
        ring.remainder(x ** (10**9), x**2 - y - 1, 0, 2)
    assert ring.quotient(x ** (10**8) + y, x - 1) is None
    with pytest.raises(UndecidedError, match="degree"):
        ring.square_root(x ** (10**8) + x)
    with pytest.raises(UndecidedError, match="budget"):
        polynomials(work=100).product(x + 1, y + 1)


def test_a_part_of_the_budget() -> None:
    budget = Budget(work=1000)
    with pytest.raises(UndecidedError), budget.part(100):
        budget.spend(101)
    assert budget.work == 900
    with budget.part(5000):
        budget.spend(400)
    assert budget.work == 500


PIECES = [2, 3, 5, -1, 6, 35, "x", "y", "x+y", "x^2+x*y", "x-2"]


@given(
    st.lists(st.lists(st.sampled_from(range(len(PIECES))), min_size=1, max_size=4), max_size=6),
    st.lists(st.sampled_from(range(len(PIECES))), min_size=1, max_size=4),
)
def test_square_classes(products: list[list[int]], sought: list[int]) -> None:
    """A product of some members makes a square, or no product of any of them does."""
    ring = polynomials()
    x, y = ring.ring.gens()
    known = {"x": x, "y": y, "x+y": x + y, "x^2+x*y": x**2 + x * y, "x-2": x - 2}

    def product(numbers: list[int]) -> object:
        return reduce(mul, (known.get(str(PIECES[k]), PIECES[k]) for k in numbers), ring.one)

    members, p = [product(row) for row in products], product(sought)
    classes = SquareClasses(ring)
    for k in range(len(members) + 1):
        classes.extend(members[:k])  # type: ignore[arg-type]
    found = classes.dependent(p)  # type: ignore[arg-type]
    if found is not None:
        assert ring.square_root(reduce(mul, (members[k] for k in found), p)) is not None
        return
    for subset in range(1 << len(members)):
        chosen = (m for k, m in enumerate(members) if subset >> k & 1)
        assert ring.square_root(reduce(mul, chosen, p)) is None

"""The parts of the prover, each by itself."""

from __future__ import annotations

import pytest
from flint import arb, ctx, fmpq

from derive.exact.assumptions import Assumption, known
from derive.exact.budget import Budget, UndecidedError
from derive.exact.canonical import canonical
from derive.exact.cases import solve, substitute
from derive.exact.dag import Dag, UndefinedValue
from derive.exact.decide import is_zero
from derive.exact.exponentials import Span
from derive.exact.field import Field
from derive.exact.ground import Ground
from derive.exact.modular import primes, square_root
from derive.exact.ranges import BOUNDED, POSITIVE, Range, exactly, of_ball
from derive.exact.relations import integer_relation
from derive.exact.roots import Roots
from derive.exact.signs import SignFinder
from derive.exact.squares import Squares


def ground(roots: int = 6, others: int = 6) -> Ground:
    return Ground((roots, others), {}, Budget())


def test_field_keeps_denominators_in_factors() -> None:
    field = Field(1, 3, Budget())
    x, y = field.variable(field.new_variable()), field.variable(field.new_variable())
    a = field.one / (x + y)
    assert (a * (x * x - y * y)).equals(x - y)
    assert (a + a * y - a * (y + 1)).num.is_zero()
    assert (x / (x * y)).equals(field.one / y) and len((x / (x * y)).parts) == 1
    assert ((x + y) ** -2).equals(a * a)
    with pytest.raises(ZeroDivisionError):
        field.inverse(x - x)


def test_field_bounds_what_it_builds() -> None:
    field = Field(1, 3, Budget(work=1000))
    x, y = field.variable(field.new_variable()), field.variable(field.new_variable())
    with pytest.raises(UndecidedError):
        (x + y + 1) ** 400
    field.budget.work = 1000
    with pytest.raises(UndecidedError):
        (x * 2) ** 10**6
    field.budget.work = 10_000
    assert (x**10**6).equals(x ** (10**6 - 1) * x)


def test_squares_are_found_in_a_tower() -> None:
    g = ground()
    roots, squares = Roots(g, SignFinder(g)), Squares(g)
    number = g.field.number
    two, three = (roots.root(number(n), 2, frozenset((1,))) for n in (2, 3))
    found = squares.root((two * three * 2 + 5).num)
    assert found is not None and (found * found).equals(two * three * 2 + 5)
    assert squares.root((two + three).num) is None
    assert roots.root(number(6), 2, frozenset((1,))).equals(two * three)
    assert roots.root(number(3) - two * 2, 2, frozenset((1,))).equals(two - 1)


def test_span_finds_coordinates_and_no_others() -> None:
    g = ground()
    x, y = g.variable("pi"), g.variable("pi")
    span = Span(g)
    span.join(x + y)
    span.join(x / y)
    found = span.coordinates((x + y) * 2 - x / y * fmpq(1, 3))
    assert found == {0: fmpq(2), 1: fmpq(-1, 3)}
    assert span.coordinates(x) is None


def test_square_roots_modulo_a_prime() -> None:
    for p in primes(1)[:3]:
        for a in (4, 1234567, 99):
            root = square_root(a, p)
            if root is None:
                assert pow(a, (p - 1) // 2, p) == p - 1
            else:
                assert root * root % p == a


def test_ranges() -> None:
    half_open = Range(fmpq(-1), fmpq(1), False, False)
    assert (exactly(1) + -(half_open**2)).positive  # 1 - x^2 for -1 < x < 1
    assert not (exactly(1) + -(BOUNDED**2)).positive
    assert (exactly(1) + -(BOUNDED**2)).nonnegative
    assert (POSITIVE * POSITIVE + POSITIVE).positive
    assert POSITIVE.inverse().positive and (-POSITIVE).inverse().negative
    assert Range(nonzero=True).__pow__(2).positive
    ctx.prec = 64
    assert of_ball(arb(10) ** -100000).positive
    assert (Range(fmpq(1, 3), fmpq(1, 2), True, True) ** 39).short().positive


@pytest.mark.parametrize("values", [(2, 3, 6), (10, 2, 5)])
def test_relations_between_logarithms(values: tuple[int, ...]) -> None:
    def logarithms(bits: int) -> list[arb]:
        ctx.prec = bits
        return [arb(n).log() for n in values]

    n = integer_relation(logarithms)
    assert n is not None and sum(k * arb(v).log() for k, v in zip(n, values, strict=True)) < 1
    assert integer_relation(lambda bits: logarithms(bits)[:2]) is None
    ctx.prec = 53


def test_canonical_order_forgets_how_things_were_entered() -> None:
    f, g = Dag(), Dag()
    x, y = f.symbol("x"), f.symbol("y")
    v, u = g.symbol("y"), g.symbol("x")
    one = canonical(f.exp(x) + f.sin(y) * x, y - x, [Assumption(x, ">")])
    two = canonical(v - u, u * g.sin(v) + g.exp(u), [Assumption(u, ">")])
    assert one[0].dag.program(one[0], one[1]) == two[0].dag.program(two[0], two[1])
    assert repr(one) == repr(two)


def test_conditions_are_solved_and_put_in() -> None:
    f = Dag()
    x, y = f.symbol("x"), f.symbol("y")
    rule = solve(2 * x - y + 3)
    assert rule is not None
    letter, value = rule
    assert is_zero(substitute(rule, [2 * x - y + 3])[0])
    assert letter in (x, y) and value is not letter
    assert solve(x * y) is None
    nought = solve(x)
    assert nought is not None
    assert substitute(nought, [f.select(x, 1 / x, f.one, 1 / x)]) == [f.one]
    with pytest.raises(UndefinedValue):
        substitute(nought, [1 / x])


def test_assumptions_come_from_symbols_too() -> None:
    sympy = pytest.importorskip("sympy")
    x, n = sympy.Symbol("x", negative=True), sympy.Symbol("n", integer=True, positive=True)
    dag = Dag()
    found = {(repr(a.expr), a.relation) for a in known(dag, [], [x + n])}
    assert {relation for _, relation in found} == {">", "integer"} and len(found) == 3
    with pytest.raises(ValueError):
        Assumption(x, "<")

"""The shared expressions: one node for equal things, numbers folded, nothing undefined built."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.exact.dag import Dag, Node, UndefinedValue

rationals = st.tuples(st.integers(-50, 50), st.integers(1, 20))


@given(rationals, rationals)
def test_rationals_are_computed(a: tuple[int, int], b: tuple[int, int]) -> None:
    f = Dag()
    x, y = f.rational(*a), f.rational(*b)
    assert (x + y) == f.rational(a[0] * b[1] + b[0] * a[1], a[1] * b[1])
    assert (x * y) == f.rational(a[0] * b[0], a[1] * b[1])
    assert (x - y) + y == x


def test_like_terms_and_powers_are_collected() -> None:
    f = Dag()
    x, y = f.symbol("x"), f.symbol("y")
    assert x + y - x == y
    assert 3 * x * y - y * x * 3 == f.zero
    assert x * y / x == y
    assert x * x == x**2
    assert (x**2) ** -1 * x**3 == x
    assert 2 * x + x / 2 == x * f.rational(5, 2)


def test_order_of_writing_does_not_matter() -> None:
    f = Dag()
    x, y, z = map(f.symbol, "xyz")
    assert x * y + z == z + y * x
    assert (x + y) + z == x + (y + z)


def test_masks() -> None:
    f = Dag()
    x = f.symbol("x")
    hidden = f.infinity(-1)
    assert x + hidden == hidden
    assert f.exp(x + hidden) == f.zero
    assert f.max(hidden, x) == x


@pytest.mark.parametrize(
    "build",
    [
        lambda f: f.infinity(1) + f.infinity(-1),
        lambda f: f.zero * f.infinity(1),
        lambda f: f.one / f.zero,
        lambda f: f.log(f.zero),
        lambda f: f.rational(1, 0),
    ],
)
def test_undefined_values_are_not_built(build: object) -> None:
    with pytest.raises(UndefinedValue):
        build(Dag())  # type: ignore[operator]


def test_huge_powers_stay_powers() -> None:
    f = Dag()
    x = f.power(f.rational(3), 10**12)
    assert x.op == "power" and x.data == 10**12
    assert f.power(f.rational(-1), 10**12 + 1) == f.rational(-1)


def test_perfect_powers_have_rational_roots() -> None:
    f = Dag()
    assert f.sqrt(f.rational(9, 4)) == f.rational(3, 2)
    assert f.root(f.rational(10**60), 3) == f.rational(10**20)
    assert f.sqrt(f.rational(2)).op == "root"
    assert f.root(f.rational(-8), 3).op == "root"  # the principal root is not real


def test_select_by_sign() -> None:
    f = Dag()
    a, b, c = map(f.symbol, "abc")
    picks = [f.select(f.rational(k), a, b, c) for k in (-2, 0, 5)]
    assert picks == [a, b, c]
    assert f.select(a, b, b, b) == b


def test_a_program_lists_arguments_first() -> None:
    f = Dag()
    x = f.symbol("x")
    lines, roots = f.program(f.exp(x / 3) + 1, x)
    for place, (_op, *args) in enumerate(lines):
        if lines[place][0] in ("add", "mul", "exp"):
            assert all(isinstance(k, int) and k < place for k in args)
    assert lines[roots[1]] == ("symbol", "x")


def test_a_deep_expression_is_shared() -> None:
    f = Dag()
    x: Node = f.symbol("x")
    for _ in range(200):
        x = f.exp(x) + x  # as a tree: 2^200 nodes
    assert len(f.nodes) < 500


@given(st.integers(0, 10**9), st.integers(2, 9))
def test_integer_roots_are_exact(x: int, n: int) -> None:
    f = Dag()
    assert f.root(f.rational(x**n), n) == f.rational(x)
    if x > 1:
        assert f.root(f.rational(x**n + 1), n).op == "root"


def test_a_function_undoes_its_inverse_for_all_complex_numbers() -> None:
    """Principal values: sin asin x = x, cos asin x = √(1 - x²), e^(q log x) = x^q."""
    f = Dag()
    x, y = f.symbol("x"), f.symbol("y")
    assert f.sin(f.asin(x)) == f.cos(f.acos(x)) == f.tan(f.atan(x)) == x
    assert f.cos(f.asin(x)) == f.sin(f.acos(x)) == f.sqrt(1 - x**2)
    assert f.exp(f.log(x) * -2 + y) == f.exp(y) / x**2
    assert f.exp(f.log(x) / 3) == f.root(x, 3)


def test_powers_of_products_are_products_of_powers() -> None:
    f = Dag()
    x, y = f.symbol("x"), f.symbol("y")
    assert (2 * x * y) ** 2 == (2 * x * y) * (2 * x * y) == 4 * x**2 * y**2
    assert (x / y) ** -1 == y / x

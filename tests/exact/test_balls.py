"""Balls: enclosures always hold the value, and what has no enclosure is not finite."""

from __future__ import annotations

import threading
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.exact.balls import Ball, Balls, disjoint, hull, precision, real
from derive.exact.dag import Dag, Node, UndefinedValue


class Decimal:
    """The arithmetic in mpmath, as an oracle: not rigorous, but of many more digits."""

    pi, e, i = mpmath.mpf(0), mpmath.mpf(0), mpmath.mpc(0, 1)
    sqrt, exp, log = mpmath.sqrt, mpmath.exp, mpmath.log
    sin, cos, tan, atan, erf = mpmath.sin, mpmath.cos, mpmath.tan, mpmath.atan, mpmath.erf
    sinh, cosh, tanh = mpmath.sinh, mpmath.cosh, mpmath.tanh
    max, abs = max, abs

    @staticmethod
    def rational(p: int, q: int = 1) -> mpmath.mpf:
        return mpmath.mpf(p) / q

    @staticmethod
    def root(x: mpmath.mpf, n: int) -> mpmath.mpf:
        return mpmath.root(x, n)

    @staticmethod
    def sigmoid(x: mpmath.mpf) -> mpmath.mpf:
        return 1 / (1 + mpmath.exp(-x))


numbers = st.fractions(min_value=-4, max_value=4, max_denominator=9)
leaves = numbers.map(lambda q: ("rational", q))
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*"]), inner, inner),
        st.tuples(st.sampled_from(["sin", "cos", "tanh", "sigmoid", "erf", "atan"]), inner),
        st.tuples(st.sampled_from(["abs", "sqrt", "square", "softplus"]), inner),
        st.tuples(st.just("max"), inner, inner),
        st.tuples(st.just("root"), inner, st.integers(2, 5)),
    ),
    max_leaves=12,
)


def build(tree, f):  # type: ignore[no-untyped-def]
    """The tree in any arithmetic: one function for Dag, Balls and the oracle."""
    match tree:
        case ("rational", q):
            return f.rational(q.numerator, q.denominator)
        case ("+", a, b):
            return build(a, f) + build(b, f)
        case ("-", a, b):
            return build(a, f) - build(b, f)
        case ("*", a, b):
            return build(a, f) * build(b, f)
        case ("sqrt", a):  # of a square plus something, so that it stays real
            return f.sqrt(build(a, f) * build(a, f) + 1)
        case ("root", a, n):
            return f.root(build(a, f) * build(a, f), n)
        case ("square", a):
            return build(a, f) ** 2
        case ("softplus", a):
            return f.log(f.exp(f.cos(build(a, f))) + 1)
        case (name, *args):
            return getattr(f, name)(*(build(a, f) for a in args))


def holds(ball: Ball, x: mpmath.mpf) -> bool:
    """Whether the oracle's number, with its own error, meets the ball."""
    with precision(2000):
        near = arb(x) + arb(0, arb(2) ** -400)
        return bool(acb(ball).overlaps(acb(near)))


@settings(max_examples=60, deadline=None)
@given(trees)
def test_enclosures_hold_the_value_and_have_the_asked_precision(tree) -> None:
    with mpmath.workprec(1500):
        try:
            oracle = build(tree, Decimal)
        except ZeroDivisionError:
            return
        f = Dag()
        value = Balls(100).value(build(tree, f))
        assert holds(value, +oracle)
        with Balls(100) as balls:
            direct = build(tree, balls)
        assert not direct.is_finite() or holds(direct, +oracle)
        assert value.rad() < arb(1) / 2**30


@settings(max_examples=60, deadline=None)
@given(trees, st.integers(4, 40))
def test_fewer_bits_are_wider_never_wrong(tree, bits) -> None:
    node = build(tree, Dag())
    coarse, fine = Balls(bits).value(node), Balls(300).value(node)
    assert coarse.overlaps(fine) or not coarse.is_finite()


def test_functions_that_the_dag_writes_with_others_agree() -> None:
    f = Dag()
    for name in ("tan", "sinh", "cosh", "tanh", "sigmoid", "abs", "sign"):
        for p in (-3, 1, 2):
            with Balls(200) as balls:
                direct = getattr(balls, name)(balls.rational(p, 7))
            node = getattr(f, name)(f.rational(p, 7))
            assert direct.overlaps(Balls(200).value(node)), name


def test_real_values_are_never_complex_and_integers_mix() -> None:
    with Balls(128) as f:
        x = 3 * f.rational(1, 3) + 1 - f.sqrt(f.rational(4)) * f.pi / 2
        assert isinstance(f.tanh(f.max(x, 0, -1)), arb)
        assert isinstance(f.add(x, 1) * f.mul(2, x), arb)


def test_precision_is_restored_when_nested_and_after_errors() -> None:
    before = ctx.prec
    with Balls(200):
        with Balls(300), precision(77):
            assert ctx.prec == 77
        assert ctx.prec == 200
        Balls(500).value(Dag().pi)
        assert ctx.prec == 200
    with pytest.raises(UndefinedValue), Balls(400) as f:
        f.symbol("x")
    assert ctx.prec == before


def test_threads_keep_their_precision() -> None:
    widths: list[bool] = []

    def work(bits: int) -> None:
        for _ in range(20):
            with Balls(bits) as f:
                x = f.exp(f.rational(1, 3)) * f.pi
                widths.append(abs(x.rel_accuracy_bits() - bits) < 10)

    threads = [threading.Thread(target=work, args=(100 + 90 * k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(widths) and len(widths) == 80


def test_infinity_as_masks_need_it() -> None:
    with Balls(64) as f:
        hidden = f.infinity(-1) + f.sqrt(f.rational(2))
        assert f.exp(hidden).is_zero()
        assert f.max(hidden, 1) == 1
        assert f.exp(hidden - 3) / (f.exp(f.rational(1)) + f.exp(hidden)) == 0
        assert f.sigmoid(f.infinity(-1)).is_zero()
        assert not (hidden - hidden).is_finite()
        assert not f.sin(hidden).is_finite()


@pytest.mark.parametrize("name", ["log", "asin", "acos"])
def test_outside_the_real_domain_the_value_is_complex(name) -> None:
    f = Dag()
    value = Balls(80).value(getattr(f, name)(f.rational(-3)))
    assert isinstance(value, acb) and value.is_finite() and not value.imag.contains(0)


@pytest.mark.parametrize(
    "build",
    [
        lambda f: 1 / (f.sin(f.one) ** 2 + f.cos(f.one) ** 2 - 1),
        lambda f: f.log(f.sin(f.one) ** 2 + f.cos(f.one) ** 2 - 1),
        lambda f: f.atan(f.i * (f.sin(f.one) ** 2 + f.cos(f.one) ** 2)),
        lambda f: f.sin(f.exp(f.exp(f.exp(f.rational(100))))),
    ],
)
def test_undefined_is_not_finite(build) -> None:
    assert not Balls(200).value(build(Dag())).is_finite()


def zero_in_disguise(f: Dag) -> Node:
    return f.sin(f.one) ** 2 + f.cos(f.one) ** 2 - 1


def test_choices_at_a_computed_zero_give_the_hull() -> None:
    f = Dag()
    zero = zero_in_disguise(f)
    step = Balls(64).value(f.select(zero, f.rational(-1), f.rational(5), f.one))
    assert step.contains(-1) and step.contains(5) and step.contains(1)
    assert Balls(64).value(f.abs(zero)).contains(0)
    pair = Balls(64).value(f.max(f.rational(2), zero + 2))
    assert pair.contains(2) and pair.rad() < arb(1) / 2**50
    with Balls(64) as b:
        assert b.sign(b.value(zero)).contains(1) and not b.sign(arb.nan()).is_finite()


def test_a_branch_that_is_not_chosen_may_be_undefined() -> None:
    f = Dag()
    assert Balls(64).value(f.select(f.one, f.log(zero_in_disguise(f)), f.zero, f.pi)) > 3


def test_roots_and_powers_around_zero() -> None:
    f = Dag()
    zero = zero_in_disguise(f)
    for n in (2, 3, 7):
        x = Balls(128).value(f.root(zero, n))
        assert x.is_finite() and x.contains(0)
        for sign in (1, -1):  # the zero's ball holds numbers of both signs, so must the root
            tiny = arb(2) ** -140 * sign
            with precision(128):
                assert acb(x).contains(acb(tiny).root(n))
    with Balls(128) as b:
        ball = arb(1, 2)  # [-1, 3]
        assert b.power(ball, 2) >= 0 and b.power(ball, 2).contains(9)
        assert b.power(ball, 3).contains(-1) and b.power(ball, 3).contains(27)
        assert b.power(arb(0, 1), 3).contains(arb(-1, 0)) and not b.power(ball, -1).is_finite()
        assert b.power(acb(arb(0, 1), arb(0, 1)), 2).contains(acb(0, 2))
        assert b.root(arb(0), 3) == 0 and b.power(arb(0), 5) == 0


def test_an_exact_square_root_of_zero_stays_real() -> None:
    f = Dag()
    value = Balls(128).value(f.sqrt(zero_in_disguise(f) ** 2))
    assert isinstance(value, arb) and value >= 0


@pytest.mark.parametrize("n", [2, 3, 5])
def test_both_sides_of_a_branch_cut_are_enclosed(n) -> None:
    with Balls(80) as b:
        around = acb(arb(-2), arb(0, 1) / 1000)
        for point in (acb(-2, 0), acb(-2, arb(1) / 2000), acb(-2, arb(-1) / 2000)):
            assert b.root(around, n).contains(b.root(point, n))
            assert b.log(around).contains(b.log(point))


def test_what_is_its_own_conjugate_is_real() -> None:
    f = Dag()
    third = f.rational(1, 3)
    x = f.exp(f.i * third) + f.exp(-(f.i * third)) - 3  # 2 cos(1/3) - 3 < 0
    value = Balls(128).value(f.sqrt(x))
    assert isinstance(value, acb) and value.imag > 1 and value.imag.rad() < arb(1) / 2**90
    cube = Balls(128).value(f.root(f.rational(-8), 3))
    assert cube.real.contains(1) and cube.imag > 1
    assert isinstance(Balls(64).value(f.sqrt(f.rational(-2)) * f.i), arb)


@pytest.mark.parametrize(
    ("node", "finite"),
    [
        (lambda f: f.exp(f.rational(10**12)), True),
        (lambda f: f.exp(f.rational(-(10**12))), True),
        (lambda f: f.cos(f.rational(6381956970095103 * 2**797)), True),
        (lambda f: f.cos(f.exp(f.rational(10**12))), True),
        (lambda f: f.exp(-f.exp(f.exp(f.exp(f.rational(100))))), False),
        (lambda f: f.erf(f.rational(10**40)), True),
        (lambda f: f.power(f.sqrt(f.rational(2)), 10**30), True),
        (lambda f: f.root(f.rational(2), 10**30), True),
        (lambda f: f.root(f.rational(-2), 10**30), True),
        (lambda f: f.sqrt(f.exp(f.rational(10**15))), True),
    ],
)
def test_huge_exponents_neither_hang_nor_abort(node, finite) -> None:
    for bits in (64, 2048):
        assert Balls(bits).value(node(Dag())).is_finite() == finite


def test_kahan_cosine() -> None:
    f = Dag()
    x = Balls(128).value(f.cos(f.rational(6381956970095103 * 2**797)))
    assert arb(-469) / 10**21 < x < arb(-468) / 10**21


def test_long_chains_need_no_recursion() -> None:
    f = Dag()
    x = f.rational(2)
    for _ in range(20_000):
        x = f.sqrt(x + 1)
    golden = (1 + f.sqrt(f.rational(5))) / 2
    assert Balls(64).value(x - golden).contains(0)


def test_hull_real_and_disjoint() -> None:
    assert hull(arb(1), acb(0, 1)).contains(acb(1) / 2)
    assert not real(acb(1, 1)).is_finite() and real(acb(1, 0)) == 1
    assert disjoint(arb(1), arb(2)) and not disjoint(arb(1), arb(0, 2))
    assert disjoint(arb.neg_inf(), arb(0)) and not disjoint(arb.neg_inf(), arb.neg_inf())
    assert not disjoint(arb.nan(), arb(1)) and not disjoint(acb(arb.nan(), 1), acb(1, 2))
    assert disjoint(arb(1), acb(1, 1))


def test_points_and_general_powers() -> None:
    f = Dag()
    x, y = f.symbol("x"), f.symbol("y")
    balls = Balls(64, {"x": Fraction(3, 4), "y": 2})
    assert balls.value(x * y + 1) == arb(5) / 2
    with balls as b:
        assert b.general_power(b.rational(2), b.rational(10)) == 1024
        assert b.general_power(b.rational(2), b.rational(1, 2)).overlaps(b.sqrt(b.rational(2)))
        assert b.general_power(b.rational(-8), b.rational(1, 3)).overlaps(b.root(arb(-8), 3))

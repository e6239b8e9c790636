"""Texts as values: functions, vectors, sums, names, and the limits that come before any work."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from derive.exact.amounts import TooLarge, number_of
from derive.exact.balls import Balls, disjoint
from derive.exact.dag import Dag, UndefinedValue
from derive.exact.reading import NotEvaluated, UnknownName, WrongShape, evaluate
from derive.exact.symbolic import Symbolic, to_node
from derive.text import parse
from derive.text.functions import ARGUMENTS, ONLY_CALLED
from derive.text.tree import Binary, Call, Name, Number, Tree

ARITHMETICS: list[Callable[[], Any]] = [Dag, Symbolic, lambda: Balls(128)]

RATIONAL = {
    "1 + 2*3 - 4/5": "31/5",
    "2^3^2": "512",
    "(1/2)^-3": "8",
    "8^(2/3)": "4",
    "-2^2": "-4",
    "0^0": "1",
    "7!/5!": "42",
    "0!": "1",
    "sum(k, 1, 4, k^2)": "30",
    "sum(k, 3, 2, k)": "0",
    "sum(i, 0, 2, sum(k, 0, i, k))": "4",
    "sum(k, 0, 3, (-1)^k/2^k)": "5/8",
    "(-1)^(10^40 + 1)": "-1",
    "abs(-3/2)": "3/2",
    "sign(-2)": "-1",
    "max(1, 5/2, -inf)": "5/2",
    "min(1, 5/2, inf)": "1",
    "relu(-3) + relu(2)": "2",
    "exp(-inf)": "0",
    "sqrt(9/4)": "3/2",
    "cbrt(27)": "3",
    "root(32, 5)": "2",
    "root(4, -2)": "1/2",
    "root(7, 1)": "7",
    "e^0": "1",
    "ln(1)": "0",
    "sigmoid(0)": "1/2",
    "i^2": "-1",
}


@pytest.mark.parametrize("text", RATIONAL)
def test_rational_values(text: str) -> None:
    expected = Fraction(RATIONAL[text])
    for make in (Dag, Symbolic):
        assert number_of(evaluate(parse(text), make())) == expected
    with Balls(128) as f:
        assert evaluate(parse(text), f).overlaps(f.rational(*expected.as_integer_ratio()))


SAME = [  # two ways to write one thing
    ("log(x)", "ln(x)"),
    ("log(x, 3)", "ln(x)/ln(3)"),
    ("lg(x)", "ln(x)/ln(10)"),
    ("lg(x, 2)", "ln(x)/ln(2)"),
    ("cot(x)", "cos(x)/sin(x)"),
    ("sec(x)", "1/cos(x)"),
    ("csc(x)", "1/sin(x)"),
    ("asinh(x)", "ln(x + sqrt(x^2 + 1))"),
    ("acosh(x + 2)", "ln(x + 2 + sqrt(x + 1)*sqrt(x + 3))"),
    ("atanh(x/9)", "ln((9 + x)/(9 - x))/2"),
    ("relu(x)", "max(0, x)"),
    ("silu(x)", "x/(1 + exp(-x))"),
    ("gelu(x)", "x/2*(1 + erf(x/sqrt(2)))"),
    ("logsumexp([x, 1, 0])", "ln(exp(x) + e + 1)"),
    ("cbrt(x)", "x^(1/3)"),
    ("root(x, 5)", "x^(1/5)"),
    ("x^-1", "1/x"),
    ("2^x", "exp(x*ln(2))"),
    ("e^x", "exp(x)"),
    ("tan(x)", "sin(x)/cos(x)"),
    ("cosh(x)^2 - sinh(x)^2", "1"),
    ("sum(k, 0, 3, x^k)", "(x^4 - 1)/(x - 1)"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_functions_written_with_others(left: str, right: str) -> None:
    for point in (Fraction(3, 7), Fraction(5, 2)):
        with Balls(200, {"x": point}) as f:
            a, b = (evaluate(parse(text), f) for text in (left, right))
            assert a.is_finite() and a.rel_accuracy_bits() > 100
            assert not disjoint(a, b)
            closed = evaluate(parse(left), Symbolic())
            nodes = f.value(evaluate(parse(left), Dag()))
        value = sp.Rational(*point.as_integer_ratio())
        assert not disjoint(a, nodes)
        with Balls(200, {"x": point}) as f:
            assert not disjoint(a, f.value(to_node(closed.subs({"x": value}), Dag())))


def test_every_function_of_the_grammar_has_a_value() -> None:
    x = Binary("+", Name("x"), Number(2))
    for name, (least, _) in ARGUMENTS.items():
        if name in ("sum", "matrix", *ONLY_CALLED):  # those are about indices
            continue
        args: tuple[Tree, ...] = (Number(3),) * least if name == "factorial" else (x,) * least
        if name == "root":
            args = (x, Number(3))
        if name in ("softmax", "logsumexp"):
            args = (parse("[x, 1]"),)
        for make in (Dag, Symbolic):
            assert evaluate(Call(name, args), make()) is not None


def test_vectors_are_tuples() -> None:
    f = Dag()
    one, two, x = f.rational(1), f.rational(2), f.symbol("x")
    assert evaluate(parse("[1, x]"), f) == (one, x)
    assert evaluate(parse("[[1], [x]]"), f) == ((one,), (x,))
    assert evaluate(parse("2*[1, x]/2 + [1, 0]"), f) == (two, x)
    assert evaluate(parse("-[1, x]"), f) == (-one, -x)
    assert evaluate(parse("softmax([0, -inf])"), f) == (one, f.zero)
    assert evaluate(parse("softmax([[0], [5]])"), f) == ((one,), (one,))


@pytest.mark.parametrize(
    "text",
    ["[1, 2] + 1", "[1, 2] + [1]", "[1]*[2]", "1/[2]", "exp([1])", "[1]^2", "softmax(3)", "2^[1]"],
)
def test_wrong_shapes(text: str) -> None:
    with pytest.raises(WrongShape):
        evaluate(parse(text), Dag())


@pytest.mark.parametrize("make", ARITHMETICS)
@pytest.mark.parametrize("text", ["1/0", "1/(1/2 - 2^-1)", "0^-1", "x/0", "1/0^2"])
def test_undefined_values(text: str, make: Callable[[], Any]) -> None:
    f = make()
    with pytest.raises(UndefinedValue):
        evaluate(parse(text), f, {"x": f.rational(2)})


@pytest.mark.parametrize("text", ["ln(0)", "inf - inf", "0*inf", "softmax([-inf])", "cot(0)"])
def test_undefined_values_are_not_built(text: str) -> None:
    for f in (Dag(), Symbolic()):
        with pytest.raises(UndefinedValue):
            evaluate(parse(text), f)


# names


def test_names_are_read_from_the_symbols() -> None:
    f = Dag()
    x, n = f.symbol("x"), f.rational(3)
    assert evaluate(parse("x^n"), f, {"x": x, "n": n}) == x**3
    assert evaluate(parse("sum(k, 1, n, k*x)"), f, {"x": x, "n": n}) == 6 * x
    with pytest.raises(UnknownName, match=r"'weigt' has no value.*nearest: weight"):
        evaluate(parse("weigt + 1"), f, {"weight": x})


def test_indexed_names() -> None:
    f = Dag()
    s = (f.rational(5), f.rational(7))
    assert evaluate(parse("s[1] - s[0]"), f, {"s": s}).number == (2, 1)
    assert evaluate(parse("W[1,0]"), f, {"W": ((s[0],), (s[1],))}) == s[1]
    assert evaluate(parse("s[k]"), f) == f.symbol("s[k]")
    assert evaluate(parse("s[2]"), f, {"s[2]": s[0]}) == s[0]
    both = f.symbol("s[0]") + f.symbol("s[1]")
    assert evaluate(parse("sum(k, 0, 1, s[k])"), f) == both
    assert evaluate(parse("sum(k, 1, 2, s[k-1])"), f, {"s": f.symbol("s")}) == both
    for text in ("s[2]", "s[0,0]", "s[-1]", "s[k]"):
        with pytest.raises(WrongShape):
            evaluate(parse(text), f, {"s": s, "k": f.symbol("k")})
    for text in ("s[1/2]", "sum(k, 0, 1, s[k+m])"):
        with pytest.raises(NotEvaluated):
            evaluate(parse(text), f)


def test_running_indices_shadow_names_and_end_with_their_sum() -> None:
    f = Dag()
    k = f.symbol("k")
    assert evaluate(parse("sum(k, 0, 2, k) + k"), f) == k + 3
    assert evaluate(parse("sum(k, 0, 1, sum(k, 0, 2, k))"), f).number == (6, 1)


def test_sums_need_numbers_as_bounds() -> None:
    for text in ("sum(k, 0, n - 1, k)", "sum(k, 1/2, 3, k)", "sum(k, 0, sqrt(2), 1)"):
        with pytest.raises(NotEvaluated, match="sum"):
            evaluate(parse(text), Dag())


def test_factorials() -> None:
    for text, error in (("x!", NotEvaluated), ("(1/2)!", NotEvaluated), ("5001!", TooLarge)):
        with pytest.raises(error):
            evaluate(parse(text), Dag())


# limits


@pytest.mark.parametrize("text", ["9^9^9", "2^(10^9)", "(9^9999)^9999", "(1/3)^10^30", "7^-10^9"])
def test_large_powers_are_kept_or_refused_at_once(text: str) -> None:
    tree = parse(text)
    for f in (Dag(), Balls(64), Symbolic()):
        start = time.process_time_ns()
        try:
            evaluate(tree, f)
        except TooLarge:
            assert isinstance(f, Symbolic)
        else:
            assert not isinstance(f, Symbolic)
        assert time.process_time_ns() - start < 50_000_000


@pytest.mark.parametrize(
    "text",
    [
        "(2x)^(10^9)",
        "sqrt(3)^(10^9)",
        "exp(10^9*ln(9))",
        "e^(10^9*ln(9) + x)",
        "sqrt(10^999 + 1)",
        "(x*9^(1/7))^(10^8)",
        "sum(k, 1, 10001, k)",
        "sum(i, 1, 101, sum(k, 1, 100, x))",
        "9^9999*8^9999*7^9999*9^9999",
    ],
)
def test_what_closed_forms_refuse(text: str) -> None:
    start = time.process_time_ns()
    with pytest.raises(TooLarge):
        evaluate(parse(text), Symbolic())
    assert time.process_time_ns() - start < 1_000_000_000


def test_powers_of_letters_stay_powers() -> None:
    assert evaluate(parse("x^(10^9)"), Symbolic()).exp == 10**9
    f = Dag()
    assert evaluate(parse("x^(10^9)"), f) == f.power(f.symbol("x"), 10**9)
    assert evaluate(parse("9^9^9"), f) == f.power(f.rational(9), 9**9)


def test_deep_trees() -> None:
    tree: Tree = Name("x")
    for k in range(5_000):
        tree = Binary("+", tree, Number(1)) if k % 2 else Call("abs", (tree,))
    f = Dag()
    assert evaluate(tree, f) is not None
    chain: Tree = Number(0)
    for k in range(2_000):
        chain = Binary("+", chain, Name(f"x{k}"))
    assert len(evaluate(chain, f).args) == 2_000


# properties


@given(
    st.recursive(
        st.integers(0, 9).map(str),
        lambda t: st.builds("({} {} {})".format, t, st.sampled_from("+-*/"), t),
        max_leaves=12,
    )
)
def test_rational_arithmetic_is_that_of_fractions(text: str) -> None:
    def fraction(t: Tree) -> Fraction:
        if isinstance(t, Number):
            return Fraction(t.p, t.q)
        assert isinstance(t, Binary)
        a, b = fraction(t.left), fraction(t.right)
        return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[t.op](b)

    tree = parse(text)
    try:
        expected = fraction(tree)
    except ZeroDivisionError:
        with pytest.raises(UndefinedValue):
            evaluate(tree, Dag())
        return
    assert number_of(evaluate(tree, Dag())) == expected
    assert number_of(evaluate(tree, Symbolic())) == expected

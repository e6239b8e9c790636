"""The plain grammar: what is read how, what is refused where, and nothing else happens."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.errors import TextError
from derive.text import names, nearest, number, parse, parse_assumption, show
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
    Vector,
)

X, Y = Name("x"), Name("y")
ONE, TWO, THREE = Number(1), Number(2), Number(3)


def op(sign: str, a: Tree, b: Tree) -> Binary:
    return Binary(sign, a, b)


READ: list[tuple[str, Tree]] = [
    ("7", Number(7)),
    ("0.25", Number(1, 4)),
    (".5", Number(1, 2)),
    ("2.", TWO),
    ("1.2e-3", Number(3, 2500)),
    ("1.5E2", Number(150)),
    ("2x10^-3", Number(1, 500)),
    ("2×10^(-3)", Number(1, 500)),
    ("-3", Negative(THREE)),
    ("−3", Negative(THREE)),
    ("--3", Negative(Negative(THREE))),
    ("+3", THREE),
    ("-x^2", Negative(op("^", X, TWO))),
    ("-2*x", Negative(op("*", TWO, X))),
    ("2*-3*x", op("*", op("*", TWO, Negative(THREE)), X)),
    ("2^-3*x", op("*", op("^", TWO, Negative(THREE)), X)),
    ("2**3", op("^", TWO, THREE)),
    ("2^3^2", op("^", TWO, op("^", THREE, TWO))),
    ("1-2-3", op("-", op("-", ONE, TWO), THREE)),
    ("1/2/3", op("/", op("/", ONE, TWO), THREE)),
    ("1/2x", op("*", op("/", ONE, TWO), X)),
    ("x/y y", op("*", op("/", X, Y), Y)),
    ("2x", op("*", TWO, X)),
    ("2(3)", op("*", TWO, THREE)),
    ("x(3)", op("*", X, THREE)),
    ("(x)(y)", op("*", X, Y)),
    ("(x) y", op("*", X, Y)),
    ("x·y × 2", op("*", op("*", X, Y), TWO)),
    ("xy", Name("xy")),
    ("W_Q", Name("W_Q")),
    ("k00", Name("k00")),
    ("pi", Constant("pi")),
    ("%pi", Constant("pi")),
    ("2e", op("*", TWO, Constant("e"))),
    ("E", Constant("e")),
    ("I", Constant("i")),
    ("-inf", Negative(Constant("inf"))),
    ("sin(x)^2", op("^", Call("sin", (X,)), TWO)),
    ("Max(1, x)", Call("max", (ONE, X))),
    ("log(x, 2)", Call("log", (X, TWO))),
    ("ln(x)", Call("ln", (X,))),
    ("3!", Call("factorial", (THREE,))),
    ("-3!", Negative(Call("factorial", (THREE,)))),
    ("[1, x]", Vector((ONE, X))),
    ("[[1],[2]]", Vector((Vector((ONE,)), Vector((TWO,))))),
    ("matrix([1],[2])", Vector((Vector((ONE,)), Vector((TWO,))))),
    ("softmax([x, y])", Call("softmax", (Vector((X, Y)),))),
    ("s[k]", Index("s", (Name("k"),))),
    ("W[1, 2]", Index("W", (ONE, TWO))),
    ("sum(k, 0, 2, s[k])", Sum("k", Number(0), TWO, Index("s", (Name("k"),)))),
    ("sum(e, 1, 2, e)", Sum("e", ONE, TWO, Name("e"))),
    ("x²", op("^", X, TWO)),
    ("x⁻¹", op("^", X, Negative(ONE))),
    ("sin x", Call("sin", (X,))),
    ("sin 2x", Call("sin", (op("*", TWO, X),))),
    ("sin x/2", op("/", Call("sin", (X,)), TWO)),
    ("sin x cos y", op("*", Call("sin", (X,)), Call("cos", (Y,)))),
    ("sin^2 x", op("^", Call("sin", (X,)), TWO)),
    ("sin x^2", Call("sin", (op("^", X, TWO),))),
    ("log_2 8", Call("log", (Number(8), TWO))),
    ("\\log_{2}(x)", Call("log", (X, TWO))),
    ("|x|", Call("abs", (X,))),
    ("2|x||y|", op("*", op("*", TWO, Call("abs", (X,))), Call("abs", (Y,)))),
    ("5%", Call("percent", (Number(5),))),
    ("½", Number(1, 2)),
    ("1½", Number(3, 2)),
    ("2 1/2", Number(5, 2)),
    ("2\\frac12", Number(5, 2)),
    ("2\\frac32", op("*", TWO, op("/", THREE, TWO))),
    ("\\frac{x}{2}", op("/", X, TWO)),
    ("\\dfrac{x+1}{y}", op("/", op("+", X, ONE), Y)),
    ("\\sqrt[3]{x}", Call("root", (X, THREE))),
    ("\\sqrt(2)", Call("sqrt", (TWO,))),
    ("√2x", op("*", Call("sqrt", (TWO,)), X)),
    ("∛(x)", Call("root", (X, THREE))),
    ("e^{x}", op("^", Constant("e"), X)),
    ("\\left(x\\right)^{2}", op("^", X, TWO)),
    ("\\rho_1", Name("rho_1")),
    ("{x}_{12}", Name("x_12")),
    ("x₁", Name("x_1")),
    ("2π", op("*", TWO, Constant("pi"))),
    ("∞", Constant("inf")),
    ("oo", Constant("inf")),
    ("52_8", Number(42)),
    ("１２", Number(12)),
    ("\u0663", THREE),
    ("（x）", X),
    ("\\text{13}", Number(13)),
    ("\\mathrm{softmax}([x, y])", Call("softmax", (Vector((X, Y)),))),
    ("\\begin{pmatrix}1&2\\\\3&x\\end{pmatrix}", Vector((Vector((ONE, TWO)), Vector((THREE, X))))),
    ("\\begin{pmatrix}1\\\\2\\end{pmatrix}", Vector((ONE, TWO))),
    ("[1,\n2]", Vector((ONE, TWO))),
    ("$x$", X),
]


@pytest.mark.parametrize(("text", "tree"), READ, ids=[t for t, _ in READ])
def test_read(text: str, tree: Tree) -> None:
    assert parse(text) == tree
    assert parse(show(tree)) == tree


REFUSED = [
    ("", 0, "the end", "a number"),
    ("1 2", 2, "'2'", "an operator between two numbers"),
    ("1..2", 2, "'.2'", "an operator"),
    ("1,22", 1, "','", "1.22 or the two numbers 1 and 22"),
    ("(1", 2, "the end", "')' for the bracket at character 1"),
    ("[1", 2, "the end", "']' for the bracket at character 1"),
    ("x)", 1, "')'", "an operator or the end"),
    ("1 +", 3, "the end", "a number"),
    ("* 2", 0, "'*'", "a number"),
    ("sin -x", 4, "'-'", "'(' after the function sin"),
    ("sin^-1 x", 0, "sin^-1", "whichever is meant"),
    ("sofmax(x)", 0, "unknown function 'sofmax'", "nearest: softmax"),
    ("bc(1)", 0, "unknown function 'bc'", "a function"),
    ("root(2)", 0, "root with 1 arguments", "2 arguments"),
    ("sin(1, 2)", 0, "sin with 2 arguments", "1 arguments"),
    ("sum(1, 0, 2, x)", 4, "'1'", "running index"),
    ("sum(k, 0, 2)", 11, "')'", "sum(index, low, high, summand)"),
    ("x @ y", 2, "COMMERCIAL AT", "an operator"),
    ("x\ny", 1, "a new line", "one line"),
    ("\\foo{1}", 0, "unknown command \\foo", "mathematics"),
    ("\\frac{1}", 8, "the end", "after \\frac"),
    ("\\sqrt12", 5, "'12'", "around the number"),
    ("x_{1", 4, "the end", "'}' for the brace at character 3"),
    ("2 1/2x", 2, "'1'", "a mixed number"),
    ("29_8", 0, "'29'", "digits below 8"),
    ("x\u202ey", 1, "U+202E", "an operator"),
    ("'a'", 0, "APOSTROPHE", "a number"),
    ("a.b", 1, "FULL STOP", "an operator"),
    ("__import__('os')", 0, "LOW LINE", "a number"),
    ("1e10001", 2, "exponent 10001", "at most 10000"),
    ("9" * 4001, 0, "4001 digits", "at most 4000"),
    ("(" * 101 + "1" + ")" * 101, 100, "'('", "at most 100 brackets"),
    ("1+" * 250 + "1", 0, "too many operations", "at most 250"),
    ("x" * 10_001, 10_000, "10001 characters", "at most 10000"),
]


@pytest.mark.parametrize(
    ("text", "position", "found", "expected"), REFUSED, ids=[t[:20] for t, *_ in REFUSED]
)
def test_refused(text: str, position: int, found: str, expected: str) -> None:
    with pytest.raises(TextError) as caught:
        parse(text)
    assert caught.value.position == position
    assert found in caught.value.found
    assert expected in caught.value.expected


def test_limits_are_reached_exactly() -> None:
    assert parse("9" * 4000) == Number(10**4000 - 1)
    assert parse("1e10000") == Number(10**10000)
    assert parse("(" * 99 + "1" + ")" * 99) == ONE
    parse("+".join("1" * 249))


def test_declared_names() -> None:
    assert parse("2 w", names=["w"]) == op("*", TWO, Name("w"))
    assert parse("e + w(1)", names=["e", "w"]) == op("+", Name("e"), op("*", Name("w"), ONE))
    assert parse("sin", names=["sin"]) == Name("sin")
    with pytest.raises(TextError, match=r"nearest: w_00"):
        parse("w_0", names=["w_00", "w_11"])


def test_decimal_comma() -> None:
    assert parse("1,5", decimal=",") == Number(3, 2)
    assert parse("[1,5; 2]", decimal=",") == Vector((Number(3, 2), TWO))
    with pytest.raises(TextError):
        parse("1.5", decimal=",")


ASSUMED = [
    ("x > 0", (Relation(">", X, Number(0)),)),
    ("-1 < x < 1", (Relation("<", Negative(ONE), X), Relation("<", X, ONE))),
    ("s != 0", (Relation("!=", Name("s"), Number(0)),)),
    ("x = y", (Relation("=", X, Y),)),
    ("0 <= m <= n", (Relation("<=", Number(0), Name("m")), Relation("<=", Name("m"), Name("n")))),
    ("cos(8*x) > 0", (Relation(">", Call("cos", (op("*", Number(8), X),)), Number(0)),)),
    ("n integer", (Integer("n"),)),
]


@pytest.mark.parametrize(("text", "relations"), ASSUMED, ids=[t for t, _ in ASSUMED])
def test_assumptions(text: str, relations: tuple[object, ...]) -> None:
    assert parse_assumption(text) == relations


@pytest.mark.parametrize("text", ["x", "x >", "> 0", "2 integer", "x > 0 integer", "x ? 0"])
def test_wrong_assumptions(text: str) -> None:
    with pytest.raises(TextError):
        parse_assumption(text)


leaves = st.one_of(
    st.builds(Number, st.integers(0, 10**6)),
    st.builds(lambda p: Number(2 * p + 1, 8), st.integers(0, 99)),
    st.sampled_from([X, Y, Name("W_Q"), Constant("pi"), Constant("e"), Constant("inf")]),
)
trees = st.recursive(
    leaves,
    lambda t: st.one_of(
        st.builds(Negative, t),
        st.builds(Binary, st.sampled_from("+-*/^"), t, t),
        st.builds(lambda f, x: Call(f, (x,)), st.sampled_from(["sin", "sqrt", "factorial"]), t),
        st.builds(lambda a, b: Call("max", (a, b)), t, t),
        st.builds(lambda a, b: Vector((a, b)), t, t),
        st.builds(lambda a, b: Index("s", (a, b)), t, t),
        st.builds(lambda a, b, c: Sum("k", a, b, c), t, t, t),
    ),
    max_leaves=25,
)


@given(trees)
def test_shown_trees_are_read_back(tree: Tree) -> None:
    assert parse(show(tree)) == tree
    assert names(tree) <= {"x", "y", "W_Q", "s", "k"}


@given(st.text(max_size=60) | st.text("0123456789.+-*/^()[],;xe sinpurt!<=>_", max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    for read in (parse, parse_assumption):
        try:
            read(text)
        except TextError as error:
            assert 0 <= error.position <= len(text)
            assert error.found and error.expected


@given(st.integers(), st.integers(0, 6))
def test_quick_numbers_are_read_as_the_parser_reads_them(n: int, places: int) -> None:
    text = f"{n}.{'5' * places}" if places else str(n)
    assert number(text) == parse(f"({text})") == parse(text)


def test_nothing_runs_while_reading() -> None:
    """No import, no code, no file while texts are read (an audit hook watches)."""
    seen: list[str] = []
    watching = True

    def watch(event: str, _args: object) -> None:
        if watching and event in ("exec", "compile", "open", "import", "subprocess.Popen"):
            seen.append(event)

    sys.addaudithook(watch)
    for text in ("__import__('os').getpid()", "().__class__", "lambda: 7", "open('x')", "2^9"):
        try:
            parse(text)
        except TextError:
            pass
    watching = False
    assert seen == []


def test_nearest() -> None:
    assert nearest("sofmtax", ["softmax", "max"]) == "softmax"
    assert nearest("Q_rott", ["Q", "K_rot", "Q_rot"]) == "Q_rot"
    assert nearest("zebra", ["softmax", "max"]) is None

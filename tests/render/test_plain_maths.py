"""Unicode text: goldens, signs, and precedence by reading it back."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from derive.line import (
    Bound,
    Call,
    Case,
    Cases,
    Condition,
    Const,
    Decimal,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Sym,
    Times,
)
from derive.render.plain_maths import TextPrinter
from derive.text import parse
from derive.text import tree as text
from tests.render.trees import NAMES, TREES, fractions
from tests.render.ugly import MEAN, NORM, PRODUCT, ROPE, at, e, long_sum
from tests.render.ugly import NAMES as UGLY

x, y, half = Sym("x"), Sym("y"), Num(1, 2)
k, d = Bound("k"), Letter("d", Num(4))


def shown(tree: Shown, numbers: bool = False) -> str:
    return TextPrinter(UGLY | NAMES, numbers).line(tree)


@pytest.mark.parametrize(
    ("tree", "line"),
    [
        (Plus((Num(3), Num(-2))), "3 + (−2)"),
        (Plus((Num(-3), Num(2))), "−3 + 2"),
        (Plus((y, Power(x, Num(2)), Num(3))), "y + x² + 3"),
        (Plus((x, Neg(y))), "x − y"),
        (Plus((x, Neg(Neg(y)))), "x − (−y)"),
        (Plus((x, Neg(Num(-3)))), "x − (−3)"),
        (Plus((x, Neg(Plus((y, Num(1)))))), "x − (y + 1)"),
        (Plus((x, Plus((y, Num(1))))), "x + (y + 1)"),
        (Plus((x, Neg(Const("inf")))), "x + (−∞)"),
        (Neg(Num(-3)), "−(−3)"),
        (Neg(Times((x, y))), "−x·y"),
        (Times((Num(2), Num(-3))), "2·(−3)"),
        (Times((Num(-2), x)), "−2·x"),
        (Plus((y, Times((Num(-2), x)))), "y + (−2)·x"),
        (Times((half, Call("cos", (Num(2),)))), "(1/2)·cos(2)"),
        (Times((x, Over(y, Num(2)))), "x·(y/2)"),
        (Times((Neg(x), y)), "−x·y"),
        (Times((Plus((x, Num(1))), y)), "(x + 1)·y"),
        (Over(Plus((x, Num(1))), Num(2)), "(x + 1)/2"),
        (Over(Times((x, y)), Num(2)), "x·y/2"),
        (Over(x, Times((y, Num(2)))), "x/(y·2)"),
        (Over(Over(x, y), Num(2)), "(x/y)/2"),
        (Over(Num(1), Root(Num(2))), "1/√2"),
        (Over(Num(1), half), "1/(1/2)"),
        (Over(Num(1), Num(-2)), "1/(−2)"),
        (Power(Num(-2), Num(2)), "(−2)²"),
        (Power(Neg(x), Num(3)), "(−x)³"),
        (Power(half, Num(2)), "(1/2)²"),
        (Power(Root(Num(2)), Num(2)), "(√2)²"),
        (Power(Power(x, Num(2)), Num(3)), "(x²)³"),
        (Power(x, Num(-12)), "x⁻¹²"),
        (Power(x, half), "x^(1/2)"),
        (Power(x, y), "x^y"),
        (Power(at("b0.X", 2, 0), Num(2)), "X[2,0]²"),
        (Root(Plus((x, Num(1)))), "√(x + 1)"),
        (Root(x, 3), "∛x"),
        (Root(x, 7), "root(x, 7)"),
        (Root(at("b0.X", 2, 0)), "√(X[2,0])"),
        (e(Num(1)), "e¹"),
        (e(Num(0)), "e⁰"),
        (e(Num(5, 2)), "e^(5/2)"),
        (e(Neg(Const("inf"))), "e^(−∞)"),
        (e(at("b0.X", 2, 0)), "e^(X[2,0])"),
        (Call("exp", (x,)), "e^x"),
        (Call("max", (Num(0), Num(-1, 2))), "max(0, −1/2)"),
        (Call("log", (x,)), "ln(x)"),
        (PRODUCT, "Σ_{k=0}^{d−1} X[i,k]·W_Q[k,j]"),
        (Sum(k, d, Plus((x, y))), "Σ_{k=0}^{d−1} (x + y)"),
        (Plus((PRODUCT, at("b0.X", 0, 0))), "Σ_{k=0}^{d−1} X[i,k]·W_Q[k,j] + X[0,0]"),
        (Times((PRODUCT, x)), "(Σ_{k=0}^{d−1} X[i,k]·W_Q[k,j])·x"),
        (MEAN, "(1/d)·Σ_{k=0}^{d−1} X[i,k]²"),
        (NORM, "√((1/d)·Σ_{k=0}^{d−1} X[i,k]² + ε)"),
        (ROPE, "Q[i,2p]·cos(m_i·θ_p) − Q[i,2p+1]·sin(m_i·θ_p)"),
        (Times((Letter("2p+1", Num(1)), x)), "(2p+1)·x"),
        (long_sum(30, (0, 1, 29)), "X[2,0]·W_Q[0,0] + X[2,1]·W_Q[1,0] + … + X[2,29]·W_Q[29,0]"),
        (long_sum(5, (1, 3)), "… + X[2,1]·W_Q[1,0] + … + X[2,3]·W_Q[3,0] + …"),
        (Decimal("0.41238"), "0.41238"),
        (Decimal("-0.5"), "−0.5"),
        (Decimal("-0.0000"), "0.0000"),
        (Decimal("-1.234e-10"), "−1.234×10⁻¹⁰"),
        (at("b1.h0.S_scaled", 2, 0), "b1.h0.S_scaled[2,0]"),
    ],
)  # fmt: skip
def test_line(tree: Shown, line: str) -> None:
    assert shown(tree) == line


def test_numbers_put_in() -> None:
    """Everything but a plain number stands in parentheses inside a product."""
    assert shown(Times((half, Num(-3))), numbers=True) == "(1/2)·(−3)"
    products = Plus((Times((Num(-1), Num(0))), Times((Num(1), Num(-1, 4)))))
    assert shown(products, numbers=True) == "(−1)·0 + 1·(−1/4)"
    assert shown(Times((Over(Root(Num(2)), Num(2)), Num(3))), numbers=True) == "(√2/2)·3"


def test_cases_inside_a_formula() -> None:
    cases = Cases((
        Case(Num(0), Condition(Letter("j", Num(1)), "<=", Letter("i", Num(2))), True),
        Case(Neg(Const("inf")), Condition(None, "otherwise", None), False),
    ))  # fmt: skip
    assert shown(Plus((x, cases))) == "x + (0 if j ≤ i, −∞ otherwise)"


def test_only_the_outermost_fraction_has_spaces() -> None:
    printer = TextPrinter(UGLY)
    from derive.render.plain_maths import joined

    fraction = Over(at("b0.h0.A.exp", 2, 0), at("b0.h0.A.sum", 2, 0))
    assert joined(printer.top(fraction)) == "A.exp[2,0] / A.sum[2,0]"
    assert joined(printer.top(Plus((x, fraction)))) == "x + A.exp[2,0]/A.sum[2,0]"
    assert joined(printer.top(Over(Num(-7), Root(Num(2))))) == "−7/√2"


@given(TREES, st.booleans())
def test_no_sign_follows_a_sign(tree: Shown, numbers: bool) -> None:
    line = shown(tree, numbers)
    assert not re.search(r"[-−+·/^√] ?[-−+]", line.replace("^{d−1}", "")), line
    assert "--" not in line
    assert line.count("(") == line.count(")")


# read back: numbers only, compared exactly

EXPONENT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def numbers_only() -> st.SearchStrategy[Shown]:
    def more(part: st.SearchStrategy[Shown]) -> st.SearchStrategy[Shown]:
        several = st.lists(part, min_size=2, max_size=4).map(tuple)
        return st.one_of(
            several.map(Plus),
            several.map(Times),
            st.builds(Neg, part),
            st.builds(Over, part, part),
            st.builds(Power, part, st.integers(-2, 3).map(Num)),
        )

    leaves: st.SearchStrategy[Shown] = fractions(-9, 9)
    return st.recursive(leaves, more, max_leaves=12)


NUMBERS = numbers_only()


def exact(tree: Shown) -> Fraction:
    """The value of a tree of numbers."""
    match tree:
        case Num(p=p, q=q):
            return Fraction(p, q)
        case Plus(terms=parts):
            return sum(map(exact, parts), Fraction(0))
        case Times(factors=parts):
            product = Fraction(1)
            for part in parts:
                product *= exact(part)
            return product
        case Neg(x=part):
            return -exact(part)
        case Over(above=a, below=b):
            return exact(a) / exact(b)
        case Power(base=base, exponent=Num(p=n)):
            return exact(base) ** n
    raise TypeError(tree)


def read(tree: text.Tree) -> Fraction:
    """The value of a parsed text of numbers."""
    match tree:
        case text.Number(p=p, q=q):
            return Fraction(p, q)
        case text.Negative(x=part):
            return -read(part)
        case text.Binary(op=op, left=a, right=b):
            return {
                "+": lambda: read(a) + read(b),
                "-": lambda: read(a) - read(b),
                "*": lambda: read(a) * read(b),
                "/": lambda: read(a) / read(b),
                "^": lambda: read(a) ** int(read(b)),
            }[op]()
    raise TypeError(tree)


def small(tree: Shown) -> Fraction:
    try:
        number = exact(tree)
    except ZeroDivisionError:
        assume(False)
    assume(number.numerator.bit_length() + number.denominator.bit_length() < 500)
    return number


@given(NUMBERS, st.booleans())
def test_text_reads_back_to_the_same_number(tree: Shown, numbers: bool) -> None:
    number = small(tree)
    line = shown(tree, numbers)
    plain = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda m: f"^({m[0].translate(EXPONENT)})", line)
    assert read(parse(plain.replace("·", "*").replace("−", "-"))) == number, line

"""LaTeX maths: goldens, balance, and precedence by reading it back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.line import (
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
    Sym,
    Times,
)
from derive.render.latex_maths import LatexPrinter, integer
from derive.render.leaves import decimal_digits
from derive.text import parse
from tests.render.test_plain_maths import NUMBERS, read, small
from tests.render.trees import NAMES, TREES
from tests.render.ugly import MEAN, NORM, OTHER, PRODUCT, ROPE, SCORE, at, e, long_sum
from tests.render.ugly import NAMES as UGLY

x, y, half = Sym("x"), Sym("y"), Num(1, 2)
cos = Call("cos", (Num(2),))


def shown(tree: Shown, numbers: bool = False) -> str:
    return LatexPrinter(UGLY | NAMES, numbers).line(tree)


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        (Plus((Num(3), Num(-2))), "3 + (-2)"),
        (Plus((y, Power(x, Num(2)), Num(3))), "y + x^{2} + 3"),
        (Plus((x, Neg(y))), "x - y"),
        (Plus((x, Neg(Const("inf")))), r"x + (-\infty)"),
        (Neg(Num(-3)), "-(-3)"),
        (Times((Num(2), Num(-3))), r"2\cdot(-3)"),
        (Times((Num(2), Num(3, 4))), r"2\cdot\frac{3}{4}"),
        (Times((Num(2), x)), "2x"),
        (Times((x, y)), r"x\,y"),
        (Times((half, cos)), r"\frac{1}{2}\cos(2)"),
        (Times((Num(3), Root(Num(2)), cos)), r"3\sqrt{2}\cos(2)"),
        (Times((Const("pi"), x)), r"\pi\,x"),
        (Times((x, Num(2))), r"x\cdot 2"),
        (Times((x, Plus((y, Num(1))))), r"x\cdot(y + 1)"),
        (Over(Num(1), Root(Num(2))), r"\frac{1}{\sqrt{2}}"),
        (Over(Root(Num(2)), Num(2)), r"\frac{\sqrt{2}}{2}"),
        (Over(at("b0.h0.A.exp", 2, 0), at("b0.h0.A.sum", 2, 0)), r"\frac{A^{\mathrm{exp}}_{2,0}}{A^{\mathrm{sum}}_{2,0}}"),  # noqa: E501
        (Over(Over(Over(x, Num(2)), y), Num(3)), r"\frac{\frac{x/2}{y}}{3}"),
        (Power(Num(-2), Num(2)), "(-2)^{2}"),
        (Power(half, Num(2)), r"\left(\frac{1}{2}\right)^{2}"),
        (Power(Power(x, Num(2)), Num(3)), "(x^{2})^{3}"),
        (Power(cos, Num(2)), r"\cos^{2}(2)"),
        (Power(at("b0.X", 2, 0), Num(2)), "X_{2,0}^{2}"),
        (Power(at("b0.h0.Q_rot", 2, 0), Num(2)), r"(Q^{\mathrm{rot}}_{2,0})^{2}"),
        (Power(x, half), "x^{1/2}"),
        (e(Num(5, 2)), "e^{5/2}"),
        (e(Num(1)), "e^{1}"),
        (e(Neg(Const("inf"))), r"e^{-\infty}"),
        (e(SCORE), r"e^{\sqrt{2}\cos(2)/4 + 3\sqrt{2}\sin(2)/4}"),
        (e(Over(Plus((x, y)), Num(2))), "e^{(x + y)/2}"),
        (e(Over(Over(x, y), Num(2))), r"\exp\left(\frac{\frac{x}{y}}{2}\right)"),
        (e(Neg(Over(Times((Root(Num(2)), Plus((cos, x)))), Num(4)))), r"e^{-\sqrt{2}(\cos(2) + x)/4}"),  # noqa: E501
        (Times((Num(4), Plus((x, y)))), "4(x + y)"),
        (Times((Plus((x, y)), Plus((y, x)))), "(x + y)(y + x)"),
        (e(Plus((SCORE, OTHER))), r"\exp\left(\left(\frac{\sqrt{2}\cos(2)}{4} + \frac{3\sqrt{2}\sin(2)}{4}\right) + \left(\frac{\sqrt{2}\cos(1)}{4} - \frac{3\sqrt{2}\sin(1)}{4}\right)\right)"),  # noqa: E501
        (Root(x, 3), r"\sqrt[3]{x}"),
        (Call("log", (x,)), r"\ln(x)"),
        (Call("log", (x, Num(2))), r"\log_{2}(x)"),
        (Call("max", (Num(0), Num(-1, 2))), r"\max\left(0,-\frac{1}{2}\right)"),
        (Call("abs", (Num(-3),)), r"\lvert -3\rvert"),
        (Call("relu", (x,)), r"\operatorname{ReLU}(x)"),
        (PRODUCT, r"\sum_{k=0}^{d-1}X_{i,k}\,W^{Q}_{k,j}"),
        (MEAN, r"\frac{1}{d}\sum_{k=0}^{d-1}X_{i,k}^{2}"),
        (NORM, r"\sqrt{\frac{1}{d}\sum_{k=0}^{d-1}X_{i,k}^{2} + \varepsilon}"),
        (ROPE, r"Q_{i,2p}\cos(m_{i}\,\theta_{p}) - Q_{i,2p+1}\sin(m_{i}\,\theta_{p})"),
        (long_sum(30, (0, 29)), r"X_{2,0}\,W^{Q}_{0,0} + \cdots + X_{2,29}\,W^{Q}_{29,0}"),
        (Decimal("-1.234e-10"), r"-1.234\times 10^{-10}"),
        (Decimal("-0.0000"), "0.0000"),
        (Num(-7, 3), r"-\frac{7}{3}"),
        (Cases((
            Case(Num(0), Condition(Letter("j", Num(1)), "<=", Letter("i", Num(2))), True),
            Case(Neg(Const("inf")), Condition(None, "otherwise", None), False),
        )), r"\begin{cases} 0 & \text{if $j \leq i$} \\ -\infty & \text{otherwise} \end{cases}"),
    ],
)  # fmt: skip
def test_line(tree: Shown, code: str) -> None:
    assert shown(tree) == code


def test_numbers_put_in() -> None:
    """SymPy's printer loses factors and doubles the sign here (its issues 19889 and 20300)."""
    tree = Plus((
        Times((half, Num(-3))),
        Times((Num(-2), Num(-1, 4))),
        Times((Num(0), Num(7))),
    ))  # fmt: skip
    assert shown(tree, numbers=True) == (
        r"\frac{1}{2}\cdot(-3) + (-2)\cdot\left(-\frac{1}{4}\right) + 0\cdot 7"
    )
    assert shown(Times((Num(1), Root(Num(2)))), numbers=True) == r"1\cdot\sqrt{2}"
    assert shown(Times((Root(Num(2)), Root(Num(3)))), numbers=True) == r"\sqrt{2}\cdot\sqrt{3}"


def test_long_integers() -> None:
    assert integer(999999) == "999999"
    assert integer(10**6) == r"1\,000\,000"
    assert integer(10**41) == r"\underbrace{100000\ldots 000000}_{42\text{ digits}}"
    assert decimal_digits(7**20000) == _by_hand(7**20000)


def _by_hand(n: int) -> str:
    digits = []
    while n:
        n, last = divmod(n, 10)
        digits.append(str(last))
    return "".join(reversed(digits))


@given(TREES, st.booleans())
def test_balanced_and_no_sign_after_a_sign(tree: Shown, numbers: bool) -> None:
    code = shown(tree, numbers)
    assert_balanced(code)
    signs = re.sub(r"\\[A-Za-z]+|[{}]", "x", code.replace("^{d-1}", ""))
    assert not re.search(r"[-+] ?[-+]", signs), code
    assert not re.search(r"[_^]\{\}|[_^]\{[^{}]*\}\^\{[^{}]*\}\^", code), code


def assert_balanced(code: str) -> None:
    """Braces, \\left and \\right, environments."""
    depth = 0
    for c in code.replace(r"\{", "").replace(r"\}", ""):
        depth += {"{": 1, "}": -1}.get(c, 0)
        assert depth >= 0, code
    assert depth == 0, code
    assert len(re.findall(r"\\left\b", code)) == len(re.findall(r"\\right\b", code)), code
    assert code.count(r"\begin{") == code.count(r"\end{"), code
    assert "\n\n" not in code


@given(NUMBERS, st.booleans())
def test_latex_reads_back_to_the_same_number(tree: Shown, numbers: bool) -> None:
    number = small(tree)
    code = shown(tree, numbers)
    plain = code.replace(r"\left", "").replace(r"\right", "").replace(r"\cdot", "*")
    while (
        simpler := re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", plain)
    ) != plain or (simpler := re.sub(r"\^\{([^{}]*)\}", r"^(\1)", plain)) != plain:
        plain = simpler
    assert read(parse(plain)) == number, code

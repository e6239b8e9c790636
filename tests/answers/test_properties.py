"""Properties of marking: every form of a value is right, everything near it is not."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from derive.answers.check import check
from derive.blocks import build
from derive.graph import Graph
from derive.model import loads
from derive.text.show import integer_text
from derive.text.statements import parse_statement, show_statement

Pair = tuple[str, Fraction]
HALF = Fraction(1, 2)


@cache
def graph(key: str) -> Graph:
    return build(loads(json.dumps({"given": {"Q": [[key]]}}), "key.json"))


def _numbers() -> st.SearchStrategy[Pair]:
    whole = st.integers(0, 60).map(lambda n: (str(n), Fraction(n)))
    decimal = st.integers(0, 999).map(lambda n: (f"{n // 100}.{n % 100:02}", Fraction(n, 100)))
    percent = st.integers(0, 99).map(lambda n: (f"({n}%)", Fraction(n, 100)))
    latex = st.tuples(st.integers(1, 30), st.integers(31, 60)).map(
        lambda t: (f"\\frac{{{t[0]}}}{{{t[1]}}}", Fraction(*t))
    )
    return st.one_of(whole, decimal, percent, latex)


def _joined(parts: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def join(a: Pair, op: str, b: Pair) -> Pair:
        if op == "/" and b[1] == 0:
            op = "*"
        value = {"+": a[1] + b[1], "-": a[1] - b[1], "*": a[1] * b[1]}
        sign = {"*": "·", "-": "−"}.get(op, op)
        return f"({a[0]}){sign}({b[0]})", a[1] / b[1] if op == "/" else value[op]

    power = st.tuples(parts, st.integers(0, 3)).map(
        lambda t: (f"({t[0][0]})^{{{t[1]}}}", t[0][1] ** t[1])
    )
    return st.one_of(st.builds(join, parts, st.sampled_from("+-*/"), parts), power)


expressions = st.recursive(_numbers(), _joined, max_leaves=6)


@given(expressions)
@settings(max_examples=200)
def test_every_form_is_right_and_what_is_near_is_not(pair: Pair) -> None:
    text, value = pair
    key = graph(f"{value.numerator}/{value.denominator}")
    assert check(key, "Q[0,0]", text).verdict == "right"
    assert check(key, "Q[0,0]", f"({text}) + 10^-15").verdict == "wrong"
    assert check(key, "Q[0,0]", f"exp(ln(2))*({text})/2").verdict == "right"
    assert check(key, "Q[0,0]", f"sqrt(2)*({text}) + 1").verdict == "wrong"


@given(expressions)
@settings(max_examples=200)
def test_what_is_read_is_echoed_as_the_same(pair: Pair) -> None:
    shown = show_statement(parse_statement(pair[0]))
    assert show_statement(parse_statement(shown)) == shown
    key = graph(f"{pair[1].numerator}/{pair[1].denominator}")
    assert check(key, "Q[0,0]", shown).verdict == "right"


@given(st.fractions(-50, 50, max_denominator=997), st.integers(0, 6))
@settings(max_examples=300)
def test_decimals_are_right_where_they_are_nearest(x: Fraction, n: int) -> None:
    key = graph(f"{x.numerator}/{x.denominator}")
    scaled = x * 10**n
    for units in (scaled // 1 - 1, scaled // 1, scaled // 1 + 1, scaled // 1 + 2):
        near = abs(units - scaled) <= HALF
        found = check(key, "Q[0,0]", _decimal(int(units), n), f"dp:{n}")
        assert found.verdict == ("right" if near else "wrong")


def _decimal(units: int, n: int) -> str:
    digits = integer_text(abs(units)).rjust(n + 1, "0")
    body = f"{digits[:-n]}.{digits[-n:]}" if n else digits
    return "-" * (units < 0) + body


@given(st.text(max_size=40))
@settings(max_examples=300)
def test_any_text_gets_a_verdict(text: str) -> None:
    marked = check(graph("1/3"), "Q[0,0]", text, "dp:2")
    assert marked.verdict in ("right", "wrong", "undecided", "invalid")
    json.dumps(marked.data())

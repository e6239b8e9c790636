"""Writes tests/answers/fixtures/*.csv: answers, keys, policies, and the verdicts that are right.

    python -m tests.answers.make_fixtures

Every verdict follows from how its row is made (a fraction expanded is equal, a decimal one unit
off is not, digits come from `decimal` and from published constants); nothing here asks derive.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import permutations, product
from math import gcd
from pathlib import Path

FOLDER = Path(__file__).parent / "fixtures"
COLUMNS = ("answer", "key", "policy", "letters", "judge", "verdict", "value", "form", "reason")
CONSTANTS = {  # to more digits than any policy asks for
    "pi": "3.14159265358979323846264338327950288",
    "e": "2.71828182845904523536028747135266250",
    "sqrt(2)": "1.41421356237309504880168872420969808",
    "ln(2)": "0.693147180559945309417232121458176568",
    "1/(1 + exp(-1))": "0.731058578630004879251159944420",
    "-sqrt(3)": "-1.73205080756887729352744634150587237",
    "exp(-3)": "0.0497870683678639429793424156500617766",
    "100*pi": "314.159265358979323846264338327950288",
    "e^10": "22026.4657948067165169579006452842444",
}
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
UP = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

Row = tuple[str, ...]


def row(
    answer: str, key: str, verdict: str, reason: str, *, policy: object = "exact",
    letters: str = "", judge: str = "check", value: str = "", form: str = "",
) -> Row:  # fmt: skip
    if not value:
        value = {"right": "equal", "wrong": "different"}.get(verdict, "")
    shown = policy if isinstance(policy, str) else json.dumps(policy)
    return (answer, key, shown, letters, judge, verdict, value, form, reason)


# exact numbers


def fractions() -> Iterator[Row]:
    pairs = [(1, 2), (1, 3), (2, 3), (3, 4), (1, 5), (7, 5), (5, 6), (3, 8), (9, 8), (7, 10),
             (11, 12), (13, 20), (22, 7), (1, 40), (17, 25), (101, 99), (3, 16), (250, 3)]  # fmt: skip
    for p, q in pairs:
        key, x = f"{p}/{q}", Fraction(p, q)
        yield row(f"({p})/({q})", key, "right", "the fraction in brackets")
        yield row(f"\\frac{{{p}}}{{{q}}}", key, "right", "LaTeX")
        yield row(f"$\\dfrac{{{p}}}{{{q}}}$", key, "right", "LaTeX between dollars")
        yield row(f"{2 * p}/{2 * q}", key, "right", "expanded by 2; no form is asked for")
        yield row(f"{p}÷{q}", key, "right", "the sign ÷")
        yield row(f"{p} * {q}^-1", key, "right", "a negative power")
        yield row(f"{p}·{q}⁻¹", key, "right", "a superscript")
        yield row(f"{p}/{q}".translate(WIDE).replace("/", "／"), key, "right", "full-width signs")
        yield row(f"-{p}/{q}", key, "wrong", "the sign")
        yield row(f"{p + 1}/{q}", key, "wrong", "numerator one too large")
        yield row(f"{q}/{p}", key, "right" if p == q else "wrong", "upside down")
        yield row(f"{p}/{q} + 10^-12", key, "wrong", "off by 10^-12")
        yield row(f"{p}/{q} + 1e-300", key, "wrong", "off by 10^-300")
        yield row(f"1 - {q - p}/{q}" if q > p else f"1 + {p - q}/{q}", key, "right", "from 1")
        if p > q and p % q:
            n, r = divmod(p, q)
            yield row(f"{n} {r}/{q}", key, "right", "a mixed number")
            yield row(f"{n}\\frac{{{r}}}{{{q}}}", key, "right", "a mixed number in LaTeX")
            yield row(
                f"{n}*{r}/{q}", key, "right" if Fraction(n * r, q) == x else "wrong", "a product"
            )
        ends = _terminating(x)
        if ends:
            yield row(ends, key, "right", "the decimal that ends")
            yield row(ends + "000", key, "right", "zeros at the end change nothing")
            yield row(f"{x * 100 if (x * 100).denominator == 1 else _terminating(x * 100)}%", key,
                      "right", "a percentage")  # fmt: skip
            yield row(ends + "1", key, "wrong", "one digit more")
        else:
            yield row(f"{Decimal(p) / Decimal(q):.12f}", key, "wrong", "a rounded decimal")
    for text, p, q in (("½", 1, 2), ("¾", 3, 4), ("⅓", 1, 3), ("⅞", 7, 8), ("⅒", 1, 10)):
        yield row(text, f"{p}/{q}", "right", "a sign for a fraction")
        yield row(f"1{text}", f"{p + q}/{q}", "right", "a mixed number: 1½ is no 11/2")
        yield row(
            f"1{text}",
            f"{10 * p + p}/{q}",
            "right" if q == 10 else "wrong",
            "a mixed number: 1½ is no 11/2",
        )


def _terminating(x: Fraction) -> str:
    """The decimal of a fraction, where it ends within 6 places."""
    scaled = x * 10**6
    if scaled.denominator != 1:
        return ""
    return f"{Decimal(int(scaled)) / 10**6:f}".rstrip("0").rstrip(".") if x % 1 else str(int(x))


def surds() -> Iterator[Row]:
    for a, b in (
        (2, 2),
        (3, 2),
        (2, 3),
        (5, 3),
        (3, 5),
        (2, 7),
        (7, 6),
        (4, 11),
        (10, 10),
        (6, 13),
    ):
        key = f"{a}*sqrt({b})"
        yield row(f"sqrt({a * a * b})", key, "right", "one root")
        yield row(f"√{a * a * b}", key, "right", "the sign √")
        yield row(f"{a}√{b}", key, "right", "the sign √ after a number")
        yield row(f"{a}\\sqrt{{{b}}}", key, "right", "LaTeX")
        yield row(f"{a}\\sqrt[2]{{{b}}}", key, "right", "LaTeX with the index")
        yield row(f"{a}*{b}^(1/2)", key, "right", "a power")
        yield row(f"{a * b}/sqrt({b})", key, "right", "a root below")
        yield row(f"{a}*root({b}, 2)", key, "right", "the function root")
        yield row(f"exp(ln({a}) + ln({b})/2)", key, "right", "by logarithms")
        yield row(f"({a}+sqrt({b}))^2/2 - {a * a + b}/2", key, "right", "from a square")
        yield row(
            f"sqrt({a * b})", key, "right" if a * b == a * a * b else "wrong", "2 not squared"
        )
        yield row(f"{a}*sqrt({b}) + 10^-20", key, "wrong", "off by 10^-20")
        yield row(f"-{a}*sqrt({b})", key, "wrong", "the sign")
        yield row(f"{Decimal(a) * Decimal(b).sqrt():.15f}", key, "wrong", "a rounded decimal")
        yield row(f"{a}*cbrt({b})", key, "wrong", "another root")


def softmaxes() -> Iterator[Row]:
    for a, b in ((1, 0), (0, 1), (2, 1), (3, -1), (-1, -2), (1, 3), (5, 2), (0, -4)):
        key = f"exp({a})/(exp({a}) + exp({b}))"
        yield row(f"e^({a})/(e^({a})+e^({b}))", key, "right", "as the formula has it")
        yield row(f"\\frac{{e^{{{a}}}}}{{e^{{{a}}}+e^{{{b}}}}}", key, "right", "LaTeX")
        yield row(f"1/(1+e^({b - a}))", key, "right", "divided by the numerator")
        yield row(f"sigmoid({a - b})", key, "right", "softmax of two is a sigmoid")
        yield row(f"1 - sigmoid({b - a})", key, "right", "the other one from 1")
        yield row(f"(1 + tanh(({a}-({b}))/2))/2", key, "right", "through tanh")
        yield row(f"e^({a - 7})/(e^({a - 7})+e^({b - 7}))", key, "right", "shifted by 7")
        yield row(f"exp({a})/(exp({a})+exp({b})+exp(-inf))", key, "right", "a hidden place adds 0")
        yield row(f"e^({b})/(e^({a})+e^({b}))", key, "wrong", "the other weight")
        yield row(f"1/1+e^({b - a})", key, "wrong", "brackets left out")
        yield row(f"{a}/({a}+({b}))" if a + b else "0", key, "wrong", "no exponentials")
        yield row(f"2^({a})/(2^({a})+2^({b}))", key, "wrong", "base 2")
        yield row(f"10^({a})/(10^({a})+10^({b}))", key, "wrong", "base 10")
        yield row(f"e^({a})", key, "wrong", "not divided")


# letters


def polynomials() -> Iterator[Row]:
    letters = "x real"
    for a, b in product((-3, -1, 1, 2, 5), (-4, -2, 1, 3, 7)):
        key = f"x^2 + ({a + b})*x + ({a * b})"
        yield row(f"(x + ({a}))(x + ({b}))", key, "right", "factors", letters=letters)
        yield row(f"x² + ({a + b})x + ({a * b})", key, "right", "a superscript", letters=letters)
        yield row(f"(x + ({a}))(x + ({b})) + 1/10^9", key, "wrong", "off by 10^-9", letters=letters)
        yield row(f"(x - ({a}))(x - ({b}))", key, "right" if not a + b else "wrong", "signs",
                  letters=letters)  # fmt: skip
    for x, reason in (
        ("sqrt(x^2)", "of either sign"), ("X", "another letter"), ("x_1", "another letter"),
        ("x + 0.0000001", "off by 10^-7"), ("abs(x)", "of either sign"), ("x^1.0000001", "power"),
    ):  # fmt: skip
        yield row(x, "x", "wrong", reason, letters=letters)
    for x, reason in (
        ("x + x - x", "collected"), ("(x^2 - 1)/(x - 1) - 1", "defined but for x = 1"),
        ("sinh(asinh(x))", "inverse functions"), ("ln(e^x)", "inverse functions"),
        ("x*(sin(x)^2 + cos(x)^2)", "Pythagoras"), ("|x|*sign(x)", "sign times size"),
        ("relu(x) - relu(-x)", "two ReLUs"), ("x·1", "a dot"), ("x×1", "a cross"),
    ):  # fmt: skip
        yield row(x, "x", "right", reason, letters=letters)
    yield row("sqrt(x^2)", "x", "right", "for positive x", letters="x positive")
    yield row("y", "x", "invalid", "no letter of the model", letters=letters)
    yield row("sqrt(-x^2 - 1)", "x", "invalid", "nowhere real", letters=letters)


# rounding


def decimals() -> Iterator[Row]:
    keys = {k: Decimal(v) for k, v in CONSTANTS.items()}
    for text in ("1/7", "22/7", "2/3", "-5/6", "1/300", "12345/7", "0.04985", "1.2344", "99.996",
                 "0.5", "-0.0071"):  # fmt: skip
        p, _, q = text.partition("/")
        keys[text] = Context(prec=60).divide(Decimal(p), Decimal(q or 1))
    for (key, x), n in product(keys.items(), (1, 2, 3, 4)):
        if _tie(x, n):
            continue
        yield from _places(key, x, n)


def _tie(x: Decimal, n: int) -> bool:
    return (x * 10**n) % 1 in (Decimal("0.5"), Decimal("-0.5"))


def _fixed(x: Decimal, n: int, how: str = ROUND_HALF_EVEN) -> Decimal:
    return x.quantize(Decimal(1).scaleb(-n), rounding=how, context=Context(prec=90))


def _places(key: str, x: Decimal, n: int) -> Iterator[Row]:
    policy, good, unit = f"dp:{n}", _fixed(x, n), Decimal(1).scaleb(-n)
    yield row(f"{good:f}", key, "right", "rounded", policy=policy, form="true")
    yield row(f"{good + unit:f}", key, "wrong", "one unit too large", policy=policy, form="true")
    yield row(f"{good - unit:f}", key, "wrong", "one unit too small", policy=policy, form="true")
    cut = _fixed(x, n, ROUND_DOWN)
    if cut != good:
        yield row(f"{cut:f}", key, "wrong", "cut off", policy=policy, form="true")
    if not _tie(x, n + 1):
        yield row(f"{_fixed(x, n + 1):f}", key, "wrong", "a place too many, rightly rounded",
                  policy=policy, value="equal", form="false")  # fmt: skip
        yield row(f"{_fixed(x, n + 1):f}", key, "right", "at least so many places",
                  policy={"dp": n, "places": "at-least"}, form="true")  # fmt: skip
    if not _tie(x, n - 1):
        yield row(f"{_fixed(x, n - 1):f}", key, "wrong", "a place too few, rightly rounded",
                  policy=policy, value="equal", form="false")  # fmt: skip
    if good:
        yield row(f"{-good:f}", key, "wrong", "the sign", policy=policy, form="true")
        mantissa, exponent = f"{good:e}".split("e") if "e" in f"{good:e}" else (f"{good}", "0")
        yield row(f"{mantissa}*10^({int(exponent)})", key, "right", "scientific notation",
                  policy=policy, form="true")  # fmt: skip
    yield row(
        f"{good:f}".replace("-", "−"),
        key,
        "right",
        "a typographic minus",
        policy=policy,
        form="true",
    )
    wide = f"{good:f}".translate(WIDE)
    yield row(wide, key, "right", "full-width digits", policy=policy, form="true")


def figures() -> Iterator[Row]:
    keys = {k: Decimal(v) for k, v in CONSTANTS.items()} | {
        "0.00123456": Decimal("0.00123456"), "98765.4": Decimal("98765.4"), "999": Decimal(999),
        "6.02214076*10^23": Decimal("6.02214076e23"), "0.0996": Decimal("0.0996"),
    }  # fmt: skip
    for (key, x), n in product(keys.items(), (1, 2, 3, 4)):
        context = Context(prec=n, rounding=ROUND_HALF_EVEN)
        if Context(prec=n, rounding=ROUND_HALF_UP).plus(x) != context.plus(x):
            continue
        good = context.plus(x)
        sign, digits, exponent = good.as_tuple()
        digits = (*digits, *[0] * (n - len(digits)))
        exponent = int(exponent) - (n - len(good.as_tuple().digits))
        yield from _figures(key, x, n, "-" * sign, list(digits), exponent)


def _figures(
    key: str, x: Decimal, n: int, sign: str, digits: list[int], exponent: int
) -> Iterator[Row]:
    policy = f"sf:{n}"
    text = "".join(map(str, digits))
    power = exponent + n - 1
    mantissa = text[0] + ("." + text[1:] if n > 1 else "")
    yield row(f"{sign}{mantissa}e{power}", key, "right", "with e", policy=policy, form="true")
    yield row(f"{sign}{mantissa}×10^{power}", key, "right", "with ×10^", policy=policy, form="true")
    yield row(
        f"{sign}{mantissa}\\cdot10^{{{power}}}", key, "right", "LaTeX", policy=policy, form="true"
    )
    yield row(f"{sign}{mantissa}·10{str(power).translate(UP)}", key, "right", "superscript",
              policy=policy, form="true")  # fmt: skip
    if exponent <= 0:
        padded = text.rjust(1 - exponent, "0")
        plain = padded if not exponent else f"{padded[:exponent]}.{padded[exponent:]}"
        yield row(sign + plain, key, "right", "written out", policy=policy, form="true")
    else:
        yield row(f"{sign}{text}{'0' * exponent}", key, "right", "zeros may or may not count",
                  policy=policy, form="true")  # fmt: skip
    more = Context(prec=n).next_plus(Decimal(f"{sign}{text}e{exponent}"))
    yield row(f"{more:e}" if "E" not in f"{more:e}" else str(more), key, "wrong", "one unit too large",
              policy=policy)  # fmt: skip
    exact = Decimal(f"{sign}{text}e{exponent}") == x
    yield row(f"{sign}{mantissa}{'' if n > 1 else '.'}0e{power}", key, "wrong", "one figure too many, a 0",
              policy=policy, value="equal" if exact or _next_is_zero(x, n) else "different", form="false")  # fmt: skip


def _next_is_zero(x: Decimal, n: int) -> bool:
    """Is the rounding to n + 1 figures the one to n with a 0 behind it?"""
    return Context(prec=n + 1, rounding=ROUND_HALF_EVEN).plus(x) == Context(prec=n).plus(x)


def ties() -> Iterator[Row]:
    for key, low, high, n in (
        ("0.125", "0.12", "0.13", 2), ("0.375", "0.37", "0.38", 2), ("2.5", "2", "3", 0),
        ("3.5", "3", "4", 0), ("419.5675", "419.567", "419.568", 3), ("1/16", "0.062", "0.063", 3),
        ("774.9625", "774.962", "774.963", 3), ("0.5", "0", "1", 0), ("0.05", "0.0", "0.1", 1),
    ):  # fmt: skip
        even = low if int(low[-1]) % 2 == 0 else high
        for sign in ("", "-"):
            for answer in (low, high):
                signed = sign + answer if Decimal(answer) else answer
                for rule in ("either", "even", "away"):
                    good = rule == "either" or answer == (even if rule == "even" else high)
                    yield row(signed, f"{sign}{key}", "right" if good else "wrong", f"a tie, {rule}",
                              policy={"dp": n, "ties": rule}, form="true")  # fmt: skip


def percents() -> Iterator[Row]:
    for key, shown, n in (("0.4123", "41.23", 2), ("1/8", "12.5", 1), ("0.052", "5.20", 2),
                          ("1/3", "33.33", 2), ("2/3", "67", 0), ("1.5", "150.0", 1)):  # fmt: skip
        policy = {"dp": n, "percent": True}
        yield row(shown, key, "right", "the number of per cent", policy=policy, form="true")
        yield row(f"{shown}%", key, "right", "with the sign", policy=policy, form="true")
        yield row(f"{shown}\\%", key, "right", "LaTeX", policy=policy, form="true")
        yield row(f"{shown} %", key, "right", "a space", policy=policy, form="true")
        yield row(f"{Decimal(shown) / 100}", key, "wrong", "the fraction of 1", policy=policy)
        value = Decimal(shown).scaleb(-2)
        places = max(0, -int(value.as_tuple().exponent))
        yield row(f"{shown}%", key, "right", "a percentage where none is asked for",
                  policy=f"dp:{places}", form="true")  # fmt: skip
        yield row(f"{shown}%", key, "wrong", "not rounded to so many places", policy=f"dp:{places - 1}",
                  value="equal", form="false")  # fmt: skip
    for answer, key in (("50%", "1/2"), ("5.20%", "0.052"), ("28\\%", "0.28"), ("100%", "1"),
                        ("0.1%", "1/1000"), ("-25%", "-1/4"), ("33 1/3%", "1/3")):  # fmt: skip
        yield row(answer, key, "right", "exactly")
        yield row(answer.replace("%", "").replace("\\", ""), key, "wrong", "the sign left out")


def tolerances() -> Iterator[Row]:
    for key in ("2", "1/4", "-3", "100"):
        x = Fraction(key)
        for bound in (Fraction(1, 100), Fraction(1, 2)):
            for times, good in ((0, True), (1, True), (-1, True), (2, False), (-2, False)):
                yield row(str(x + times * bound), key, "right" if good else "wrong",
                          f"{times} times the tolerance off", policy=f"abs:{bound}")  # fmt: skip
                yield row(str(x + times * bound * abs(x)), key, "right" if good else "wrong",
                          f"{times} times the tolerance off", policy=f"rel:{bound}")  # fmt: skip
            yield row(str(x + bound + Fraction(1, 10**30)), key, "wrong", "10^-30 outside",
                      policy=f"abs:{bound}")  # fmt: skip
            yield row(str(x + bound - Fraction(1, 10**30)), key, "right", "10^-30 inside",
                      policy=f"abs:{bound}")  # fmt: skip
    for answer, good in (
        ("3.14", True),
        ("3.15", True),
        ("3.13", False),
        ("22/7", True),
        ("3.2", False),
    ):
        yield row(answer, "pi", "right" if good else "wrong", "near pi", policy="abs:0.01")
    yield row("pi + 1/100", "pi", "right", "the end belongs to it", policy="abs:0.01")


# form


def forms() -> Iterator[Row]:
    for p, q, k in product((1, 2, 3, 5, 7), (4, 5, 6, 9), (2, 3)):
        common = gcd(p, q)
        p, q = p // common, q // common
        if q == 1:
            continue
        low = {"require": "lowest-terms"}
        yield row(f"{p}/{q}", f"{p}/{q}", "right", "lowest terms", policy=low, form="true")
        yield row(f"{k * p}/{k * q}", f"{p}/{q}", "wrong", f"{k} can be cancelled", policy=low,
                  value="equal", form="false")  # fmt: skip
        yield row(f"\\frac{{{k * p}}}{{{k * q}}}", f"{p}/{q}", "wrong", "in LaTeX", policy=low,
                  value="equal", form="false")  # fmt: skip
        yield row(
            f"{p}/{q}", f"{p}/{q}", "right", "exact", policy={"require": "exact"}, form="true"
        )
        yield row(f"{p}/{q}", f"{p}/{q}", "wrong", "no decimal", policy={"require": "decimal"},
                  value="equal", form="false")  # fmt: skip
    for answer, key, good in (
        ("0.5", "1/2", False), ("1/2", "1/2", True), ("0.25*2", "1/2", False), ("2^-1", "1/2", True),
    ):  # fmt: skip
        yield row(answer, key, "right" if good else "wrong", "exact means no decimals",
                  policy={"require": "exact"}, value="equal", form=str(good).lower())  # fmt: skip
    simplified = [
        ("2*sqrt(2)", "sqrt(8)"), ("3*sqrt(5)", "sqrt(45)"), ("sqrt(6)", "sqrt(2)*sqrt(3)"),
        ("1/2", "cos(pi/3)"), ("sqrt(2)/2", "sin(pi/4)"), ("1", "e^0"), ("2", "ln(e^2)"), ("3", "|-3|"),
        ("6", "3!"), ("8", "2^3"), ("5", "2 + 3"), ("12", "3*4"), ("1/3", "2/6"), ("e", "exp(1/2)^2"),
        ("5*sqrt(2)", "3*sqrt(2) + 2*sqrt(2)"), ("2*pi", "pi + pi"), ("1/2", "softmax([0, 0])"),
        ("-1", "--1*-1"), ("cbrt(2)", "cbrt(16)/2"), ("2", "cbrt(8)"), ("pi", "1*pi"), ("e^2", "e*e"),
        ("4", "max(3, 4)"), ("0", "ln(1)"), ("3/4", "0.75"), ("pi/6", "asin(1/2)"), ("1/4", "relu(1/4)"),
    ]  # fmt: skip
    policy = {"require": "simplified"}
    for plain, open_ in simplified:
        yield row(plain, plain, "right", "simplified", policy=policy, form="true")
        if "softmax" in open_ or "asin" in open_:
            continue
        yield row(
            open_, plain, "wrong", "could be simplified", policy=policy, value="equal", form="false"
        )


# more than numbers


def sets() -> Iterator[Row]:
    def pair(a: str, b: str, verdict: str, reason: str) -> Iterator[Row]:
        yield row(a, b, verdict, reason, judge="equal")
        yield row(b, a, verdict, f"{reason}; the other way round", judge="equal")

    for items in (("1", "2", "3"), ("1/2", "sqrt(2)", "pi"), ("e", "-1", "0")):
        key = "{" + ", ".join(items) + "}"
        for order in permutations(items):
            yield from pair("{" + ",".join(order) + "}", key, "right", "the same set")
            yield row("\\{" + ",".join(order) + "\\}", key, "right", "LaTeX", judge="equal")
            listed = f"({', '.join(order)})"
            good = order == items
            yield from pair(
                listed, f"({', '.join(items)})", "right" if good else "wrong", "order counts"
            )
            yield from pair(listed, key, "wrong", "a list is no set")
        yield from pair("{" + ", ".join(items[:2]) + "}", key, "wrong", "one is missing")
        yield from pair("{" + ", ".join((*items, "9")) + "}", key, "wrong", "one too many")
        yield from pair("{" + ", ".join((*items, items[0])) + "}", key, "right", "named twice")
    for k in range(1, 8):
        yield from pair(f"±{k}", f"{{{k}, -{k}}}", "right", "±")
        yield from pair(f"\\pm {k}", f"{k}", "wrong", "two values, one given")
        yield from pair(f"1 ± √{k}", f"{{1 - sqrt({k}), 1 + sqrt({k})}}", "right", "±")
        yield from pair(f"{k} and {k + 1}", f"{{{k + 1}, {k}}}", "right", "both values")
        yield from pair(f"{k} or {k + 1}", f"{k}", "wrong", "one of two")
        yield from pair(f"{k}:{k + 1}", f"{2 * k}:{2 * k + 2}", "right", "a ratio")
        yield from pair(f"{k}:{k + 1}", f"{k + 1}:{k}", "wrong", "a ratio upside down")
        yield from pair(f"{k}:00", f"{k + 1}:00", "wrong", "clock times")


def relations() -> Iterator[Row]:
    def pair(a: str, b: str, verdict: str, reason: str) -> Iterator[Row]:
        yield row(a, b, verdict, reason, judge="equal")
        yield row(b, a, verdict, f"{reason}; the other way round", judge="equal")

    for k in range(1, 9):
        yield from pair(f"|x| < {k}", f"-{k} < x < {k}", "right", "absolute value")
        yield from pair(f"x^2 <= {k * k}", f"abs(x) <= {k}", "right", "squared")
        yield from pair(f"x^2 < {k}", f"|x| < \\sqrt{{{k}}}", "right", "squared")
        yield from pair(f"x^2 < {k}", f"|x| <= \\sqrt{{{k}}}", "wrong", "the ends")
        yield from pair(f"x > {k}", f"{k} < x", "right", "turned round")
        yield from pair(f"x > {k}", f"x >= {k}", "wrong", "the end")
        yield from pair(f"x > {k}", f"x > {k}.0001", "wrong", "another end")
        yield from pair(f"-2x < {k}", f"x > -{k}/2", "right", "divided by a negative number")
        yield from pair(f"x \\in [{k}, \\infty)", f"x \\ge {k}", "right", "an interval")
        yield from pair(f"x in ({k}, {k + 2}]", f"{k} < x <= {k + 2}", "right", "half open")
        yield from pair(f"x in ({k}, {k + 2})", f"{k} < x <= {k + 2}", "wrong", "the end")
        yield from pair(f"x = {k} or x = -{k}", f"x^2 = {k * k}", "right", "both solutions")
        yield from pair(f"x = {k}", f"x^2 = {k * k}", "wrong", "one solution of two")
        yield from pair(f"{k}x + y = 3", f"{2 * k}x + 2y - 6 = 0", "right", "a multiple")
        yield from pair(f"{k}x + y = 3", f"{k}x + y = 4", "wrong", "a parallel line")
        yield from pair(f"{k}x + y > 3", f"-{k}x - y < -3", "right", "a multiple, turned round")
        yield from pair(
            f"x < {k} or x > {k + 1}", f"(x - {k})(x - {k + 1}) > 0", "right", "outside"
        )
        yield from pair(f"[{k}, {k + 1})", f"[{k}, {k + 1}]", "wrong", "the end")
        yield from pair(f"x != {k}", f"x < {k} or x > {k}", "right", "all but one")


def matrices() -> Iterator[Row]:
    for a, b in ((1, 2), (3, 5), (7, 4)):
        key = f"[[{a}, {b}], [{b}, {a}/{b}]]"
        yield row(f"\\begin{{pmatrix}}{a}&{b}\\\\{b}&\\frac{{{a}}}{{{b}}}\\end{{pmatrix}}", key, "right",
                  "pmatrix", judge="equal")  # fmt: skip
        yield row(f"\\begin{{bmatrix}}{a} & {b} \\\\ {b} & {a}/{b} \\\\\\end{{bmatrix}}", key, "right",
                  "bmatrix, a last \\\\", judge="equal")  # fmt: skip
        yield row(f"matrix([{a},{b}],[{b},{a}/{b}])", key, "right", "matrix()", judge="equal")
        yield row(f"[[{a}, {b}],\n [{b}, {a}/{b}]]", key, "right", "on two lines", judge="equal")
        yield row(f"[[{a}, {b}], [{b}, {a}/{b} + 10^-9]]", key, "wrong", "one entry", judge="equal")
        yield row(f"[[{b}, {a}], [{a}/{b}, {b}]]", key, "wrong", "columns swapped", judge="equal")
        yield row(f"[[{a}, {b}]]", key, "wrong", "a row is missing", judge="equal")
        yield row(f"[{a}, {b}, {b}, {a}/{b}]", key, "wrong", "no rows", judge="equal")
        yield row(f"2*[[{a}/2, {b}/2], [{b}/2, {a}/{2 * b}]]", key, "right", "a factor before it",
                  judge="equal")  # fmt: skip
        yield row(f"[{a}, {b}]", f"[{a}, {b}]", "right", "a vector", judge="equal")
        yield row(f"\\begin{{pmatrix}}{a}\\\\{b}\\end{{pmatrix}}", f"[{a}, {b}]", "right", "a column",
                  judge="equal")  # fmt: skip
        yield row(f"[{b}, {a}]", f"[{a}, {b}]", "wrong", "order", judge="equal")


# what can't be read


def unreadable() -> Iterator[Row]:
    whole = (
        "(1 + 2)*3",
        "sqrt(2)/2",
        "exp(1)/(exp(1) + exp(2))",
        "[1, 2]",
        "\\frac{1}{2}",
        "2^{3}",
    )
    for text in whole:
        for k, c in enumerate(text):
            if c in "()[]{}":
                cut = text[:k] + text[k + 1 :]
                yield row(cut, "1", "invalid", f"a bracket is missing at character {k + 1}")
        yield row(f"{text}*", "1", "invalid", "an operator at the end")
        yield row(f"*{text}", "1", "invalid", "an operator at the beginning")
        yield row(f"{text})", "1", "invalid", "a bracket too many")
    for text, reason in (
        ("", "empty"), ("   ", "blank"), ("\t", "blank"), ("1 2", "two numbers"), ("1,22", "two readings"),
        ("1,234", "two readings"), ("1..2", "two points"), ("x", "no letter of the model"),
        ("1/0", "division by 0"), ("0/0", "division by 0"), ("ln(0)", "no value"), ("inf - inf", "no value"),
        ("oo-oo", "no value"), ("1 % 0", "% is per cent here"), ("sofmax([1, 2])", "unknown function"),
        ("sin", "no argument"), ("sin()", "no argument"), ("sin(1, 2)", "two arguments"),
        ("root(2)", "one argument"), ("()", "nothing inside"), ("[]", "nothing inside"), ("1 && 2", "no sign"),
        ("1 == 1", "no sign"), ("'1'", "quotes"), ('"1"', "quotes"), ("1;2", "no sign"), ("1_", "no base"),
        ("29_8", "no digit to the base 8"), ("sin^-1(1)", "two readings"), ("\u0430", "a Cyrillic letter"),
        ("1\u202e2", "a control character"), ("\x00", "a control character"), ("1\x1b[2J", "control"),
        ("1\n2", "two lines"), ("\\foo{1}", "unknown command"), ("\\frac{1}", "one argument"),
        ("\\begin{cases}1\\end{cases}", "no matrix"), ("\\end{pmatrix}", "no beginning"),
        ("\\begin{pmatrix}1", "no end"), ("[1 > 2]", "a relation in a vector"), ("1 ++", "an end"),
        ("2 1/2^2", "a mixed number or a product"), ("9" * 10_001, "too long"), ("(" * 200 + "1" + ")" * 200, "deep"),
        ("-" * 500 + "1", "many signs"), ("1e99999", "a large exponent"), ("\\sqrt12", "√1·2 or √12"),
        ("^2", "nothing before"), ("{", "a brace"), ("}", "a brace"), ("1 @ 2", "no sign"), ("#", "no sign"),
        ("π r", "no letter of the model"), ("√", "nothing after it"), ("|1", "a bar"), ("1|", "a bar"),
    ):  # fmt: skip
        yield row(text, "1", "invalid", reason)


def hostile() -> Iterator[Row]:
    code = ("__import__('os').system('id')", "open('/etc/passwd').read()", "eval('1')", "exec('1')",
            "(lambda: 1)()", "().__class__.__bases__", "globals()", "getattr(1, 'real')",
            "[c for c in (1, 2)]", "1 if 1 else 2", "print(1)", "x=1; import os", "compile('1', '', 'eval')",
            "Symbol('x')", "sympify('1')", "Matrix([[1]])", "preview(1)", "f'{1}'", "{0.__class__}",
            "%s", "os.getpid()", "a.f_globals", "system(\"id\")", "solve(x^2=4,x)", "Integral(x, x)",
            "diff(x, x)", "lambda", "import os", "yield", "await x", "N('1')", "S('1')")  # fmt: skip
    for text in code:
        yield row(text, "1", "invalid", "a program is no answer")
    tex = ("\\input{/etc/passwd}", "\\immediate\\write18{id}", "\\def\\x{\\x}\\x", "\\catcode`\\@=0",
           "\\href{javascript:alert(1)}{x}", "\\end{document}", "\\includegraphics{x}", "\\csname x\\endcsname",
           "\\begin{filecontents}{a}b\\end{filecontents}", "x}$ \\textbf{Score: 100\\%} ${y",
           "$$\\unicode{<script>}$$", "\\newcommand{\\x}{1}", "\\loop\\iftrue\\repeat", "\\special{x}",
           "\\openin0=a", "\\read0 to\\x", "\\verb|1|", "\\url{x}", "\\html{x}", "\\require{x}")  # fmt: skip
    for text in tex:
        yield row(text, "1", "invalid", "a command is no answer")
    for text in ("=1+1", "=HYPERLINK(\"x\")", "@SUM(1)", "<script>alert(1)</script>", "../../etc/passwd",
                 "!!python/object:os.system", "1\nmark: 1/1", "DROP TABLE x", "${1}", "`1`", "%n%n",
                 "<!--", "&lt;", "\\u0031", "file:///etc/passwd", "http://x/", "\ufeff\x00", "NaN", "nan", "None"):  # fmt: skip
        yield row(text, "1", "invalid", "no mathematics")
    for text in ("10**100**100", "3**1500000000", "((9**9)**9999)**9999", "9^9^9", "10.0^10.0^10.0",
                 "(1+1/10^9)^(10^9)", "4^(111111111111111111111/22222)",
                 "sqrt(2)^(10^12)", "cos(10^5000)", "1/(10^4000)"):  # fmt: skip
        yield row(text, "1", "wrong", "large, and still decided")


FILES = {
    "fractions": fractions, "surds": surds, "softmax": softmaxes, "polynomials": polynomials,
    "decimal-places": decimals, "significant-figures": figures, "ties": ties, "percent": percents,
    "tolerance": tolerances, "form": forms, "sets": sets, "relations": relations,
    "matrices": matrices, "unreadable": unreadable, "hostile": hostile,
}  # fmt: skip


def text(name: str) -> str:
    """One file, as it stands in the folder."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(dict.fromkeys(FILES[name]()))
    return out.getvalue()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in FILES:
        (FOLDER / f"{name}.csv").write_bytes(text(name).encode())


if __name__ == "__main__":
    main()

"""Attacks that once drew a wrong verdict or a fault; none may be called what it is not."""

from __future__ import annotations

import pytest

from derive.answers.equality import equality

NOT_EQUAL = [
    (
        "(atan(x)+atan(y)-atan((x+y)/(1-x*y))+atan(278/29))*10^(-100)+1",
        "(7*atan(2)-pi)*10^(-100)+1",
        ["x*y>1"],
    ),
    ("exp(-n^2)*sin(pi*sqrt(n))+1", "1", ["n integer", "n>100"]),
    ("((1-exp(1/10^90))^e)^(1/e)", "1-exp(1/10^90)", []),
    ("ln((1-exp(1/10^90))^pi)", "pi*ln(1-exp(1/10^90))", []),
    (
        "acos((-1)^n)*10^(-100)+1",
        "acos((-1)^m)*10^(-100)+1",
        ["n integer", "m integer"],
    ),
    ("max(-inf,1/x)", "-inf", []),
    ("exp(sqrt(inf))/inf", "0", []),
    ("ln(inf)/ln(inf)", "1", []),
]
BELOW_MINUS_ROOT_6 = "24494897427831780981972840747058913919659474806566702/10^52"
NOT_EQUAL.append(("sqrt(2*(x+sqrt(6))^2)", "sqrt(2)*(x+sqrt(6))", [f"x > -{BELOW_MINUS_ROOT_6}"]))
NOT_DIFFERENT = [
    ("sqrt(3*(3-e)^2)*sqrt(3*exp(x))", "3*(3-e)*exp(x/2)", []),
    ("sqrt(5*(cos(1)-1)^2)*sqrt(5*x^2)", "5*(1-cos(1))*x", ["x>0"]),
    ("sqrt((1-exp(1/10^90))^(2*pi))", "-(1-exp(1/10^90))^pi", []),
    ("(sin(x)^2+cos(x)^2-1)^8", "0", []),
    ("x/x*sign(x)^2", "1", []),
    ("exp(ln(x))*sign(x)^2/x", "1", []),
    ("y/y*x/x*sign(x)^2", "1", []),
    ("(sqrt(2)*sqrt(3)-sqrt(6))^10+x", "x", []),
    ("sqrt(x^2)+10^5000", "abs(x)+10^5000", []),
]


def verdict(left: str, right: str, assume: list[str]) -> str:
    from derive.errors import DeriveError

    try:
        return equality(left, right, assume).verdict
    except DeriveError:
        return "refused"


@pytest.mark.parametrize(("left", "right", "assume"), NOT_EQUAL)
def test_never_called_equal(left: str, right: str, assume: list[str]) -> None:
    assert verdict(left, right, assume) != "equal"


@pytest.mark.parametrize(("left", "right", "assume"), NOT_DIFFERENT)
def test_never_called_different(left: str, right: str, assume: list[str]) -> None:
    assert verdict(left, right, assume) in ("equal", "undecided")


def test_what_is_not_a_real_letter_is_not_decided() -> None:
    import sympy as sp

    from derive.exact import Assumption, Dag, decide

    x, positive = sp.Symbol("x"), sp.Symbol("x", positive=True)
    z, zero = sp.Symbol("z", complex=True), sp.Symbol("z", zero=True)
    odd, broken = sp.Symbol("n", odd=True), sp.Symbol("x", integer=False, real=True)
    infinite = sp.Piecewise((sp.oo, x > 0), (0, True))
    for verdict in (
        decide(sp.Abs(z) ** 2, z**2),
        decide(sp.sqrt(x**2), positive),
        decide(zero, sp.Integer(0)),
        decide(infinite, sp.oo, [Assumption(x, ">")]),
        decide(sp.gamma(x), x),
        decide(odd, sp.Integer(3)),
        decide(sp.sin(sp.pi * broken) ** 2, sp.Integer(1)),
        decide(sp.Symbol("x", irrational=True), sp.sqrt(2)),
    ):
        assert verdict.verdict == "undecided" and verdict.reason
    with pytest.raises(ValueError, match="one Dag"):
        decide(Dag().symbol("x"), Dag().symbol("y"))

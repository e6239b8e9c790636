"""Model numbers that are no real numbers, or have no value: one clear error, never a fault."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.errors import DeriveError, ModelError, UndefinedCell
from derive.graph import derivation, table
from derive.model import load


def with_scale(text: str) -> object:
    return build(load("cats", sets=[f'block.0.attention.scale="{text}"']))


@pytest.mark.parametrize("text", ["sqrt(-1)", "log(-1)", "root(-8, 3)", "asin(2)", "acosh(0)"])
def test_not_real(text: str) -> None:
    with pytest.raises(UndefinedCell, match="is not a real number"):
        table(with_scale(text), "A")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["tan(pi/2)", "1/(sin(1)^2 + cos(1)^2 - 1)", "log(cos(0) - 1)"])
def test_without_a_value(text: str) -> None:
    with pytest.raises(DeriveError, match="no value"):
        table(with_scale(text), "A")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["softmax([1, 2])", "[1, 2]", "sum(k, 1, 2, k)", "s[1]"])
def test_no_single_number(text: str) -> None:
    with pytest.raises(ModelError):
        with_scale(text)


FUNCTIONS = "sqrt(2) cbrt(2) root(2,5) exp(1) ln(2) log(2) log(2,8) lg(2) sin(1) cos(1) tan(1) \
cot(1) sec(1) csc(1) asin(1/2) acos(1/2) atan(2) sinh(1) cosh(1) tanh(1) asinh(1) acosh(2) \
atanh(1/2) abs(-2) sign(3) max(1,2) min(1,2) erf(1) sigmoid(1) relu(2) silu(1) gelu(1) 3!".split()


@pytest.mark.parametrize("text", FUNCTIONS)
def test_every_function_of_the_grammar_is_a_number(text: str) -> None:
    d = derivation(with_scale(text), "S_scaled[1,0]")  # type: ignore[arg-type]
    assert d.decimal is not None and d.exact is not None

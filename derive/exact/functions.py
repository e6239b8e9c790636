"""The functions of the grammar that an arithmetic lacks, written with those that it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def over(f: Any, a: Any, b: Any) -> Any:
    """a/b in any arithmetic; one that has `power` sees a division by zero itself."""
    return a * f.power(b, -1) if hasattr(f, "power") else a / b


def power(f: Any, x: Any, n: int) -> Any:
    """x to an integer power in any arithmetic."""
    return f.power(x, n) if hasattr(f, "power") else x**n


def cbrt(f: Any, x: Any) -> Any:
    return f.root(x, 3)


def cot(f: Any, x: Any) -> Any:
    return over(f, f.cos(x), f.sin(x))


def sec(f: Any, x: Any) -> Any:
    return over(f, f.rational(1), f.cos(x))


def csc(f: Any, x: Any) -> Any:
    return over(f, f.rational(1), f.sin(x))


def asinh(f: Any, x: Any) -> Any:
    return f.log(x + f.sqrt(x * x + 1))


def acosh(f: Any, x: Any) -> Any:
    """ln(x + sqrt(x-1) sqrt(x+1)), the principal value below 1 as well."""
    return f.log(x + f.sqrt(x - 1) * f.sqrt(x + 1))


def atanh(f: Any, x: Any) -> Any:
    return (f.log(x + 1) - f.log(-x + 1)) / 2


def ln(f: Any, x: Any) -> Any:
    return f.log(x)


def log(f: Any, x: Any, *base: Any) -> Any:
    """The natural logarithm, or the one to a base."""
    return over(f, f.log(x), f.log(base[0])) if base else f.log(x)


def lg(f: Any, x: Any, *base: Any) -> Any:
    """The logarithm to base 10, or to another one."""
    return over(f, f.log(x), f.log(base[0] if base else f.rational(10)))


def percent(f: Any, x: Any) -> Any:
    return x / f.rational(100)


def relu(f: Any, x: Any) -> Any:
    return f.max(f.rational(0), x)


def silu(f: Any, x: Any) -> Any:
    return x * f.sigmoid(x)


def gelu(f: Any, x: Any) -> Any:
    return x * (f.erf(x / f.sqrt(f.rational(2))) + 1) / 2


def total(f: Any, terms: list[Any]) -> Any:
    """The sum, in one go where the arithmetic can."""
    if hasattr(f, "add"):
        return f.add(*terms)
    first, *rest = terms
    for x in rest:
        first = first + x
    return first


def product(f: Any, factors: list[Any]) -> Any:
    """The product, in one go where the arithmetic can."""
    if hasattr(f, "mul"):
        return f.mul(*factors)
    first, *rest = factors
    for x in rest:
        first = first * x
    return first


def softmax(f: Any, *values: Any) -> tuple[Any, ...]:
    """Exponentials over their sum; -infinity gets exactly 0."""
    exponentials = [f.exp(x) for x in values]
    below = total(f, exponentials)
    return tuple(over(f, x, below) for x in exponentials)


def logsumexp(f: Any, *values: Any) -> Any:
    return f.log(total(f, [f.exp(x) for x in values]))


WRITTEN: dict[str, Callable[..., Any]] = {
    "cbrt": cbrt, "cot": cot, "sec": sec, "csc": csc, "asinh": asinh, "acosh": acosh,
    "atanh": atanh, "ln": ln, "log": log, "lg": lg, "relu": relu, "silu": silu, "gelu": gelu,
    "percent": percent, "softmax": softmax, "logsumexp": logsumexp,
}  # fmt: skip
OF_VECTORS = ("softmax", "logsumexp")

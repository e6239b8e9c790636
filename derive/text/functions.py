"""The functions of the plain grammar: names, how many arguments, other spellings."""

from __future__ import annotations

MANY = 1000  # arguments at most, where any number is allowed

ARGUMENTS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(
        (
            "sqrt", "cbrt", "exp", "ln", "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos",
            "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "abs", "sign", "erf",
            "sigmoid", "relu", "silu", "gelu", "softmax", "logsumexp", "factorial", "percent",
        ),
        (1, 1),
    ),
    "root": (2, 2),
    "log": (1, 2),
    "lg": (1, 2),
    "max": (1, MANY),
    "min": (1, MANY),
    "matrix": (1, MANY),
    "sum": (4, 4),
    "diff": (2, 2),  # the derivative of a by b
    "delta": (2, 2),  # 1 where two indices are equal, else 0
    "leq": (2, 2),  # 1 where the first index is at most the second, else 0
}  # fmt: skip

ONLY_CALLED = ("delta", "diff", "leq")  # names of letters, too, where no bracket follows

SPELLINGS = {  # other spellings -> the name above
    "Max": "max", "Min": "min", "Abs": "abs", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh",
    "ReLU": "relu", "SiLU": "silu", "GELU": "gelu", "sgn": "sign",
}  # fmt: skip

CONSTANTS = {"pi": "pi", "e": "e", "i": "i", "inf": "inf", "E": "e", "I": "i", "oo": "inf"}

"""The LaTeX commands that the grammar knows, by what they become."""

from __future__ import annotations

from derive.text.characters import GREEK

SKIPPED = frozenset(
    (
        ", ; : ! > quad qquad enspace thinspace left right big Big bigg Bigg bigl bigr Bigl Bigr "
        "biggl biggr Biggl Biggr displaystyle textstyle limits nolimits mathstrut"
    ).split()
) | {" "}
SIGNS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "pm": "±", "mp": "∓",
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=",
    "lt": "<", "gt": ">", "ne": "!=", "neq": "!=", "cup": "∪", "colon": ":", "%": "%",
    "{": "\\{", "}": "\\}", "lbrace": "\\{", "rbrace": "\\}", "lbrack": "[", "rbrack": "]",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "|": "|",
    "\\": "\\\\", "cr": "\\\\",
}  # fmt: skip
NAMED = {
    **{name: name for name in GREEK.values()},
    "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho",
    "varsigma": "sigma", "infty": "inf", "exp": "exp", "ln": "ln", "log": "log", "lg": "lg",
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "max": "max", "min": "min", "ell": "l", "in": "in", "land": "and",
    "wedge": "and", "lor": "or", "vee": "or", "emptyset": "emptyset", "varnothing": "emptyset",
    "imath": "i",
}  # fmt: skip
FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))
TEXTS = frozenset(
    ("text", "mathrm", "textrm", "operatorname", "mathit", "mathbf", "mathsf", "mbox", "textbf")
)
MATRICES = frozenset(
    (
        "matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "psmallmatrix", "bsmallmatrix",
    )
)  # fmt: skip
STRUCTURES = frozenset(("sqrt", "begin", "end")) | FRACTIONS | TEXTS
KNOWN = frozenset(SKIPPED | SIGNS.keys() | NAMED.keys() | STRUCTURES)

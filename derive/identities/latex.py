"""Trees of the plain grammar as LaTeX, as written: nothing is reordered."""

from __future__ import annotations

from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Number,
    Relation,
    Sum,
    Tree,
    Vector,
)

ADDED, PRODUCT, POWER, ATOM = 1, 2, 3, 4
SIGNS = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "->": r"\to"}
GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "theta", "lambda", "mu", "nu", "xi", "rho",
    "sigma", "tau", "phi", "chi", "psi", "omega",
}  # fmt: skip
FUNCTIONS = {"ln": r"\ln", "log": r"\ln", "sin": r"\sin", "cos": r"\cos", "tan": r"\tan",
             "tanh": r"\tanh", "max": r"\max", "min": r"\min"}  # fmt: skip


def latex(t: Tree) -> str:
    r"""A tree as LaTeX.

    >>> from derive.text import parse
    >>> latex(parse("exp(s[k] - m)/sum(k, 0, n-1, exp(s[k]))"))
    '\\frac{e^{s_{k} - m}}{\\sum_{k=0}^{n - 1} e^{s_{k}}}'
    """
    return _tex(t)[0]


def relation(r: Relation) -> str:
    """A relation as LaTeX."""
    return f"{latex(r.left)} {SIGNS[r.op]} {latex(r.right)}"


def _within(t: Tree, least: int) -> str:
    text, binding = _tex(t)
    return text if binding >= least else rf"\left({text}\right)"


def _tex(t: Tree) -> tuple[str, int]:  # noqa: C901
    match t:
        case Number(p=p, q=q):
            return (str(p), ATOM) if q == 1 else (rf"\tfrac{{{p}}}{{{q}}}", PRODUCT)
        case Constant(name=name):
            return {"pi": r"\pi", "inf": r"\infty"}.get(name, name), ATOM
        case Name(name=name):
            return _name(name), ATOM
        case Index(name="mean", indices=(x,)):
            return rf"\mathbb{{E}}\left[{latex(x)}\right]", ATOM
        case Index(name=name, indices=parts):
            return _indexed(name, ",".join(map(latex, parts))), ATOM
        case Negative(x=x):
            return f"-{_within(x, PRODUCT)}", ADDED
        case Binary():
            return _binary(t)
        case Sum(index=index, low=low, high=high, body=body):
            head = rf"\sum_{{{_name(index)}={latex(low)}}}^{{{latex(high)}}}"
            return f"{head} {_within(body, PRODUCT)}", ADDED
        case Call(function=f, args=args):
            return _call(f, args)
        case Vector(items=items):
            return rf"\left[{', '.join(map(latex, items))}\right]", ATOM
    raise TypeError(f"not a tree: {t!r}")


def _binary(t: Binary) -> tuple[str, int]:
    if t.op == "/":
        return rf"\frac{{{latex(t.left)}}}{{{latex(t.right)}}}", PRODUCT
    if t.op == "^":
        return rf"{_within(t.left, ATOM)}^{{{latex(t.right)}}}", POWER
    if t.op == "*":
        left, right = _factor(t.left), _factor(t.right)
        dot = r" \cdot " if right[:1].isdigit() else r" \, "
        return f"{left}{dot}{right}", PRODUCT
    left = latex(t.left)
    right = _within(t.right, PRODUCT if not _opens(t.right) else ADDED)
    return f"{left} {t.op} {right}", ADDED


def _opens(t: Tree) -> bool:
    """A sum sign at the end of a sum of terms needs no bracket."""
    return isinstance(t, Sum)


def _factor(t: Tree) -> str:
    return _within(t, PRODUCT)


def _call(f: str, args: tuple[Tree, ...]) -> tuple[str, int]:
    inner = [latex(x) for x in args]
    match f:
        case "exp":
            return f"e^{{{inner[0]}}}", POWER
        case "sqrt":
            return rf"\sqrt{{{inner[0]}}}", ATOM
        case "abs":
            return rf"\left|{inner[0]}\right|", ATOM
        case "delta":
            return rf"\delta_{{{','.join(inner)}}}", ATOM
        case "leq":
            return rf"[{inner[0]} \le {inner[1]}]", ATOM
        case "diff":
            body = _within(args[0], PRODUCT)
            return rf"\frac{{\partial}}{{\partial {inner[1]}}} {body}", PRODUCT
    name = FUNCTIONS.get(f, rf"\operatorname{{{f}}}")
    return rf"{name}\left({', '.join(inner)}\right)", ATOM


def _name(name: str) -> str:
    return _indexed(name, "")


def _indexed(name: str, indices: str) -> str:
    """m1 is m with the index 1; dP a differential; longer names are set upright."""
    body = name.rstrip("0123456789_")
    number = name[len(body) :].strip("_")
    head, _, tail = body.partition("_")
    if head in GREEK:
        head = rf"\{head}"
    elif len(head) > 1 and head[0] == "d":
        head = rf"\mathrm{{d}}{head[1:]}"
    elif len(head) > 1:
        head = rf"\mathrm{{{head}}}"
    elif head == "l":
        head = r"\ell"
    lower = ",".join(x for x in (rf"\mathrm{{{tail}}}" if tail else "", number, indices) if x)
    return f"{head}_{{{lower}}}" if lower else head

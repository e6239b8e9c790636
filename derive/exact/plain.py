"""SymPy expressions in the plain grammar, as a good teacher would write them.

Order and brackets are those of derive.exact.pieces: they depend on the structure alone,
never on SymPy's own order, and every text reads back as the same value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from derive.exact.amounts import TooLarge
from derive.exact.dag import UndefinedValue, UnsupportedFunction
from derive.exact.from_sympy import FUNCTIONS, InexactNumber, cell_name
from derive.exact.indicators import without_cases
from derive.exact.pieces import (
    CALL,
    CIRCLE,
    FUNCTION,
    IMAGINARY,
    LETTER,
    LETTERS,
    NUMBER,
    PI,
    ROOTS,
    Key,
    Piece,
    atom,
    exponential,
    power,
    product,
    total,
)

LONGEST = 1_000_000  # characters
ONE = Fraction(1)
CELLS = (sp.Indexed, MatrixElement)
CASES = (sp.Piecewise, sp.Heaviside)
CONSTANTS = {sp.pi: "pi", sp.E: "e", sp.I: "i"}
UNSHADOWED = {"pi": "acos(-1)", "e": "exp(1)", "i": "sqrt(-1)"}  # where a letter has the name


def plain(expr: sp.Expr) -> str:
    """The expression in the plain grammar; reading it gives the same value.

    Raises UnsupportedFunction for what the grammar lacks, InexactNumber for floats,
    UndefinedValue for nan and 1/0, TooLarge past LONGEST characters.

    >>> x = sp.Symbol("x")
    >>> plain(sp.sin(2) * 3 / 2 + sp.cos(2) / 2)
    'cos(2)/2 + 3*sin(2)/2'
    >>> plain((1 - 2 * x + x**2) / sp.sqrt(x)), plain(-sp.oo)
    ('(x^2 - 2*x + 1)/sqrt(x)', '-inf')
    """
    return _Printer(expr).piece(expr).signed


class _Printer:
    """The pieces of one expression, parts first, each made once."""

    def __init__(self, expr: sp.Expr) -> None:
        self.pieces: dict[int, Piece] = {}  # by identity
        self.rewritten: dict[int, sp.Expr] = {}
        self.names = _names(expr)

    def piece(self, expr: sp.Expr) -> Piece:
        waiting: list[tuple[sp.Expr, bool]] = [(expr, False)]
        while waiting:
            x, ready = waiting.pop()
            if id(x) in self.pieces:
                continue
            if ready:
                made = self.make(x)
                if len(made.text) > LONGEST:
                    raise TooLarge(f"an expression of more than {LONGEST} characters")
                self.pieces[id(x)] = made
            else:
                waiting.append((x, True))
                waiting += [(part, False) for part in self.parts(x)]
        return self.pieces[id(expr)]

    def parts(self, x: sp.Expr) -> Sequence[sp.Expr]:
        """The expressions whose pieces are needed first."""
        if isinstance(x, CASES):
            return [self.rewrite(x)]
        if isinstance(x, sp.Add):
            return self.terms(x)
        if _is_product(x):
            return [base for base, _ in _factors(x)[1]]
        return () if isinstance(x, CELLS) else x.args

    def make(self, x: sp.Expr) -> Piece:
        if isinstance(x, CASES):
            return self.pieces[id(self.rewrite(x))]
        if isinstance(x, sp.Add):
            return total([self.pieces[id(term)] for term in self.terms(x)])
        if _is_product(x):
            number, factors = _factors(x)
            return product(number, [(self.pieces[id(base)], e) for base, e in factors])
        args = [] if isinstance(x, CELLS) else [self.pieces[id(part)] for part in x.args]
        if isinstance(x, sp.UnevaluatedExpr):
            return args[0]
        if isinstance(x, sp.exp) or (isinstance(x, sp.Pow) and x.base is sp.E):
            return exponential(f"exp({args[-1].signed})", args[-1])
        if isinstance(x, sp.Pow):
            return power(*args)
        return _function(x, args) if args else self.leaf(x)

    def rewrite(self, x: sp.Expr) -> sp.Expr:
        """A definition by cases without them, the same object each time."""
        if id(x) not in self.rewritten:
            self.rewritten[id(x)] = without_cases(x)
        return self.rewritten[id(x)]

    def terms(self, x: sp.Add) -> list[sp.Expr]:
        """The terms of a sum, of sums inside it, too."""
        out, waiting = [], [x]
        while waiting:
            part = waiting.pop()
            if isinstance(part, CASES):
                part = self.rewrite(part)
            if isinstance(part, sp.Add):
                waiting += reversed(part.args)
            else:
                out.append(part)
        return out

    def leaf(self, x: sp.Expr) -> Piece:
        """A letter, a cell, pi, e, i, infinity."""
        if isinstance(x, sp.Symbol):
            return atom(x.name, LETTERS, LETTER)
        if isinstance(x, CELLS):
            return atom(cell_name(x), LETTERS, LETTER)
        if x in (sp.oo, -sp.oo):
            made = atom("inf", NUMBER, ROOTS)
            return made if x is sp.oo else replace(made, negative=True, coefficient=-ONE)
        if x not in CONSTANTS:
            return _refused(x)
        name = CONSTANTS[x]
        text = UNSHADOWED[name] if name in self.names else name
        if name == "e":
            return exponential(text, product(ONE, []))
        return atom(text, PI, CIRCLE) if name == "pi" else atom(text, NUMBER, IMAGINARY)


def _function(x: sp.Expr, args: list[Piece]) -> Piece:
    for kind, name in FUNCTIONS.items():
        if isinstance(x, kind):
            if name in ("max", "min"):
                args = sorted(args, key=_number_first)
            text = f"{'ln' if name == 'log' else name}({', '.join(a.signed for a in args)})"
            return atom(text, min(FUNCTION, *(a.rank for a in args)), CALL)
    return _refused(x)


def _number_first(x: Piece) -> tuple[bool, Fraction, Key]:
    return (x.rank != NUMBER, x.coefficient if x.rank == NUMBER else ONE, x.key)


def _refused(x: sp.Expr) -> Piece:
    if x in (sp.nan, sp.zoo) or isinstance(x, sp.AccumBounds):
        raise UndefinedValue("division by zero, infinity - infinity or the like")
    if isinstance(x, sp.Float):
        raise InexactNumber("a floating-point number has no exact text; write it as a fraction")
    raise UnsupportedFunction(f"the function {x.func.__name__} is not in the plain grammar")


def _is_product(x: sp.Expr) -> bool:
    """A rational number, a product, or a power with rational exponent."""
    if isinstance(x, sp.Pow):
        return isinstance(x.exp, sp.Rational) and x.base is not sp.E
    return isinstance(x, sp.Rational | sp.Mul)


def _factors(x: sp.Expr) -> tuple[Fraction, list[tuple[sp.Expr, Fraction]]]:
    """A product as its number and its powers with rational exponents."""
    number, out, waiting = ONE, [], [x]
    while waiting:
        part = waiting.pop()
        if isinstance(part, sp.Mul):
            waiting += reversed(part.args)
        elif isinstance(part, sp.Rational):
            number *= Fraction(int(part.p), int(part.q))
        elif isinstance(part, sp.Pow) and _is_product(part):
            out.append((part.base, Fraction(int(part.exp.p), int(part.exp.q))))
        else:
            out.append((part, ONE))
    return number, [(base, e) for base, e in out if e]


def _names(expr: sp.Expr) -> set[str]:
    """The names of the letters of an expression."""
    seen: set[int] = set()
    names: set[str] = set()
    waiting = [expr]
    while waiting:
        x = waiting.pop()
        if id(x) not in seen:
            seen.add(id(x))
            waiting += x.args
            if isinstance(x, sp.Symbol):
                names.add(x.name)
    return names

"""SymPy expressions: an arithmetic for closed forms, and their way into the kernel.

Closed forms are for reading.  What SymPy makes of them is never trusted: every expression
that is decided goes through `to_node` into the kernel's shared expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import sympy as sp

from derive.errors import DeriveError
from derive.exact.amounts import TooLarge
from derive.exact.dag import UndefinedValue, UnsupportedFunction
from derive.exact.from_sympy import InexactNumber, to_node

__all__ = ["InexactNumber", "Symbolic", "UnsupportedFunction", "to_node"]

Sign = Callable[[sp.Expr], int | None]

BITS_BUILT = 200_000  # of the numbers that a power may multiply out
ROOT_BITS = 1_500  # SymPy factors what stands below a root
KINDS: Mapping[str, Mapping[str, bool]] = MappingProxyType(
    {
        "real": {},
        "positive": {"positive": True},
        "nonnegative": {"nonnegative": True},
        "nonzero": {"nonzero": True},
        "integer": {"integer": True},
    }
)
UNDEFINED = (sp.nan, sp.zoo)


class UnknownKind(DeriveError):
    """A letter is said to be of a kind that does not exist."""


def known_sign(x: sp.Expr) -> int | None:
    """The kernel's sign of an expression without letters; None of any other."""
    if x.free_symbols:
        return None
    from derive.exact.sign import sign

    found: int | None = sign(x)
    return found


class Symbolic:
    """The arithmetic of SymPy expressions; `symbols` says of what kind a letter is.

    Signs are asked of `sign`, an expression -> -1, 0, 1, or None where it isn't known; the
    kernel answers where nothing else is given.  Raises UndefinedValue for 1/0 and its
    like, TooLarge for powers that no memory holds.

    >>> f = Symbolic()
    >>> f.sqrt(f.rational(1, 2)) * f.cos(f.rational(2))
    sqrt(2)*cos(2)/2
    """

    builds_powers = True  # SymPy multiplies powers of numbers out

    def __init__(self, symbols: Mapping[str, str] | None = None, sign: Sign | None = None) -> None:
        self.symbols = symbols or {}
        self._ask = sign or known_sign
        self.zero, self.one = sp.Integer(0), sp.Integer(1)

    # leaves

    def rational(self, p: int, q: int = 1) -> sp.Rational:
        """The number p/q."""
        if q == 0:
            raise UndefinedValue("division by zero")
        return sp.Rational(p, q)

    def symbol(self, name: str) -> sp.Symbol:
        """A real letter, of its declared kind."""
        kind = self.symbols.get(name, "real")
        if kind not in KINDS:
            raise UnknownKind(f"{name} is {kind!r}, expected one of {', '.join(KINDS)}")
        return sp.Symbol(name, real=True, **KINDS[kind])

    @property
    def pi(self) -> sp.Expr:
        return sp.pi

    @property
    def e(self) -> sp.Expr:
        return sp.E

    @property
    def i(self) -> sp.Expr:
        return sp.I

    def infinity(self, sign: int = 1) -> sp.Expr:
        """+infinity or -infinity: exp of the latter is exactly 0."""
        return sp.oo if sign > 0 else -sp.oo

    # field operations

    def add(self, *terms: sp.Expr | int) -> sp.Expr:
        """The sum; infinity swallows what is finite."""
        infinite = {x for x in terms if x in (sp.oo, -sp.oo)}
        if len(infinite) == 2:
            raise UndefinedValue("infinity - infinity")
        return infinite.pop() if infinite else _defined(sp.Add(*terms))

    def mul(self, *factors: sp.Expr | int) -> sp.Expr:
        """The product."""
        return _defined(sp.Mul(*factors))

    def power(self, x: sp.Expr, n: int) -> sp.Expr:
        """x to an integer power; 0^0 is 1, 0 to a negative power is undefined."""
        return self._power(x, sp.Integer(n))

    def root(self, x: sp.Expr, n: int) -> sp.Expr:
        """The principal n-th root."""
        return self._power(x, sp.Rational(1, n))

    def sqrt(self, x: sp.Expr) -> sp.Expr:
        return self.root(x, 2)

    def general_power(self, x: sp.Expr, y: sp.Expr) -> sp.Expr:
        """x^y, the principal value exp(y log x)."""
        if isinstance(y, sp.Rational):
            return self._power(x, y)
        if x is sp.E:
            return self.exp(y)
        if x == 0:
            raise UndefinedValue("0 to a power that is not a rational number")
        return _defined(sp.Pow(x, y))

    def _power(self, x: sp.Expr, n: sp.Rational) -> sp.Expr:
        size = _bits(x)
        if size * abs(n) > BITS_BUILT:
            raise TooLarge(f"a power of more than {BITS_BUILT} bits")
        if n.q > 1 and size > ROOT_BITS:
            raise TooLarge(f"a root of a number of more than {ROOT_BITS} bits")
        return _defined(sp.Pow(x, n))

    # functions

    def exp(self, x: sp.Expr) -> sp.Expr:
        terms = sp.Add.make_args(x)
        if -sp.oo in terms:
            return self.zero
        for term in terms:  # SymPy turns exp(n log 9) into 9^n
            coefficient, rest = term.as_coeff_Mul()
            if isinstance(rest, sp.log) and isinstance(coefficient, sp.Rational):
                self._power(rest.args[0], coefficient)
        return _defined(sp.exp(x))

    def log(self, x: sp.Expr) -> sp.Expr:
        """The principal logarithm."""
        if x == 0:
            raise UndefinedValue("the logarithm of 0")
        if isinstance(x, sp.exp) and _surely_real(x.args[0]):
            return x.args[0]
        return sp.log(x, evaluate=isinstance(x, sp.Rational) or x in (sp.E, sp.oo))

    def sin(self, x: sp.Expr) -> sp.Expr:
        return _defined(sp.sin(x))

    def cos(self, x: sp.Expr) -> sp.Expr:
        return _defined(sp.cos(x))

    def tan(self, x: sp.Expr) -> sp.Expr:
        return _defined(sp.tan(x))

    def asin(self, x: sp.Expr) -> sp.Expr:
        return sp.asin(x, evaluate=_algebraic(x))

    def acos(self, x: sp.Expr) -> sp.Expr:
        return sp.acos(x, evaluate=_algebraic(x))

    def atan(self, x: sp.Expr) -> sp.Expr:
        return _defined(sp.atan(x, evaluate=_algebraic(x)))

    def sinh(self, x: sp.Expr) -> sp.Expr:
        return sp.sinh(x)

    def cosh(self, x: sp.Expr) -> sp.Expr:
        return sp.cosh(x)

    def tanh(self, x: sp.Expr) -> sp.Expr:
        return _defined(sp.tanh(x))

    def erf(self, x: sp.Expr) -> sp.Expr:
        return sp.erf(x)

    def sigmoid(self, x: sp.Expr) -> sp.Expr:
        return self.power(self.add(self.exp(-x), 1), -1)

    # choices by sign

    def _sign(self, x: sp.Expr) -> int | None:
        if isinstance(x, sp.Rational) or x in (sp.oo, -sp.oo):
            return bool(x > 0) - bool(x < 0)
        if isinstance(x, sp.Symbol) and x.is_positive:  # as it was declared
            return 1
        return self._ask(x)

    def abs(self, x: sp.Expr) -> sp.Expr:
        sign = self._sign(x)
        return sp.Abs(x, evaluate=False) if sign is None else x * sign if sign else self.zero

    def sign(self, x: sp.Expr) -> sp.Expr:
        sign = self._sign(x)
        return sp.sign(x, evaluate=False) if sign is None else sp.Integer(sign)

    def max(self, *values: sp.Expr | int) -> sp.Expr:
        """The largest; those that may be the largest where signs are not known."""
        return self._extreme(1, values)

    def min(self, *values: sp.Expr | int) -> sp.Expr:
        return self._extreme(-1, values)

    def _extreme(self, way: int, values: tuple[sp.Expr | int, ...]) -> sp.Expr:
        kept: list[sp.Expr] = []
        for x in (sp.Integer(x) if isinstance(x, int) else x for x in values):
            order = [self._sign((x - y) * way) if x != y else 0 for y in kept]
            if any(sign in (-1, 0) for sign in order):
                continue
            kept = [y for y, sign in zip(kept, order, strict=True) if sign is None] + [x]
        if len(kept) == 1:
            return kept[0]
        return (sp.Max if way > 0 else sp.Min)(*kept, evaluate=False)

    def select(self, x: sp.Expr, negative: sp.Expr, zero: sp.Expr, positive: sp.Expr) -> sp.Expr:
        """negative where x < 0, zero where x = 0, positive where x > 0; x is real."""
        if negative == zero == positive:
            return zero
        sign = self._sign(x)
        if sign is not None:
            return (zero, positive, negative)[sign]
        return sp.Piecewise(
            (negative, sp.StrictLessThan(x, 0, evaluate=False)),
            (zero, sp.Equality(x, 0, evaluate=False)),
            (positive, True),
            evaluate=False,
        )


def _defined(x: sp.Expr) -> sp.Expr:
    infinite = isinstance(x, sp.Mul) and (sp.oo in x.args or -sp.oo in x.args)  # times unknown
    if x in UNDEFINED or isinstance(x, sp.AccumBounds) or infinite:
        raise UndefinedValue("division by zero, infinity - infinity or the like")
    return x


def _bits(x: sp.Expr) -> int:
    """The bits of the numbers that a power of x would multiply out."""
    if isinstance(x, sp.Rational):
        return 0 if abs(x.p) == x.q else max(int(x.p).bit_length(), int(x.q).bit_length())
    if isinstance(x, sp.Pow) and isinstance(x.exp, sp.Rational):
        return -(-_bits(x.base) * abs(int(x.exp.p)) // int(x.exp.q))
    return sum(map(_bits, x.args)) if isinstance(x, sp.Mul) else 0


def _algebraic(x: sp.Expr) -> bool:
    """Only rationals, roots and their sums and products: SymPy looks these up in tables."""
    return not x.has(sp.Function, sp.exp, sp.pi, sp.E)


def _surely_real(x: sp.Expr) -> bool:
    """Real by its shape alone."""
    if isinstance(x, sp.Pow):
        return isinstance(x.exp, sp.Integer) and _surely_real(x.base)
    if isinstance(x, sp.Add | sp.Mul | sp.exp | sp.sin | sp.cos):
        return all(map(_surely_real, x.args))
    return isinstance(x, sp.Rational) or x in (sp.pi, sp.E) or bool(x.is_Symbol and x.is_real)

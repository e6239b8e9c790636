"""Shared expressions: the kernel's own small language, equal nodes stored once.

A transformer cell written out as a tree can have 10^13 nodes; as a shared graph it has a
thousand.  So everything that is decided, is decided on these nodes, and SymPy stands only
at the edges.  A node is one of

    rational (p, q)      symbol name      pi      i      infinity (+1 or -1)
    add x y …            mul x y …        power x n (n an integer, not 0 or 1)
    root x n (n >= 2, the principal root)
    exp log sin cos asin acos atan erf x
    select x a b c       a where x < 0, b where x = 0, c where x > 0

and everything else (tan, tanh, sigmoid, max, abs …) is written with these.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd, isqrt, prod

from derive.errors import DeriveError

Number = tuple[int, int]  # numerator, denominator > 0, lowest terms

BITS_BUILT = 200_000  # a rational power above this size stays a power
FUNCTIONS = ("exp", "log", "sin", "cos", "asin", "acos", "atan", "erf")


class UndefinedValue(Exception):
    """0/0, infinity - infinity, log 0 …: the expression has no value."""


class UnsupportedFunction(DeriveError):
    """The kernel has no such function or letter; nothing can be decided about it."""


class Node:
    """One shared expression; arithmetic with nodes and ints builds further nodes."""

    __slots__ = ("args", "dag", "data", "index", "op")

    def __init__(self, dag: Dag, op: str, args: tuple[Node, ...], data: object, index: int) -> None:
        self.dag, self.op, self.args, self.data, self.index = dag, op, args, data, index

    def __add__(self, other: Node | int) -> Node:
        return self.dag.add(self, other)

    def __mul__(self, other: Node | int) -> Node:
        return self.dag.mul(self, other)

    def __neg__(self) -> Node:
        return self.dag.mul(self, -1)

    def __sub__(self, other: Node | int) -> Node:
        return self.dag.add(self, self.dag.mul(other, -1))

    def __rsub__(self, other: Node | int) -> Node:
        return self.dag.add(other, -self)

    def __truediv__(self, other: Node | int) -> Node:
        return self.dag.mul(self, self.dag.power(self.dag.node(other), -1))

    def __rtruediv__(self, other: Node | int) -> Node:
        return self.dag.mul(other, self.dag.power(self, -1))

    def __pow__(self, n: int) -> Node:
        return self.dag.power(self, n)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def number(self) -> Number | None:
        """(p, q) of a rational node, None of any other."""
        return self.data if self.op == "rational" else None  # type: ignore[return-value]

    def __repr__(self) -> str:
        inside = [*(f"n{a.index}" for a in self.args)]
        if self.data is not None:
            inside.append(repr(self.data))
        return f"n{self.index}:{self.op}({', '.join(inside)})"


class Dag:
    """An arena of shared nodes, and the arithmetic that builds them.

    >>> f = Dag()
    >>> x = f.symbol("x")
    >>> (x + 1) - x == f.rational(1)
    True
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []  # in order of creation, so arguments come first
        self._known: dict[tuple[object, ...], Node] = {}
        self.zero = self.rational(0)
        self.one = self.rational(1)

    def _make(self, op: str, args: tuple[Node, ...] = (), data: object = None) -> Node:
        if args and args[0].op == "infinity" and (op in FUNCTIONS or op == "root"):
            raise UndefinedValue(f"{op} of an infinity")
        key = (op, data, *(a.index for a in args))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Node(self, op, args, data, len(self.nodes))
            self.nodes.append(found)
        return found

    # leaves

    def rational(self, p: int, q: int = 1) -> Node:
        """The number p/q."""
        if q == 0:
            raise UndefinedValue("division by zero")
        if q < 0:
            p, q = -p, -q
        common = gcd(p, q)
        return self._make("rational", (), (p // common, q // common))

    def symbol(self, name: str) -> Node:
        """A free letter; what is known of it stands in the assumptions."""
        return self._make("symbol", (), name)

    @property
    def pi(self) -> Node:
        return self._make("pi")

    @property
    def e(self) -> Node:
        return self.exp(self.one)

    @property
    def i(self) -> Node:
        """The imaginary unit."""
        return self._make("i")

    def infinity(self, sign: int = 1) -> Node:
        """+infinity or -infinity, as masks need it."""
        return self._make("infinity", (), sign)

    def node(self, x: Node | int) -> Node:
        return self.rational(x) if isinstance(x, int) else x

    # field operations

    def add(self, *terms: Node | int) -> Node:
        """The sum, like terms collected."""
        p, q = 0, 1
        parts: dict[Node, Number] = {}
        infinite: Node | None = None
        for term in self._flat("add", map(self.node, terms)):
            if term.op == "infinity":
                if infinite not in (None, term):
                    raise UndefinedValue("infinity - infinity")
                infinite = term
                continue
            (a, b), rest = _coefficient(term)
            if not rest:
                p, q = p * b + a * q, q * b
                continue
            base = rest[0] if len(rest) == 1 else self._make("mul", rest)
            c, d = parts.get(base, (0, 1))
            parts[base] = (c * b + a * d, d * b)
        if infinite is not None:
            return infinite
        out = [self.mul(self.rational(*c), x) for x, c in parts.items() if c[0]]
        if p or not out:
            out.append(self.rational(p, q))
        if len(out) == 1:
            return out[0]
        return self._make("add", tuple(sorted(out, key=lambda x: x.index)))

    def mul(self, *factors: Node | int) -> Node:
        """The product, powers of one base collected."""
        p, q = 1, 1
        powers: dict[Node, int] = {}
        infinite: list[int] = []
        for factor in self._flat("mul", map(self.node, factors)):
            if factor.number is not None:
                p, q = p * factor.number[0], q * factor.number[1]
            elif factor.op == "infinity":
                infinite.append(int(factor.data))  # type: ignore[call-overload]
            else:
                base, n = _base(factor)
                powers[base] = powers.get(base, 0) + n
        out = [self.power(x, n) for x, n in powers.items() if n]
        if infinite:
            if out or p == 0:
                raise UndefinedValue("infinity times a value of unknown or zero sign")
            return self.infinity(prod(infinite) * (1 if p > 0 else -1))
        return self._product(p, q, out) if p else self.zero

    def _product(self, p: int, q: int, factors: list[Node]) -> Node:
        """p/q times factors of different bases; a power may have become a number."""
        out = []
        for x in factors:
            if x.number is not None:
                p, q = p * x.number[0], q * x.number[1]
            else:
                out.append(x)
        if (p, q) != (1, 1) or not out:
            out.append(self.rational(p, q))
        if len(out) == 1:
            return out[0]
        return self._make("mul", tuple(sorted(out, key=lambda x: x.index)))

    def _flat(self, op: str, args: Iterable[Node]) -> Iterable[Node]:
        for x in args:
            if x.op == op:
                yield from x.args
            else:
                yield x

    def power(self, x: Node, n: int) -> Node:
        """x to an integer power; 0^0 is 1, 0 to a negative power is undefined."""
        if n == 0:
            return self.one
        if n == 1:
            return x
        if x.number is not None:
            p, q = x.number
            if p == 0 and n < 0:
                raise UndefinedValue("division by zero")
            if abs(p) == q or max(p.bit_length(), q.bit_length()) * abs(n) <= BITS_BUILT:
                return self.rational(p**n, q**n) if n > 0 else self.rational(q**-n, p**-n)
        if x.op == "power":
            return self.power(x.args[0], n * int(x.data))  # type: ignore[call-overload]
        if x.op == "mul":
            return self.mul(*(self.power(y, n) for y in x.args))
        if x.op == "i":
            return (self.one, x, self.rational(-1), -x)[n % 4]
        if x.op == "infinity":
            return self.zero if n < 0 else self.infinity(1 if n % 2 == 0 else int(x.data))  # type: ignore[call-overload]
        return self._make("power", (x,), n)

    def root(self, x: Node, n: int) -> Node:
        """The principal n-th root: of a negative number it is not real."""
        if x.number is not None and x.number[0] >= 0:
            p, q = (_integer_root(z, n) for z in x.number)
            if p is not None and q is not None:
                return self.rational(p, q)
        return self._make("root", (x,), n)

    def sqrt(self, x: Node) -> Node:
        return self.root(x, 2)

    def general_power(self, x: Node, y: Node) -> Node:
        """x^y, the principal value exp(y log x)."""
        if y.number is not None:
            p, q = y.number
            return self.power(self.root(x, q) if q > 1 else x, p)
        if x.op == "exp" and x.args[0] == self.one:
            return self.exp(y)
        if x == self.zero:
            raise UndefinedValue("0 to a power that is not a rational number")
        return self.exp(self.mul(y, self.log(x)))

    # functions

    def exp(self, x: Node) -> Node:
        if x == self.zero:
            return self.one
        if x.op == "infinity":
            return self.zero if x.data == -1 else x
        terms = x.args if x.op == "add" else (x,)
        powers = [y for y in map(self._power_of_log, terms) if y is not None]
        if powers:
            rest = [y for y in terms if self._power_of_log(y) is None]
            return self.mul(self.exp(self.add(*rest)), *powers)
        return self._make("exp", (x,))

    def _power_of_log(self, x: Node) -> Node | None:
        """y^q where x is q log y, q rational: that is what a principal power means."""
        (p, q), rest = _coefficient(x)
        if len(rest) != 1 or rest[0].op != "log":
            return None
        y = rest[0].args[0]
        return self.power(self.root(y, q) if q > 1 else y, p)

    def log(self, x: Node) -> Node:
        if x == self.one:
            return self.zero
        if x == self.zero:
            raise UndefinedValue("the logarithm of 0")
        return self._make("log", (x,))

    def sin(self, x: Node) -> Node:
        if x == self.zero:
            return self.zero
        if x.op == "asin":
            return x.args[0]
        if x.op == "acos":
            return self.sqrt(1 - x.args[0] ** 2)
        if x.op == "atan":
            return x.args[0] / self.sqrt(1 + x.args[0] ** 2)
        return self._make("sin", (x,))

    def cos(self, x: Node) -> Node:
        if x == self.zero:
            return self.one
        if x.op == "acos":
            return x.args[0]
        if x.op == "asin":
            return self.sqrt(1 - x.args[0] ** 2)
        if x.op == "atan":
            return 1 / self.sqrt(1 + x.args[0] ** 2)
        return self._make("cos", (x,))

    def asin(self, x: Node) -> Node:
        return self.zero if x == self.zero else self._make("asin", (x,))

    def acos(self, x: Node) -> Node:
        return self.zero if x == self.one else self._make("acos", (x,))

    def atan(self, x: Node) -> Node:
        return self.zero if x == self.zero else self._make("atan", (x,))

    def erf(self, x: Node) -> Node:
        return self.zero if x == self.zero else self._make("erf", (x,))

    def select(self, x: Node, negative: Node, zero: Node, positive: Node) -> Node:
        """negative where x < 0, zero where x = 0, positive where x > 0; x is real."""
        if negative == zero == positive:
            return zero
        if x.number is not None:
            p = x.number[0]
            return positive if p > 0 else zero if p == 0 else negative
        if x.op == "infinity":
            return positive if x.data == 1 else negative
        return self._make("select", (x, negative, zero, positive))

    # written with the others

    def tan(self, x: Node) -> Node:
        return self.sin(x) / self.cos(x)

    def sinh(self, x: Node) -> Node:
        return (self.exp(x) - self.exp(-x)) / 2

    def cosh(self, x: Node) -> Node:
        return (self.exp(x) + self.exp(-x)) / 2

    def tanh(self, x: Node) -> Node:
        square = self.exp(x * 2)
        return (square - 1) / (square + 1)

    def sigmoid(self, x: Node) -> Node:
        return 1 / (self.exp(-x) + 1)

    def abs(self, x: Node) -> Node:
        return self.select(x, -x, self.zero, x)

    def sign(self, x: Node) -> Node:
        return self.select(x, self.rational(-1), self.zero, self.one)

    def max(self, *values: Node | int) -> Node:
        best, *rest = map(self.node, values)
        for x in rest:
            if best.op == "infinity" or x.op == "infinity":
                best = best if best == self.infinity() or x == self.infinity(-1) else x
            else:
                best = self.select(x - best, best, best, x)
        return best

    def min(self, *values: Node | int) -> Node:
        return -self.max(*(-self.node(x) for x in values))

    # for certificates

    def program(self, *roots: Node) -> tuple[list[tuple[object, ...]], list[int]]:
        """The nodes that the roots need, arguments first, as plain tuples, and the roots.

        Each tuple is (op, argument positions …, data …): rational p q, symbol name,
        infinity sign, power x n, root x n, the others their arguments alone.
        """
        wanted: set[int] = set()
        stack = list(roots)
        while stack:
            x = stack.pop()
            if x.index not in wanted:
                wanted.add(x.index)
                stack.extend(x.args)
        place = {index: k for k, index in enumerate(sorted(wanted))}
        lines: list[tuple[object, ...]] = []
        for index in sorted(wanted):
            x = self.nodes[index]
            data = () if x.data is None else x.data if isinstance(x.data, tuple) else (x.data,)
            lines.append((x.op, *(place[a.index] for a in x.args), *data))
        return lines, [place[r.index] for r in roots]


def _base(x: Node) -> tuple[Node, int]:
    """A factor as base and integer exponent."""
    return (x.args[0], int(x.data)) if x.op == "power" else (x, 1)  # type: ignore[call-overload]


def _coefficient(term: Node) -> tuple[Number, tuple[Node, ...]]:
    """A term as rational coefficient and the factors that remain (none for a number)."""
    if term.number is not None:
        return term.number, ()
    if term.op == "mul":
        for k, x in enumerate(term.args):
            if x.number is not None:
                return x.number, term.args[:k] + term.args[k + 1 :]
    return (1, 1), (term,)


def _integer_root(z: int, n: int) -> int | None:
    """The exact n-th root of z >= 0, or None."""
    if z < 2:
        return z
    if z.bit_length() < n:
        return None
    root = isqrt(z) if n == 2 else _newton(z, n)
    return root if root**n == z else None


def _newton(z: int, n: int) -> int:
    """The n-th root of z > 0 rounded down, from above by Newton's rule."""
    x = 1 << -(-z.bit_length() // n)
    while (y := ((n - 1) * x + z // x ** (n - 1)) // n) < x:
        x = y
    return x

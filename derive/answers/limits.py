"""The limit of a rational function in exponentials of one letter, decided exactly.

An expression is brought to a quotient of sums c x^n e^(a x) with constants a and c; the terms
that grow fastest decide.  What isn't of this form has no limit here, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key

from derive.exact.assumptions import Assumption
from derive.exact.cases import substitute
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.points import symbols
from derive.exact.sign import compare, sign

MOST_TERMS = 400  # of one sum
LARGEST_POWER = 40


class NoLimit(Exception):
    """No limit is found: the expression has another form, or a sign stays open."""


Growth = tuple[Node, int]  # x^n e^(a x) as (a, n)
Terms = dict[Growth, Node]  # its constant factors
Quotient = tuple[Terms, Terms]


def limit(x: Node, letter: str, place: Node, assumptions: Sequence[Assumption] = ()) -> Node:
    """The limit of x as the letter goes to a place, which may be infinite.

    Raises NoLimit where it isn't found.

    >>> f = Dag()
    >>> b = f.symbol("b")
    >>> limit(f.exp(b) / (2 * f.exp(b) + b), "b", f.infinity(1)).number
    (1, 2)
    """
    f = x.dag
    if place.op != "infinity":
        try:  # everything here is continuous where it has a value, but for a sign at 0
            return _continuous(x, letter, place)
        except UndefinedValue as why:
            raise NoLimit(str(why)) from None
    if place.data == -1:
        try:
            (x,) = substitute((f.symbol(letter), -f.symbol(letter)), [x])
        except UndefinedValue as why:
            raise NoLimit(str(why)) from None
    return _Limit(f, letter, assumptions).of(x)


def _continuous(x: Node, letter: str, place: Node) -> Node:
    from derive.exact.points import reach

    if any(y.op == "select" and letter in symbols(y.args[0]) for y in reach(x)):
        raise NoLimit("a case distinction in the letter")
    return substitute((x.dag.symbol(letter), place), [x])[0]


class _Limit:
    def __init__(self, f: Dag, letter: str, assumptions: Sequence[Assumption]) -> None:
        self.f, self.letter, self.assumptions = f, letter, tuple(assumptions)
        self.known: dict[Node, Quotient] = {}

    def of(self, x: Node) -> Node:
        above, below = map(self.leading, self.quotient(x))
        if below is None:
            raise NoLimit("a division by zero")
        if above is None:
            return self.f.zero
        (fast, c), (slow, b) = above, below
        order = self.order(fast, slow)
        if order < 0:
            return self.f.zero
        if order == 0:
            return c / b
        found = sign(c / b, self.assumptions)
        if not found:
            raise NoLimit("the sign of what grows is open")
        return self.f.infinity(found)

    def quotient(self, x: Node) -> Quotient:
        if x not in self.known:
            self.known[x] = self.made(x)
        return self.known[x]

    def made(self, x: Node) -> Quotient:
        f, one = self.f, {(self.f.zero, 0): self.f.one}
        if self.letter not in symbols(x):
            if x.op == "infinity":
                raise NoLimit("an infinite number")
            return {(f.zero, 0): x}, one
        if x.op == "symbol":
            return {(f.zero, 1): f.one}, one
        if x.op in ("add", "mul"):
            return self.together(x)
        if x.op == "power":
            return self.powered(self.quotient(x.args[0]), int(str(x.data)))
        if x.op == "exp":
            return self.exponential(x.args[0]), one
        if x.op == "select":
            return self.quotient(self.branch(x))
        raise NoLimit(f"no rational function in exponentials of {self.letter}")

    def together(self, x: Node) -> Quotient:
        """A sum or a product."""
        above, below = self.quotient(x.args[0])
        for y in x.args[1:]:
            a, b = self.quotient(y)
            if x.op == "mul":
                above, below = self.product(above, a), self.product(below, b)
            elif b == below:
                above = self.sum(above, a)
            else:
                above = self.sum(self.product(above, b), self.product(a, below))
                below = self.product(below, b)
        return above, below

    def branch(self, x: Node) -> Node:
        """The case of a distinction that holds in the end."""
        above, below = map(self.leading, self.quotient(x.args[0]))
        if below is None:
            raise NoLimit("a division by zero")
        found = 0 if above is None else sign(above[1] / below[1], self.assumptions)
        if found is None:
            raise NoLimit("a case distinction that stays open")
        return x.args[2 + found]

    def exponential(self, x: Node) -> Terms:
        """e^(a x + b)."""
        above, below = self.quotient(x)
        if [growth for growth in below if growth != (self.f.zero, 0)] or any(
            a is not self.f.zero or n > 1 for a, n in above
        ):
            raise NoLimit("an exponential of more than a multiple of the letter")
        unit = below[self.f.zero, 0]
        rate = above.get((self.f.zero, 1), self.f.zero) / unit
        start = above.get((self.f.zero, 0), self.f.zero) / unit
        return {(rate, 0): self.f.exp(start)}

    def sum(self, a: Terms, b: Terms) -> Terms:
        out = dict(a)
        for growth, c in b.items():
            out[growth] = out[growth] + c if growth in out else c
        return self.fits(out)

    def product(self, a: Terms, b: Terms) -> Terms:
        if len(a) * len(b) > MOST_TERMS * MOST_TERMS:
            raise NoLimit("too many terms")
        out: Terms = {}
        for (rate, n), c in a.items():
            for (other, m), d in b.items():
                at = (rate + other, n + m)
                out[at] = out[at] + c * d if at in out else c * d
        return self.fits(out)

    def fits(self, terms: Terms) -> Terms:
        if len(terms) > MOST_TERMS:
            raise NoLimit("too many terms")
        return terms

    def powered(self, x: Quotient, n: int) -> Quotient:
        if abs(n) > LARGEST_POWER:
            raise NoLimit("too high a power")
        above, below = x if n > 0 else x[::-1]
        out = above, below
        for _ in range(abs(n) - 1):
            out = self.product(out[0], above), self.product(out[1], below)
        return out

    def leading(self, terms: Terms) -> tuple[Growth, Node] | None:
        """The growth of the fastest term that isn't 0, with its factor; None of a sum that is 0."""
        left = sorted(terms, key=cmp_to_key(self.order))
        while left:
            fastest = left[-1]
            same = [growth for growth in left if self.order(growth, fastest) == 0]
            total = self.f.add(*(terms[growth] for growth in same))
            zero = sign(total, self.assumptions)
            if zero is None:
                raise NoLimit("the sign of the leading term is open")
            if zero:
                return fastest, total
            left = left[: -len(same)]
        return None

    def order(self, a: Growth, b: Growth) -> int:
        found = compare(a[0], b[0], self.assumptions)
        if found is None:
            raise NoLimit("two rates can't be compared")
        return found or (a[1] > b[1]) - (a[1] < b[1])

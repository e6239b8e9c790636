"""A text's tree as a value, in any arithmetic: closed form, shared expression, balls.

Every number's size is known before it is built, so `9^9^9` costs nothing: an arithmetic
that keeps powers keeps them, and for one that multiplies them out the text is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from operator import add, mul, neg
from typing import Any

from derive.errors import DeriveError
from derive.exact import functions
from derive.exact.amounts import LARGEST, TooLarge, bits, folded, inverse, number_of
from derive.exact.dag import Dag, UndefinedValue
from derive.text.functions import ARGUMENTS
from derive.text.nearest import nearest
from derive.text.show import show
from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Number,
    Sum,
    Tree,
    Vector,
    names,
)

FOLDED = 10_000  # bits of an exponent, a bound or an index
MOST_TERMS = 10_000  # of all sums together
MOST_STEPS = 200_000  # operations altogether
LARGEST_FACTORIAL = 5_000


class UnknownName(DeriveError):
    """A name that has no value here."""


class NotEvaluated(DeriveError):
    """The text is in the grammar, but has no value of its own here."""


class WrongShape(DeriveError):
    """A vector where a number is needed, or the other way round, or sizes that differ."""


@dataclass(frozen=True, slots=True)
class Item:
    """A value and, where it is a rational number, that number."""

    value: Any  # of the arithmetic, or a tuple for a vector
    number: Fraction | None = None


Letters = Mapping[str, Item]  # running indices of sums
Signed = list[tuple[str, Item]]  # an operator and what stands after it
Build = Callable[[list[Item]], "Item | Plan"]
Plan = tuple[Sequence[tuple[Tree, Letters]], Build]  # what is needed first, and what then


def evaluate(tree: Tree, f: Any, symbols: Mapping[str, Any] | None = None) -> Any:
    """The value of a tree in the arithmetic f; vectors become tuples.

    `symbols` are the values of names (of `s[2]`, too, under that text); without it every
    name is a letter of f.  Raises UnknownName, TooLarge, NotEvaluated, WrongShape, and
    UndefinedValue for 1/0 and its like.

    >>> from derive.exact.dag import Dag
    >>> from derive.text import parse
    >>> evaluate(parse("sum(k, 1, 3, 1/k)"), Dag()).number
    (11, 6)
    """
    return _Reader(f, symbols).item(tree).value


class _Reader:
    def __init__(self, f: Any, symbols: Mapping[str, Any] | None) -> None:
        self.f, self.symbols = f, symbols
        self.builds_powers = getattr(f, "builds_powers", False)
        self.terms = self.steps = 0

    def item(self, tree: Tree) -> Item:
        """The value, by a stack of our own: trees may be deep."""
        waiting: list[tuple[Tree, Letters]] = [(tree, {})]
        plans: list[tuple[int, Build, int]] = []  # parts needed, then what; trees left below
        done: list[Item] = []
        while waiting or plans:
            if plans and len(waiting) == plans[-1][2]:
                count, build, _ = plans.pop()
                parts = done[len(done) - count :]
                del done[len(done) - count :]
                found = build(parts)
                if isinstance(found, Item):
                    done.append(found)
                    continue
            else:
                self.steps += 1
                if self.steps > MOST_STEPS:
                    raise TooLarge(f"more than {MOST_STEPS} operations")
                found = self.plan(*waiting.pop())
            needed, build = found
            plans.append((len(needed), build, len(waiting)))
            waiting.extend(reversed(needed))
        return done[0]

    def plan(self, x: Tree, letters: Letters) -> Plan:
        """What a tree needs, and how its value is made from that."""

        def after(build: Build, *parts: Tree) -> Plan:
            return [(part, letters) for part in parts], build

        match x:
            case Number() | Constant() | Name():
                return after(lambda _: self.leaf(x, letters))
            case Negative(x=part):
                return after(lambda items: self.sum([("-", items[0])]), part)
            case Binary(op="^", left=Constant(name="e"), right=b):
                return after(lambda items: self.known(self.f.exp(_one(items[0]))), b)
            case Binary(op="^", left=a, right=b):
                return after(lambda items: self.power(*items), a, b)
            case Binary(op=op):
                ops, parts = _chain(x)
                combine = self.sum if op in "+-" else self.product
                return after(lambda items: combine([*zip(ops, items, strict=True)]), *parts)
            case Call(function=name, args=args):
                return after(lambda items: self.call(name, items), *args)
            case Index():
                return after(lambda _: self.indexed(x, letters))
            case Vector(items=parts):
                return after(lambda items: Item(tuple(i.value for i in items)), *parts)
        return after(lambda items: self.terms_of(x, letters, *items), x.low, x.high)

    def known(self, value: Any) -> Item:
        """A value and, where it shows, the rational number that it is."""
        number = number_of(value)
        return Item(value, None if number is None or bits(number) > LARGEST else number)

    def rational(self, number: Fraction) -> Item:
        if bits(number) > LARGEST:
            raise TooLarge(f"a number of more than {LARGEST} bits")
        return Item(self.f.rational(number.numerator, number.denominator), number)

    # leaves

    def leaf(self, x: Tree, letters: Letters) -> Item:
        match x:
            case Number(p=p, q=q):
                return self.rational(Fraction(p, q))
            case Constant(name="inf"):
                return Item(self.f.infinity(1))
            case Constant(name=name):
                return Item(getattr(self.f, name))
            case Name(name=name) if name in letters:
                return letters[name]
            case Name(name=name):
                return self.known(self.named(name, letters))
        raise TypeError(f"not a leaf: {x!r}")

    def named(self, name: str, letters: Letters) -> Any:
        """The value that a name was given."""
        if self.symbols is None:
            return self.f.symbol(name)
        try:
            return self.symbols[name]
        except KeyError:
            near = nearest(name, [*self.symbols, *letters])
            hint = f" (nearest: {near})" if near else ""
            raise UnknownName(f"the name {name!r} has no value{hint}") from None

    def indexed(self, x: Index, letters: Letters) -> Item:
        """An entry of a vector that is known, or the letter `s[2]`."""
        places = [self.place(part, letters) for part in x.indices]
        text = f"{x.name}[{','.join(map(str, places))}]"
        try:
            return self.known(self.named(text, letters))
        except UnknownName:
            value = self.named(x.name, letters)
        if not isinstance(value, tuple):
            return Item(self.f.symbol(text))
        for place in places:
            if not (isinstance(value, tuple) and isinstance(place, int)):
                raise WrongShape(f"{text} is not an entry of {x.name}")
            if not 0 <= place < len(value):
                raise WrongShape(f"{text}: {x.name} has entries 0 to {len(value) - 1}")
            value = value[place]
        return self.known(value)

    def place(self, index: Tree, letters: Letters) -> int | str:
        """An index as a number, or as text where it is made of other names."""
        dag = Dag()
        bound = {
            name: dag.rational(*item.number.as_integer_ratio())
            for name, item in letters.items()
            if item.number is not None
        }
        try:
            number = number_of(evaluate(index, dag, bound))
        except UnknownName:
            if names(index) & letters.keys():
                raise NotEvaluated(f"the index {show(index)} is not a number") from None
            return show(index)
        if number is None or number.denominator > 1:
            raise NotEvaluated(f"the index {show(index)} is not a whole number")
        return number.numerator

    # operations

    def sum(self, terms: Signed) -> Item:
        """A chain of + and -."""
        if any(isinstance(x.value, tuple) for _, x in terms):
            sizes = {len(x.value) if isinstance(x.value, tuple) else 0 for _, x in terms}
            if len(sizes) > 1:
                raise WrongShape("only vectors of the same length can be added")
            columns = [[(op, self.known(x.value[k])) for op, x in terms] for k in range(*sizes)]
            return Item(tuple(self.sum(column).value for column in columns))
        numbers = _numbers(terms, neg)
        if numbers is not None:
            return self.rational(folded(add, numbers))
        values = [-x.value if op == "-" else x.value for op, x in terms]
        return self.known(functions.total(self.f, values))

    def product(self, factors: Signed) -> Item:
        """A chain of * and /, read from left to right; at most one factor is a vector."""
        if any(op == "/" and x.number == 0 for op, x in factors):
            raise UndefinedValue("division by zero")
        vectors = [(op, x.value) for op, x in factors if isinstance(x.value, tuple)]
        if vectors:
            if len(vectors) > 1 or vectors[0][0] == "/":
                raise WrongShape("a vector can be multiplied with a number only")
            others = [(op, x) for op, x in factors if not isinstance(x.value, tuple)]
            return self.scaled(vectors[0][1], others)
        numbers = _numbers(factors, inverse)
        if numbers is not None:
            return self.rational(folded(mul, numbers))
        one = self.f.rational(1)
        values = [
            functions.over(self.f, one, x.value) if op == "/" else x.value for op, x in factors
        ]
        return self.known(functions.product(self.f, values))

    def scaled(self, vector: tuple[Any, ...], factors: Signed) -> Item:
        return Item(
            tuple(
                self.scaled(x, factors).value
                if isinstance(x, tuple)
                else self.product([("*", self.known(x)), *factors]).value
                for x in vector
            )
        )

    def power(self, base: Item, exponent: Item) -> Item:
        """x^y, the principal value; powers that are large stay powers where they can."""
        x, y = _one(base), _one(exponent)
        n = exponent.number
        if n is None or bits(n) > FOLDED:
            return self.known(self.f.general_power(x, y))
        if n.denominator > 1:
            return self.known(functions.power(self.f, self.f.root(x, n.denominator), n.numerator))
        if base.number is None:
            return self.known(functions.power(self.f, x, n.numerator))
        if base.number == 0 and n < 0:
            raise UndefinedValue("division by zero")
        if abs(base.number) in (0, 1) or bits(base.number) * abs(n) <= LARGEST:
            return self.rational(
                base.number ** int(n) if abs(base.number) != 1 else base.number ** int(n % 2)
            )
        if self.builds_powers:
            raise TooLarge(f"a power of more than {LARGEST} bits")
        return Item(functions.power(self.f, x, n.numerator))

    def call(self, name: str, items: list[Item]) -> Item:
        if name == "factorial":
            return self.factorial(items[0].number)
        if name == "root":
            n = items[1].number
            if not n:
                raise NotEvaluated("root(x, n) needs a number n that is not 0")
            return self.power(items[0], self.rational(1 / n))
        if name in functions.OF_VECTORS:
            return self.of_vector(name, items[0].value)
        values = [_one(item) for item in items]
        if name in functions.WRITTEN:
            return self.known(functions.WRITTEN[name](self.f, *values))
        if name not in ARGUMENTS or not hasattr(self.f, name):
            raise NotEvaluated(f"{name} has no value here")
        return self.known(getattr(self.f, name)(*values))

    def of_vector(self, name: str, vector: Any) -> Item:
        """softmax and logsumexp of a vector, or of every row of a matrix."""
        if not isinstance(vector, tuple) or not vector:
            raise WrongShape(f"{name} is a function of a vector: {name}([x, y])")
        if isinstance(vector[0], tuple):
            return Item(tuple(self.of_vector(name, row).value for row in vector))
        value = functions.WRITTEN[name](self.f, *vector)
        return Item(value) if isinstance(value, tuple) else self.known(value)

    def factorial(self, n: Fraction | None) -> Item:
        if n is None or n < 0 or n.denominator > 1:
            raise NotEvaluated("x! is evaluated for whole numbers from 0 on")
        if n > LARGEST_FACTORIAL:
            raise TooLarge(f"a factorial above {LARGEST_FACTORIAL}!")
        return self.rational(Fraction(factorial(int(n))))

    def terms_of(self, x: Sum, letters: Letters, low: Item, high: Item) -> Plan | Item:
        """A sum between numbers, written out."""
        a, b = low.number, high.number
        if a is None or b is None:
            raise NotEvaluated("sums of symbolic length aren't evaluated here")
        if a.denominator > 1 or b.denominator > 1:
            raise NotEvaluated("a sum runs over whole numbers")
        count = max(0, int(b - a) + 1)
        self.terms += count
        if self.terms > MOST_TERMS:
            raise TooLarge(f"sums of more than {MOST_TERMS} terms")
        if not count:
            return self.rational(Fraction(0))
        bodies = [(x.body, {**letters, x.index: self.rational(a + k)}) for k in range(count)]
        return bodies, lambda items: self.sum([("+", item) for item in items])


def _chain(x: Binary) -> tuple[list[str], list[Tree]]:
    """a + b - c as operators + + - and operands, and likewise for * and /."""
    kinds, first = ("+-", "+") if x.op in "+-" else ("*/", "*")
    ops: list[str] = []
    parts: list[Tree] = []
    left: Tree = x
    while isinstance(left, Binary) and left.op in kinds:
        ops.append(left.op)
        parts.append(left.right)
        left = left.left
    return [first, *reversed(ops)], [left, *reversed(parts)]


def _one(item: Item) -> Any:
    if isinstance(item.value, tuple):
        raise WrongShape("a vector stands where a number is needed")
    return item.value


def _numbers(chain: Signed, opposite: Callable[[Fraction], Fraction]) -> list[Fraction] | None:
    """The operands as numbers, those behind - or / opposed; None where one isn't a number."""
    out = []
    for op, x in chain:
        if x.number is None:
            return None
        out.append(opposite(x.number) if op in "-/" else x.number)
    return out

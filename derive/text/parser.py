"""The one parser: a text of the plain grammar as a tree.  Nothing is ever evaluated.

Binding, from loose to tight: + -, then * / and implicit products (left to right, so 1/2x is
(1/2)x), then unary minus over a product (-2x is -(2x)), then ^ (to the right), then !.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from math import gcd

from derive.errors import TextError
from derive.text.functions import ARGUMENTS, CONSTANTS, ONLY_CALLED, SPELLINGS
from derive.text.nearest import nearest
from derive.text.rewrite import plain_tokens
from derive.text.tokens import MOST_DIGITS, Token
from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Integer,
    Name,
    Negative,
    Number,
    Relation,
    Sum,
    Tree,
    Vector,
    children,
)
from derive.text.tree import names as free_names

DEEPEST = 100  # brackets and powers inside one another
HIGHEST = 250  # operations on the way from the whole to a leaf
SUM, PRODUCT, POWER = 1, 2, 3
BINDING = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
RELATIONS = ("=", "!=", "<", "<=", ">", ">=")


def parse(text: str, *, names: Iterable[str] | None = None, decimal: str = ".") -> Tree:
    """Read a text of the plain grammar.

    `names` are the declared names; without them any name may stand.  `decimal` is the
    decimal sign; with a comma, lists are separated by semicolons.
    Raises TextError with the place, what stands there and what could stand there.

    >>> parse("1/2x")
    Binary(op='*', left=Binary(op='/', left=Number(p=1, q=1), right=Number(p=2, q=1)), \
right=Name(name='x'))
    """
    if decimal == "." and (quick := number(text)) is not None:
        return quick
    parser = _Parser(text, names, decimal)
    tree = parser.expression()
    parser.finish(tree)
    return tree


def number(text: str) -> Tree | None:
    """A plain integer or decimal, as files are full of them; None for any other text.

    >>> number("-0.25")
    Negative(x=Number(p=1, q=4))
    """
    body = text[1:] if text[:1] == "-" else text
    if len(body) > MOST_DIGITS or not body.isascii():
        return None
    if body.isdigit():
        value = Number(int(body), 1, len(text) - len(body))
    else:
        whole, _, part = body.partition(".")
        if not (whole.isdigit() and part.isdigit()):
            return None
        p, q = int(whole + part), 10 ** len(part)
        common = gcd(p, q)
        value = Number(p // common, q // common, len(text) - len(body))
    return value if body is text else Negative(value)


def parse_assumption(
    text: str, *, names: Iterable[str] | None = None
) -> tuple[Relation | Integer, ...]:
    """Read what is assumed: "x > 0", "-1 < x < 1", "0 <= m <= n", "s != 0", "n integer".

    >>> parse_assumption("n integer")
    (Integer(name='n'),)
    """
    parser = _Parser(text, names, ".")
    first = parser.expression()
    if isinstance(first, Binary) and first.op == "*" and first.right == Name("integer"):
        integer = parser.as_integer(first)
        parser.finish(first)
        return (integer,)
    sides: list[Tree] = [first]
    relations: list[Token] = []
    while parser.token.kind == "operator" and parser.token.text in RELATIONS:
        relations.append(parser.next())
        sides.append(parser.expression())
    parser.finish(sides[-1])
    if not relations or any("integer" in free_names(side) for side in sides):
        raise TextError(
            parser.token.position, parser.token.shown, "a relation (= != < <= > >=) or 'integer'"
        )
    return tuple(
        Relation(r.text, a, b, r.position)
        for r, a, b in zip(relations, sides, sides[1:], strict=False)
    )


def _height(tree: Tree) -> int:
    height, layer = 0, [tree]
    while layer and height <= HIGHEST:
        height += 1
        layer = [part for t in layer for part in children(t)]
    return height


class _Parser:
    """A Pratt parser over the tokens of one text."""

    def __init__(self, text: str, names: Iterable[str] | None, decimal: str) -> None:
        self.tokens = self.cut(text, decimal)
        self.at = 0
        self.names: Container[str] | None = None if names is None else frozenset(names)
        self.bound: list[str] = []
        self.comma = ";" if decimal == "," else ","
        self.depth = 0
        self.bars = 0  # of | … | that are open
        self.words: tuple[str, ...] = ()  # names that join statements, in a text of those

    def cut(self, text: str, decimal: str) -> list[Token]:
        return plain_tokens(text, decimal)

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def next(self) -> Token:
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def sees(self, text: str) -> bool:
        return self.token.kind == "operator" and self.token.text == text

    def fail(self, expected: str, token: Token | None = None) -> TextError:
        token = token or self.token
        return TextError(token.position, token.shown, expected)

    def finish(self, tree: Tree) -> None:
        """Everything must have been read, and the tree must not be too high for recursion."""
        if self.token.kind == "end":
            if _height(tree) > HIGHEST:
                raise TextError(0, "a text with too many operations in a row", f"at most {HIGHEST}")
            return
        before, after = (
            self.tokens[self.at - 1],
            self.tokens[min(self.at + 1, len(self.tokens) - 1)],
        )
        if self.sees(",") and before.kind == after.kind == "number":
            a, b = before.text, after.text
            raise self.fail(f"one number ({a},{b} may mean {a}.{b} or the two numbers {a} and {b})")
        raise self.fail("an operator or the end")

    # expressions

    def expression(self, least: int = SUM) -> Tree:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"at most {DEEPEST} brackets and powers inside one another")
        left = self.operand(least)
        while (op := self.operator()) is not None and BINDING[op] >= least:
            position = self.token.position
            explicit = self.token.kind == "operator" and self.token.text in BINDING
            if explicit:
                self.next()
            binding = BINDING[op]
            right = self.expression(binding if op == "^" else binding + 1)
            left = Binary(op, left, right, position)
        self.depth -= 1
        return left

    def operator(self) -> str | None:
        """The operator that comes next; a product where none is written."""
        token = self.token
        if token.kind == "operator":
            if token.text in BINDING:
                return token.text
            return "*" if token.text == "(" or (token.text == "|" and not self.bars) else None
        if token.kind == "name" and token.text in self.words:
            return None
        return "*" if token.kind in ("name", "cell") else None

    def operand(self, least: int) -> Tree:
        signs: list[Token] = []
        while self.sees("-") or self.sees("+"):
            signs.append(self.next())
            if len(signs) > DEEPEST:
                raise self.fail(f"at most {DEEPEST} signs in a row")
        tree = self.expression(max(least, PRODUCT)) if signs else self.postfix()
        for sign in reversed(signs):
            tree = Negative(tree, sign.position) if sign.text == "-" else tree
        return tree

    def postfix(self) -> Tree:
        tree = self.primary()
        while self.sees("!") or self.sees("%"):
            token = self.next()
            tree = Call("factorial" if token.text == "!" else "percent", (tree,), token.position)
        return tree

    def primary(self) -> Tree:
        token = self.next()
        if token.kind == "number" and token.value is not None:
            if self.token.kind == "number":
                raise self.fail("an operator between two numbers")
            p, q = token.value
            common = gcd(p, q)
            return Number(p // common, q // common, token.position)
        if token.kind == "name" and token.text not in self.words:
            return self.name(token)
        if token.kind == "cell":
            return Name(token.text, token.position)
        if token.kind == "operator" and token.text == "(":
            bars, self.bars = self.bars, 0
            tree = self.expression()
            self.close(")", token)
            self.bars = bars
            return tree
        if token.kind == "operator" and token.text == "|":
            self.bars += 1
            tree = self.expression()
            self.close("|", token)
            self.bars -= 1
            return Call("abs", (tree,), token.position)
        if token.kind == "operator" and token.text == "[":
            return Vector(self.listed("]", token), token.position)
        raise self.fail("a number, a name, a function, '(' or '['", token)

    def close(self, bracket: str, opened: Token) -> None:
        if not self.sees(bracket):
            where = opened.position + 1
            raise self.fail(f"an operator or {bracket!r} for the bracket at character {where}")
        self.next()

    def listed(self, bracket: str, opened: Token) -> tuple[Tree, ...]:
        """Items up to the closing bracket."""
        items = [self.expression()]
        while self.sees(self.comma):
            self.next()
            items.append(self.expression())
        self.close(bracket, opened)
        return tuple(items)

    # names

    def name(self, token: Token) -> Tree:
        name = token.text
        calls = self.sees("(") and self.token.position == token.end
        if name in self.bound or self.declared(name):
            return self.indexed(token)
        function = SPELLINGS.get(name, name)
        if function in ARGUMENTS and (calls or function not in ONLY_CALLED):
            return self.applied(function, token)
        if (base := self.base(name, token)) is not None:
            return self.applied("log", token, base)
        if name in CONSTANTS:
            return Constant(CONSTANTS[name], token.position)
        if calls and len(name) > 1:
            near = nearest(name, ARGUMENTS)
            hint = f" (nearest: {near})" if near else ""
            raise TextError(token.position, f"the unknown function {name!r}", f"a function{hint}")
        if self.names is not None:
            known = [x for x in self.names if isinstance(x, str)]  # type: ignore[attr-defined]
            near = nearest(name, [*known, *ARGUMENTS, *CONSTANTS])
            hint = f" (nearest: {near})" if near else ""
            raise TextError(token.position, f"the unknown name {name!r}", f"a known name{hint}")
        return self.indexed(token)

    def base(self, name: str, token: Token) -> Tree | None:
        """The base of a logarithm that is written log_2."""
        function, _, base = name.partition("_")
        if function not in ("log", "lg") or not base.isalnum():
            return None
        if base.isdigit():
            return Number(int(base[:MOST_DIGITS]), 1, token.position)
        return (
            self.name(Token("name", base, token.position, token.position))
            if base[0].isalpha()
            else None
        )

    def applied(self, function: str, token: Token, *more: Tree) -> Tree:
        """A function and its argument: in brackets, or (of one argument) what stands beside it.

        sin x, sin 2x, ln 2 are read; the argument is the product of numbers and names that
        follows, up to the next sign, function or bracket.  sin^2 x is (sin x)^2.
        """
        power: Token | None = self.next() if self.sees("^") else None
        exponent = self.expression(POWER + 1) if power else None
        if isinstance(exponent, Negative) and exponent.x == Number(1):
            raise TextError(
                token.position,
                f"{token.text}^-1",
                f"1/{token.text}(x) or a{token.text}(x), whichever is meant",
            )
        if self.sees("("):
            tree = self.call(function, token, *more)
        elif ARGUMENTS[function][0] != 1 or function == "matrix":
            raise self.fail(f"'(' after the function {token.text}")
        elif self.sees("|"):
            tree = Call(function, (self.primary(), *more), token.position)
        else:
            tree = Call(function, (self.beside(token), *more), token.position)
        if power is None or exponent is None:
            return tree
        return Binary("^", tree, exponent, power.position)

    def beside(self, function: Token) -> Tree:
        """The product of numbers and names that follows a function without brackets."""
        factors: list[Tree] = []
        while self.token.kind in ("name", "cell") or (self.token.kind == "number" and not factors):
            name = self.token.text
            if name in self.words or (factors and self.is_function(name)):
                break
            factors.append(self.expression(POWER))
        if not factors:
            raise self.fail(f"'(' after the function {function.text}")
        tree = factors[0]
        for factor in factors[1:]:
            tree = Binary("*", tree, factor, function.position)
        return tree

    def is_function(self, name: str) -> bool:
        """Is a name that of a function, and not declared as a letter?"""
        if name in self.bound or self.declared(name):
            return False
        return SPELLINGS.get(name, name) in ARGUMENTS or name.startswith(("log_", "lg_"))

    def declared(self, name: str) -> bool:
        return self.names is not None and name in self.names

    def indexed(self, token: Token) -> Tree:
        if self.sees("[") and self.token.position == token.end:
            return Index(token.text, self.listed("]", self.next()), token.position)
        return Name(token.text, token.position)

    def call(self, function: str, token: Token, *more: Tree) -> Tree:
        opened = self.next()
        if function == "sum":
            return self.sum(opened, token)
        bars, self.bars = self.bars, 0
        args = (*self.listed(")", opened), *more)
        self.bars = bars
        least, most = ARGUMENTS[function]
        if not least <= len(args) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise TextError(
                token.position, f"{function} with {len(args)} arguments", f"{count} arguments"
            )
        if function == "matrix":
            return Vector(args, token.position)
        return Call(function, args, token.position)

    def sum(self, opened: Token, token: Token) -> Tree:
        """sum(k, low, high, body): k is a name inside body only."""
        index = self.next()
        if index.kind != "name":
            raise self.fail("the name of a running index", index)
        bounds = []
        for _ in range(2):
            self.separator()
            bounds.append(self.expression())
        self.separator()
        self.bound.append(index.text)
        body = self.expression()
        self.bound.pop()
        self.close(")", opened)
        return Sum(index.text, bounds[0], bounds[1], body, token.position)

    def separator(self) -> None:
        if not self.sees(self.comma):
            raise self.fail(f"{self.comma!r}: sum(index, low, high, summand)")
        self.next()

    def as_integer(self, tree: Binary) -> Integer:
        if not isinstance(tree.left, Name):
            raise TextError(tree.position, "'integer'", "a single name before 'integer'")
        return Integer(tree.left.name, tree.left.position)

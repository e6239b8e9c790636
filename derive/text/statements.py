"""What an answer may say beyond a number or a vector: sets, intervals, relations.

`parse_statement` reads all that `parse` does, and: {1, 2}, (1, 2), [0, 1), ±2, 3:4,
x > 0 and x < 1, -1 < x < 1, x = 1 or x = 2, x in [0, inf), "1 and 2" (both values: a set).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from derive.errors import TextError
from derive.text.parser import RELATIONS, _Parser
from derive.text.rewrite import plain_tokens
from derive.text.show import show
from derive.text.tokens import Token
from derive.text.tree import Constant, Name, Relation, Tree, Vector, names

OPENING, CLOSING = ("(", "[", "\\{"), (")", "]", "\\}")
WORDS = ("and", "or", "in", "emptyset")
CLOCK = 2  # digits after the colon of 12:00


@dataclass(frozen=True, slots=True)
class SetOf:
    """{a, b}: values without order; ± gives one of two."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """(a, b): values in order, which for two of them may also be an open interval."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from low to high; `closed` says whether each end belongs to it."""

    low: Tree
    high: Tree
    closed: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Union:
    """Intervals and sets together."""

    parts: tuple[Interval | SetOf, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """x in a set."""

    x: Tree
    of: Interval | SetOf | Union


@dataclass(frozen=True, slots=True)
class Ratio:
    """a : b, or the time of a clock such as 12:00."""

    items: tuple[Tree, ...]
    clock: bool = False


@dataclass(frozen=True, slots=True)
class Logic:
    """Relations that hold together (and), or of which one holds (or)."""

    op: str
    parts: tuple[Condition, ...]


Condition = Relation | Member | Logic
Region = Interval | SetOf | Union
Statement = Tree | Region | Listed | Ratio | Condition
VALUES = (SetOf, Listed, Interval, Union, Ratio)
CONDITIONS = (Relation, Member, Logic)


def parse_statement(
    text: str,
    *,
    names: Iterable[str] | None = None,
    decimal: str = ".",
    addresses: bool = False,
) -> Statement:
    """Read an answer: a value, a set, an interval or a relation; TextError names the place.

    >>> show_statement(parse_statement("-2 < x < 2"))
    '-2 < x and x < 2'
    >>> show_statement(parse_statement("1 ± √2"))
    '{1 + sqrt(2), 1 - sqrt(2)}'
    """
    if not text.strip():
        raise TextError(0, "an empty text", "an answer")
    found = plain_tokens(text, decimal, addresses)
    signs = [t for t in found if t.kind == "operator" and t.text in "±∓"]
    if not signs:
        return _Statements(found, names, decimal).whole()
    both = [
        _Statements([_sign(t, plus) for t in found], names, decimal).whole()
        for plus in (True, False)
    ]
    return _either(both, signs[0])


def _sign(t: Token, plus: bool) -> Token:
    """+ or - for ±; the other one for ∓."""
    if t.kind != "operator" or t.text not in ("±", "∓"):
        return t
    return t._replace(text="+" if plus == (t.text == "±") else "-")


def _either(both: list[Statement], sign: Token) -> Statement:
    if all(isinstance(x, CONDITIONS) for x in both):
        return Logic("or", tuple(x for x in both if isinstance(x, CONDITIONS)))
    if any(isinstance(x, (*CONDITIONS, *VALUES, Vector)) for x in both):
        raise TextError(sign.position, repr(sign.text), "± in a number or in a relation")
    return SetOf(tuple(x for x in both if not isinstance(x, (*CONDITIONS, *VALUES))))


class _Statements(_Parser):
    """The parser of expressions, and above them what is said with them."""

    def __init__(self, found: list[Token], names: Iterable[str] | None, decimal: str) -> None:
        self.found = found
        super().__init__("", names, decimal)
        self.words = tuple(w for w in WORDS if not self.declared(w))

    def cut(self, text: str, decimal: str) -> list[Token]:
        return self.found

    def word(self, *words: str) -> bool:
        return self.token.kind == "name" and self.token.text in words and words[0] in self.words

    def whole(self) -> Statement:
        found = self.joined("or", lambda: self.joined("and", self.clause))
        for tree in trees(found):
            self.finish(tree)
        self.finish(Name("x"))
        return found

    def joined(self, word: str, part: Callable[[], Statement]) -> Statement:
        """Parts with a word between them."""
        start = self.token
        parts = [part()]
        while self.word(word):
            self.next()
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        conditions = [x for x in parts if isinstance(x, CONDITIONS)]
        if len(conditions) == len(parts):
            return Logic(word, tuple(conditions))
        values = [y for x in parts for y in (x.items if isinstance(x, SetOf) else (x,))]
        if conditions or any(isinstance(x, VALUES) for x in values):
            raise self.fail(f"either relations or numbers around {word!r}", start)
        return SetOf(tuple(x for x in values if not isinstance(x, (*VALUES, *CONDITIONS))))

    def clause(self) -> Statement:
        left = self.side()
        if self.token.kind == "operator" and self.token.text in RELATIONS:
            return self.chain(left)
        if self.word("in"):
            at = self.next()
            of = self.side(interval=True)
            if isinstance(left, (*VALUES, Vector)) or not isinstance(of, Region):
                raise self.fail("a number in a set or an interval", at)
            return Member(left, of)  # type: ignore[arg-type]
        return left

    def chain(self, first: Statement) -> Condition:
        sides, relations = [first], []
        while self.token.kind == "operator" and self.token.text in RELATIONS:
            relations.append(self.next())
            sides.append(self.side())
        for side in sides:
            if isinstance(side, (*VALUES, Vector)):
                raise self.fail("a relation between numbers", relations[0])
        parts = tuple(
            Relation(r.text, a, b, r.position)  # type: ignore[arg-type]
            for r, a, b in zip(relations, sides, sides[1:], strict=False)
        )
        return parts[0] if len(parts) == 1 else Logic("and", parts)

    def side(self, interval: bool = False) -> Statement:
        """One value: an expression, a set, an interval, or several of them with ∪."""
        first = self.region(interval)
        if not self.sees("∪"):
            return first
        parts = [first]
        while self.sees("∪"):
            self.next()
            parts.append(self.region(True))
        flat: list[Interval | SetOf] = []
        for x in parts:
            x = self.as_interval(x)
            if not isinstance(x, Interval | SetOf):
                raise self.fail("sets and intervals around ∪")
            flat.append(x)
        return Union(tuple(flat))

    def as_interval(self, x: Statement) -> Statement:
        if isinstance(x, Listed) and len(x.items) == 2:
            return Interval(*x.items, (False, False))
        if isinstance(x, Vector) and len(x.items) == 2:
            return Interval(*x.items, (True, True))
        return x

    def region(self, interval: bool) -> Statement:
        token = self.token
        if self.word("emptyset"):
            self.next()
            return SetOf(())
        if self.sees("\\{"):
            self.next()
            if self.sees("\\}"):
                self.next()
                return SetOf(())
            return SetOf(self.listed("\\}", token))
        if self.sees("[") or self.sees("("):
            kind, last = self.kind()
            if kind:
                self.next()
                items = self.listed(last, token)
                if kind == "interval" and len(items) == 2:
                    return Interval(*items, (token.text == "[", last == "]"))
                found: Statement = Listed(items) if token.text == "(" else Vector(items)
                return self.as_interval(found) if interval else found
        tree = self.expression()
        if self.sees(":"):
            return self.ratio(tree)
        return self.as_interval(tree) if interval else tree

    def kind(self) -> tuple[str, str]:
        """What a bracket begins: an interval [a, b), a list (a, b), or else nothing of its own."""
        opened, depth, commas = self.token, 0, 0
        for k in range(self.at, len(self.tokens)):
            t = self.tokens[k]
            if t.kind != "operator":
                continue
            depth += (t.text in OPENING) - (t.text in CLOSING)
            commas += depth == 1 and t.text == self.comma
            if not depth:
                after = self.tokens[k + 1]
                ends = after.kind == "end" or after.text in (*WORDS, "∪", *RELATIONS)
                if commas == 1 and (opened.text, t.text) in (("[", ")"), ("(", "]")):
                    return "interval", t.text
                return ("list", ")") if opened.text == "(" and commas and ends else ("", "")
        return "", ""

    def ratio(self, first: Tree) -> Ratio:
        items, clock = [first], True
        while self.sees(":"):
            clock &= self.tokens[self.at - 1].kind == "number"
            self.next()
            clock &= self.token.kind == "number" and len(self.token.text) == CLOCK
            items.append(self.expression())
        return Ratio(tuple(items), clock)


def parts_of(x: Statement) -> tuple[Statement, ...]:
    """The statements directly inside one."""
    match x:
        case SetOf(items=items) | Listed(items=items) | Ratio(items=items):
            return items
        case Interval(low=low, high=high):
            return (low, high)
        case Union(parts=parts) | Logic(parts=parts):
            return parts
        case Member(x=y, of=of):
            return (y, of)
        case Relation(left=a, right=b):
            return (a, b)
    return ()


def trees(x: Statement) -> Iterator[Tree]:
    """The expressions that a statement is made of, in written order."""
    if isinstance(x, (*VALUES, *CONDITIONS)):
        for part in parts_of(x):
            yield from trees(part)
    else:
        yield x


def letters(x: Statement) -> set[str]:
    """The free names of a statement."""
    return set().union(*map(names, trees(x)))


def show_statement(x: Statement) -> str:
    """The plain text of a statement; reading it gives the statement back."""
    match x:
        case SetOf(items=items):
            return "{" + ", ".join(map(show, items)) + "}" if items else "\\{\\}"
        case Listed(items=items):
            return f"({', '.join(map(show, items))})"
        case Interval(low=low, high=high, closed=(left, right)):
            return f"{'[' if left else '('}{show(low)}, {show(high)}{']' if right else ')'}"
        case Union(parts=parts):
            return " ∪ ".join(map(show_statement, parts))
        case Member(x=y, of=of):
            return f"{show(y)} in {show_statement(of)}"
        case Ratio(items=items):
            return ":".join(map(_ratio_part, items))
        case Relation(op=op, left=a, right=b):
            return f"{show(a)} {op} {show(b)}"
        case Logic(op=op, parts=parts):
            return f" {op} ".join(map(show_statement, parts))
    return show(x)


def _ratio_part(x: Tree) -> str:
    text = show(x)
    return text if isinstance(x, Name | Constant) or text.isalnum() else f"({text})"

"""LaTeX and Unicode notation as tokens of the plain grammar, places kept.

\\frac{a}{b} becomes ((a)/(b)), a pmatrix a list of rows, √x sqrt(x), x_{12} one name, 2\\frac12
and 2 1/2 mixed numbers.  What is not in the tables is an error with the nearest command.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import gcd

from derive.errors import TextError
from derive.text import commands
from derive.text.characters import FRACTIONS, ROOTS
from derive.text.nearest import nearest
from derive.text.tokens import Token, tokens

DEEPEST = 100  # groups inside one another
LARGEST_BASE = 36
SET_BEFORE = ("", "name in", "operator ∪", "operator =", "name and", "name or")
SET_AFTER = ("end", "operator ∪", "name and", "name or", "operator =")


def plain_tokens(text: str, decimal: str = ".", addresses: bool = False) -> list[Token]:
    """The tokens of a text in any of the notations, as the parser reads them.

    >>> [t.text for t in plain_tokens("\\\\frac{1}{2}x²")][:-1]
    ['(', '(', '1', ')', '/', '(', '2', ')', ')', 'x', '^', '(', '2', ')']
    """
    found = tokens(text, decimal, addresses)
    if all(map(_plain, found)) and not _numbers_meet(found):
        return found
    return _Rewriter(found, decimal).run()


def _plain(t: Token) -> bool:
    if t.kind == "operator":
        return t.text not in ROOTS and t.text not in ("{", "}", "_", "&")
    return t.kind not in ("command",) and not (t.kind == "name" and t.text.endswith("_"))


def _numbers_meet(found: list[Token]) -> bool:
    return any(a.kind == b.kind == "number" for a, b in pairwise(found))


class _Rewriter:
    def __init__(self, found: list[Token], decimal: str) -> None:
        self.tokens = found
        self.decimal = decimal
        self.comma = ";" if decimal == "," else ","
        self.at = 0
        self.depth = 0
        self.latex = any(t.kind == "command" for t in found)
        self.out: list[Token] = []

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def next(self) -> Token:
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def sees(self, kind: str, *texts: str) -> bool:
        return self.token.kind == kind and (not texts or self.token.text in texts)

    def fail(self, expected: str, token: Token | None = None) -> TextError:
        token = token or self.token
        return TextError(token.position, token.shown, expected)

    def run(self) -> list[Token]:
        out = self.until(lambda _: False)
        if not self.sees("end"):
            raise self.fail("an operator or the end")
        return [*out, self.token]

    def until(self, stops: object) -> list[Token]:
        """Rewritten tokens up to one that stops, or to the end."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"at most {DEEPEST} groups inside one another")
        before, self.out = self.out, []
        while not self.sees("end") and not stops(self.token):  # type: ignore[operator]
            self.one()
        out, self.out = self.out, before
        self.depth -= 1
        return out

    # one token, and what belongs to it

    def one(self) -> None:
        token = self.next()
        if token.kind == "command":
            self.command(token)
        elif token.kind == "number":
            self.number(token)
        elif token.kind == "name":
            self.name(token)
        elif token.kind == "operator":
            self.operator(token)
        else:
            self.out.append(token)

    def operator(self, token: Token) -> None:
        if token.text in ROOTS:
            self.root(token)
        elif token.text == "^" and self.sees("operator", "{"):
            self.out += [token, *self.bracketed(self.group(), token)]
        elif token.text == "{":
            self.brace(token)
        elif token.text in ("}", "&", "_"):
            raise self.fail("an operator or the end", token)
        else:
            self.out.append(token)

    def brace(self, opened: Token) -> None:
        """A set where one may stand, else a LaTeX group."""
        before = f"{self.out[-1].kind} {self.out[-1].text}" if self.out else ""
        self.at -= 1
        inner = self.group()
        after = self.token.kind if self.sees("end") else f"{self.token.kind} {self.token.text}"
        stands = before in SET_BEFORE and after in SET_AFTER and self.depth == 1
        if (stands and not self.latex) or _listed(inner, self.comma):
            self.out += [_op("\\{", opened), *inner, _op("\\}", opened)]
        elif len(inner) == 1 and inner[0].kind == "name" and self.sees("operator", "_"):
            self.name(inner[0])
        else:
            self.out += self.bracketed(inner, opened)

    def group(self) -> list[Token]:
        """The rewritten inside of { … }."""
        opened = self.next()
        inner = self.until(lambda t: t.kind == "operator" and t.text == "}")
        if not self.sees("operator", "}"):
            raise self.fail(f"'}}' for the brace at character {opened.position + 1}")
        self.next()
        return inner

    def argument(self, command: Token) -> list[Token]:
        """What a command takes: a group, one digit, one name or one command."""
        if self.sees("operator", "{"):
            return self.group()
        if self.sees("number") and self.token.value is not None:
            return [self.digit(command)]
        if self.sees("name") or self.sees("command"):
            return self.taken()
        raise self.fail(f"{{ … }} after {command.shown}")

    def taken(self) -> list[Token]:
        """The next name, command or root with what belongs to it."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"at most {DEEPEST} groups inside one another")
        before, self.out = self.out, []
        self.one()
        taken, self.out = self.out, before
        self.depth -= 1
        return taken

    def digit(self, command: Token) -> Token:
        """The first digit of a number, as TeX takes it: \\frac12 is 1/2."""
        number = self.token
        if len(number.text) == 1:
            return self.next()
        if command.text not in commands.FRACTIONS or not number.text.isdigit():
            raise self.fail(f"{{ … }} around the number after {command.shown}")
        first = int(number.text[0])
        cut = number.position + 1
        rest = number.text[1:]
        self.tokens[self.at] = Token("number", rest, cut, number.end, (int(rest), 1))
        return Token("number", number.text[0], number.position, cut, (first, 1))

    def bracketed(self, inner: Iterable[Token], at: Token) -> list[Token]:
        return [_op("(", at), *inner, _op(")", at)]

    # commands

    def command(self, token: Token) -> None:
        name = token.text
        if name in commands.SKIPPED:
            return
        if name in commands.SIGNS:
            self.out.append(_op(commands.SIGNS[name], token))
        elif name in commands.NAMED:
            self.name(token._replace(kind="name", text=commands.NAMED[name]))
        elif name in commands.FRACTIONS:
            self.fraction(token)
        elif name in commands.TEXTS:
            self.words(token)
        elif name == "sqrt":
            self.sqrt(token)
        elif name == "begin":
            self.matrix(token)
        elif name == "end":
            raise TextError(token.position, "\\end", "\\begin before it")
        else:
            near = nearest(name, commands.KNOWN)
            hint = f" (nearest: \\{near})" if near else ""
            raise TextError(
                token.position, f"the unknown command \\{name[:40]}", f"mathematics{hint}"
            )

    def fraction(self, token: Token) -> None:
        above, below = self.argument(token), self.argument(token)
        value = _proper(above, below)
        whole = self.out[-1] if self.out else None
        if value and whole is not None and _whole(whole) and whole.end == token.position:
            self.out[-1] = _mixed(whole, value, token)
            return
        self.out += self.bracketed(
            [*self.bracketed(above, token), _op("/", token), *self.bracketed(below, token)], token
        )

    def sqrt(self, token: Token) -> None:
        index: list[Token] | None = None
        if self.sees("operator", "["):
            opened = self.next()
            index = self.until(lambda t: t.kind == "operator" and t.text == "]")
            if not self.sees("operator", "]"):
                raise self.fail(f"']' for the bracket at character {opened.position + 1}")
            self.next()
        if self.sees("operator", "("):
            inside = self.in_brackets()
        else:
            inside = self.argument(token)
        self.out += self.root_of(inside, index, token)

    def in_brackets(self) -> list[Token]:
        """The rewritten inside of ( … )."""
        opened, depth, start = self.next(), 1, self.at
        while depth:
            if self.sees("end"):
                raise self.fail(f"')' for the bracket at character {opened.position + 1}")
            depth += self.sees("operator", "(") - self.sees("operator", ")")
            self.next()
        end, self.at = self.at - 1, start
        stop = self.tokens[end]
        inside = self.until(lambda t: t is stop)
        self.next()
        return inside

    def root_of(self, inside: list[Token], index: list[Token] | None, at: Token) -> list[Token]:
        if index is None:
            return [at._replace(kind="name", text="sqrt"), *self.bracketed(inside, at)]
        parts = [*inside, _op(self.comma, at), *index]
        return [at._replace(kind="name", text="root"), *self.bracketed(parts, at)]

    def root(self, token: Token) -> None:
        """√2, √x, √(x + 1), √½: the root of what stands next to it."""
        index = ROOTS[token.text]
        made = (
            None
            if index == 2
            else [Token("number", str(index), token.position, token.end, (index, 1))]
        )
        if self.sees("operator", "("):
            inside = self.in_brackets()
        elif self.sees("number"):
            inside = [self.next()]
        elif self.sees("name") or self.sees("command") or self.sees("operator", *ROOTS, "{"):
            inside = self.taken()
            if inside and inside[-1].kind == "name" and self.sees("operator", "("):
                inside += self.bracketed(self.in_brackets(), token)
        else:
            raise self.fail(f"a number, a name or '(' after {token.text}")
        self.out += self.root_of(inside, made, token)

    def words(self, token: Token) -> None:
        """\\text{13}, \\mathrm{softmax}, \\text{ and }: what stands in it."""
        if not self.sees("operator", "{"):
            raise self.fail(f"{{ … }} after {token.shown}")
        for inner in self.group():
            self.out.append(inner)
        if self.out and self.out[-1].kind == "name":
            self.name(self.out.pop())

    def matrix(self, token: Token) -> None:
        """A matrix environment: rows of cells, as lists."""
        name = self.environment(token)
        if name not in commands.MATRICES:
            raise TextError(token.position, f"the environment {name[:40]!r}", "a matrix")
        rows = self.rows(name)
        listed = [self.listed(row, token) for row in rows]
        if len(listed) > 1 and all(len(row) == 1 for row in rows):
            listed = [row[0] for row in rows]  # one column: a vector
        self.out += listed[0] if len(listed) == 1 else self.listed(listed, token)

    def rows(self, name: str) -> list[list[list[Token]]]:
        """The cells up to the end of the environment, row by row."""
        rows: list[list[list[Token]]] = [[]]
        while True:
            cell = self.until(_ends_cell)
            if self.sees("end"):
                raise self.fail(f"\\end{{{name}}}")
            ends = self.next()
            if ends.text == "end":
                if cell or rows[-1]:
                    rows[-1].append(cell)
                elif len(rows) > 1:
                    rows.pop()  # a last row that only ends in \\
                break
            rows[-1].append(cell)
            if ends.text != "&":
                rows.append([])
        if (found := self.environment(ends)) != name:
            raise TextError(ends.position, f"\\end{{{found[:40]}}}", f"\\end{{{name}}}")
        return rows

    def listed(self, items: list[list[Token]], at: Token) -> list[Token]:
        out = [_op("[", at)]
        for k, item in enumerate(items):
            out += ([_op(self.comma, at)] if k else []) + item
        return [*out, _op("]", at)]

    def environment(self, token: Token) -> str:
        if not self.sees("operator", "{"):
            raise self.fail(f"{{ … }} after {token.shown}")
        self.next()
        name = self.next()
        if not self.sees("operator", "}"):
            raise self.fail("'}'")
        self.next()
        return name.text

    # numbers and names

    def number(self, token: Token) -> None:
        """A number; 1½ and 2 1/2 are mixed numbers, 52_8 is written to the base 8."""
        if self.sees("operator", "_"):
            self.out.append(self.numeral(token))
            return
        before = self.out[-1] if self.out else None
        if before is not None and _whole(before) and token.text in FRACTIONS and token.value:
            self.out[-1] = _mixed(before, token.value, token)
            return
        if before is not None and before.kind == "number" and self.mixes(before, token):
            return
        self.out.append(token)

    def mixes(self, whole: Token, above: Token) -> bool:
        """2 1/2 is a mixed number where nothing else could be meant."""
        if not (_whole(whole) and _whole(above) and self.sees("operator", "/")):
            return False
        below = self.tokens[self.at + 1]
        value = _proper([above], [below]) if _whole(below) else None
        if value is None:
            return False
        after = self.tokens[self.at + 2]
        earlier = self.out[-2] if len(self.out) > 1 else None
        loose = after.kind == "end" or (after.kind == "operator" and after.text in "+-),]=<>;%")
        if not loose or (earlier is not None and earlier.text in ("^", "/")):
            raise self.fail("brackets: a mixed number can't be told from a product here", above)
        self.next()
        self.next()
        self.out[-1] = _mixed(whole, value, below)
        return True

    def numeral(self, token: Token) -> Token:
        """52_8: the digits to that base."""
        self.next()
        base = self.argument(token._replace(kind="number"))
        b = base[0].value[0] if len(base) == 1 and base[0].value and _whole(base[0]) else 0
        if not 2 <= b <= LARGEST_BASE or not token.text.isdigit():
            raise self.fail("digits, and a base from 2 to 36 after the _", token)
        if any(int(c) >= b for c in token.text):
            raise self.fail(f"digits below {b}", token)
        end = self.tokens[self.at - 1].end
        return Token("number", token.text, token.position, end, (int(token.text, b), 1))

    def name(self, token: Token) -> None:
        """A name and its subscripts: x_{12}, \\rho_1."""
        while self.sees("operator", "_") or (
            token.text.endswith("_")
            and self.sees("operator", "{")
            and token.end == self.token.position
        ):
            if self.sees("operator", "_"):
                self.next()
            inner = self.argument(token)
            text = "".join(t.text for t in inner)
            if not text or not all(
                t.kind in ("name", "number") and t.text.isalnum() for t in inner
            ):
                raise self.fail("a subscript of letters and digits")
            end = self.tokens[self.at - 1].end
            token = token._replace(text=f"{token.text.rstrip('_')}_{text}", end=end)
        self.out.append(token)


def _ends_cell(t: Token) -> bool:
    return (t.kind == "operator" and t.text == "&") or (
        t.kind == "command" and t.text in ("\\", "cr", "end")
    )


def _op(text: str, at: Token) -> Token:
    return Token("operator", text, at.position, at.end)


def _is(t: Token, text: str) -> bool:
    return t.kind == "operator" and t.text == text


def _listed(inner: list[Token], comma: str) -> bool:
    """Does a comma stand in a group, outside of brackets of its own?"""
    depth = 0
    for t in inner:
        if t.kind == "operator":
            depth += (t.text in ("(", "[", "\\{")) - (t.text in (")", "]", "\\}"))
            if t.text == comma and not depth:
                return True
    return False


def _whole(t: Token) -> bool:
    return t.kind == "number" and t.text.isdigit()


def _proper(above: list[Token], below: list[Token]) -> tuple[int, int] | None:
    """p/q of two whole numbers with p < q."""
    if len(above) == len(below) == 1 and _whole(above[0]) and _whole(below[0]):
        p, q = int(above[0].text[:20]), int(below[0].text[:20])
        if 0 < p < q and len(above[0].text) < 20 and len(below[0].text) < 20:
            return p, q
    return None


def _mixed(whole: Token, part: tuple[int, int], last: Token) -> Token:
    p, q = part
    n = whole.value[0] if whole.value else 0
    common = gcd(n * q + p, q)
    return Token(
        "number",
        f"{whole.text} {p}/{q}",
        whole.position,
        last.end,
        ((n * q + p) // common, q // common),
    )

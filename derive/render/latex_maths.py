"""Shown trees as LaTeX maths: stacked fractions, roots, e with its exponent on one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from derive.line import (
    Bound,
    Call,
    Cases,
    Condition,
    Const,
    Decimal,
    Entry,
    Letter,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Sym,
    children,
)
from derive.render import names
from derive.render.latex_joined import joined
from derive.render.layout import DOT, PLUS, SLASH, Piece
from derive.render.leaves import (
    ATOM,
    POWER,
    PRODUCT,
    SIGMA,
    SUM,
    clean_decimal,
    decimal_digits,
    entry_indices,
    letter_strength,
    sum_bounds,
)
from derive.render.metrics import SCRIPT, size, tall
from derive.render.printer import Printed, Printer

LONGEST_NUMBER = 40  # digits; a longer integer is cut, its number of digits stated
GROUPED = 7  # digits from which on they stand in groups of three
WIDEST_EXPONENT = 13000  # hundredths of a point, in script size; a wider one becomes exp( )
CONSTANTS = {"pi": r"\pi", "inf": r"\infty"}
RELATIONS = {"<=": r"\leq", ">=": r"\geq", "!=": r"\neq"}
FUNCTIONS = {
    **{name: "\\" + name for name in "cos sin tan cot sec csc cosh sinh tanh max min".split()},
    **{"a" + name: r"\arc" + name for name in ("cos", "sin", "tan")},
    **{name: rf"\operatorname{{{name}}}" for name in ("erf", "sign", "sigmoid", "softmax")},
    "log": r"\ln",
    "ln": r"\ln",
    "relu": r"\operatorname{ReLU}",
    "silu": r"\operatorname{SiLU}",
    "gelu": r"\operatorname{GELU}",
}
POWERS_AT_NAME = {"cos", "sin", "tan", "cot", "sec", "csc", "cosh", "sinh", "tanh"}
LINK = r"(?:\\hyperlink\{[^}]*\}\{)?"  # a number that leads somewhere is still a number
STARTS_NUMBER = re.compile(LINK + r"(?:\d|\(|\\left\()")
STARTS_OPERATOR = re.compile(
    LINK + r"\\(arc)?(cos|sin|tan|cot|sec|csc|cosh|sinh|tanh|exp|ln|log|max|min|operatorname|sum)\b"
)

Link = Callable[[Shown], str | None]  # where an entry, or the number put in for it, leads


class LatexPrinter(Printer):
    """Formulas in display style; `linear` writes fractions with a slash, as in exponents.

    `link` gives the target of a leaf inside the document, None for no link.
    """

    def __init__(
        self,
        names: dict[str, str],
        numbers: bool = False,
        linear: bool = False,
        fractions: int = 0,
        link: Link | None = None,
    ) -> None:
        super().__init__(names, numbers)
        self.linear, self.fractions = linear, fractions  # fractions: how many stand around this
        self.link = link
        self.inner: dict[tuple[bool, int], LatexPrinter] = {}
        self.codes: dict[int, tuple[Shown, str]] = {}

    def line(self, x: Shown) -> str:
        """The whole tree, unbroken."""
        if id(x) not in self.codes:
            self.codes[id(x)] = (x, joined(self.show(x).pieces, self.linear))
        return self.codes[id(x)][1]

    def inside(self, linear: bool = False, fractions: int = 0) -> LatexPrinter:
        """The printer for an exponent, or for a part of a fraction."""
        key = (self.linear or linear, min(self.fractions + fractions, 2))
        if key not in self.inner:
            self.inner[key] = LatexPrinter(self.names, self.numbers, *key, self.link)
        return self.inner[key]

    def piece(self, text: str, kind: int | None = None, glue: str = "") -> Piece:
        return Piece(text, 0, kind, glue="")

    def sign(self, minus: bool, first: bool) -> Piece:
        return self.piece("-") if first else self.piece("-" if minus else "+", PLUS)

    def dots(self) -> str:
        return r"\cdots"

    def dot(self, left: Shown, right: Shown, before: Printed, after: Printed) -> Piece:
        r"""\cdot before numbers, nothing after a coefficient, a thin space between letters."""
        code = joined(after.pieces, self.linear)
        number = _fraction(left) and not before.pieces[-1].bracket
        if self.numbers and (_unit(left) or before.pieces[-1].bracket):
            sign = r"\cdot"  # 1 · √2, (-3) · cos(2)
        elif isinstance(right, Plus) and (number or isinstance(left, Root | Plus)):
            sign = ""  # 2(a + b)
        elif _fraction(right) or STARTS_NUMBER.match(code):
            sign = r"\cdot"
        elif STARTS_OPERATOR.match(code) or (number and not isinstance(right, Entry)):
            sign = ""  # 2√3, cos(2) sin(2)
        else:
            sign = r"\cdot" if self.numbers else r"\,"
        return self.piece(sign, DOT)

    def leaf(self, x: Shown) -> Printed:
        printed = self._leaf(x)
        target = self.link(x) if self.link else None
        if target is None:
            return printed
        (piece,) = printed.pieces
        code = rf"\hyperlink{{{target}}}{{{piece.text}}}"
        return replace(printed, pieces=(replace(piece, text=code),))

    def _leaf(self, x: Shown) -> Printed:
        match x:
            case Num():
                return self._number(x)
            case Decimal(text=text):
                minus, digits, power = clean_decimal(text, "{,}" if self.comma else ".")
                if power is None:
                    return self._signed(minus, digits, ATOM)
                return self._signed(minus, rf"{digits}\times 10^{{{power}}}", PRODUCT)
            case Letter(name=name):
                return Printed((self.piece(names.letter(name)),), letter_strength(name))
            case Const(name=name):
                return Printed((self.piece(CONSTANTS.get(name, name)),))
            case Sym(name=name):
                return Printed((self.piece(names.symbol(name)),))
            case Bound(name=name):
                return Printed((self.piece(names.letter(name)),))
            case Entry():
                return self._entry(x)
        raise TypeError(f"{x!r} can't be shown")

    def _number(self, x: Num) -> Printed:
        above, below = integer(abs(x.p)), integer(x.q)
        if x.q == 1:
            return self._signed(x.p < 0, above, ATOM)
        if self.linear or self.fractions > 1:
            return self._signed(x.p < 0, f"{above}/{below}", PRODUCT)
        return self._signed(x.p < 0, rf"\frac{{{above}}}{{{below}}}", POWER)

    def _signed(self, minus: bool, code: str, strength: int) -> Printed:
        return Printed((self.piece("-" + code if minus else code),), strength, minus)

    def _entry(self, x: Entry) -> Printed:
        symbol = names.matrix(self.names.get(x.matrix, x.matrix))
        inner = LatexPrinter(self.names, linear=True)
        indices = ",".join(map(inner.line, entry_indices(x, self.names)))
        strength = POWER if symbol.above or symbol.base.startswith(r"\partial") else ATOM
        return Printed((self.piece(symbol.with_indices(indices)),), strength)

    def over(self, x: Over, lead: bool) -> Printed:
        if self.linear or self.fractions > 1:
            return self._slash(x, lead)
        inner = self.inside(fractions=1)
        code = rf"\frac{{{inner.line(x.above)}}}{{{inner.line(x.below)}}}"
        return Printed((self.piece(code),), POWER)

    def _slash(self, x: Over, lead: bool) -> Printed:
        above = self.show(x.above, lead)
        fraction = isinstance(x.above, Over) or (isinstance(x.above, Num) and x.above.q != 1)
        if above.strength < PRODUCT or fraction:
            above = self.bracketed(above)
        below = self.unsigned(self.show(x.below, lead=False))
        if below.strength < POWER:
            below = self.bracketed(below)
        pieces = (*above.pieces, self.piece("/", SLASH), *below.pieces)
        return Printed(pieces, PRODUCT, above.minus)

    def power(self, x: Power) -> Printed:
        if x.base == Const("e"):
            return self._exponential(x.exponent)
        exponent = self.inside(linear=True).line(x.exponent)
        match x.base, x.exponent:
            case Call(function=f), Num(p=p, q=1) if f in POWERS_AT_NAME and p > 1:
                return self._function(f"{FUNCTIONS[f]}^{{{exponent}}}", x.base.args)
        base = self.unsigned(self.show(x.base))
        if base.strength < ATOM or isinstance(x.base, Call):
            return replace(self.bracketed(base, after=f"^{{{exponent}}}"), strength=POWER)
        *pieces, last = base.pieces
        return Printed((*pieces, replace(last, text=f"{last.text}^{{{exponent}}}")), POWER)

    def _exponential(self, exponent: Shown) -> Printed:
        """e^{…} where the exponent reads well on one short line, exp(…) elsewhere."""
        code = self.inside(linear=True).line(exponent)
        flat = not _stacked(exponent) and size(code, SCRIPT).width <= WIDEST_EXPONENT
        if self.linear or flat:
            return Printed((self.piece(f"e^{{{code}}}"),), POWER)
        return self._function(r"\exp", (exponent,))

    def root(self, x: Root) -> Printed:
        degree = "" if x.n == 2 else f"[{x.n}]"
        return Printed((self.piece(rf"\sqrt{degree}{{{self.line(x.x)}}}"),), POWER)

    def call(self, x: Call) -> Printed:
        match x:
            case Call(function="abs", args=(part,)):
                return Printed((self.piece(_bars(self.line(part))),), POWER)
            case Call(function="log" | "lg" | "ln", args=(part, base)):
                below = self.inside(linear=True).line(base)
                return self._function(rf"\log_{{{below}}}", (part,))
        name = FUNCTIONS.get(x.function) or rf"\operatorname{{{names.word(x.function)}}}"
        return self._function(name, x.args)

    def _function(self, name: str, args: Sequence[Shown]) -> Printed:
        return replace(self.arguments(name, args), strength=POWER)

    def total(self, x: Sum) -> Printed:
        index = names.letter(x.index.name)
        first, last = sum_bounds(x.count, self.names)
        head = rf"\sum_{{{index}={first}}}^{{{names.letter(last)}}}"
        body = self.show(x.body, lead=False)
        body = self.bracketed(body) if body.strength < SIGMA else self.unsigned(body)
        return Printed((self.piece(head), *body.pieces), SIGMA)

    def cases(self, x: Cases) -> Printed:
        rows = (rf"{self.line(b.value)} & \text{{{self.when(b.condition)}}}" for b in x.branches)
        code = r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
        return Printed((self.piece(code),), SUM)

    def when(self, c: Condition) -> str:
        """The condition in words, for \\text."""
        sides = self.condition(c)
        if sides is None:
            return "otherwise"
        left, relation, right = sides
        sign = RELATIONS.get(relation, relation)
        return f"if ${self.line(left)} {sign} {self.line(right)}$"


def integer(n: int) -> str:
    """An integer from 0 with its digits in groups; a very long one cut, its length stated.

    >>> integer(65536), integer(2147483648)
    ('65536', '2\\\\,147\\\\,483\\\\,648')
    """
    digits = decimal_digits(n)
    if len(digits) > LONGEST_NUMBER:
        ends = rf"{digits[:6]}\ldots {digits[-6:]}"
        return rf"\underbrace{{{ends}}}_{{{len(digits)}\text{{ digits}}}}"
    if len(digits) < GROUPED:
        return digits
    return re.sub(r"(?<=\d)(?=(\d{3})+$)", r"\\,", digits)


def _fraction(x: Shown) -> bool:
    """What is written as a fraction or a number."""
    return isinstance(x, Num | Decimal | Over)


def _unit(x: Shown) -> bool:
    """1, 0 or -1: as a number put in before √2 it wants a dot."""
    return isinstance(x, Num) and abs(x.p) <= 1 and x.q == 1


def _stacked(x: Shown, fractions: int = 0) -> bool:
    """Whether an exponent needs more than one line: a fraction in a fraction, Σ, cases, e^."""
    match x:
        case Sum() | Cases() | Power(base=Const(name="e")) | Call(function="exp"):
            return True
        case Over():
            fractions += 1
        case Num(q=q) if q != 1:
            fractions += 1
        case Entry() | Letter():
            return False
    return fractions > 1 or any(_stacked(part, fractions) for part in children(x))


def _bars(code: str) -> str:
    if tall(code):
        return rf"\left\lvert {code}\right\rvert"
    return rf"\lvert {code}\rvert"

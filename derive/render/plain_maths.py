"""Shown trees as one-line Unicode text: a/b, √2, x², e^(…), Σ_{k=0}^{d−1}."""

from __future__ import annotations

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
    Power,
    Root,
    Shown,
    Sum,
    Sym,
)
from derive.render.escape import columns, terminal
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
    simple,
    sum_bounds,
)
from derive.render.printer import Printed, Printer

SUPERSCRIPT = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
CONSTANTS = {"pi": "π", "inf": "∞"}
RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}
FUNCTIONS = {"log": "ln"}
LONG_FRACTION = 24  # columns; a longer one may be broken before its slash
ROOTS = {2: "√", 3: "∛", 4: "∜"}


class TextPrinter(Printer):
    """Formulas that can be typed: names are addresses, products have dots."""

    def piece(self, text: str, kind: int | None = None, glue: str = "") -> Piece:
        return Piece(text, columns(text), kind, glue=glue)

    def sign(self, minus: bool, first: bool) -> Piece:
        if first:
            return self.piece("−")
        return self.piece("− " if minus else "+ ", PLUS, glue=" ")

    def dots(self) -> str:
        return "…"

    def dot(self, left: Shown, right: Shown, before: Printed, after: Printed) -> Piece:
        return self.piece("·", DOT)

    def leaf(self, x: Shown) -> Printed:
        match x:
            case Num(p=p, q=q):
                above = self._signed(p < 0, decimal_digits(abs(p)), ATOM)
                return above if q == 1 else self._ratio(above, decimal_digits(q))
            case Decimal(text=text):
                minus, digits, power = clean_decimal(text, "," if self.comma else ".")
                if power is None:
                    return self._signed(minus, digits, ATOM)
                return self._signed(minus, f"{digits}×10{_superscript(power)}", PRODUCT)
            case Letter(name=name):
                return Printed((self.piece(minus_sign(name)),), letter_strength(name))
            case Const(name=name):
                return Printed((self.piece(CONSTANTS.get(name, name)),))
            case Sym(name=name) | Bound(name=name):
                return Printed((self.piece(name),))
            case Entry(matrix=matrix):
                indices = ",".join(map(self.line, entry_indices(x, self.names)))
                return Printed((self.piece(f"{self.names.get(matrix, matrix)}[{indices}]"),))
        raise TypeError(f"{x!r} can't be shown")

    def _signed(self, minus: bool, digits: str, strength: int) -> Printed:
        return Printed((self.piece("−" + digits if minus else digits),), strength, minus)

    def _ratio(self, above: Printed, below: str) -> Printed:
        (piece,) = above.pieces
        if piece.width + len(below) > LONG_FRACTION:
            return Printed((piece, self.piece("/" + below, SLASH)), PRODUCT, above.minus)
        return Printed((self.piece(f"{piece.text}/{below}"),), PRODUCT, above.minus)

    def line(self, x: Shown) -> str:
        """The whole tree on one line."""
        return joined(self.show(x).pieces)

    def top(self, x: Shown) -> tuple[Piece, ...]:
        """A whole side of a line: its outermost fraction has spaces around the slash."""
        if not isinstance(x, Over):
            return self.show(x).pieces
        pieces = self.over(x, lead=True, spaced=True).pieces
        return pieces if sum(p.width for p in pieces) > 9 else self.show(x).pieces

    def over(self, x: Over, lead: bool, spaced: bool = False) -> Printed:
        above = self.show(x.above, lead)
        if above.strength < PRODUCT or isinstance(x.above, Over) or _fraction(x.above):
            above = self.bracketed(above)
        below = self.unsigned(self.show(x.below, lead=False))
        if below.strength < POWER:
            below = self.bracketed(below)
        slash = self.piece("/ ", SLASH, " ") if spaced else self.piece("/", SLASH)
        return Printed((*above.pieces, slash, *below.pieces), PRODUCT, above.minus)

    def power(self, x: Power) -> Printed:
        base = self.unsigned(self.show(x.base))
        if base.strength < ATOM:
            base = self.bracketed(base)
        return self._raised(base, x.exponent)

    def _raised(self, base: Printed, exponent: Shown) -> Printed:
        *pieces, last = base.pieces
        if isinstance(exponent, Num) and exponent.q == 1:
            end = _superscript(exponent.p)
        elif simple(exponent):
            end = "^" + self.line(exponent)
        else:
            opening, *rest = self.bracketed(self.show(exponent), before="^").pieces
            first = replace(
                opening, text=last.text + opening.text, width=last.width + opening.width
            )
            return Printed((*pieces, replace(first, kind=last.kind), *rest), POWER)
        raised = replace(last, text=last.text + end, width=last.width + columns(end))
        return Printed((*pieces, raised), POWER)

    def root(self, x: Root) -> Printed:
        if x.n not in ROOTS:
            return self.arguments("root", (x.x, Num(x.n)))
        if simple(x.x):
            return Printed((self.piece(ROOTS[x.n] + self.line(x.x)),), POWER)
        return replace(self.bracketed(self.show(x.x), before=ROOTS[x.n]), strength=POWER)

    def call(self, x: Call) -> Printed:
        return self.arguments(terminal(FUNCTIONS.get(x.function, x.function)), x.args)

    def total(self, x: Sum) -> Printed:
        first, last = sum_bounds(x.count, self.names)
        head = f"Σ_{{{x.index.name}={first}}}^{{{minus_sign(last)}}} "
        body = self.show(x.body, lead=False)
        body = self.bracketed(body) if body.strength < SIGMA else self.unsigned(body)
        return Printed((self.piece(head), *body.pieces), SIGMA)

    def cases(self, x: Cases) -> Printed:
        words = [f"{self.line(b.value)} {self.when(b.condition)}" for b in x.branches]
        pieces = [self.piece(words[0])]
        for text in words[1:]:
            pieces[-1] = self.piece(pieces[-1].text + ",", pieces[-1].kind, pieces[-1].glue)
            pieces.append(self.piece(text, PLUS, " "))
        return Printed(tuple(pieces), SUM)

    def when(self, c: Condition) -> str:
        """The condition in words: if j ≤ i; otherwise."""
        sides = self.condition(c)
        if sides is None:
            return "otherwise"
        left, relation, right = sides
        return f"if {self.line(left)} {RELATIONS.get(relation, relation)} {self.line(right)}"


def _fraction(x: Shown) -> bool:
    return isinstance(x, Num) and x.q != 1


def _superscript(n: int) -> str:
    return str(n).translate(SUPERSCRIPT)


def minus_sign(text: str) -> str:
    """The same with the true minus sign."""
    return text.replace("-", "−")


def joined(pieces: tuple[Piece, ...] | list[Piece]) -> str:
    """Pieces on one line."""
    return "".join((p.glue if k else "") + p.text for k, p in enumerate(pieces))

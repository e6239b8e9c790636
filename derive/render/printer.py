"""What all renderings of maths share: order as written, parentheses, signs.

One printer for each format says how leaves look; sums, products and signs are decided here,
once.  A negative number stands in parentheses unless it comes first; Neg is subtraction
inside a sum; no sign ever follows another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from derive.line import (
    Call,
    Cases,
    Condition,
    Const,
    Names,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Times,
)
from derive.render.layout import PLUS, Piece, deeper
from derive.render.leaves import ATOM, POWER, PRODUCT, SIGMA, SUM


@dataclass(frozen=True)
class Printed:
    """A printed form: its pieces, how tightly it holds, whether it starts with a minus."""

    pieces: tuple[Piece, ...]
    strength: int = ATOM
    minus: bool = False


class Printer:
    """The part of a printer that knows no format.

    `names` gives every matrix its short name.  With `numbers` (a line with numbers put in)
    every part of a product that is not a plain number stands in parentheses.
    """

    def __init__(self, names: dict[str, str], numbers: bool = False) -> None:
        self.names, self.numbers = names, numbers
        self.comma = isinstance(names, Names) and names.comma
        self.known: dict[tuple[int, bool], tuple[Shown, Printed]] = {}  # by the tree's id

    # what a format says

    def piece(self, text: str, kind: int | None = None, glue: str = "") -> Piece:
        raise NotImplementedError

    def leaf(self, x: Shown) -> Printed:
        """Num, Const, Sym, Letter, Bound, Entry, Decimal."""
        raise NotImplementedError

    def over(self, x: Over, lead: bool) -> Printed:
        raise NotImplementedError

    def power(self, x: Power) -> Printed:
        raise NotImplementedError

    def root(self, x: Root) -> Printed:
        raise NotImplementedError

    def call(self, x: Call) -> Printed:
        raise NotImplementedError

    def total(self, x: Sum) -> Printed:
        raise NotImplementedError

    def cases(self, x: Cases) -> Printed:
        raise NotImplementedError

    def sign(self, minus: bool, first: bool) -> Piece:
        """+ or - inside a sum, or a minus at the beginning."""
        raise NotImplementedError

    def dots(self) -> str:
        """What stands for terms that are left out."""
        raise NotImplementedError

    def dot(self, left: Shown, right: Shown, before: Printed, after: Printed) -> Piece:
        """What stands between two factors; `before` and `after`: as they are printed."""
        raise NotImplementedError

    # what all formats share

    def show(self, x: Shown, lead: bool = True) -> Printed:
        """A tree as it is printed; `lead`: a minus may come first here.

        Kept for every tree, for a deep one would else be printed again from each level.
        """
        key = (id(x), lead)
        if key not in self.known:  # the tree is kept too, or its id could be given to another
            self.known[key] = (x, self._show(x, lead))
        return self.known[key][1]

    def _show(self, x: Shown, lead: bool) -> Printed:
        match x:
            case Plus():
                return self._plus(x)
            case Times():
                return self._times(x, lead)
            case Neg(x=part):
                return self._negative(part)
            case Over():
                return self.over(x, lead)
            case Power():
                return self.power(x)
            case Root():
                return self.root(x)
        return self._other(x)

    def _other(self, x: Shown) -> Printed:
        match x:
            case Call(function="exp", args=(part,)):
                return self.power(Power(Const("e"), part))
            case Call(function="sqrt", args=(part,)):
                return self.root(Root(part))
            case Call():
                return self.call(x)
            case Sum():
                return self.total(x)
            case Cases():
                return self.cases(x)
        return self.leaf(x)

    def _plus(self, x: Plus) -> Printed:
        if len(x.terms) < 2:
            return self.show(x.terms[0]) if x.terms else self.leaf(Num(0))
        shown = range(len(x.terms)) if x.shown is None else sorted(x.shown)
        pieces: list[Piece] = []
        minus, expected = False, 0
        for k in shown:
            if k > expected:
                pieces += self._gap(not pieces)
            term, negative = _subtracted(x.terms[k], bool(pieces))
            printed = self._term(term, lead=not pieces)
            minus = minus or (not pieces and printed.minus)
            if pieces:
                pieces += [self.sign(negative, first=False)]
            pieces += printed.pieces
            expected = k + 1
        if expected < len(x.terms):
            pieces += self._gap(not pieces)
        return Printed(tuple(pieces), SUM, minus)

    def _gap(self, first: bool) -> list[Piece]:
        dots = self.piece(self.dots())
        return [dots] if first else [self.sign(minus=False, first=False), dots]

    def _term(self, x: Shown, lead: bool) -> Printed:
        printed = self.show(x, lead)
        if printed.strength < SIGMA:
            return self.bracketed(printed)
        return printed if lead else self.unsigned(printed)

    def _times(self, x: Times, lead: bool) -> Printed:
        if not x.factors:
            return self.leaf(Num(1))
        if len(x.factors) == 1:
            return self.show(x.factors[0], lead)
        printed = [self._factor(x.factors, k, lead) for k in range(len(x.factors))]
        pieces = list(printed[0].pieces)
        for k, form in enumerate(printed[1:]):
            pieces.append(self.dot(x.factors[k], x.factors[k + 1], printed[k], form))
            pieces += form.pieces
        strength = SIGMA if isinstance(x.factors[-1], Sum) else PRODUCT
        return Printed(tuple(pieces), strength, printed[0].minus)

    def _factor(self, factors: Sequence[Shown], k: int, lead: bool) -> Printed:
        x, last = factors[k], k == len(factors) - 1
        may_lead = lead and not self.numbers and k == 0
        printed = self.show(x, may_lead)
        needed = PRODUCT if isinstance(x, Times) and may_lead else POWER
        if printed.strength < needed and not (isinstance(x, Sum) and last):
            return self.bracketed(printed)
        return printed if may_lead else self.unsigned(printed)

    def _negative(self, x: Shown) -> Printed:
        printed = self._term(x, lead=False)
        pieces = (self.sign(minus=True, first=True), *printed.pieces)
        return Printed(pieces, min(printed.strength, POWER), minus=True)

    def unsigned(self, printed: Printed) -> Printed:
        """The same in parentheses if it starts with a minus."""
        return self.bracketed(printed) if printed.minus else printed

    def bracketed(self, printed: Printed, before: str = "", after: str = "") -> Printed:
        """In parentheses; `before` and `after` stick to them: a function name, an exponent."""
        opening = replace(self.piece(before + "("), bracket=1)
        closing = replace(self.piece(")" + after), bracket=-1)
        return Printed((opening, *deeper(printed.pieces), closing))

    def arguments(self, name: str, args: Sequence[Shown]) -> Printed:
        """f(a, b): arguments need no parentheses of their own."""
        pieces: list[Piece] = []
        for arg in args:
            first, *rest = self.show(arg).pieces
            if pieces:
                pieces[-1] = replace(
                    pieces[-1], text=pieces[-1].text + ",", width=pieces[-1].width + 1
                )
                first = replace(first, kind=PLUS, glue=" ")
            pieces += [first, *rest]
        return self.bracketed(Printed(tuple(pieces)), before=name)

    def condition(self, c: Condition) -> tuple[Shown, str, Shown] | None:
        """The two sides of a condition; None for `otherwise`."""
        if c.left is None or c.right is None:
            return None
        return c.left, c.relation, c.right


def _subtracted(term: Shown, later: bool) -> tuple[Shown, bool]:
    """The term and whether a minus goes before it; -infinity is a number, not a subtraction."""
    if later and isinstance(term, Neg) and term.x != Const("inf"):
        return term.x, True
    return term, False

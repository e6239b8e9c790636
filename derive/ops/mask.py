"""Masks: 0 where a row may look, -∞ where it may not, added to the scores."""

from __future__ import annotations

from typing import Any

from derive.line import Case, Cases, Condition, Const, Neg, Num, Plus, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as
from derive.shapes import Shape

MINUS_INFINITY = Neg(Const("inf"))


class CausalMask(Operation):
    """A row sees itself and earlier rows only.  Source: Vaswani et al. 2017, section 3.2.3."""

    name = "causal mask"
    shape = " -> n m"
    sentence = "whether {row} may look at {column}"

    slips = (
        Slip(
            "mask-off-by-one",
            "It looks as if the mask is one place off: each token also saw the one after it.",
            worked_as(lambda op, f, i, j: f.rational(0) if j <= i + 1 else f.infinity(-1)),
        ),
        Slip(
            "mask-hides-self",
            "It looks as if the mask is one place off: each token was hidden from itself.",
            worked_as(lambda op, f, i, j: f.rational(0) if j < i else f.infinity(-1)),
        ),
        Slip(
            "mask-reversed",
            "It looks as if the mask hid the earlier tokens instead of the later ones.",
            worked_as(lambda op, f, i, j: f.rational(0) if j >= i else f.infinity(-1)),
        ),
    )

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.rows, self.columns = rows, columns

    def output(self, shapes: object) -> Shape:
        return self.rows, self.columns

    def define(self, f: Any, i: int, j: int, /) -> Any:
        return f.rational(0) if j <= i else f.infinity(-1)

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [
            Cases((
                Case(Num(0), Condition(column(j), "<=", row(i)), j <= i),
                Case(MINUS_INFINITY, Condition(column(j), ">", row(i)), j > i),
            ))
        ]  # fmt: skip

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(2, 3), {}

    def law(self, f: Any, out: View, /) -> Law:
        """Exactly i + 1 places of row i are open."""
        for i in range(self.rows):
            seen = [f.exp(out[i, j]) for j in range(self.columns)]
            yield sum(seen), f.rational(min(i + 1, self.columns))


class MaskedScores(Operation):
    """S_masked = scores + mask: a hidden score is -∞, so its weight will be exactly 0."""

    name = "mask"
    shape = "n m, n m -> n m"

    slips = (
        Slip(
            "no-mask", "It looks as if positions that should be hidden were not masked.", only("s")
        ),
    )

    def define(self, f: Any, i: int, j: int, /, s: View, mask: View) -> Any:
        term = mask[i, j]
        return term if term == f.infinity(-1) else s[i, j] + term  # a hidden score is not needed

    def formulas(self, i: int, j: int) -> list[Shown]:
        at = row(i), column(j)
        return [Plus((self.entry("s", *at), self.entry("mask", *at)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(s="s", mask="mask"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View, mask: View) -> Law:
        """A mask acts on exponentials by a factor: e^(s + mask) = e^s · e^mask."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield f.exp(out[i, j]), f.exp(s[i, j]) * f.exp(mask[i, j])

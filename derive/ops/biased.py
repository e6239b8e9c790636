"""Biased scores: a number added for each pair of rows, with and without a mask."""

from __future__ import annotations

from typing import Any

from derive.line import Plus, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as


def _without_bias(op: Operation, f: Any, i: int, j: int, /, s: View, bias: View, mask: View) -> Any:
    term = mask[i, j]
    return term if term == f.infinity(-1) else s[i, j] + term


class BiasedScores(Operation):
    """S_masked = scores + bias, where everything may be seen.

    Source: Press et al. 2022 (ALiBi), section 3.
    """

    name = "bias"
    meaning = "scaled scores with their bias"
    shape = "n m, n m -> n m"

    slips = (
        Slip(
            "no-alibi",
            "It looks as if the bias for the distance of two tokens was forgotten.",
            only("s"),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, s: View, bias: View) -> Any:
        return s[i, j] + bias[i, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        at = row(i), column(j)
        return [Plus((self.entry("s", *at), self.entry("bias", *at)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(s="s", bias="bias"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View, bias: View) -> Law:
        """A bias acts on exponentials by a factor."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield f.exp(out[i, j]), f.exp(s[i, j]) * f.exp(bias[i, j])


class BiasedMaskedScores(Operation):
    """S_masked = scores + bias + mask.  Source: Press et al. 2022 (ALiBi), section 3."""

    name = "bias and mask"
    meaning = "scaled scores with their bias, -inf where hidden"
    shape = "n m, n m, n m -> n m"

    slips = (
        Slip(
            "no-mask",
            "It looks as if positions that should be hidden were not masked.",
            worked_as(lambda op, f, i, j, s, bias, mask: s[i, j] + bias[i, j]),
        ),
        Slip(
            "no-alibi",
            "It looks as if the bias for the distance of two tokens was forgotten.",
            worked_as(_without_bias),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, s: View, bias: View, mask: View) -> Any:
        term = mask[i, j]
        return term if term == f.infinity(-1) else s[i, j] + bias[i, j] + term

    def formulas(self, i: int, j: int) -> list[Shown]:
        at = row(i), column(j)
        return [Plus(tuple(self.entry(role, *at) for role in ("s", "bias", "mask")))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(s="s", bias="bias", mask="mask"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, s: View, bias: View, mask: View) -> Law:
        """Taking bias and mask away again leaves the scores."""
        for i in range(s.rows):
            for j in range(s.columns):
                yield out[i, j] - bias[i, j] - mask[i, j], s[i, j]

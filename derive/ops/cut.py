"""Cut: only the likeliest words stay, and share the whole chance anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derive.line import Num, Over, Plus, Shown
from derive.operation import Law, Operation, Slip, View, column, only, row, worked_as

Kept = Callable[[int], tuple[int, ...]]  # row -> the columns that stay, likeliest first


class Cut(Operation):
    """p / (sum of what stays) where a word stays, exactly 0 elsewhere.

    Which words stay is decided exactly by `kept`, once the chances are known.
    Source: Fan et al. 2018 (top-k); Holtzman et al. 2020, section 3.1 (nucleus, top-p).
    """

    name = "cut"
    shape = "n V -> n V"
    sentence = "the chance that {column} follows {row}, of the words that stay"

    slips = (
        Slip("not-cut", "It looks as if no word was left out.", only("p")),
        Slip(
            "not-shared-out",
            "It looks as if the chances that stay were not made to add up to the whole again.",
            worked_as(lambda op, f, i, j, p: p[i, j] if j in op.kept(i) else f.rational(0)),
        ),
    )

    def __init__(self, rule: str, kept: Kept, *, p: str) -> None:
        super().__init__(p=p)
        self.rule, self.kept = rule, kept

    def define(self, f: Any, i: int, j: int, /, p: View) -> Any:
        kept = self.kept(i)
        return p[i, j] / sum(p[i, k] for k in sorted(kept)) if j in kept else f.rational(0)

    def formulas(self, i: int, j: int) -> list[Shown]:
        kept = self.kept(i)
        if j not in kept:
            return [Num(0)]
        terms = tuple(self.entry("p", row(i), Num(k)) for k in kept)
        return [
            Over(self.entry("p", row(i), column(j)), terms[0] if len(terms) == 1 else Plus(terms))
        ]

    def remark(self, sign: object, *at: int) -> str:
        i, j = at
        kept = self.kept(i)
        word = "stays" if j in kept else "does not stay, so its chance is 0"
        names = ", ".join(str(self.index(k)) for k in kept)
        return f"{self.rule}: columns {names} stay. Column {self.index(j)} {word}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("the two likeliest stay", lambda i: (2, i), p="p"), {"n": 2, "V": 3}

    def law(self, f: Any, out: View, /, p: View) -> Law:
        """What stays adds up to 1."""
        for i in range(p.rows):
            yield sum(out[i, j] for j in range(p.columns)), f.rational(1)

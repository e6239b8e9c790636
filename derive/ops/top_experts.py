"""Top experts: the largest entries of a row stay, the others count for nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derive.line import Case, Cases, Condition, Const, Entry, Letter, Neg, Num, Shown
from derive.operation import Law, Operation, View, column, row

Groups = Callable[[int], tuple[tuple[int, ...], ...]]  # row -> its columns from the largest down


class TopExperts(Operation):
    """The entry itself where its place in the row is at most k; 0 (or -∞) elsewhere.

    Places are decided exactly by `groups`, once the entries are known; of exactly equal
    entries the one with the lower number goes first.
    Source: Shazeer et al. 2017, equation 5 (-∞, before the softmax); Fedus et al. 2022
    (Switch), section 2.1, and DeepSeek-V2 (2024), equation 21 (0, after it).
    """

    name = "top experts"
    shape = "n e -> n e"
    sentence = "how much expert {column} counts for {row}"

    def __init__(self, groups: Groups, top: int, *, before: bool = False, x: str) -> None:
        super().__init__(x=x)
        self.groups, self.top = groups, top
        self.before = before  # a softmax follows, so that what falls out is -∞

    def order(self, i: int) -> list[int]:
        """The columns of a row from the largest down, of equal ones the lower first."""
        return [j for group in self.groups(i) for j in sorted(group)]

    def chosen(self, i: int) -> tuple[int, ...]:
        """The columns that stay in a row, in their own order."""
        return tuple(sorted(self.order(i)[: self.top]))

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        if j in self.chosen(i):
            return x[i, j]
        return f.infinity(-1) if self.before else f.rational(0)

    def formulas(self, i: int, j: int) -> list[Shown]:
        place, top = Letter("r_j", Num(self.order(i).index(j) + 1)), Letter("k", Num(self.top))
        stays = j in self.chosen(i)
        other: Shown = Neg(Const("inf")) if self.before else Num(0)
        return [
            Cases((
                Case(self.entry("x", row(i), column(j)), Condition(place, "<=", top), stays),
                Case(other, Condition(place, ">", top), not stays),
            ))
        ]  # fmt: skip

    def decided_by(self, *at: int) -> tuple[Entry, ...]:
        i, _ = at
        return tuple(self.entry("x", Num(i), Num(m)) for m in range(self.sizes["x"][1]))

    def remark(self, sign: object, *at: int) -> str:
        i, j = at
        order = self.order(i)
        names = ", ".join(f"e{k}" for k in order)
        stay = "the first stays" if self.top == 1 else f"the first {self.top} stay"
        words = [
            f"From the largest down the experts of this row are {names}, and {stay}; "
            f"r_j is the place of e{j}: {order.index(j) + 1}."
        ]
        for group in self.groups(i):
            if len(group) > 1:
                equal = ", ".join(f"e{k}" for k in sorted(group))
                words.append(f"{equal} are exactly equal: a tie, and the lower number goes first.")
        return " ".join(words)

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(lambda i: ((2,), (0, i + 1)) if i == 0 else ((0,), (1,), (2,)), 2, x="x"), {
            "n": 2,
            "e": 3,
        }

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """A row adds up to what stays of it."""
        for i in range(x.rows):
            kept = [x[i, j] for j in self.chosen(i)]
            yield sum(out[i, j] for j in range(x.columns)), sum(kept)

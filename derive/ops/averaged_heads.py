"""Averaged heads: one KV head made of the keys or values of a whole group."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Over, Plus, Shown
from derive.operation import Law, Operation, Slip, View, column, row, worked_as


class AveragedHeads(Operation):
    """The mean of the weights of a group of heads, which then share it.

    Source: Ainslie et al. 2023 (GQA), section 2.1: mean pooling of checkpoints.
    """

    name = "averaged heads"
    meaning = "weights of a KV head: the mean of those of its heads"

    slips = (
        Slip(
            "sum-not-mean",
            "It looks as if the heads of a group were added up instead of averaged.",
            worked_as(lambda op, f, i, j, **x: sum(view[i, j] for view in x.values())),
        ),
        Slip(
            "first-head-only",
            "It looks as if one head of the group was taken instead of their mean.",
            worked_as(lambda op, f, i, j, **x: next(iter(x.values()))[i, j]),
        ),
    )

    def __init__(self, *heads: str) -> None:
        super().__init__(**{f"w{k}": name for k, name in enumerate(heads)})
        self.shape = f"{', '.join(['d k'] * len(heads))} -> d k"  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, **heads: View) -> Any:
        return sum(w[i, j] for w in heads.values()) / len(heads)

    def formulas(self, i: int, j: int) -> list[Shown]:
        terms = tuple(self.entry(role, row(i), column(j)) for role in self.inputs)
        return [Over(Plus(terms), Num(len(terms)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("w0", "w1", "w2"), {"d": 2, "k": 4}

    def law(self, f: Any, out: View, /, **heads: View) -> Law:
        """The distances from the mean add up to 0."""
        first = next(iter(heads.values()))
        for i in range(first.rows):
            for j in range(first.columns):
                yield sum(w[i, j] - out[i, j] for w in heads.values()), f.rational(0)

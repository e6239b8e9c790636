"""Cross-entropy: how surprised the model is by the word that does come next."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Letter, Neg, Num, Shown
from derive.operation import Law, Operation, Slip, View, row, worked_as
from derive.shapes import Shape


class CrossEntropy(Operation):
    """-ln of the chance of the target, in nats.  Source: Goodfellow et al. 2016, equation 5.18."""

    name = "cross-entropy"
    shape = "n V -> n 1"

    slips = (
        Slip(
            "log-base-two",
            "It looks as if a logarithm to the base two was taken instead of the natural one.",
            worked_as(lambda op, f, i, j, p: -f.log(p[i, op.targets[i]]) / f.log(f.rational(2))),
        ),
        Slip(
            "log-base-ten",
            "It looks as if a logarithm to the base ten was taken instead of the natural one.",
            worked_as(lambda op, f, i, j, p: -f.log(p[i, op.targets[i]]) / f.log(f.rational(10))),
        ),
        Slip(
            "no-log",
            "It looks as if the logarithm was not taken.",
            worked_as(lambda op, f, i, j, p: p[i, op.targets[i]]),
        ),
    )

    def __init__(self, targets: tuple[int, ...], *, p: str) -> None:
        super().__init__(p=p)
        self.targets = targets  # the column of each row's next word

    def output(self, shapes: Any) -> Shape:
        self.sizes = {"p": shapes[self.inputs["p"]]}
        return min(len(self.targets), self.sizes["p"][0]), 1

    def define(self, f: Any, i: int, j: int, /, p: View) -> Any:
        return -f.log(p[i, self.targets[i]])

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Neg(Call("log", (self.entry("p", row(i), Letter("t_i", Num(self.targets[i]))),)))]

    def remark(self, sign: object, *at: int) -> str:
        target = self.index(self.targets[at[0]])
        return f"t_i is the column of the word that comes next: here {target}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls((2, 0), p="p"), {"n": 2, "V": 3}

    def law(self, f: Any, out: View, /, p: View) -> Law:
        """e^(-loss) is the chance again."""
        for i, target in enumerate(self.targets):
            yield f.exp(-out[i, 0]), p[i, target]

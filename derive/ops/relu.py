"""ReLU: negative numbers become 0, the others stay."""

from __future__ import annotations

from typing import Any

from derive.line import Call, Num, Shown
from derive.operation import Law, Operation, Sign, Slip, View, column, only, row, worked_as


class ReLU(Operation):
    """max(0, u), with the sign of u decided exactly.  Source: Nair and Hinton 2010."""

    name = "ReLU"
    shape = "n f -> n f"

    slips = (
        Slip("no-activation", "It looks as if the activation was left out.", only("u")),
        Slip(
            "relu-wrong-side",
            "It looks as if the ReLU kept the negative side and cut off the positive one.",
            worked_as(lambda op, f, i, j, u: f.min(f.rational(0), u[i, j])),
        ),
    )

    def define(self, f: Any, i: int, j: int, /, u: View) -> Any:
        return f.max(f.rational(0), u[i, j])

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Call("max", (Num(0), self.entry("u", row(i), column(j))))]

    def remark(self, sign: Sign, *at: int) -> str:
        found = sign(self.inputs["u"], at)
        if found is None:
            return ""
        what = ("is exactly 0", "is positive, so it stays", "is negative, so it becomes 0")[found]
        return f"The number inside {what}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(u="u"), {"n": 2, "f": 3}

    def law(self, f: Any, out: View, /, u: View) -> Law:
        """relu(u) - relu(-u) = u."""
        for i in range(u.rows):
            for j in range(u.columns):
                yield out[i, j] - f.max(f.rational(0), -u[i, j]), u[i, j]

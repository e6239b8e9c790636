"""Temperature: exponentials of logits divided by T, before they share the chance."""

from __future__ import annotations

from typing import Any

from derive.line import Const, Letter, Num, Over, Power, Shown, constant
from derive.operation import Law, Operation, Slip, View, column, row, worked_as


class Tempered(Operation):
    """e^(logit / T): T > 1 makes the chances more even, T < 1 less.

    Source: Ackley et al. 1985 (Boltzmann machines), equation 5.
    """

    name = "exponentials at temperature T"
    shape = "n V -> n V"

    slips = (
        Slip(
            "no-temperature",
            "It looks as if the temperature was not used.",
            worked_as(lambda op, f, i, j, x: f.exp(x[i, j])),
        ),
        Slip(
            "temperature-multiplied",
            "It looks as if the temperature was multiplied in where it divides.",
            worked_as(lambda op, f, i, j, x: f.exp(x[i, j] * constant(op.temperature, f))),
        ),
        Slip(
            "base-two",
            "It looks as if powers of two were taken instead of powers of e.",
            worked_as(
                lambda op, f, i, j, x: f.general_power(
                    f.rational(2), x[i, j] / constant(op.temperature, f)
                )
            ),
        ),
        Slip(
            "base-ten",
            "It looks as if powers of ten were taken instead of powers of e.",
            worked_as(
                lambda op, f, i, j, x: f.general_power(
                    f.rational(10), x[i, j] / constant(op.temperature, f)
                )
            ),
        ),
    )

    def __init__(self, temperature: Shown, *, x: str) -> None:
        super().__init__(x=x)
        self.temperature = temperature

    def define(self, f: Any, i: int, j: int, /, x: View) -> Any:
        return f.exp(x[i, j] / constant(self.temperature, f))

    def formulas(self, i: int, j: int) -> list[Shown]:
        logit = self.entry("x", row(i), column(j))
        if self.temperature == Num(1):
            return [Power(Const("e"), logit)]
        return [Power(Const("e"), Over(logit, Letter("T", self.temperature)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(Num(3), x="x"), {"n": 2, "V": 3}

    def law(self, f: Any, out: View, /, x: View) -> Law:
        """The T-th power is the plain exponential."""
        for i in range(x.rows):
            for j in range(x.columns):
                yield out[i, j] ** 3, f.exp(x[i, j])

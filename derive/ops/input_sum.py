"""Sum of inputs: word, position and token type of each row."""

from __future__ import annotations

from typing import Any

from derive.line import Plus, Shown
from derive.operation import Law, Operation, Slip, View, column, row, worked_as


class InputSum(Operation):
    """X = X_tok + P + X_type.  Source: Devlin et al. 2019 (BERT), section 3."""

    name = "sum of inputs"

    slips = (
        Slip(
            "no-position",
            "It looks as if a part of the input was not added.",
            worked_as(lambda op, f, i, j, **x: x["x0"][i, j] + x["x2"][i, j]),
        ),
        Slip(
            "no-token-type",
            "It looks as if the token type was not added.",
            worked_as(lambda op, f, i, j, **x: x["x0"][i, j] + x["x1"][i, j]),
        ),
    )

    def __init__(self, *parts: str) -> None:
        super().__init__(**{f"x{k}": name for k, name in enumerate(parts)})
        self.shape = f"{', '.join(['n d'] * len(parts))} -> n d"  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, **parts: View) -> Any:
        return sum(x[i, j] for x in parts.values())

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Plus(tuple(self.entry(role, row(i), column(j)) for role in self.inputs))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("x0", "x1", "x2"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, **parts: View) -> Law:
        """All parts but the first taken away leave the first."""
        first, *rest = parts.values()
        for i in range(first.rows):
            for j in range(first.columns):
                yield out[i, j] - sum(x[i, j] for x in rest), first[i, j]

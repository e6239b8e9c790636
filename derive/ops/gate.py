"""Gate: one branch of the feed-forward pass lets through a part of the other."""

from __future__ import annotations

from typing import Any

from derive.line import Shown, Times
from derive.operation import Law, Operation, Slip, View, column, only, row


class Gate(Operation):
    """G = activation(U_gate) · U, entry by entry.

    Source: Shazeer 2020 (GLU variants), equations 5 and 6.
    """

    name = "gate"
    shape = "n f, n f -> n f"

    slips = (
        Slip("no-gate", "It looks as if the gate was not multiplied in.", only("u")),
        Slip("gate-alone", "It looks as if the up branch was not multiplied in.", only("gate")),
    )

    def define(self, f: Any, i: int, j: int, /, gate: View, u: View) -> Any:
        return gate[i, j] * u[i, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        at = row(i), column(j)
        return [Times((self.entry("gate", *at), self.entry("u", *at)))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(gate="gate", u="u"), {"n": 2, "f": 3}

    def law(self, f: Any, out: View, /, gate: View, u: View) -> Law:
        """Gate and branch may change places."""
        for i in range(u.rows):
            for j in range(u.columns):
                yield out[i, j] / u[i, j], gate[i, j]

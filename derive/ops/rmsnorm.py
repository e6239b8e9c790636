"""RMSNorm: every row divided by its root mean square, times a gain where there is one."""

from __future__ import annotations

from typing import Any

from derive.line import Num, Over, Shown, Times
from derive.operation import Law, Operation, Slip, View, column, only, row, without


class RMSNorm(Operation):
    """x / rms(x) · gain.  Source: Zhang and Sennrich 2019, equation 4."""

    name = "RMSNorm"
    shape = "n d, n 1 -> n d"

    slips = (
        Slip("no-norm", "It looks as if the row was not normalised.", only("x")),
        Slip("no-gain", "It looks as if the gain of the norm was forgotten.", without("gain")),
    )

    def __init__(self, *, x: str, rms: str, gain: str | None = None) -> None:
        super().__init__(x=x, rms=rms, **({"gain": gain} if gain else {}))
        if gain:
            self.shape = "n d, n 1, 1 d -> n d"  # type: ignore[misc]

    def define(
        self, f: Any, i: int, j: int, /, x: View, rms: View, gain: View | None = None
    ) -> Any:
        ratio = x[i, j] / rms[i, 0]
        return ratio if gain is None else ratio * gain[0, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        ratio = Over(self.entry("x", row(i), column(j)), self.entry("rms", row(i), Num(0)))
        if "gain" not in self.inputs:
            return [ratio]
        return [Times((ratio, self.entry("gain", Num(0), column(j))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(x="x", rms="rms", gain="gain"), {"n": 2, "d": 3}

    def law(self, f: Any, out: View, /, x: View, rms: View, gain: View | None = None) -> Law:
        """Times the root mean square again, it is the row with its gain."""
        for i in range(x.rows):
            for j in range(x.columns):
                yield out[i, j] * rms[i, 0], x[i, j] * (1 if gain is None else gain[0, j])

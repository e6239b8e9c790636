"""LayerNorm: every row shifted to mean 0 and divided by the root of its variance."""

from __future__ import annotations

from typing import Any

from derive.line import Neg, Num, Over, Plus, Shown, Times
from derive.operation import Law, Operation, Slip, View, column, only, row, without, worked_as


def _not_centred(op: Operation, f: Any, i: int, j: int, /, **views: View) -> Any:
    """The row divided by the root, its mean still in it, for a slip."""
    value = views["x"][i, j] / views["root"][i, 0]
    value = value * views["gain"][0, j] if "gain" in views else value
    return value + views["shift"][0, j] if "shift" in views else value


class LayerNorm(Operation):
    """(x - mean) / root · gain + shift.  Source: Ba et al. 2016, equations 3 and 4."""

    name = "LayerNorm"
    shape = "n d, n 1, n 1 -> n d"

    slips = (
        Slip("no-norm", "It looks as if the row was not normalised.", only("x")),
        Slip("no-gain", "It looks as if the gain of the norm was forgotten.", without("gain")),
        Slip("no-shift", "It looks as if the shift of the norm was forgotten.", without("shift")),
        Slip(
            "no-gain-and-shift",
            "It looks as if gain and shift of the norm were forgotten.",
            lambda op: without("gain", "shift")(op) if len(op.inputs) > 4 else None,
        ),
        Slip(
            "mean-not-subtracted",
            "It looks as if the mean was not subtracted.",
            worked_as(_not_centred),
        ),
    )

    def __init__(
        self, *, x: str, mean: str, root: str, gain: str | None = None, shift: str | None = None
    ) -> None:
        extra = {role: name for role, name in (("gain", gain), ("shift", shift)) if name}
        super().__init__(x=x, mean=mean, root=root, **extra)
        if extra:
            self.shape = f"n d, n 1, n 1{', 1 d' * len(extra)} -> n d"  # type: ignore[misc]

    def define(
        self,
        f: Any,
        i: int,
        j: int,
        /,
        x: View,
        mean: View,
        root: View,
        gain: View | None = None,
        shift: View | None = None,
    ) -> Any:
        value = (x[i, j] - mean[i, 0]) / root[i, 0]
        value = value if gain is None else value * gain[0, j]
        return value if shift is None else value + shift[0, j]

    def formulas(self, i: int, j: int) -> list[Shown]:
        distance = Plus(
            (self.entry("x", row(i), column(j)), Neg(self.entry("mean", row(i), Num(0))))
        )
        value: Shown = Over(distance, self.entry("root", row(i), Num(0)))
        if "gain" in self.inputs:
            value = Times((value, self.entry("gain", Num(0), column(j))))
        if "shift" in self.inputs:
            value = Plus((value, self.entry("shift", Num(0), column(j))))
        return [value]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        names = {role: role for role in ("x", "mean", "root", "gain", "shift")}
        return cls(**names), {"n": 2, "d": 3}

    def law(
        self,
        f: Any,
        out: View,
        /,
        x: View,
        mean: View,
        root: View,
        gain: View | None = None,
        shift: View | None = None,
    ) -> Law:
        """Shift and gain undone and times the root, it is the distance from the mean."""
        assert gain is not None and shift is not None
        for i in range(x.rows):
            for j in range(x.columns):
                back = (out[i, j] - shift[0, j]) / gain[0, j] * root[i, 0]
                yield back, x[i, j] - mean[i, 0]

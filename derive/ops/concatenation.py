"""Concatenation: the outputs of all heads side by side in one row."""

from __future__ import annotations

from typing import Any

from derive.line import Letter, Num, Shown
from derive.operation import Law, Operation, Sign, View, row
from derive.shapes import Shape


class Concatenation(Operation):
    """Z_cat = [Z of head 0, Z of head 1, …].  Source: Vaswani et al. 2017, section 3.2.2."""

    name = "heads side by side"

    def __init__(self, *heads: str) -> None:
        super().__init__(**{f"z{k}": name for k, name in enumerate(heads)})
        self.shape = f"{', '.join(['n v'] * len(heads))} -> n v"  # type: ignore[misc]

    def output(self, shapes: Any) -> Shape:
        n, width = super().output(shapes)
        return n, width * len(self.inputs)

    def _place(self, j: int) -> tuple[int, int]:
        """Head, and column in it, of column j."""
        return divmod(j, self.sizes["z0"][1])

    def define(self, f: Any, i: int, j: int, /, **heads: View) -> Any:
        head, c = self._place(j)
        return heads[f"z{head}"][i, c]

    def formulas(self, i: int, j: int) -> list[Shown]:
        head, c = self._place(j)
        return [self.entry(f"z{head}", row(i), Letter("c", Num(c)))]

    def remark(self, sign: Sign, *at: int) -> str:
        head, c = self._place(at[1])
        return f"Column {self.index(at[1])} is column c = {self.index(c)} of head {head}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("z0", "z1", "z2"), {"n": 2, "v": 4}

    def law(self, f: Any, out: View, /, **heads: View) -> Law:
        """A row adds up to the rows of all heads."""
        for i in range(heads["z0"].rows):
            parts = [z[i, c] for z in heads.values() for c in range(z.columns)]
            yield sum(out[i, j] for j in range(len(parts))), sum(parts)

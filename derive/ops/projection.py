"""Projection: every row times a weight matrix, plus a bias where there is one."""

from __future__ import annotations

from typing import Any

from derive.line import Bound, Num, Plus, Shown, Times
from derive.operation import (
    Law,
    Operation,
    Slip,
    View,
    column,
    row,
    size,
    total,
    without,
    worked_as,
)


def _transposed(op: Operation) -> Operation | None:
    """A row of the weights instead of a column, for a slip; square weights only."""
    if op.sizes["w"][0] != op.sizes["w"][1]:
        return None

    def define(
        op: Operation, f: Any, i: int, j: int, /, x: View, w: View, b: View | None = None
    ) -> Any:
        product = sum(x[i, k] * w[j, k] for k in range(w.rows))
        return product if b is None else product + b[0, j]

    return worked_as(define)(op)


class Projection(Operation):
    """y_i = x_i W + b, the linear map of queries, keys, values, outputs and FFN layers.

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    name = "projection"
    shape = "n d, d k -> n k"

    slips = (
        Slip("no-bias", "It looks as if a bias was forgotten.", without("b"), alone=True),
        Slip(
            "weight-transposed",
            "It looks as if a row of a weight matrix was taken where its column was needed.",
            _transposed,
            alone=True,
        ),
    )

    def __init__(self, name: str, inner: str, *, x: str, w: str, b: str | None = None) -> None:
        super().__init__(x=x, w=w, **({"b": b} if b else {}))
        self.name = name  # type: ignore[misc]
        self.inner = inner  # the letter of the summed size: d, d_v, d_ff
        if b:
            self.shape = "n d, d k, 1 k -> n k"  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, x: View, w: View, b: View | None = None) -> Any:
        product = sum(x[i, k] * w[k, j] for k in range(w.rows))
        return product if b is None else product + b[0, j]

    def row(self, f: Any, i: int, /, **views: Any) -> list[Any] | None:
        x, w, b = views["x"], views["w"], views.get("b")
        weights = w.whole
        if weights is None:
            return None
        left = f.matrix([[x[i, k] for k in range(w.rows)]])
        if left is None:
            return None
        product = left * weights
        columns = range(w.columns)
        return [product[0, j] if b is None else product[0, j] + b[0, j] for j in columns]

    def formulas(self, i: int, j: int) -> list[Shown]:
        k = Bound("k")
        product = total(
            k,
            size(self.inner, self.sizes["w"][0]),
            Times((self.entry("x", row(i), k), self.entry("w", k, column(j)))),
        )
        if "b" not in self.inputs:
            return [product]
        return [Plus((product, self.entry("b", Num(0), column(j))))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("projection", "d", x="x", w="w", b="b"), {"n": 2, "d": 3, "k": 4}

    def law(self, f: Any, out: View, /, x: View, w: View, b: View | None = None) -> Law:
        """Linear: the columns of the result add up to what the columns of W and b add up to."""
        for i in range(x.rows):
            weights = [sum(w[k, j] for j in range(w.columns)) for k in range(w.rows)]
            right = sum(x[i, k] * weights[k] for k in range(w.rows))
            bias = 0 if b is None else sum(b[0, j] for j in range(w.columns))
            yield sum(out[i, j] for j in range(w.columns)), right + bias

"""Combined mask: what several rules leave open."""

from __future__ import annotations

from typing import Any

from derive.line import Plus, Shown
from derive.operation import Law, Operation, View, column, row


class CombinedMask(Operation):
    """0 where every mask has 0, -∞ where one of them hides."""

    name = "masks added"
    sentence = "whether {row} may look at {column}"

    def __init__(self, *masks: str) -> None:
        super().__init__(**{f"m{k}": name for k, name in enumerate(masks)})
        self.shape = f"{', '.join(['n m'] * len(masks))} -> n m"  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, **masks: View) -> Any:
        terms = [mask[i, j] for mask in masks.values()]
        hidden = f.infinity(-1)
        return hidden if any(term == hidden for term in terms) else sum(terms)

    def formulas(self, i: int, j: int) -> list[Shown]:
        return [Plus(tuple(self.entry(role, row(i), column(j)) for role in self.inputs))]

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls("m0", "m1", "m2"), {"n": 2, "m": 3}

    def law(self, f: Any, out: View, /, **masks: View) -> Law:
        """Each mask acts on exponentials by a factor."""
        first = masks["m0"]
        for i in range(first.rows):
            for j in range(first.columns):
                product = f.rational(1)
                for mask in masks.values():
                    product = product * f.exp(mask[i, j])
                yield f.exp(out[i, j]), product

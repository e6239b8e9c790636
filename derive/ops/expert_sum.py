"""Expert sum: what the chosen experts make of a row, by weight, and the shared ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derive.line import Entry, Num, Plus, Shown, Times
from derive.operation import Law, Operation, View, column, row


class ExpertSum(Operation):
    """F_i = Σ_e router_ie F^(e)_i over the experts that row i goes to, + Σ_s F^(s)_i.

    A row that does not go to an expert does not need it: its weight is exactly 0.
    Source: Shazeer et al. 2017, equation 1; DeepSeek-V2 (2024), equation 20 (shared experts).
    """

    name = "experts by weight"

    def __init__(
        self, chosen: Callable[[int], tuple[int, ...]], shared: list[str], *experts: str, r: str
    ) -> None:
        own = {f"e{k}": name for k, name in enumerate(experts)}
        super().__init__(r=r, **own, **{f"s{k}": name for k, name in enumerate(shared)})
        self.chosen, self.shared = chosen, len(shared)
        rows = ["n d"] * (len(experts) + len(shared))
        self.shape = f"{', '.join(['n e', *rows])} -> n d"  # type: ignore[misc]

    def define(self, f: Any, i: int, j: int, /, r: View, **parts: View) -> Any:
        weighted = [r[i, e] * parts[f"e{e}"][i, j] for e in self.chosen(i)]
        return sum(weighted + [parts[f"s{s}"][i, j] for s in range(self.shared)], f.zero)

    def formulas(self, i: int, j: int) -> list[Shown]:
        at = row(i), column(j)
        weighted: list[Shown] = [
            Times((self.entry("r", row(i), Num(e)), self.entry(f"e{e}", *at)))
            for e in self.chosen(i)
        ]
        terms = weighted + [self.entry(f"s{s}", *at) for s in range(self.shared)]
        return [terms[0] if len(terms) == 1 else Plus(tuple(terms))]

    def decided_by(self, *at: int) -> tuple[Entry, ...]:
        return tuple(self.entry("r", Num(at[0]), Num(e)) for e in range(self.sizes["r"][1]))

    def remark(self, sign: object, *at: int) -> str:
        chosen = self.chosen(at[0])
        if len(chosen) == self.sizes["r"][1]:
            return "This row goes to every expert."
        names = ", ".join(f"e{e}" for e in chosen)
        words = f"This row goes to {names}: the others have weight exactly 0"
        return words + ("." if not self.shared else ", and what is shared counts whole.")

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(lambda i: (0, 2) if i else (1,), ["s"], "x", "y", "z", r="r"), {
            "n": 2, "e": 3, "d": 4,
        }  # fmt: skip

    def law(self, f: Any, out: View, /, r: View, **parts: View) -> Law:
        """Without the shared experts it is linear in the weights: twice as much for twice them."""
        for i in range(r.rows):
            for j in range(out.columns):
                shared = sum(parts[f"s{s}"][i, j] for s in range(self.shared))
                twice = sum(2 * r[i, e] * parts[f"e{e}"][i, j] for e in self.chosen(i))
                yield 2 * (out[i, j] - shared), twice

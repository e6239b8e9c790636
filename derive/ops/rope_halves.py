"""RoPE in halves: column p turns with column p + k/2."""

from __future__ import annotations

from derive.ops.rope import Rope


class RopeHalves(Rope):
    """Each pair (p, p + k/2) of a row turns by position · θ_p, counter-clockwise.

    Where only a part of a head turns, k is the number of columns that turn.
    Source: Black et al. 2022 (GPT-NeoX), section 2.1; the layout of Llama's published weights.
    """

    name = "RoPE in halves"

    def pair(self, p: int) -> tuple[tuple[int, str], tuple[int, str]]:
        half = len(self.angles)
        return (p, "p"), (p + half, f"p+{half}")

    def place(self, j: int) -> tuple[int, int]:
        second, p = divmod(j, len(self.angles))
        return p, second

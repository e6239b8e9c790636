"""RoPE the other way round: pairs turn clockwise."""

from __future__ import annotations

from typing import Any

from derive.ops.rope import Rope
from derive.ops.rope_halves import RopeHalves


class RopeClockwise(Rope):
    """Each pair (2p, 2p+1) of a row turns by position · θ_p, clockwise.

    Source: the transposed matrix of Su et al. 2021, equation 15.
    """

    name = "RoPE, clockwise"

    def terms(self, second: int, cos: Any, sin: Any, a: Any, b: Any) -> tuple[Any, Any, bool]:
        return ((b, cos), (a, sin), True) if second else ((a, cos), (b, sin), False)


class RopeHalvesClockwise(RopeHalves):
    """Each pair (p, p + k/2) of a row turns by position · θ_p, clockwise."""

    name = "RoPE in halves, clockwise"

    def terms(self, second: int, cos: Any, sin: Any, a: Any, b: Any) -> tuple[Any, Any, bool]:
        return ((b, cos), (a, sin), True) if second else ((a, cos), (b, sin), False)

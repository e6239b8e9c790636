"""The answer to "are these equal?": equal, different or undecided, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from derive.exact.evidence import Evidence
    from derive.exact.sums.prove import SumEvidence

Answer = Literal["equal", "different", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """What was decided, by which method, with evidence that can be replayed.

    `reason` is a short English sentence; for undecided it says what is missing.

    >>> Verdict("equal", "same expression").equal
    True
    """

    verdict: Answer
    method: str
    evidence: Evidence | SumEvidence | None = field(default=None, repr=False, compare=False)
    reason: str = ""

    @property
    def equal(self) -> bool:
        """True when the two sides were proved equal (undecided is not equal)."""
        return self.verdict == "equal"

    @property
    def different(self) -> bool:
        """True when the two sides were proved different."""
        return self.verdict == "different"

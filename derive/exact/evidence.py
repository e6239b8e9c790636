"""Evidence: a claim and a certificate that a small independent program (checker.py) repeats.

`Evidence.data()` is a JSON object; nothing of it is built before it is asked for.

    kind, method    equal or different, and how that was decided
    claim           {kind, program, left, right, assumptions}: nodes, arguments first, as
                    Dag.program gives them; the positions of the sides; [position, relation]
    program         further nodes
    letters         how many of the nodes stand for themselves in polynomials
    steps           the rules of checker.py, one after the other; none where enclosures say all
    point, bits     for different: {symbol: number}, a precision at which the sides are apart
    left_ball, right_ball   by the method ball: one or two (real, imaginary) intervals
                    [low, high] with ends "m*2^e", which are disjoint

Where no certificate was found there is `not_replayable`, which says so, in the place of the
last five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from derive.exact.assumptions import Assumption
from derive.exact.dag import Node
from derive.exact.field import Poly
from derive.exact.refute import Witness

if TYPE_CHECKING:
    from derive.exact.tower import Tower

Data = dict[str, object]
WRITING = 100_000_000  # steps allowed for writing down a proof that is done


@dataclass(frozen=True)
class Evidence:
    """Why two nodes are equal or different; `data()` gives it as a JSON object.

    >>> from derive.exact.dag import Dag
    >>> from derive.exact.decide import decide
    >>> f = Dag()
    >>> evidence = decide(f.sqrt(f.rational(8)), 2 * f.sqrt(f.rational(2))).evidence
    >>> evidence.data()["steps"][-1]
    ['equal']
    """

    kind: str
    method: str
    left: Node
    right: Node
    assumptions: Sequence[Assumption] = ()
    tower: Tower | None = None
    witness: Witness | None = None
    numerator: Poly | None = None
    factors: Sequence[tuple[Poly, str]] = ()
    cases: Sequence[tuple[str, Node, Evidence]] = field(default=())
    claim: tuple[Node, Node, Sequence[Assumption]] | None = None  # as it was asked

    def data(self) -> Data:
        """The evidence as plain lists, dicts and texts."""
        from derive.exact.certificate import certificate, claim_of

        claim, nodes = claim_of(self.kind, *self.asked)
        out: Data = {"kind": self.kind, "method": self.method, "claim": claim}
        if self.tower is not None:
            budget = self.tower.ground.budget
            budget.work = max(budget.work, WRITING)  # the proof itself is done
        out |= certificate(claim, nodes, self)
        if self.witness is not None:
            out["left_ball"] = [list(interval) for interval in self.witness.left]
            out["right_ball"] = [list(interval) for interval in self.witness.right]
        return out

    @property
    def asked(self) -> tuple[Node, Node, Sequence[Assumption]]:
        """The two sides and the assumptions, as they were given."""
        return self.claim or (self.left, self.right, self.assumptions)

"""How much work a decision may cost, counted in steps and bits, never in seconds.

So a verdict is the same on a slow machine, and nothing is built that could exhaust the
memory: sizes are asked for before the object exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class UndecidedError(Exception):
    """This path of the proof ends without an answer; the message says why."""


class RestartError(Exception):
    """The tower must be built again, with more room or with a finer basis."""


class Budget:
    """Steps that are left; a step is one product of two monomials with short coefficients.

    >>> budget = Budget(work=10)
    >>> budget.spend(4)
    >>> budget.work
    6
    """

    def __init__(self, work: int = 60_000_000, terms: int = 200_000, bits: int = 200_000) -> None:
        self.work = work
        self.terms = terms  # of one polynomial
        self.bits = bits  # of one coefficient, and of one ball evaluation's precision
        self.exponent = 1 << 30  # of one variable in one polynomial
        self.degree = 4000  # of polynomials that are divided, or of which a root is taken

    def spend(self, steps: int) -> None:
        """Count steps; raises UndecidedError when there are none left."""
        self.work -= steps
        if self.work < 0:
            raise UndecidedError("the budget of steps is spent")

    def allow(self, terms: int) -> None:
        """Allow a polynomial of so many terms, or raise UndecidedError."""
        if terms > self.terms:
            raise UndecidedError(f"a polynomial of {terms} terms is too large")

    @contextmanager
    def part(self, work: int) -> Iterator[None]:
        """Inside, only so many of the steps may be spent: for a search that may be given up."""
        kept = max(self.work - work, 0)
        self.work -= kept
        try:
            yield
        finally:
            self.work = kept + max(self.work, 0)

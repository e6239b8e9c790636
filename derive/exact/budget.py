"""How much work a decision may cost, counted in steps and bits, never in seconds.

So a verdict is the same on a slow machine, and nothing is built that could exhaust the
memory: sizes are asked for before the object exists.
"""

from __future__ import annotations


class UndecidedError(Exception):
    """This path of the proof ends without an answer; the message says why."""


class RestartError(Exception):
    """The tower must be built again, with more room or with a finer basis."""


class Budget:
    """Steps that are left; a step is one product of two monomials.

    >>> budget = Budget(work=10)
    >>> budget.spend(4)
    >>> budget.work
    6
    """

    def __init__(self, work: int = 400_000_000, terms: int = 400_000, bits: int = 200_000) -> None:
        self.work = work
        self.terms = terms  # of one polynomial
        self.bits = bits  # of one coefficient, and of one ball evaluation's precision
        self.exponent = 1 << 30  # of one variable in one polynomial

    def spend(self, steps: int) -> None:
        """Count steps; raises UndecidedError when there are none left."""
        self.work -= steps
        if self.work < 0:
            raise UndecidedError("the budget of steps is spent")

    def product(self, a: int, b: int) -> None:
        """Allow the product of polynomials of a and b terms, or raise UndecidedError."""
        self.spend(a * b + 50)
        if a * b > 200 * self.terms:
            raise UndecidedError(f"a product of {a} by {b} terms is too large")

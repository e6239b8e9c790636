"""What an identity is: plain data in the plain grammar; the guide is the package's docstring."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """The next expression of a chain, and why it follows from the one before, in words.

    `relation` is =, <=, <, >=, > or ->.  An order names its `rule` (see `positivity`); `by` is a
    form of the difference of which the sign can be read, where the difference itself isn't one.
    """

    to: str
    reason: str
    relation: str = "="
    rule: str = ""
    by: str = ""


@dataclass(frozen=True)
class Twin:
    """A false neighbour of an identity, and what is wrong with it; `given` replaces the other."""

    statement: str
    fault: str
    given: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Random:
    """A family of independent random entries, with the mean and the mean square of each."""

    name: str
    mean: str
    square: str


@dataclass(frozen=True)
class Recurrence:
    """A family defined step by step: name[0] = first, name[index + 1] = next."""

    name: str
    index: str
    first: str
    next: str


@dataclass(frozen=True)
class Induction:
    """The statement for letter = 0, then for letter + 1 from the statement for the letter."""

    letter: str
    base: tuple[Step, ...] = ()
    step: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Identity:
    """A statement for every size, with its proof and its false twins."""

    name: str
    title: str
    statement: str
    steps: tuple[Step, ...] = ()
    twins: tuple[Twin, ...] = ()
    where: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    permutations: tuple[tuple[str, str], ...] = ()
    inverses: tuple[tuple[str, str, str], ...] = ()
    recurrences: tuple[Recurrence, ...] = ()
    induction: Induction | None = None
    every: tuple[str, ...] = ()
    limit: str = ""
    random: tuple[Random, ...] = ()
    note: str = ""

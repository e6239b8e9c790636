"""What the tests of model files share."""

from __future__ import annotations

from fractions import Fraction

import pytest

from derive.errors import ModelError
from derive.model import Matrix, loads
from derive.model.exact_numbers import rational


def values(matrix: Matrix) -> list[list[str]]:
    """A rational matrix as texts."""
    return [[str(rational(x)) for x in row] for row in matrix]


def rows(text: str) -> list[list[str]]:
    """ "1 -1/2; 0 3" as such a matrix, in lowest terms."""
    return [[str(Fraction(x)) for x in row.split()] for row in text.split(";")]


def errors(text: str, sets: tuple[str, ...] = (), tokens: str | None = None) -> list[str]:
    """The lines of the error that a file named m.toml gives."""
    with pytest.raises(ModelError) as caught:
        loads(text, "m.toml", sets=sets, tokens=tokens)
    return str(caught.value).splitlines()

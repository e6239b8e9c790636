"""Errors that users can mend; the command line turns them into messages in one place."""


class DeriveError(Exception):
    """Something in the input can't be used; the message names place, found, expected."""

    exit_code = 2


class TextError(DeriveError):
    """A text is not in the grammar: where, what stands there, what could stand there."""

    def __init__(self, position: int, found: str, expected: str) -> None:
        super().__init__(f"at character {position + 1}: found {found}, expected {expected}")
        self.position = position  # 0-based offset into the text
        self.found = found
        self.expected = expected


class ModelError(DeriveError):
    """A model file has errors; the message lists all of them, one a line."""


class AddressError(DeriveError):
    """No such matrix or cell; the message names the nearest ones."""


class UndefinedCell(DeriveError):
    """A cell has no value, such as a row divided by its own zero length."""


class OutputError(DeriveError):
    """The output can't be written or typeset."""


class MissingDependency(DeriveError):
    """A library or program that this output needs is not installed."""

"""The size letters of one model: which are one size, which are known, and who says so."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod

from derive.model.heads import Heads
from derive.model.matrix_kinds import Matrix
from derive.model.names import axes
from derive.model.problems import Place
from derive.model.spot import Spot

OF_READ_ROWS = ("W_K", "W_V", "W_DKV", "W_KR")  # weights of the rows that are read

Variable = tuple[str, int]  # a letter, and the block it belongs to (-1: the model)

_LETTER = re.compile(r"[A-Za-z]['*]*|1")
_PRINTED = {"m": "n_k"}
MEMORY_ROWS, MEMORY_WIDTH, MEMORY_WORDS = "m*", "d**", "V*"  # of the second sequence
_MODEL = ("n", "V", MEMORY_ROWS, MEMORY_WIDTH, MEMORY_WORDS)


@dataclass(frozen=True)
class Size:
    """A size, and the matrix that says so."""

    value: int
    reason: str
    place: Place

    def told(self, letters: str, spot: Spot) -> str:
        """`d is 4, the width of E (line 12)`, for an error at a spot."""
        where = str(self.place)
        if self.place.file == spot.item.place().file and self.place.line:
            where = f"line {self.place.line}"
        return f"{letters} is {self.value}, {self.reason} ({where})"


@dataclass
class Sizes:
    """The letters of one model, each with its size once it is known."""

    heads: list[Heads] = field(default_factory=list)  # of each block
    key: str = ""  # what stands before the keys of its blocks: "memory." for an encoder
    reading_memory: set[int] = field(default_factory=set)  # blocks whose keys are another's rows
    narrow: set[int] = field(default_factory=set)  # blocks whose rotary queries are made of rows
    known: dict[Variable, Size] = field(default_factory=dict)
    same: dict[Variable, Variable] = field(default_factory=dict)
    concatenated: dict[Variable, int] = field(default_factory=dict)  # the stream is all heads
    encoder: Sizes | None = None

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(self.heads)

    def variable(self, letter: str, block: int) -> Variable:
        """The variable that a shape letter means in a block."""
        if letter in _MODEL:
            block = -1
        elif letter == "d''":  # the stream that the next block reads
            letter, block = "d", block + 1
        elif letter == "d*":  # the stream that the output reads
            letter, block = "d", self.blocks
        at = (letter, block)
        while at in self.same:
            at = self.same[at]
        return at

    def letters(self, shape: str, base: str, block: int) -> str:
        """The shape of a matrix in a block, in the letters that it has there."""
        if base == "X_mem":
            return f"{MEMORY_ROWS} {MEMORY_WIDTH}"
        if base == "W_QR" and block in self.narrow:
            return "d r''"
        if block in self.reading_memory and base in OF_READ_ROWS:
            return shape.replace("d", MEMORY_WIDTH, 1)
        return shape

    def join(self, letter: str, block: int, other: str) -> None:
        """Two letters of a block are one size."""
        one, two = self.variable(letter, block), self.variable(other, block)
        if one != two:
            self.same[one] = two

    def size(self, letter: str, block: int = -1) -> int | None:
        """The size of a letter, None where nothing says it."""
        if letter in ("1", "h", "g"):
            heads = self.heads[block] if 0 <= block < self.blocks else Heads()
            return {"1": 1, "h": heads.queries, "g": heads.kv}[letter]
        at = self.variable(letter, block)
        if at in self.concatenated:
            width = self.size("v", self.concatenated[at])
            return width and width * self.heads[self.concatenated[at]].queries
        found = self.known.get(at)
        return found.value if found else None

    def check(self, matrix: Matrix, shape: str, block: int, name: str, spot: Spot) -> None:
        """Takes the sizes of a matrix, or notes where they are not those of the others."""
        counts = (len(matrix), len(matrix[0]))
        words = ("rows", "columns")
        reasons = (f"the number of rows of {name}", f"the width of {name}")
        for letters, count, word, reason in zip(shape.split(), counts, words, reasons, strict=True):
            self.take(letters, block, count, word, reason, spot)

    def take(
        self, letters: str, block: int, count: int, word: str, reason: str, spot: Spot
    ) -> None:
        """Takes one size: a letter, or a product of letters."""
        factors = _LETTER.findall(letters)
        free = [x for x in factors if self.size(x, block) is None]
        wanted = prod(self.size(x, block) or 1 for x in factors)
        if len(free) == 1 and count % wanted == 0:
            size = Size(count // wanted, reason, spot.item.place())
            self.known[self.variable(free[0], block)] = size
        elif not free and count != wanted:
            plain = word[:-1] if count == 1 else word
            spot.bad(f"{count} {plain}", self._why(factors, block, spot))

    def _why(self, factors: list[str], block: int, spot: Spot) -> str:
        """The size that was expected, and who says so."""
        said = [(x, self.known.get(self.variable(x, block))) for x in factors]
        reasons = [size.told(printed_letter(x), spot) for x, size in said if size]
        wanted = prod(self.size(x, block) or 1 for x in factors)
        return f"{wanted}" + (f": {' and '.join(reasons)}" if reasons else "")

    def table(self, letters: tuple[str, ...], block: int = -1) -> dict[str, int]:
        """The known sizes of these letters."""
        found = {letter: self.size(letter, block) for letter in letters}
        return {letter: size for letter, size in found.items() if size is not None}


def printed_letter(letter: str) -> str:
    """A letter as errors name it.

    >>> printed_letter("m*"), printed_letter("d''")
    ('n_k', 'd')
    """
    return _PRINTED.get(axes(letter)[0], axes(letter)[0])

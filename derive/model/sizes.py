"""Sizes: what each shape letter is in this model, and which matrices don't agree on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from derive.model.given import Given
from derive.model.matrix_kinds import Matrix, PerHead
from derive.model.names import axes
from derive.model.problems import Place
from derive.model.schema import SCHEMA
from derive.model.spot import Reading, Spot

Variable = tuple[str, int]  # a letter, and the block it belongs to (-1: the model)

_LETTER = re.compile(r"[A-Za-z]['*]*|1")
_PRINTED = {"m": "n_k"}
_MODEL = ("n", "V")
_BLOCK = ("n", "m", "d", "k", "v", "f", "h", "g", "V")


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

    blocks: int = 0
    known: dict[Variable, Size] = field(default_factory=dict)
    same: dict[Variable, Variable] = field(default_factory=dict)

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

    def join(self, letter: str, block: int, other: str) -> None:
        """Two letters of a block are one size."""
        one, two = self.variable(letter, block), self.variable(other, block)
        if one != two:
            self.same[one] = two

    def size(self, letter: str, block: int = -1) -> int | None:
        """The size of a letter, None where nothing says it."""
        if letter in ("1", "h", "g"):  # one head, until there are more
            return 1
        found = self.known.get(self.variable(letter, block))
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
        reasons = [size.told(_printed(x), spot) for x, size in said if size]
        wanted = prod(self.size(x, block) or 1 for x in factors)
        return f"{wanted}" + (f": {' and '.join(reasons)}" if reasons else "")

    def table(self, letters: tuple[str, ...], block: int = -1) -> dict[str, int]:
        """The known sizes of these letters."""
        found = {letter: self.size(letter, block) for letter in letters}
        return {letter: size for letter, size in found.items() if size is not None}


def solve(values: Mapping[str, Any], given: Mapping[str, Given], reading: Reading) -> Sizes:
    """All sizes of a model; matrices, words and options that don't fit are noted."""
    blocks = values.get("block", [])
    sizes = Sizes(len(blocks))
    for i, block in enumerate(blocks):
        _join_block(sizes, block, i, given)
    _check_keys(sizes, values["embedding"], "embedding.", 0, given, reading)
    if "X" in given:
        _check_given(sizes, given["X"])
    _check_words(sizes, values, reading)
    for i, block in enumerate(blocks):
        _check_keys(sizes, block, "block.*.", i, given, reading)
    _check_keys(sizes, values.get("output", {}), "output.", 0, given, reading)
    for one in given.values():
        _check_given(sizes, one)
    _check_positions(sizes, values, reading)
    for i, block in enumerate(blocks):
        if "attention" in block:
            _check_causal(sizes, block["attention"], i, reading)
            _check_rope(sizes, values, i, reading)
    return sizes


def model_sizes(sizes: Sizes) -> dict[str, int]:
    """n, d and V, where they are known."""
    d = sizes.size("d", 0)
    return {**sizes.table(("n",)), **({} if d is None else {"d": d}), **sizes.table(("V",))}


def block_sizes(sizes: Sizes, block: int) -> dict[str, int]:
    """Every known size of a block."""
    return sizes.table(_BLOCK, block)


def _join_block(sizes: Sizes, block: Mapping[str, Any], i: int, given: Mapping[str, Given]) -> None:
    """Which letters of a block are one size, before any is known.

    With addition the stream keeps its width.  Without, it takes the width of the result: that
    of W_O's columns, or of the head where there is no W_O.
    """
    attention, ffn = block.get("attention"), block.get("ffn")
    add_attention, add_ffn = block.get("residual", (True, True))
    if attention is None or add_attention:
        sizes.join("d'", i, "d")
    elif "W_O" not in attention and not {f"b{i}.W_O", f"b{i}.O", f"b{i}.H_mid"} & given.keys():
        sizes.join("d'", i, "v")
    if ffn is None or add_ffn:
        sizes.join("d''", i, "d'")
    if attention is not None and any(
        f"W_{x}" in attention and f"b{i}.kv0.{x}" not in given for x in "KV"
    ):
        sizes.join("m", i, "n")  # keys or values are made of the rows that also ask


def _check_keys(
    sizes: Sizes,
    values: Mapping[str, Any],
    start: str,
    block: int,
    given: Mapping[str, Given],
    reading: Reading,
) -> None:
    """The matrices of a table, in the order of the schema; one that is also given is not read."""
    replaced = {(one.name.matrix.key, one.name.block) for one in given.values()}
    for key in SCHEMA:
        if not key.shape or not key.path.startswith(start):
            continue
        path = key.path.removeprefix(start)
        spot = reading.spots.get(key.path.replace("*", str(block)))
        value = _at(values, path)
        if value is None or spot is None or (path, block) in replaced:
            continue
        if isinstance(value, str):  # a mask by its name
            continue
        name = ("b" + str(block) + "." if block else "") + path.rpartition(".")[2]
        for matrix in value if isinstance(key.kind, PerHead) else (value,):
            sizes.check(matrix, key.shape, block, name, spot)


def _at(values: Any, path: str) -> Any:
    """The value at a dotted path, None where something on the way is missing."""
    for part in path.split("."):
        values = values.get(part) if isinstance(values, Mapping) else None
    return values


def _check_given(sizes: Sizes, one: Given) -> None:
    sizes.check(one.rows, one.name.matrix.shape, one.name.block, str(one.name), one.spot)


def _check_words(sizes: Sizes, values: Mapping[str, Any], reading: Reading) -> None:
    """As many tokens as rows, as many vocabulary entries as rows of E."""
    for key, letter, word in (
        ("ids", "n", "ids"),
        ("tokens", "n", "tokens"),
        ("vocabulary", "V", "texts"),
    ):
        spot = reading.spots.get(key)
        if spot and key in values:
            reason = f"the number of {key if key != 'vocabulary' else 'vocabulary entries'}"
            sizes.take(letter, -1, len(values[key]), word, reason, spot)


def _check_causal(sizes: Sizes, attention: Mapping[str, Any], i: int, reading: Reading) -> None:
    """A causal mask needs rows and columns that are the same tokens."""
    n, m = sizes.size("n", i), sizes.size("m", i)
    if attention.get("mask") == "causal" and n and m and n != m:
        read = f'"causal" for {n} queries and {m} keys'
        expected = 'none, or a matrix of 0 and "-inf": causal needs as many queries as keys'
        reading.spots[f"block.{i}.attention.mask"].bad(read, expected)


def _check_rope(sizes: Sizes, values: Mapping[str, Any], i: int, reading: Reading) -> None:
    """RoPE turns columns in pairs: an even number of them, and an angle for each pair."""
    position, k = values.get("position", {}), sizes.size("k", i)
    if position.get("kind") != "rope" or k is None:
        return
    told = sizes.known[sizes.variable("k", i)]
    if k % 2:
        spot = reading.spots["position.kind"]
        spot.bad(f'"rope" with {k} columns', f"an even number: {told.told('k', spot)}")
    elif "angles" in position and len(position["angles"]) != k // 2:
        spot = reading.spots["position.angles"]
        count = len(position["angles"])
        expected = f"{k // 2}, one for each pair: {told.told('k', spot)}"
        spot.bad(f"{count} angle{'s'[: count != 1]}", expected)


def _check_positions(sizes: Sizes, values: Mapping[str, Any], reading: Reading) -> None:
    """Positions of their own kind: as wide as the stream, a layout that the kind has."""
    position = values.get("position", {})
    kind, layout, spot = position.get("kind"), position.get("layout"), reading.spots
    layouts = {"rope": ("pairs",), "sinusoidal": ("interleaved", "blocks")}.get(kind, ())
    if layout is not None and layout not in layouts:
        expected = " | ".join(layouts) or "no layout"
        spot["position.layout"].bad(f'"{layout}" with kind "{kind}"', expected)
    table = position.get("P")
    if kind == "learned" and table is None:
        spot["position.kind"].bad('"learned" without a table', "P beside it")
    if table is None or "position.P" not in spot:
        return
    n, last = sizes.size("n"), position["first"]
    if n and len(table) < last + n:
        expected = f"at least {last + n}: {n} tokens from position {last} on"
        spot["position.P"].bad(f"{len(table)} rows", expected)
    sizes.take("d", 0, len(table[0]), "columns", "the width of P", spot["position.P"])


def _printed(letter: str) -> str:
    return _PRINTED.get(letter, axes(letter)[0])

"""Sizes: what each shape letter is in this model, and which matrices don't agree on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from derive.model.combinations import blind_row
from derive.model.exact_numbers import rational
from derive.model.given import Given, heads_in
from derive.model.heads import SHARED, Heads
from derive.model.matrix_kinds import Matrix, PerHead
from derive.model.names import FullName, axes
from derive.model.problems import Place, quoted
from derive.model.schema import SCHEMA
from derive.model.spot import Reading, Spot
from derive.text.tree import Number

Variable = tuple[str, int]  # a letter, and the block it belongs to (-1: the model)

_LETTER = re.compile(r"[A-Za-z]['*]*|1")
_PRINTED = {"m": "n_k"}
_MODEL = ("n", "V")
ONE = Number(1, 1)
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

    heads: list[Heads] = field(default_factory=list)  # of each block
    known: dict[Variable, Size] = field(default_factory=dict)
    same: dict[Variable, Variable] = field(default_factory=dict)
    concatenated: dict[Variable, int] = field(default_factory=dict)  # the stream is all heads

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
    sizes = Sizes(heads_in(blocks))
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
            _check_masks(sizes, block["attention"], i, reading)
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
        if sizes.heads[i].queries == 1:
            sizes.join("d'", i, "v")
        else:
            sizes.concatenated[sizes.variable("d'", i)] = i
    if ffn is None or add_ffn:
        sizes.join("d''", i, "d'")
    if attention is not None and any(
        f"W_{x}" in attention and f"b{i}.kv{kv}.{x}" not in given
        for x in "KV"
        for kv in range(sizes.heads[i].kv)
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
    replaced = {_place(one.name) for one in given.values()}
    for key in SCHEMA:
        if not key.shape or not key.path.startswith(start):
            continue
        path = key.path.removeprefix(start)
        spot = reading.spots.get(key.path.replace("*", str(block)))
        value = _at(values, path)
        if value is None or spot is None or isinstance(value, str):  # a mask by its name
            continue
        before, name = f"b{block}." if block else "", path.rpartition(".")[2]
        matrices = value if isinstance(key.kind, PerHead) else (value,)
        for number, matrix in enumerate(matrices):
            if (key.path, block, number) not in replaced:
                head = f"{_letter(sizes, name, block)}{number}." if len(matrices) > 1 else ""
                sizes.check(matrix, key.shape, block, before + head + name, spot)


def _place(name: FullName) -> tuple[str, int, int]:
    """Key, block and head of a matrix."""
    inside = f"{name.matrix.part or 'embedding'}." if name.matrix.scope == "model" else "block.*."
    return inside + name.matrix.key, name.block, name.head


def _letter(sizes: Sizes, name: str, block: int) -> str:
    own = name not in SHARED or sizes.heads[block].shared
    return "h" if own else "kv"


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
        ("embedding.type_ids", "n", "type ids"),
        ("vocabulary", "V", "texts"),
    ):
        spot = reading.spots.get(key)
        found = _at(values, key)
        if spot and found is not None:
            reason = f"the number of {word if key != 'vocabulary' else 'vocabulary entries'}"
            sizes.take(letter, -1, len(found), word, reason, spot)


def _check_masks(sizes: Sizes, attention: Mapping[str, Any], i: int, reading: Reading) -> None:
    """Masks by distance need rows and columns that are the same tokens; a row must see one."""
    n, m = sizes.size("n", i), sizes.size("m", i)
    key = f"block.{i}.attention"
    padding = attention.get("padding")
    if padding is not None:
        sizes.take("m", i, len(padding), "flags", "the length of padding",
                   reading.spots[f"{key}.padding"])  # fmt: skip
    if not n or not m:
        return
    for name, word in (("mask", "causal"), ("window", attention.get("window", "none"))):
        if attention.get(name) == word != "none" and n != m:
            read = f"{quoted(word) if name == 'mask' else word} for {n} queries and {m} keys"
            expected = f'none, or a matrix of 0 and "-inf": {word} needs as many queries as keys'
            if name == "window":
                expected = "none: a window needs as many queries as keys"
            reading.spots[f"{key}.{name}"].bad(read, expected)
            return
    blind = blind_row(attention, n, m)
    named = [x for x in ("mask", "window", "padding") if f"{key}.{x}" in reading.spots]
    if blind is not None and named:
        expected = f"a row {blind} that sees something: {' and '.join(named)} hide all of it"
        reading.spots[f"{key}.{named[-1]}"].wrong(expected)


def _check_rope(sizes: Sizes, values: Mapping[str, Any], i: int, reading: Reading) -> None:
    """RoPE turns columns in pairs: an even number of them, and an angle for each pair."""
    position, k = values.get("position", {}), sizes.size("k", i)
    if position.get("kind") != "rope" or k is None:
        return
    told = sizes.known[sizes.variable("k", i)]
    part = rational(position.get("fraction", ONE)) or Fraction(1)
    turned = part * k
    if turned.denominator > 1 or turned % 2:
        spot = reading.spots["position.fraction" if part != 1 else "position.kind"]
        read = f'"rope" with {k} columns' if part == 1 else f"{part} of {k} columns"
        spot.bad(read, f"an even number: {told.told('k', spot)}")
    elif "angles" in position and len(position["angles"]) != turned // 2:
        spot = reading.spots["position.angles"]
        count = len(position["angles"])
        expected = f"{turned // 2}, one for each pair: {told.told('k', spot)}"
        spot.bad(f"{count} angle{'s'[: count != 1]}", expected)


def _check_positions(sizes: Sizes, values: Mapping[str, Any], reading: Reading) -> None:
    """Positions of their own kind: as wide as the stream, a layout that the kind has."""
    position = values.get("position", {})
    kind, layout, spot = position.get("kind"), position.get("layout"), reading.spots
    layouts = {"rope": ("pairs", "halves"), "sinusoidal": ("interleaved", "blocks")}.get(kind, ())
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

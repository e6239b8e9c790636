"""Sizes: what each shape letter is in this model, and which matrices don't agree on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from derive.model.combinations import blind_row
from derive.model.exact_numbers import rational
from derive.model.given import EXPERTS, Given, heads_in
from derive.model.heads import SHARED
from derive.model.letters import MEMORY_ROWS, MEMORY_WIDTH, MEMORY_WORDS, Sizes, printed_letter
from derive.model.matrix_kinds import PerHead
from derive.model.names import FullName
from derive.model.problems import quoted
from derive.model.schema import SCHEMA
from derive.model.spot import Reading
from derive.text.tree import Number

ONE = Number(1, 1)
_BLOCK = ("n", "m", "d", "k", "v", "f", "r", "e", "h", "g", "V")
_APART = re.compile(r"\.ffn\.(W_R$|experts|shared)")  # what _check_experts checks
_EXPERT_SHAPES = {
    key.path.rpartition(".")[2]: key.shape for key in SCHEMA if ".experts.*." in key.path
}


def solve(values: Mapping[str, Any], given: Mapping[str, Given], reading: Reading) -> Sizes:
    """All sizes of a model; matrices, words and options that don't fit are noted."""
    blocks = values.get("block", [])
    own = {name: one for name, one in given.items() if not one.name.memory}
    sizes = Sizes(heads_in(blocks))
    for i, block in enumerate(blocks):
        _join_block(sizes, block, i, own)
    _check_keys(sizes, values["embedding"], "embedding.", 0, own, reading)
    if "X" in own:
        _check_given(sizes, own["X"])
    _check_words(sizes, values, reading)
    if "memory" in values:
        sizes.encoder = _memory(sizes, values, given, reading)
    _check_blocks(sizes, values, own, reading)
    _check_positions(sizes, values, reading)
    return sizes


def _memory(
    sizes: Sizes, values: Mapping[str, Any], given: Mapping[str, Given], reading: Reading
) -> Sizes | None:
    """The sizes of the second sequence: of an encoder, where the model has one."""
    memory = values["memory"]
    theirs = {name: one for name, one in given.items() if one.name.memory}
    encoder = Sizes(heads_in(memory["block"]), "memory.") if memory.get("block") else None
    if encoder:
        for i, block in enumerate(memory["block"]):
            _join_block(encoder, block, i, theirs)
        if "mem.X" in theirs:
            _check_given(encoder, theirs["mem.X"])
    _check_memory_rows(sizes, encoder, memory, given, reading)
    if encoder:
        _check_blocks(encoder, {**values, **memory, "output": {}}, theirs, reading)
        _check_keys(encoder, memory.get("norm", {}), "memory.norm.", 0, theirs, reading)
        for letter, inner in ((MEMORY_ROWS, "n"), (MEMORY_WIDTH, "d*")):
            if found := encoder.known.get(encoder.variable(inner, 0)):
                sizes.known[sizes.variable(letter, -1)] = found
    return encoder


def _check_memory_rows(
    sizes: Sizes,
    encoder: Sizes | None,
    memory: Mapping[str, Any],
    given: Mapping[str, Given],
    reading: Reading,
) -> None:
    """The rows of the second sequence, given or looked up: what an encoder or the model reads."""
    here, at, full = (encoder, 0, "mem.X") if encoder else (sizes, -1, "X_mem")
    rows, width, words = ("n", "d", "V") if encoder else (MEMORY_ROWS, MEMORY_WIDTH, MEMORY_WORDS)
    for name, shape in (("X", f"{rows} {width}"), ("E", f"{words} {width}")):
        spot = reading.spots.get(f"memory.{name}")
        if spot and name in memory and (name == "E" or full not in given):
            here.check(memory[name], shape, at, f"memory.{name}", spot)
    counted = (("ids", rows, "ids"), ("tokens", rows, "tokens"), ("vocabulary", words, "texts"))
    for name, letter, what in counted:
        spot = reading.spots.get(f"memory.{name}")
        if spot and name in memory:
            reason = f"the number of the memory's {what}"
            here.take(letter, at, len(memory[name]), what, reason, spot)
    looked_up = {"tokens", "ids"} & memory.keys() and not {"E", "X"} & memory.keys()
    if looked_up and not {"X_mem", "mem.X"} & given.keys() and sizes.size("d", 0):
        here.known.setdefault(here.variable(width, at), sizes.known[sizes.variable("d", 0)])


def _check_blocks(
    sizes: Sizes, values: Mapping[str, Any], given: Mapping[str, Given], reading: Reading
) -> None:
    """The blocks of a model or of its encoder, its output, and what is given by name."""
    blocks = values.get("block", [])
    for i, block in enumerate(blocks):
        _check_keys(sizes, block, f"{sizes.key}block.*.", i, given, reading)
        _check_experts(sizes, block.get("ffn", {}), i, given, reading)
    _check_keys(sizes, values.get("output", {}), "output.", 0, given, reading)
    for one in given.values():
        _check_given(sizes, one)
    for i, block in enumerate(blocks):
        if "attention" in block:
            _check_masks(sizes, block["attention"], i, reading)
            _check_rope(sizes, values, i, reading)


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
    if attention is None:
        return
    before = "mem." if sizes.key else ""
    if "W_DQ" not in attention and f"{before}b{i}.C_Q" not in given:
        sizes.narrow.add(i)
    made = any(
        f"W_{x}" in attention and f"{before}b{i}.kv{kv}.{x}" not in given
        for x in "KV"
        for kv in range(sizes.heads[i].kv)
    ) or ("W_DKV" in attention and f"{before}b{i}.C_KV" not in given)
    if attention.get("reads") == "memory":
        sizes.reading_memory.add(i)
        sizes.join("m", i, MEMORY_ROWS)
    elif made:
        sizes.join("m", i, "n")  # keys or values are made of the rows that also ask


def _check_experts(
    sizes: Sizes, ffn: Mapping[str, Any], i: int, given: Mapping[str, Given], reading: Reading
) -> None:
    """The weights of each expert; every expert has an inner width of its own."""
    key = f"{sizes.key}block.{i}.ffn"
    experts = ffn.get("experts") or []
    if experts:
        spot = reading.spots[f"{key}.experts"]
        sizes.take("e", i, len(experts), "experts", "the number of experts", spot)
    before = "mem." if sizes.key else ""
    if "W_R" in ffn and f"{before}b{i}.W_R" not in given and f"{key}.W_R" in reading.spots:
        sizes.check(ffn["W_R"], "d' e", i, "W_R", reading.spots[f"{key}.W_R"])
    for name, letter in EXPERTS.items():
        for number, expert in enumerate(ffn.get(name) or []):
            for weight, matrix in expert.items():
                place = reading.spots.get(f"{key}.{name}.{number}.{weight}")
                if place and f"{before}b{i}.{letter}{number}.{weight}" not in given:
                    shape = _expert_shape(_EXPERT_SHAPES[weight], letter, number)
                    sizes.check(matrix, shape, i, f"{letter}{number}.{weight}", place)


def _expert_shape(shape: str, letter: str, number: int) -> str:
    """The shape with the expert's own inner width: f' for e0, f'' for e1, f* for shared0."""
    return shape.replace("f", "f" + ("'" if letter == "e" else "*") * (number + 1))


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
        if not key.shape or not key.path.startswith(start) or _APART.search(key.path):
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
                shape = sizes.letters(key.shape, name, block)
                sizes.check(matrix, shape, block, before + head + name, spot)


def _place(name: FullName) -> tuple[str, int, int]:
    """Key, block and head of a matrix."""
    inside = f"{name.matrix.part or 'embedding'}." if name.matrix.scope == "model" else "block.*."
    if name.memory:
        inside = "memory." if name.matrix.scope == "model" else "memory.block.*."
    return inside + (name.expert + name.matrix.key), name.block, name.head


def _letter(sizes: Sizes, name: str, block: int) -> str:
    own = name not in SHARED or sizes.heads[block].shared
    return "h" if own else "kv"


def _at(values: Any, path: str) -> Any:
    """The value at a dotted path, None where something on the way is missing."""
    for part in path.split("."):
        values = values.get(part) if isinstance(values, Mapping) else None
    return values


def _check_given(sizes: Sizes, one: Given) -> None:
    full = one.name
    shape = sizes.letters(full.matrix.shape, full.matrix.base, full.block)
    if full.expert:
        letter = full.expert.rstrip("0123456789")
        shape = _expert_shape(shape, letter, int(full.expert.removeprefix(letter)))
    sizes.check(one.rows, shape, full.block, str(full), one.spot)


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
    key = f"{sizes.key}block.{i}.attention"
    padding = attention.get("padding")
    if padding is not None:
        sizes.take("m", i, len(padding), "flags", "the length of padding",
                   reading.spots[f"{key}.padding"])  # fmt: skip
    if not n or not m:
        return
    by_distance = (("mask", "causal"), ("window", attention.get("window", "none")))
    for name, word in by_distance if i not in sizes.reading_memory else ():
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
    """RoPE turns columns in pairs: an even number of them, and an angle for each pair.

    In latent attention these are the columns of the rotary parts.
    """
    letter = "r''" if sizes.size("r''", i) else "k"
    position, k = values.get("position", {}), sizes.size(letter, i)
    if position.get("kind") != "rope" or k is None or i in sizes.reading_memory:
        return
    told = sizes.known[sizes.variable(letter, i)]
    part = rational(position.get("fraction", ONE)) or Fraction(1)
    turned = part * k
    if turned.denominator > 1 or turned % 2:
        spot = reading.spots["position.fraction" if part != 1 else "position.kind"]
        read = f'"rope" with {k} columns' if part == 1 else f"{part} of {k} columns"
        spot.bad(read, f"an even number: {told.told(printed_letter(letter), spot)}")
    elif "angles" in position and len(position["angles"]) != turned // 2:
        spot = reading.spots["position.angles"]
        count = len(position["angles"])
        expected = f"{turned // 2}, one for each pair: {told.told(printed_letter(letter), spot)}"
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
    looked_up = "X" not in values.get("memory", {"X": ()})
    if kind == "learned" and table is None:
        spot["position.kind"].bad('"learned" without a table', "P beside it")
    if table is None or "position.P" not in spot:
        return
    read = sizes.encoder.size("n") if sizes.encoder else sizes.size(MEMORY_ROWS)
    n, last = max(sizes.size("n") or 0, (looked_up and read) or 0), position["first"]
    if n and len(table) < last + n:
        expected = f"at least {last + n}: {n} tokens from position {last} on"
        spot["position.P"].bad(f"{len(table)} rows", expected)
    sizes.take("d", 0, len(table[0]), "columns", "the width of P", spot["position.P"])

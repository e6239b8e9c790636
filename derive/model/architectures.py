"""A second sequence, latent attention, experts: which of their keys need which others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from derive.model.spot import Reading

LATENT = ("W_DKV", "W_UK", "W_UV", "W_DQ", "W_UQ", "W_QR", "W_KR")
ONE_PASS = ("W_up", "b_up", "W_gate", "b_gate", "W_down", "b_down")
WITH_EXPERTS = ("shared", "W_R", "top")  # keys that only experts have


def check_memory(values: Mapping[str, Any], reading: Reading, given: Collection[str]) -> None:
    """Who reads a second sequence needs one; its rows come from X, or from tokens and E."""
    memory = values.get("memory")
    if memory is not None and "memory" in reading.spots:
        _check_rows(memory, values, reading, given)
    for i, block in enumerate((memory or {}).get("block", [])):
        if block.get("attention", {}).get("reads") == "memory":
            spot = reading.spots[f"memory.block.{i}.attention.reads"]
            spot.bad('"memory" in the encoder itself', '"self"')
    for i, block in enumerate(values.get("block", [])):
        attention = block.get("attention", {})
        if attention.get("reads") == "memory":
            _check_reader(attention, f"block.{i}.attention", f"b{i}", memory, reading, given)


def _check_reader(
    attention: Mapping[str, Any],
    key: str,
    block: str,
    memory: Mapping[str, Any] | None,
    reading: Reading,
    given: Collection[str],
) -> None:
    """Two sequences have no common order: no mask by distance, no rotary part."""
    spots = reading.spots
    spot = spots[f"{key}.reads"]
    has_kv = any(name.startswith(f"{block}.kv") for name in given)
    if memory is None and "X_mem" not in given and not has_kv:
        spot.bad('"memory" without a second sequence', "[memory] with X, or with tokens and blocks")
    if attention.get("mask") == "causal":
        spots[f"{key}.mask"].bad(
            '"causal" with reads = "memory"',
            'none, or a matrix of 0 and "-inf": the rows of two sequences have no common order',
        )
    if attention.get("window", "none") != "none":
        told = "none: the rows of two sequences have no distance"
        spots[f"{key}.window"].bad('a window with reads = "memory"', told)
    for name in ("W_QR", "W_KR"):
        if name in attention and f"{key}.{name}" in spots:
            told = "none: the rows of two sequences have no distance"
            spots[f"{key}.{name}"].bad(f'{name} with reads = "memory"', told)


def _check_rows(
    memory: Mapping[str, Any], values: Mapping[str, Any], reading: Reading, given: Collection[str]
) -> None:
    """The rows of the second sequence: given, or looked up."""
    spots, spot = reading.spots, reading.spots["memory"]
    if "X" in memory and "E" in memory and "memory.E" in spots:
        spots["memory.E"].bad("E beside X", "one of the two: X gives the rows themselves")
    if memory.get("norm", {}).get("kind", "none") != "none" and not memory.get("block"):
        spots["memory.norm"].bad("a norm without an encoder", "[[memory.block]] before it")
    has_table = "E" in memory or "embedding.E" in spots or "E" in given
    rows = ("tokens" in memory or "ids" in memory) and has_table
    ends = {name.rpartition(".")[2] for name in given}  # tokens may label given keys and values
    whole = {"X_mem", "K", "V"} & ends or any(name.startswith("mem.") for name in given)
    table = spot.item.value if isinstance(spot.item.value, dict) else {}
    broken = table.keys() - memory.keys()  # what has been told already
    if "X" not in memory and not rows and not whole and not broken:
        spot.bad("a second sequence without rows", "X, or tokens and an embedding table E, in it")


def check_latent(
    attention: Mapping[str, Any], key: str, block: str, reading: Reading, given: Collection[str]
) -> None:
    """Latent attention: each way down has its way up, and nothing is made twice."""
    spots = reading.spots
    have = {name for name in attention if f"{key}.{name}" in spots}
    for name, row in (("norm_KV", "C_KV"), ("norm_Q", "C_Q")):
        made = "W_DKV" if row == "C_KV" else "W_DQ"
        on = attention.get(name, {}).get("kind", "none") != "none"
        if on and made not in have and f"{block}.{row}.raw" not in given:
            spots[f"{key}.{name}"].bad(f"{name} without {row}", f"{made} beside it", made)
    if not have & set(LATENT):
        return

    def supplied(*names: str) -> bool:
        """Whether a key, or a matrix given by its name, is there."""
        return any(
            name in have or any(x.startswith(f"{block}.") and x.endswith(f".{name}") for x in given)
            for name in names
        )

    def needs(name: str, *others: str) -> None:
        if name in have and not supplied(*others):
            spots[f"{key}.{name}"].bad(f"{name} alone", f"{others[0]} beside it", others[0])

    needs("W_UK", "W_DKV", "C_KV")
    needs("W_UV", "W_DKV", "C_KV")
    needs("W_DKV", "W_UK", "K")
    needs("W_DKV", "W_UV", "V")
    needs("W_UQ", "W_DQ", "C_Q")
    needs("W_DQ", "W_UQ", "Q")
    needs("W_QR", "W_KR", "K_rope", "K_rope.raw")
    needs("W_KR", "W_QR", "Q_rope", "Q_rope.raw")
    needs("W_QR", "W_DKV", "C_KV", "K")
    _check_plain(attention, key, have, reading)


def _check_plain(
    attention: Mapping[str, Any], key: str, have: Collection[str], reading: Reading
) -> None:
    """What belongs to other attention, and has no place or no meaning beside latent rows."""
    spots = reading.spots
    for name, other in (("W_K", "W_UK"), ("W_V", "W_UV"), ("W_Q", "W_UQ")):
        if name in have and other in have:
            spots[f"{key}.{name}"].bad(f"{name} and {other}", "one of the two")
    for name in ("b_K", "b_V"):
        if name in have:
            spots[f"{key}.{name}"].bad(f"{name} with latent attention", f"no {name}")
    for name, off in (("qk_norm", "none"), ("share", "none")):
        value = attention.get(name)
        kind = value.get("kind") if isinstance(value, Mapping) else value
        told = f'{{ kind = "{off}" }}' if isinstance(value, Mapping) else f'"{off}"'
        if kind not in (None, off) and f"{key}.{name}" in spots:
            spots[f"{key}.{name}"].bad(f"{name} with latent attention", told)


def check_experts(
    ffn: Mapping[str, Any], key: str, block: str, reading: Reading, given: Collection[str]
) -> None:
    """Experts have a router and no second pass beside them; the top is no more than all."""
    spots = reading.spots
    experts = ffn.get("experts")
    if not experts:
        _check_without_experts(ffn, key, reading)
        return
    spot = spots[f"{key}.experts"]
    routers = {f"{block}.{name}" for name in ("W_R", "router", "router.logits", "router.probs")}
    if "W_R" not in ffn and f"{key}.W_R" not in spots and not routers & set(given):
        spot.bad("experts without a router", "W_R beside them", "W_R")
    top = ffn.get("top")
    if top is not None and top > len(experts):
        count = "is 1 expert" if len(experts) == 1 else f"are {len(experts)} experts"
        spots[f"{key}.top"].wrong(f"at most {len(experts)}: there {count}")
    for name in ONE_PASS:
        if name in ffn and f"{key}.{name}" in spots:
            spots[f"{key}.{name}"].bad(f"{name} beside experts", f"{name} in each of them")
    for at, weights in feeds(ffn, key):
        if at != key:
            for name in ("W_up", "W_down"):
                _expert_has(name, at, weights, block, reading, given)


def _check_without_experts(ffn: Mapping[str, Any], key: str, reading: Reading) -> None:
    """Keys that only experts have, in a pass that has none."""
    spots, list_of_experts = reading.spots, f"{key}.experts"
    if ffn.get("experts") == [] and list_of_experts in spots:
        spots[list_of_experts].bad("an empty list", "at least one expert")
    for name in (*WITH_EXPERTS, "gate"):
        if name in ffn and f"{key}.{name}" in spots and list_of_experts not in spots:
            told = "experts = [ { W_up = …, W_down = … }, … ] beside it"
            spots[f"{key}.{name}"].bad(f"{name} without experts", told, "experts")


def _expert_has(
    name: str,
    at: str,
    weights: Mapping[str, Any],
    block: str,
    reading: Reading,
    given: Collection[str],
) -> None:
    """An expert without weights would be left out of the sum without a word."""
    *_, kind, number = at.split(".")
    full = f"{block}.{'e' if kind == 'experts' else kind}{number}."
    own = any(other.startswith(full) for other in given)
    spot = reading.spots[at]
    misspelt = set(spot.item.value) - {*ONE_PASS} if isinstance(spot.item.value, dict) else True
    if name not in weights and not own and f"{at}.{name}" not in reading.spots and not misspelt:
        spot.bad(f"expert {number} without {name}", f"{name} in it", name)


def feeds(ffn: Mapping[str, Any], key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every feed-forward pass of a block with its key: the one pass, or each expert's."""
    yield key, ffn
    for name in ("experts", "shared"):
        for number, weights in enumerate(ffn.get(name) or []):
            yield f"{key}.{name}.{number}", weights

"""Options that must fit together: each clash is one error that names both sides."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from derive.model.architectures import check_experts, check_latent, check_memory, feeds
from derive.model.heads import SHARED, Heads, heads_of
from derive.model.spot import Reading
from derive.text.tree import Constant, Number

NO_NORM = {"kind": "none"}
ZERO, ONE, E = Number(0, 1), Number(1, 1), Constant("e")
_PER_HEAD = ("W_Q", "b_Q", *SHARED, "W_UQ", "W_QR", "W_UK", "W_UV")
_OF_KV = (*SHARED, "W_UK", "W_UV")


def check_combinations(
    values: Mapping[str, Any], reading: Reading, given: Collection[str] = ()
) -> None:
    """Notes every clash between the options of a model; `given` are full names."""
    _check_position(values, reading)
    _check_types(values["embedding"], reading)
    if values["embedding"].get("tied") and "output.W_U" in reading.spots:
        spot = reading.spots.get("embedding.tied") or reading.spots["output.W_U"]
        spot.bad("true, and W_U given", "one of the two: tied takes E transposed as W_U")
    for table in ("embedding", "output"):
        _check_norm(values.get(table, {}), "norm", table, reading)
    check_memory(values, reading, given)
    stacks = [("block", "b", values), ("memory.block", "mem.b", values.get("memory", {}))]
    for key, block, name in (
        (f"{path}.{i}", block, f"{letter}{i}")
        for path, letter, stack in stacks
        for i, block in enumerate(stack.get("block", []))
    ):
        _check_block(block, key, name, reading, given)


def _check_block(
    block: Mapping[str, Any], key: str, full: str, reading: Reading, given: Collection[str]
) -> None:
    """One block, of the model or of its encoder."""
    for name in ("norm1", "norm2", "post1", "post2", "branch1", "branch2"):
        _check_norm(block, name, key, reading)
    _check_parallel(block, key, reading)
    if "attention" in block:
        for name in ("qk_norm", "norm_KV", "norm_Q"):
            _check_norm(block["attention"], name, f"{key}.attention", reading)
        _check_heads(block["attention"], f"{key}.attention", reading)
        _check_weights(block["attention"], f"{key}.attention", reading)
        check_latent(block["attention"], f"{key}.attention", full, reading, given)
    if "ffn" in block:
        _check_ffn(block["ffn"], f"{key}.ffn", reading)
        check_experts(block["ffn"], f"{key}.ffn", full, reading, given)


def blind_row(attention: Mapping[str, Any], n: int, m: int) -> int | None:
    """The first row from which mask, window and padding together hide everything."""
    mask, window, padding = (attention.get(x) for x in ("mask", "window", "padding"))

    def open_at(i: int, j: int) -> bool:
        if padding and j < len(padding) and padding[j]:
            return False
        if isinstance(window, int) and abs(i - j) >= window:
            return False
        if mask == "causal":
            return j <= i
        if mask is None or isinstance(mask, str) or i >= len(mask) or j >= len(mask[0]):
            return True
        return bool(mask[i][j] == ZERO)

    return next((i for i in range(n) if not any(open_at(i, j) for j in range(m))), None)


def _check_position(values: Mapping[str, Any], reading: Reading) -> None:
    """As many slopes as heads."""
    position = values["position"]
    slopes = position.get("slopes")
    if position.get("kind") != "alibi" or slopes is None or "position.slopes" not in reading.spots:
        return
    for i, block in enumerate(values.get("block", [])):
        heads = heads_of(block.get("attention")).queries
        if "attention" in block and len(slopes) != heads:
            told = f"{heads}, one for each head of block {i}"
            reading.spots["position.slopes"].bad(f"{len(slopes)} slopes", told)
            return


def _check_types(embedding: Mapping[str, Any], reading: Reading) -> None:
    """A table of token types and the types of the tokens need one another."""
    pair = ("E_type", "type_ids")
    for one, other in (pair, pair[::-1]):
        spot = reading.spots.get(f"embedding.{one}")
        if spot and one in embedding and f"embedding.{other}" not in reading.spots:
            spot.bad(f"{one} alone", f"{other} beside it")
    table, ids = (embedding.get(x) for x in pair)
    if table and ids and max(ids) >= len(table):
        expected = f"0 to {len(table) - 1}: E_type has {len(table)} rows"
        reading.spots["embedding.type_ids"].bad(str(max(ids)), expected)


def _check_norm(table: Mapping[str, Any], name: str, key: str, reading: Reading) -> None:
    """Only LayerNorm shifts its columns."""
    spot = reading.spots.get(f"{key}.{name}.shift")
    if spot and table.get(name, NO_NORM).get("kind") == "rmsnorm":
        spot.bad('shift with kind "rmsnorm"', 'kind = "layernorm" beside it')


def _check_parallel(block: Mapping[str, Any], key: str, reading: Reading) -> None:
    """Side by side there is one sum of stream, attention and FFN, and nothing in between."""
    if not block.get("parallel") or not {"attention", "ffn"} <= block.keys():
        return
    spot = reading.spots[f"{key}.parallel"]
    if block.get("residual", (True, True)) != (True, True):
        spot.bad("parallel = true without addition", "residual = true beside it")
    if block.get("post1", NO_NORM).get("kind") != "none":
        told = "no post1: side by side there is one addition, which post2 normalises"
        spot.bad("parallel = true with post1", told)


def _check_weights(attention: Mapping[str, Any], key: str, reading: Reading) -> None:
    """A base belongs to a softmax."""
    kind, spot = attention.get("weights"), reading.spots.get(f"{key}.base")
    if spot and kind not in (None, "softmax") and attention.get("base") != E:
        spot.bad(f'base with weights = "{kind}"', 'weights = "softmax" beside it')


def _check_ffn(ffn: Mapping[str, Any], key: str, reading: Reading) -> None:
    """A gate has its weights where the pass is gated; a slope its activation."""
    for at, weights in feeds(ffn, key):
        for name in ("W_gate", "b_gate"):
            spot = reading.spots.get(f"{at}.{name}")
            if spot and name in weights and not ffn.get("gated"):
                spot.bad(f"{name} without a gate", "gated = true beside it")
    slope = reading.spots.get(f"{key}.slope")
    if slope and "slope" in ffn and "leaky_relu" not in (ffn.get("activation"), ffn.get("after")):
        read = f'slope with activation = "{ffn.get("activation")}"'
        slope.bad(read, 'activation = "leaky_relu" beside it')


def _check_heads(attention: Mapping[str, Any], key: str, reading: Reading) -> None:
    """As many matrices as heads, and as many heads to each KV head."""
    heads = heads_of(attention)
    if heads.queries % heads.kv:
        told = f"a divisor of heads = {heads.queries}"
        reading.spots[f"{key}.kv_heads"].bad(str(heads.kv), told)
        return
    for name in _PER_HEAD:
        spot, given = reading.spots.get(f"{key}.{name}"), attention.get(name)
        wanted, why = _wanted(name, heads)
        if spot and given is not None and len(given) != wanted:
            noun = "matrix" if len(given) == 1 else "matrices"
            spot.bad(f"{len(given)} {noun}", f"{wanted}: {why}")


def _wanted(name: str, heads: Heads) -> tuple[int, str]:
    if name not in _OF_KV:
        return heads.queries, f"heads is {heads.queries}"
    if heads.shared:
        return heads.queries, f'heads is {heads.queries}, and share = "mean" averages over heads'
    if heads.kv == heads.queries:
        return heads.kv, f"heads is {heads.queries}"
    return heads.kv, f"kv_heads is {heads.kv}"

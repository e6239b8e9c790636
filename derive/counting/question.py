"""What can be asked about a quantity, beside the sizes of the transformer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from derive.counting.flops import COSTS, PASSES
from derive.errors import DeriveError

QUANTITIES = {
    "parameters": "numbers that are learned",
    "flops": "operations of the matrix products of a pass",
    "kv-cache": "keys and values kept for every token while decoding",
    "memory": "what must be held at once, for inference or training",
    "scores": "entries of the attention score matrices",
    "tiles": "tiles of the score matrices (FlashAttention)",
    "io": "attention's traffic between slow memory and the chip",
    "intensity": "FLOPs for each byte that a pass moves",
}
ASKED: dict[str, tuple[tuple[str, ...], str]] = {  # option: values (none: any), meaning
    "pass": (PASSES, "which pass is counted; default: forward (intensity: decode)"),
    "for": (("inference", "training"), "what memory is for; default: inference"),
    "cost": (tuple(COSTS), "the cost model of a matrix product; default: 2mnk"),
    "flash": (("true", "false"), "attention in tiles, score matrices never stored"),
    "checkpoint": ((), "training memory: layers that are recomputed together"),
    "part": ((), "only the parts whose name has this text; more than one with commas"),
    "in": ((), "the unit of the answer: GiB, MB, TFLOPs, values, bytes, …"),
    "peak": ((), 'what a device computes, such as "312 TFLOP/s"'),
    "bandwidth": ((), 'what its memory moves, such as "2 TB/s"'),
    "utilization": ((), 'the part of the peak that is reached, such as "40%"'),
    "solve": ((), "the size that is asked for: batch, tokens, … (with one of the next three)"),
    "within": ((), 'the largest with at most this much, such as "80 GB"'),
    "at-least": ((), "the smallest with at least this much"),
    "balance": ((), 'where two groups of parts are equal, such as "attention=projections"'),
    "minimize": (("true", "false"), "the size that makes the count smallest (with solve)"),
    "across": (("fsdp", "tp"), "intensity: what devices send one another, by weights or width"),
    "dense": (("true", "false"), "parameters: a dense layer from all tokens to all beside it"),
    "growth": ((), "leading term and order in this letter"),
}


class Question(NamedTuple):
    """One question; each field is the option of its name."""

    pass_: str = ""
    for_: str = "inference"
    cost: str = "2mnk"
    flash: str = "false"
    checkpoint: str = ""
    part: str = ""
    in_: str = ""
    peak: str = ""
    bandwidth: str = ""
    utilization: str = ""
    solve: str = ""
    within: str = ""
    at_least: str = ""
    balance: str = ""
    minimize: str = "false"
    across: str = ""
    dense: str = "false"
    growth: str = ""


PLAIN = Question()


def question(settings: Mapping[str, str]) -> Question:
    """A checked question; raises DeriveError naming the option, what was read and expected."""
    found: dict[str, str] = {}
    names = {name.rstrip("_").replace("_", "-"): name for name in Question._fields}
    for name, text in settings.items():
        choices = ASKED[name][0]
        if choices and text not in choices:
            raise DeriveError(f"{name}: read {text[:40]!r}, expected {' or '.join(choices)}")
        found[names[name]] = text
    result = Question(**found)
    ways = [w for w in (result.within, result.at_least, result.balance) if w]
    ways += ["minimize"] if result.minimize == "true" else []
    if result.solve and len(ways) > 1:
        raise DeriveError("solve: expected one of within, at-least, balance, minimize, not more")
    if ways and not result.solve:
        raise DeriveError("within, at-least, balance, minimize: expected solve with them")
    return result


def check_quantity(name: str) -> str:
    """The name of a quantity; raises DeriveError with the nearest."""
    if name in QUANTITIES:
        return name
    from derive.text import nearest

    near = nearest(name, QUANTITIES)
    hint = f"; nearest: {near}" if near else ""
    raise DeriveError(f"no quantity {name[:40]!r}: there are {', '.join(QUANTITIES)}{hint}")

"""A model's options in words: what a solution or a sheet says before the first number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from derive.model import Model, Section
from derive.model.schema import SCHEMA, Key
from derive.text.show import show

ROOT = re.compile(r"sqrt\((\w+)\)")
Facts = list[tuple[str, str]]  # what it is about, one sentence or a few words

POSITION = {
    "none": "none: a token's place does not enter",
    "learned": "a learned row is added for each place",
    "sinusoidal": "sines and cosines are added",
    "rope": "RoPE: queries and keys are turned by an angle that grows with the place",
    "alibi": "ALiBi: a score loses a multiple of the distance",
}
NORMS = {
    "norm1": "before attention",
    "branch1": "of attention's result",
    "post1": "after attention's addition",
    "norm2": "before the feed-forward pass",
    "branch2": "of the feed-forward result",
    "post2": "after the second addition",
}
KINDS = {"rmsnorm": "RMSNorm", "layernorm": "LayerNorm"}
WEIGHTS = {
    "softmax": "softmax",
    "sum": "each score's share of its row",
    "hard": "all on the largest score",
    "relu": "each positive score's share of its row",
}
ACTIVATIONS = {
    "relu": "ReLU",
    "leaky_relu": "leaky ReLU",
    "gelu": "GELU",
    "gelu_tanh": "GELU by tanh",
    "gelu_sigmoid": "GELU by the sigmoid",
    "silu": "SiLU",
    "sigmoid": "sigmoid",
    "tanh": "tanh",
    "identity": "none",
}
# keys whose setting a sentence above tells, or that say nothing of the mathematics
TOLD = {
    "kind", "eps", "eps_at", "variance", "heads", "kv_heads", "kv_map", "scale", "mask",
    "weights", "base", "activation", "gated", "residual", "parallel", "angles", "layout",
    "temperature", "window", "sizes", "reads", "top", "gate", "experts", "shared",
}  # fmt: skip


def in_words(model: Model) -> Facts:
    """The model's options: what each is about, and what this model does.

    >>> import derive
    >>> dict(in_words(derive.load("cats")))["positions"]
    'RoPE: queries and keys are turned by an angle that grows with the place (1 radian a place)'
    """
    facts = [*_input(model)]
    names = _block_names(len(model.blocks))
    for name, block in zip(names, model.blocks, strict=True):
        facts += [(f"{name}{about}", words) for about, words in _block(block)]
    if model.memory is not None:
        facts += _memory(model.memory)
    if model.output is not None:
        facts += _output(model.output)
    return facts


def _block_names(count: int) -> list[str]:
    return [f"block {k}: " for k in range(count)] if count > 1 else [""] * count


def _input(model: Model) -> Iterator[tuple[str, str]]:
    if model.tokens:
        yield "tokens", " ".join(f"“{token}”" for token in model.tokens)
    sizes = {**model.sizes, **(model.blocks[0]["sizes"] if model.blocks else {})}
    meanings = {
        "n": "tokens", "d": "width of the stream", "k": "width of queries and keys",
        "v": "width of values", "h": "heads", "g": "key/value heads",
        "f": "width of the feed-forward pass", "V": "words",
    }  # fmt: skip
    found = [f"{x} = {sizes[x]} ({what})" for x, what in meanings.items() if sizes.get(x)]
    if found:
        yield "sizes", ", ".join(found)
    if model.symbols:
        yield "letters", ", ".join(f"{name}: {kind}" for name, kind in model.symbols.items())
    if norm := _norm(model.embedding.get("norm")):
        yield "norm of the input", norm
    yield from _others("embedding", model.embedding)
    words = POSITION[model.position["kind"]]
    if model.position["kind"] == "rope":
        layout = {"halves": ", columns i and i + k/2 a pair"}.get(
            str(model.position.get("layout")), ""
        )
        words += f" ({_angles(model.position)}{layout})"
    yield "positions", words
    if model.position["kind"] != "none":
        yield from _others("position", model.position)


def _memory(memory: Section) -> Iterator[tuple[str, str]]:
    """The second sequence, and the encoder that reads it."""
    if memory.get("tokens"):
        yield "second sequence", " ".join(f"“{token}”" for token in memory["tokens"])
    blocks = memory.get("blocks") or ()
    for name, block in zip(_block_names(len(blocks)), blocks, strict=True):
        yield from ((f"encoder: {name}{about}", words) for about, words in _block(block))


def _angles(position: Section) -> str:
    if "angles" in position:
        angles = [show(x) for x in position["angles"]]
        if angles == ["1"]:
            return "1 radian a place"
        return f"{', '.join(angles)} radians a place for the pairs"
    return f"pair p by {show(position['base'])}^(-2p/width) radians a place"


def _block(block: Section) -> Iterator[tuple[str, str]]:
    for place, where in NORMS.items():
        if words := _norm(block.get(place)):
            yield f"norm {where}", words
    if (attention := block.get("attention")) is not None:
        yield "attention", _attention(attention)
        if norm := _norm(attention.get("qk_norm")):
            yield "norm of queries and keys", norm
        yield from _others("block.*.attention", attention)
    if (ffn := block.get("ffn")) is not None:
        act = ACTIVATIONS.get(ffn["activation"], ffn["activation"])
        gated = ", gated: activation(x W_gate) times x W_up" if ffn["gated"] else ""
        yield "feed-forward pass", f"{_experts(ffn)}activation: {act}{gated}"
        yield from _others("block.*.ffn", ffn)
    yield "addition", _addition(block)


def _experts(ffn: Section) -> str:
    """How many experts there are, and how they are chosen."""
    experts = ffn.get("experts")
    if not experts:
        return ""
    shared = f" and {len(ffn['shared'])} for all" if ffn.get("shared") else ""
    gate = ffn["gate"].replace("-", " ")
    return f"{ffn['top']} of {len(experts)} experts{shared} ({gate}), "


def _addition(block: Section) -> str:
    both = block["residual"]
    first, second = (both, both) if isinstance(both, bool) else both
    results = {"attention": (first, "attention"), "ffn": (second, "the feed-forward pass")}
    parts = [name for key, (on, name) in results.items() if on and block.get(key) is not None]
    words = f"the stream is added to the result of {' and '.join(parts)}" if parts else "none"
    if block["parallel"]:
        words += "; attention and feed-forward pass read the same input"
    return words


def _attention(a: Section) -> str:
    parts = [f"{a['heads']} heads" if a["heads"] > 1 else "one head"]
    if a.get("reads") == "memory":
        parts.append("keys and values from the second sequence")
    if "W_DKV" in a:
        parts.append("keys and values made from compressed rows")
    shared = a.get("kv_heads")
    if shared and shared != a["heads"]:
        parts.append(f"{shared} of keys and values (head map: {a['kv_map']})")
    if isinstance(a["mask"], str):
        masks = {"causal": "causal mask: nothing later is seen", "none": "no mask"}
        parts.append(masks.get(a["mask"], a["mask"]))
    else:
        parts.append("a mask of its own")
    if a["window"] != "none":
        parts.append(f"window {a['window']}")
    scale = ROOT.sub(r"√\1", _value(a["scale"]))
    parts.append("scores not scaled" if scale == "1" else f"scores times {scale}")
    base = "" if _value(a["base"]) == "e" else f" in base {_value(a['base'])}"
    parts.append(f"weights: {WEIGHTS.get(a['weights'], a['weights'])}{base}")
    return ", ".join(parts)


def _norm(norm: Any) -> str:
    """A norm in words; nothing for none."""
    if norm is None or norm["kind"] == "none":
        return ""
    words = [KINDS.get(norm["kind"], norm["kind"])]
    eps = show(norm["eps"])
    if eps != "0":
        words.append(f"ε = {eps} {norm['eps_at']} the root")
    if norm["kind"] == "layernorm" and norm["variance"] == "sample":
        words.append("variance divided by d − 1")
    extra = [name for name in ("gain", "shift") if name in norm]
    if extra:
        words.append("with " + " and ".join(extra))
    return ", ".join(words)


def _output(output: Section) -> Iterator[tuple[str, str]]:
    if words := _norm(output.get("norm")):
        yield "norm before the output", words
    yield "temperature", _value(output["temperature"])
    yield from _others("output", output)


def _others(path: str, section: Section) -> Iterator[tuple[str, str]]:
    """Settings that no sentence tells and that are not the default, by their keys' meanings."""
    for key in SCHEMA:
        around, _, name = key.path.rpartition(".")
        if around != path or name in TOLD or name not in section:
            continue
        value = section[name]
        if _plain(value) and not _default(key, value):
            yield name.replace("_", " "), f"{_value(value)} ({key.meaning})"


def _plain(value: Any) -> bool:
    """Neither a matrix nor a table."""
    if isinstance(value, Section):
        return False
    return not (isinstance(value, tuple) and value and isinstance(value[0], (tuple, Section)))


def _default(key: Key, value: Any) -> bool:
    return value == key.default or _value(value) == str(key.default)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str() | int() | Fraction():
            return str(value)
        case tuple():
            return ", ".join(map(_value, value))
    return show(value)

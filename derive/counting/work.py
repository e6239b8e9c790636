"""The quantities that count weights and operations: parameters, FLOPs, intensity."""

from __future__ import annotations

from derive.counting import flops as operations
from derive.counting import memory
from derive.counting.architecture import Architecture
from derive.counting.parts import DENSE, summed, worked
from derive.counting.polynomial import Poly, ratio, total
from derive.counting.question import Question
from derive.counting.result import Count, Part, Shortcut
from derive.counting.spec import Spec
from derive.counting.tensors import weights
from derive.counting.time import timed
from derive.errors import DeriveError


def parameters(spec: Spec, question: Question) -> Count:
    a = spec.architecture()
    parts: dict[str, Poly] = {}
    for t in weights(a):
        parts[t.component] = parts.get(t.component, Poly()) + t.entries
    active = total(t.active_entries for t in weights(a))
    lines = []
    if active != total(parts.values()):
        lines.append(worked("active for a token", active, spec, "parameters"))
    if question.dense == "true":
        width = spec.symbol("n") * a.width
        lines.append(
            worked("a dense layer n·d → n·d instead", width * width + width, spec, "parameters")
        )
    notes = (
        ["the unembedding is the embedding table, counted once"] if a.unembedding == "tied" else []
    )
    return summed(
        "parameters", "parameters", parts, spec,
        notes=tuple(notes), shortcuts=_twelve(spec, a), lines=tuple(lines),
        extra={"active": active},
    )  # fmt: skip


def _twelve(spec: Spec, a: Architecture) -> tuple[Shortcut, ...]:
    if len(a.layers) != 1 or spec.model:
        return ()
    L, d, V = a.layers[0].times, a.width, a.vocab
    rows = 2 if a.unembedding == "untied" else 1
    words = "for h·k = d, as many KV heads, d_ff = 4d and no gate; without biases and norms"
    shortcut = 12 * L * d * d
    found = [Shortcut("12Ld²", shortcut, f"layers only, {words}")]
    if V:
        name = f"12Ld² + {rows if rows > 1 else ''}Vd"
        found.append(Shortcut(name, shortcut + rows * V * d, words))
    return tuple(found)


def flops(spec: Spec, question: Question) -> Count:
    which, (unit, model) = question.pass_ or "forward", operations.COSTS[question.cost]
    a, values = spec.architecture(), spec.values()
    if spec.has("N"):
        return _training_run(spec, question)
    if which == "optimizer":
        n = memory.parameters(a)
        parts = {f"AdamW {name}: {rule}": n * k for name, k, rule in operations.ADAMW}
        adamw = ("AdamW: each of + - * / and the root is one operation; 14 for a parameter",)
        return summed("an AdamW step", "FLOPs", parts, spec, notes=adamw)
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    parts = operations.flops(a, tokens, batch, values, which, question.cost)
    notes = [model, DENSE]
    if which in ("backward", "training"):
        share = {"backward": "twice", "training": "three times"}[which]
        notes.append(f"{share} the forward pass: the backward pass has two products for each one")
    if which == "prefill":
        notes.append("prefill: logits are made for the last token of each sequence only")
    if which == "decode":
        notes.append("decode: one new token a sequence; it sees n tokens, itself included")
        if spec.has("r"):
            notes.append("latent attention decodes in the latent space, up projections absorbed")
    if not spec.flag("causal") and which != "decode":
        notes.append("all n² pairs are counted, as a full product computes them (see causal)")
    found = summed(
        f"{which} pass", unit, parts, spec, notes=tuple(notes),
        shortcuts=_six(spec, a, which, question.cost),
    )  # fmt: skip
    return timed(found, question, spec)


def _six(spec: Spec, a: Architecture, which: str, cost: str) -> tuple[Shortcut, ...]:
    """2ND and 6ND (Kaplan et al. 2020, section 2.1): N active parameters, D tokens."""
    factor = {"forward": 2, "backward": 4, "training": 6, "prefill": 2, "decode": 2}.get(which)
    if factor is None or cost != "2mnk":
        return ()
    n = total(t.active_entries for t in weights(a))
    tokens = spec.symbol("B") * (1 if which == "decode" else spec.symbol("n"))
    words = "N: all (active) parameters, D: tokens read; without attention's products"
    return (Shortcut(f"{factor}ND", factor * n * tokens, words),)


def _training_run(spec: Spec, question: Question) -> Count:
    """6ND alone, of a number of parameters and of tokens."""
    which = question.pass_ or "training"
    factor = {"training": 6, "forward": 2, "backward": 4}.get(which)
    if factor is None:
        raise DeriveError(f"pass: read {which!r} with parameters, expected training or forward")
    parts = {f"{factor}ND": factor * spec.symbol("N") * spec.symbol("D")}
    notes = ("6ND is a rule of thumb: 2 FLOPs forward and 4 backward for a parameter and a token",)
    return timed(
        summed(f"{which}, by {factor}ND", "FLOPs", parts, spec, notes=notes), question, spec
    )


def intensity(spec: Spec, question: Question) -> Count:
    """FLOPs of a pass over the bytes of weights and KV cache that it moves."""
    if question.across:
        from derive.counting.devices import shared_work

        return shared_work(spec, question)
    which = question.pass_ or "decode"
    if which not in ("decode", "prefill", "forward"):
        raise DeriveError(f"pass: read {which!r}, expected decode, prefill or forward")
    a, b, values = spec.architecture(), spec.symbol("b"), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    work = total(operations.flops(a, tokens, batch, values, which).values())
    read = total(t.entries for t in weights(a) if t.component not in operations.LOOKED_UP)
    if a.unembedding == "tied":
        read = read + a.width * a.vocab
    cache = total(memory.cached(a, tokens, batch, values).values())
    moved = read * b + cache * b
    return Count(
        quantity="",
        title=f"arithmetic intensity of a {which} pass",
        unit="FLOPs/byte",
        parts=(Part("FLOPs", work, "FLOPs"), Part("bytes: weights", read * b, "bytes"),
               Part("bytes: KV cache", cache * b, "bytes")),
        formula=ratio(work, moved),
        values=values,
        notes=(DENSE, "bytes: every weight once, and the KV cache; no look-up tables"),
    )  # fmt: skip

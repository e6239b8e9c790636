"""The quantities that count what is kept and moved: KV cache, memory, scores, tiles, traffic."""

from __future__ import annotations

from derive.counting import memory
from derive.counting.pairs import tiles, visible
from derive.counting.parts import summed, worked
from derive.counting.polynomial import Poly, total
from derive.counting.question import Question
from derive.counting.result import Count
from derive.counting.spec import Spec
from derive.errors import DeriveError


def count_kv_cache(spec: Spec, question: Question) -> Count:
    a, b = spec.architecture(), spec.symbol("b")
    cached = memory.cached(a, spec.symbol("n"), spec.symbol("B"), spec.values())
    return summed("KV cache", "bytes", {name: x * b for name, x in cached.items()}, spec)


def count_memory(spec: Spec, question: Question) -> Count:
    a, b, values = spec.architecture(), spec.symbol("b"), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    n = memory.parameters(a)
    if question.for_ == "inference":
        cached = total(memory.cached(a, tokens, batch, values).values())
        parts = {"weights": n * b, "KV cache": cached * b}
        return summed("memory for inference", "bytes", {k: x for k, x in parts.items() if x}, spec)
    state = {
        "weights": n * b,
        "gradients": n * b,
        "AdamW first moments": n * spec.symbol("b_s"),
        "AdamW second moments": n * spec.symbol("b_s"),
    }
    kept = memory.activations(a, tokens, batch, values, question.flash == "true")
    notes = ["activations: the result of every step that the backward pass reads again"]
    acts = {f"activations: {name}": x * b for name, x in kept.items()}
    if question.checkpoint:
        acts, note = _checkpointed(spec, question, acts)
        notes.append(note)
    return summed("memory for training", "bytes", {**state, **acts}, spec, notes=tuple(notes))


def _checkpointed(
    spec: Spec, question: Question, acts: dict[str, Poly]
) -> tuple[dict[str, Poly], str]:
    """Only the stream before every c layers is kept; c layers are computed again at a time."""
    from derive.counting.reading import read_formula

    a = spec.architecture()
    if len(a.layers) != 1:
        raise DeriveError("checkpoint: expected a transformer with equal layers")
    c, layers = read_formula(question.checkpoint, "checkpoint"), a.layers[0].times
    outside = ("final norm", "logits", "cross-entropy")
    found = {
        "activations: checkpoints": layers.divided(c)
        * spec.symbol("B") * spec.symbol("n") * a.width * spec.symbol("b")
    }  # fmt: skip
    for name, x in acts.items():
        inside = name.removeprefix("activations: ") not in outside
        found[name] = x.divided(layers) * c if inside else x
    return found, "checkpoints: the layers' forward pass is computed once more"


def count_scores(spec: Spec, question: Question) -> Count:
    a, values = spec.architecture(), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    parts: dict[str, Poly] = {}
    lines = []
    for layers in a.layers:
        if x := layers.attention:
            name = f"scores of {layers.label}" if layers.label else "scores"
            pairs = visible(tokens, x.window, a.causal, values)
            parts[name] = parts.get(name, Poly()) + batch * layers.times * x.heads * pairs
            if x.window is not None:
                reach = layers.times * (x.window - 1)
                lines.append(worked("reach back", reach, spec, "tokens"))
    notes = (
        ["reach back: tokens before its own that the last layer's row depends on"] if lines else []
    )
    return summed("attention scores", "scores", parts, spec, notes=tuple(notes), lines=tuple(lines))


def count_tiles(spec: Spec, question: Question) -> Count:
    a, values = spec.architecture(), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    rows, columns = spec.symbol("t_q"), spec.symbol("t_k")
    every, skipped = tiles(tokens, rows, columns, a.causal, values)
    heads = total(batch * x.times * x.attention.heads for x in a.layers if x.attention)
    parts = {"all tiles": heads * every}
    if a.causal:
        parts["skipped: hidden by the causal mask"] = -(heads * skipped)
    notes = ["a tile is t_q queries by t_k keys; the last ones may be smaller"]
    if a.causal:
        notes.append("skipped: the tile's first key comes after its last query")
    return summed("tiles to compute", "tiles", parts, spec, notes=tuple(notes))


def count_io(spec: Spec, question: Question) -> Count:
    a, b, values = spec.architecture(), spec.symbol("b"), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    tile = (spec.symbol("t_q"), spec.symbol("t_k"))
    flash = question.flash == "true"
    moved = memory.traffic(a, tokens, batch, values, tile if flash else None)
    lines = []
    if flash or spec.has("t_q"):
        other = memory.traffic(a, tokens, batch, values, None if flash else tile)
        name = "without FlashAttention" if flash else "with FlashAttention"
        lines.append(worked(name, total(other.values()) * b, spec, "bytes"))
    notes = ("each query head reads the keys and values of its own KV head",)
    parts = {name: x * b for name, x in moved.items() if x}
    title = "attention's traffic in tiles" if flash else "attention's traffic"
    return summed(title, "bytes", parts, spec, notes=notes, lines=tuple(lines))

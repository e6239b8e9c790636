"""One quantity of one transformer: parts, formula, numbers, shortcuts, notes."""

from __future__ import annotations

from collections.abc import Callable

from derive.counting import flops as operations
from derive.counting import memory
from derive.counting.architecture import Architecture
from derive.counting.pairs import tiles, visible
from derive.counting.polynomial import Formula, Poly, Ratio, ratio, total
from derive.counting.question import QUANTITIES, Question, check_quantity
from derive.counting.result import Count, Line, Part, Shortcut
from derive.counting.spec import Spec
from derive.counting.tensors import weights
from derive.counting.units import UNITS, measured, sizes
from derive.counting.written import grouped, latex, text
from derive.errors import DeriveError

DENSE = "only matrix products are counted: no norms, softmax, activations, biases, look-ups"
WINDOWED = "a window is taken to be narrower than the tokens: n ≥ w"

PLAIN = Question()


def count(quantity: str, spec: Spec, question: Question = PLAIN) -> Count:
    """Counts a quantity, and answers what is asked about it (threshold, growth, time).

    Raises DeriveError for an unknown quantity, for sizes that don't fit together, for a
    question that the quantity doesn't have.

    >>> from derive.counting.spec import make
    >>> from derive.counting.written import plain
    >>> plain(count("kv-cache", make({})).formula)
    '2*L*g*k*n*b'
    """
    from derive.counting.solve import grows, solved

    check_quantity(quantity)
    found = counted(quantity, spec, question)
    if question.solve:
        return solved(found, spec, question)
    if question.growth:
        return grows(found, question.growth)
    return found


def counted(quantity: str, spec: Spec, question: Question) -> Count:
    """The quantity itself, its unit and parts as asked for."""
    found = COUNTERS[quantity](spec, question)
    found = found._replace(quantity=quantity, model=spec.title, source=spec.source)
    if question.part:
        found = _only(found, question.part)
    if question.in_:
        found = _in(found, question.in_, spec)
    notes = [*found.notes, *_notes(found, spec)]
    return found._replace(notes=tuple(dict.fromkeys(notes)))


def _count(title: str, unit: str, parts: dict[str, Poly], spec: Spec, **rest: object) -> Count:
    return Count(
        quantity="",
        title=title,
        unit=unit,
        parts=tuple(Part(name, formula) for name, formula in parts.items()),
        formula=total(parts.values()),
        values=spec.values(),
        **rest,  # type: ignore[arg-type]
    )


def _notes(found: Count, spec: Spec) -> list[str]:
    notes = []
    if spec.has("w") and "w" in found.formula.letters:
        n, w = (found.values.get(x) for x in "nw")
        if n is None or w is None:
            notes.append(WINDOWED)
    for letter, source in (("g", "h"), ("k", "d/h")):
        if letter in found.formula.letters and not spec.has(letter) and letter in found.values:
            if not spec.model:
                notes.append(f"{letter} = {source}, as nothing else is given")
    return notes


def _only(found: Count, wanted: str) -> Count:
    """The parts whose names have one of the texts."""
    parts = chosen(found, wanted)
    return found._replace(parts=parts,
        formula=total(p.formula for p in parts if isinstance(p.formula, Poly)),
        shortcuts=(),
        lines=(),
        title=f"{found.title}: {wanted}",
    )


GROUPS = {  # names for several parts at once
    "attention": ("scores", "weighted values", "φ(", "normaliser"),
    "projections": ("query pro", "key pro", "value pro", "output pro", "latent down"),
    "ffn": ("FFN", "routed experts", "shared experts"),
    "embedding": ("token embedding", "position embedding", "token types"),
    "activations": ("activations:",),
}


def chosen(found: Count, wanted: str) -> tuple[Part, ...]:
    """The parts that a text names; raises DeriveError with the names there are."""
    if isinstance(found.formula, Ratio):
        raise DeriveError(f"part: {found.title} is a quotient, no sum of parts")
    texts = [x for word in wanted.split(",") for x in GROUPS.get(word.strip(), (word.strip(),))]
    parts = tuple(p for p in found.parts if any(x.casefold() in p.name.casefold() for x in texts))
    if not parts:
        names = ", ".join(p.name for p in found.parts)
        raise DeriveError(f"no part {wanted[:40]!r}; there are {names}; or {', '.join(GROUPS)}")
    return parts


def _in(found: Count, unit: str, spec: Spec) -> Count:
    """The count in another kind of unit: numbers as bytes, bytes as numbers."""
    if unit not in UNITS:
        raise DeriveError(f"in: read the unit {unit[:20]!r}, expected one of {', '.join(UNITS)}")
    kind = UNITS[unit][0]
    b = spec.symbol("b")
    result = found
    if kind == "bytes" and found.unit in ("parameters", "scores", "values"):
        result = _scaled(found, lambda x: x * b, "bytes")
    elif kind in ("values", "scores") and found.unit == "bytes":
        if any(x.degree("b") != 1 for x in (p.formula for p in found.parts) if isinstance(x, Poly)):
            raise DeriveError(f"in: {found.title} is no number of values of one size")
        result = _scaled(found, lambda x: x.divided(b), "values")
    elif kind != found.unit and not (kind == "share" or found.unit == "MACs"):
        raise DeriveError(f"in: read the unit {unit!r}, expected one of {found.unit}")
    return result._replace(answer_unit=unit)


def _scaled(found: Count, scale: Callable[[Poly], Poly], unit: str) -> Count:
    def apply(x: Formula) -> Formula:
        return scale(x) if isinstance(x, Poly) else x

    return found._replace(unit=unit,
        formula=apply(found.formula),
        parts=tuple(p._replace(formula=apply(p.formula)) for p in found.parts),
        shortcuts=(),
    )


# the quantities


def _parameters(spec: Spec, question: Question) -> Count:
    a = spec.architecture()
    parts: dict[str, Poly] = {}
    for t in weights(a):
        parts[t.component] = parts.get(t.component, Poly()) + t.entries
    active = total(t.active_entries for t in weights(a))
    lines = []
    if active != total(parts.values()):
        lines.append(_worked("active for a token", active, spec, "parameters"))
    notes = (
        ["the unembedding is the embedding table, counted once"] if a.unembedding == "tied" else []
    )
    return _count(
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


def _worked(title: str, formula: Poly, spec: Spec, unit: str) -> Line:
    """A formula with its numbers put in, as one line."""
    values = spec.values()
    value = formula.put(values)
    number = value.number
    shown = grouped(number) if number is not None else text(value)
    size = (
        f" ≈ {sizes(number, unit)[-1].text}" if number is not None and sizes(number, unit) else ""
    )
    words = (
        f"{text(formula)} = {shown} {unit}{size}" if formula.letters else f"{shown} {unit}{size}"
    )
    return Line(title, words, rf"{latex(formula)} = {latex(value)}")


def _flops(spec: Spec, question: Question) -> Count:
    which, (unit, model) = question.pass_ or "forward", operations.COSTS[question.cost]
    a, values = spec.architecture(), spec.values()
    if spec.has("N"):
        return _training_run(spec, question)
    if which == "optimizer":
        n = memory.parameters(a)
        parts = {f"AdamW {name}: {rule}": n * k for name, k, rule in operations.ADAMW}
        adamw = ("AdamW: each of + - * / and the root is one operation; 14 for a parameter",)
        return _count("an AdamW step", "FLOPs", parts, spec, notes=adamw)
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
    found = _count(
        f"{which} pass", unit, parts, spec, notes=tuple(notes),
        shortcuts=_six(spec, a, which, question.cost),
    )  # fmt: skip
    return _timed(found, question, spec)


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
    return _timed(
        _count(f"{which}, by {factor}ND", "FLOPs", parts, spec, notes=notes), question, spec
    )


def _timed(found: Count, question: Question, spec: Spec) -> Count:
    """How long that takes, where the peak of a device is given."""
    if not question.peak:
        if question.utilization:
            raise DeriveError("utilization: expected peak with it")
        return found
    peak = measured(question.peak, "FLOP/s", "peak")
    used = measured(question.utilization, "share", "utilization") if question.utilization else 1
    if peak <= 0 or not 0 < used <= 1:
        raise DeriveError("peak: expected more than 0; utilization: more than 0, at most 100%")
    p = spec.symbol("p").put(found.values).number
    if p is None or found.number is None:
        raise DeriveError("time: expected numbers for all sizes")
    seconds = found.number / (p * peak * used)
    shown = [x for x in sizes(seconds, "seconds")[:2]] or []
    words = "; ".join(f"{'=' if x.exact else '≈'} {x.text}" for x in shown)
    how = f"{grouped(found.number)}/({p}·{grouped(peak)}·{used})"
    exact = f"{grouped(seconds)} s"
    line = Line("time", f"FLOPs/(devices·peak·utilization) = {how} = {exact} {words}".rstrip(),
                rf"\frac{{{latex(found.value)}}}{{{p} \cdot {peak} \cdot {used}}}\,\text{{s}}")  # fmt: skip  # noqa: E501
    return found._replace(lines=(*found.lines, line), extra={**found.extra, "seconds": seconds})


def _kv_cache(spec: Spec, question: Question) -> Count:
    a, b = spec.architecture(), spec.symbol("b")
    cached = memory.cached(a, spec.symbol("n"), spec.symbol("B"), spec.values())
    return _count("KV cache", "bytes", {name: x * b for name, x in cached.items()}, spec)


def _memory(spec: Spec, question: Question) -> Count:
    a, b, values = spec.architecture(), spec.symbol("b"), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    n = memory.parameters(a)
    if question.for_ == "inference":
        cached = total(memory.cached(a, tokens, batch, values).values())
        parts = {"weights": n * b, "KV cache": cached * b}
        return _count("memory for inference", "bytes", {k: x for k, x in parts.items() if x}, spec)
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
    return _count("memory for training", "bytes", {**state, **acts}, spec, notes=tuple(notes))


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


def _scores(spec: Spec, question: Question) -> Count:
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
                lines.append(_worked("reach back", reach, spec, "tokens"))
    notes = (
        ["reach back: tokens before its own that the last layer's row depends on"] if lines else []
    )
    return _count("attention scores", "scores", parts, spec, notes=tuple(notes), lines=tuple(lines))


def _tiles(spec: Spec, question: Question) -> Count:
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
    return _count("tiles to compute", "tiles", parts, spec, notes=tuple(notes))


def _io(spec: Spec, question: Question) -> Count:
    a, b, values = spec.architecture(), spec.symbol("b"), spec.values()
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    tile = (spec.symbol("t_q"), spec.symbol("t_k"))
    flash = question.flash == "true"
    moved = memory.traffic(a, tokens, batch, values, tile if flash else None)
    lines = []
    if flash or spec.has("t_q"):
        other = memory.traffic(a, tokens, batch, values, None if flash else tile)
        name = "without FlashAttention" if flash else "with FlashAttention"
        lines.append(_worked(name, total(other.values()) * b, spec, "bytes"))
    notes = ("each query head reads the keys and values of its own KV head",)
    parts = {name: x * b for name, x in moved.items() if x}
    title = "attention's traffic in tiles" if flash else "attention's traffic"
    return _count(title, "bytes", parts, spec, notes=notes, lines=tuple(lines))


def _intensity(spec: Spec, question: Question) -> Count:
    """FLOPs of a pass over the bytes of weights and KV cache that it moves."""
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


COUNTERS: dict[str, Callable[[Spec, Question], Count]] = {
    "parameters": _parameters,
    "flops": _flops,
    "kv-cache": _kv_cache,
    "memory": _memory,
    "scores": _scores,
    "tiles": _tiles,
    "io": _io,
    "intensity": _intensity,
}
assert COUNTERS.keys() == QUANTITIES.keys()

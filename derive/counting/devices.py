"""Work shared by devices: what each computes, what it sends; when sending takes longer."""

from __future__ import annotations

from derive.counting import flops as operations
from derive.counting.counted_parts import matching
from derive.counting.parts import DENSE
from derive.counting.polynomial import Poly, reduced, total
from derive.counting.question import Question
from derive.counting.result import Count, Line, Part
from derive.counting.spec import Spec
from derive.counting.tensors import weights
from derive.counting.units import measured
from derive.counting.written import grouped, latex, text
from derive.errors import DeriveError

WORDS = {
    "fsdp": "FSDP: a device keeps 1/p of the weights and gathers the rest once forward; backward "
    "it gathers them again and scatters the gradients",
    "tp": "tensor parallel: the rows of every layer's attention and FFN are summed over the "
    "devices (a ring sends each number twice), once forward and once backward",
}


def shared_work(spec: Spec, question: Question) -> Count:
    """FLOPs of a device over the bytes it sends: FSDP (Rajbhandari et al. 2020, ZeRO stage 3)
    or tensor parallelism (Shoeybi et al. 2019, section 3).

    Raises DeriveError for a pass that isn't forward or training, for parts that don't exist.
    """
    which = question.pass_ or "forward"
    if which not in ("forward", "training"):
        raise DeriveError(f"pass: read {which!r} with across, expected forward or training")
    a, b, values = spec.architecture(), spec.symbol("b"), spec.values()
    p = spec.symbol("p") if spec.has("p") else Poly.letter("p")
    values = values if spec.has("p") else {k: x for k, x in values.items() if k != "p"}
    tokens, batch = spec.symbol("n"), spec.symbol("B")
    work = operations.flops(a, tokens, batch, values, which)
    chosen = matching(work, question.part) if question.part else list(work)
    mine = total(work[name] for name in chosen).divided(p)
    others = 1 - Poly.of(1).divided(p)  # (p-1)/p: what the other devices have
    if question.across == "fsdp":
        kept = (t for t in weights(a) if t.component in chosen)
        sent = (3 if which == "training" else 1) * total(t.entries for t in kept) * others * b
    else:
        sums = Poly()
        for layers in a.layers:
            parts = sum(any(x.startswith(w) for x in chosen) for w in ("FFN down", "output proj"))
            sums = sums + layers.times * parts
        times = 2 if which == "training" else 1
        sent = times * 2 * sums * others * batch * tokens * a.width * b
    if not sent:
        raise DeriveError("across: these parts send nothing; expected part ffn, projections or all")
    found = Count(
        quantity="",
        title=f"FLOPs a byte sent, {which} pass, {question.across.upper()}",
        unit="FLOPs/byte",
        parts=(Part("FLOPs of a device", mine, "FLOPs"), Part("bytes sent", sent, "bytes")),
        formula=reduced(mine, sent),
        values=values,
        notes=(DENSE, WORDS[question.across], "C: FLOP/s of a device, W: bytes/s that it sends"),
    )
    return found._replace(lines=tuple(_times(found, mine, sent, question)))


def _times(found: Count, mine: Poly, sent: Poly, question: Question) -> list[Line]:
    """Time to compute, time to send, and the inequality for which of them decides."""
    lines = [
        Line("computing takes", f"({text(mine)})/C", rf"\frac{{{latex(mine)}}}{{C}}"),
        Line("sending takes", f"({text(sent)})/W", rf"\frac{{{latex(sent)}}}{{W}}"),
        Line("sending dominates", f"where {text(found.formula)} < C/W",
             rf"{latex(found.formula)} < \frac{{C}}{{W}}"),
    ]  # fmt: skip
    for name, x, rate, kind in (
        ("computing", mine, question.peak, "FLOP/s"),
        ("sending", sent, question.bandwidth, "bytes/s"),
    ):
        number = x.put(found.values).number
        if rate and number is not None:
            per = measured(rate, kind, "peak" if kind == "FLOP/s" else "bandwidth")
            if per <= 0:
                raise DeriveError("peak, bandwidth: expected more than 0")
            words = f"{grouped(number)}/{grouped(per)} = {grouped(number / per)} s"
            lines.append(Line(f"{name} here", words, rf"\text{{{words}}}"))
    return lines

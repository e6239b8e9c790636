"""How long a counted work takes: computing, communicating."""

from __future__ import annotations

from derive.counting.question import Question
from derive.counting.result import Count, Line
from derive.counting.spec import Spec
from derive.counting.units import measured, sizes
from derive.counting.written import grouped, latex
from derive.errors import DeriveError


def timed(found: Count, question: Question, spec: Spec) -> Count:
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

"""What every quantity is put together with: a sum of parts, a worked line."""

from __future__ import annotations

from derive.counting.polynomial import Poly, total
from derive.counting.result import Count, Line, Part
from derive.counting.spec import Spec
from derive.counting.units import sizes
from derive.counting.written import grouped, latex, text

DENSE = "only matrix products are counted: no norms, softmax, activations, biases, look-ups"


def summed(title: str, unit: str, parts: dict[str, Poly], spec: Spec, **rest: object) -> Count:
    """A count that is the sum of its parts."""
    return Count(
        quantity="",
        title=title,
        unit=unit,
        parts=tuple(Part(name, formula) for name, formula in parts.items()),
        formula=total(parts.values()),
        values=spec.values(),
        **rest,  # type: ignore[arg-type]
    )


def worked(title: str, formula: Poly, spec: Spec, unit: str) -> Line:
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

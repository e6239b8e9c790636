"""The size that makes a count smallest: a falling and a rising term, weighed exactly."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt

from derive.counting.polynomial import Poly, Ratio, ratio
from derive.counting.result import Count, Line
from derive.counting.written import grouped, latex, text
from derive.errors import DeriveError


def smallest(found: Count, x: str, values: Mapping[str, Poly]) -> Count:
    """Where a·x + b/x + rest is smallest: at x² = b/a; among whole numbers at the smallest x
    with x(x+1) ≥ b/a, because f(x+1) - f(x) = a - b/(x(x+1)).

    Raises DeriveError where the count has no such form, or letters are left.
    """
    if isinstance(found.formula, Ratio):
        raise DeriveError(f"minimize: {found.title} is a quotient; expected a sum")
    powers = {dict(m).get(x, 0) for m in found.formula.terms}
    if not {-1, 1} <= powers or not powers <= {-1, 0, 1}:
        raise DeriveError(f"minimize: expected terms with {x} and with 1/{x}, and no other powers")
    name = latex(Poly.letter(x))
    rising, falling = (found.formula.coefficient(x, k) for k in (1, -1))
    square = ratio(falling, rising)
    lines = [
        Line("smallest where", f"{x}² = ({text(falling)})/({text(rising)})",
             rf"{name}^2 = \frac{{{latex(falling)}}}{{{latex(rising)}}}"),
    ]  # fmt: skip
    a, b = (k.put(values).number for k in (rising, falling))
    if a is None or b is None:
        return found._replace(lines=tuple(lines), extra={**found.extra, "square": square})
    if a <= 0 or b <= 0:
        raise DeriveError(f"minimize: the terms with {x} and 1/{x} don't pull in two directions")
    best = max(isqrt(int(b / a)), 1)
    best -= best > 1 and (best - 1) * best >= b / a
    best += best * (best + 1) < b / a
    for k in (best - 1, best, best + 1):
        if k > 0 and (value := found.formula.put({**values, x: Poly.of(k)}).number) is not None:
            shown = f"{x} = {k:,}: {grouped(value)} {found.unit}"
            lines.append(Line("neighbours", shown, rf"\text{{{shown}}}"))
    lines.append(Line("answer", f"{x} = {best:,}", rf"{name} = {best}"))
    title = f"best {x}: {found.title}"
    return found._replace(lines=tuple(lines), answer=Poly.of(best), title=title)

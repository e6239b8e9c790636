"""Values that are not real where letters are real numbers."""

from __future__ import annotations

from flint import acb

from derive.exact.balls import Balls
from derive.exact.dag import Node, UndefinedValue
from derive.exact.points import points, reach, symbols

POINTS, BITS = 8, 128


def never_real(node: Node, other: Node) -> bool:
    """Is the value certainly not real at every point that was tried, and the other one real?

    Letters take values of both signs; the imaginary unit itself stands in neither.
    """
    names = symbols(node, other)
    if not symbols(node) or any(x.op == "i" for x in reach(node, other)):
        return False
    tried = 0
    for point in points(names, (), POINTS):
        try:
            balls = Balls(BITS, point)
            x, y = balls.value(node), balls.value(other)
        except UndefinedValue:
            continue
        if not x.is_finite() or not y.is_finite():
            continue
        if not isinstance(x, acb) or x.imag.contains(0) or isinstance(y, acb):
            return False
        tried += 1
    return tried >= POINTS // 2

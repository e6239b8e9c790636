"""The kernel asked once more, with roots and powers of one number written alike."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from derive.exact.assumptions import Assumption
from derive.exact.balls import rebuild
from derive.exact.budget import Budget
from derive.exact.dag import Node, UndefinedValue
from derive.exact.decide import decide_nodes
from derive.exact.points import reach
from derive.exact.verdict import Verdict

LARGEST_INDEX = 60


def decided(
    a: Node, b: Node, assumptions: Sequence[Assumption] = (), work: int | None = None
) -> Verdict:
    """Decide a = b; where that stays open, the same with common roots.

    Principal roots satisfy root(x, m) = root(x, m k)^k for every x, so both say the same.

    >>> from derive.exact.dag import Dag
    >>> f = Dag()
    >>> x = 1 - 2 * f.symbol("x")
    >>> decided(f.root(x, 3), f.root(x, 6) ** 2, [Assumption(x, ">")]).verdict
    'equal'
    """
    found = decide_nodes(a, b, assumptions, Budget(work=work) if work else None)
    if found.verdict != "undecided":
        return found
    try:
        again = alike(a, b)
    except UndefinedValue:
        return found
    if again == (a, b):
        return found
    return decide_nodes(*again, assumptions, Budget(work=work) if work else None)


def alike(a: Node, b: Node) -> tuple[Node, Node]:
    """Both sides, each root of a number as a power of the root with the common index.

    Powers with a sum as exponent become products.
    """
    indices: dict[Node, int] = {}
    order = sorted(reach(a, b), key=lambda x: x.index)
    for x in order:
        if x.op == "root":
            n = lcm(indices.get(x.args[0], 1), int(str(x.data)))
            indices[x.args[0]] = n
    made: dict[Node, Node] = {}
    for x in order:
        args = [made[y] for y in x.args]
        n = indices[x.args[0]] if x.op == "root" else 0
        if n and n != int(str(x.data)) and n <= LARGEST_INDEX:
            made[x] = x.dag.root(args[0], n) ** (n // int(str(x.data)))
        elif x.op == "exp":
            made[x] = x.dag.exp(_spread(args[0]))
        else:
            made[x] = rebuild(x, args)
    return made[a], made[b]


def _spread(x: Node) -> Node:
    """(n - 1) log z as n log z - log z, so that z^(n - 1) is z^n / z."""
    sums = [y for y in x.args if y.op == "add"]
    if x.op != "mul" or len(sums) != 1 or all(y.op != "log" for y in x.args):
        return x
    others = [y for y in x.args if y is not sums[0]]
    return x.dag.add(*(x.dag.mul(term, *others) for term in sums[0].args))

"""Exact signs: zero by proof, everything else by balls at rising precision.

ReLU, max, argmax and top-k ask here, so an exact tie is seen as a tie however many digits
agree, and a difference of 10^-400 as a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb

from derive.exact.assumptions import Assumption, as_node, known
from derive.exact.balls import Balls
from derive.exact.budget import Budget, RestartError, UndecidedError
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.points import symbols

QUICK_BITS = 512  # balls alone, before a proof is looked for
UNSURE_BITS = 1 << 12  # where the proof found no answer
FIRST_ROOM = (6, 24)  # roots and other variables of the normal form, and what is added
RESTARTS = 30
BITS_CAP = 1 << 16  # where the value is proved not to be 0


def is_zero(node: Node, assumptions: Sequence[Assumption] = ()) -> bool | None:
    """Whether the value is exactly 0, by the prover; None when undecided."""
    from derive.exact.decide import is_zero as prove  # dear to import, and seldom needed

    return prove(node, assumptions)


def nodes_of(*values: object) -> list[Node]:
    """SymPy expressions and nodes as nodes of one Dag."""
    dag = next((x.dag for x in values if isinstance(x, Node)), None) or Dag()
    return [as_node(x, dag) for x in values]


def real_enclosures(node: Node) -> Callable[[int], arb]:
    """Bits -> enclosure of a real constant; not finite as long as it isn't known to be real."""
    reals: set[Node] = set()
    asked: set[Node] = set()

    def at(bits: int) -> arb:
        balls = Balls(bits, reals=reals)
        value = balls.value(node)
        if isinstance(value, arb):
            return value
        mirror = balls.conjugate(node)
        if value.imag.contains(0) and mirror is not None and mirror not in asked:
            asked.add(mirror)
            if is_zero(node - mirror):
                reals.add(node)
        return value.real if node in reals else arb.nan()

    return at


def sign(x: object, assumptions: Sequence[Assumption] = ()) -> int | None:
    """-1, 0 or 1; None when undecided, not real, or different from point to point.

    >>> f = Dag()
    >>> sign(f.cos(f.rational(1, 10**30)) - 1)
    -1
    """
    (node,) = nodes_of(x)
    if symbols(node):
        return _symbolic(node, known(node.dag, assumptions, (x,)))
    at = real_enclosures(node)
    try:
        found = _by_balls(at, 64, QUICK_BITS)
        if found is not None:
            return found
        zero = is_zero(node)
        if zero:
            return 0
        if zero is False:
            found = _by_normal_form(node, ())
        cap = UNSURE_BITS if zero is None else BITS_CAP
        return found if found is not None else _by_balls(at, 2 * QUICK_BITS, cap)
    except UndefinedValue:
        return None


def _by_balls(at: Callable[[int], arb], bits: int, cap: int) -> int | None:
    while bits <= cap:
        x = at(bits)
        if x > 0 or x < 0:
            return 1 if x > 0 else -1
        if x.is_zero():
            return 0
        bits *= 2
    return None


def _symbolic(node: Node, assumptions: Sequence[Assumption]) -> int | None:
    try:
        return 0 if is_zero(node, assumptions) else _by_normal_form(node, assumptions)
    except UndefinedValue:
        return None


def _by_normal_form(node: Node, assumptions: Sequence[Assumption]) -> int | None:
    """The sign read off the normal form: in exp(-10^12) alone it is seen, beside 1 it is not."""
    from derive.exact.signs import ContradictionError
    from derive.exact.tower import Domain, Limits, SplitError, Tower

    domain = Domain(symbols(node), assumptions)
    roots, others = FIRST_ROOM
    limits = Limits((roots, others + len(domain.names)))
    budget = Budget()
    for _ in range(RESTARTS):
        try:
            tower = Tower(domain, limits, budget)
            x = tower.element(node)
            return tower.signs.sign(x) if tower.ground.real(x) else None
        except RestartError as why:
            if str(why) == "room":
                limits.room = (limits.room[0] * 2, limits.room[1] * 2)
        except (UndecidedError, SplitError, ContradictionError, UndefinedValue):
            return None
    return None


def compare(a: object, b: object, assumptions: Sequence[Assumption] = ()) -> int | None:
    """-1, 0, 1 for a < b, a = b, a > b; None when undecided.

    >>> f = Dag()
    >>> compare(f.infinity(-1), f.sqrt(f.rational(2)))
    -1
    """
    x, y = nodes_of(a, b)
    if x is y:
        return 0
    infinite = [int(str(z.data)) if z.op == "infinity" else 0 for z in (x, y)]
    if any(infinite):
        return (infinite[0] > infinite[1]) - (infinite[0] < infinite[1])
    return sign(x - y, known(x.dag, assumptions, (a, b)))


def argmax(values: Sequence[object], assumptions: Sequence[Assumption] = ()) -> list[int] | None:
    """The indices of all values that are exactly the largest one, or None when undecided.

    >>> f = Dag()
    >>> argmax([f.one, f.sqrt(f.rational(2)), f.infinity(-1)])
    [1]
    """
    nodes = nodes_of(*values)
    assumed = known(nodes[0].dag, assumptions, values) if nodes else ()
    ties: list[int] = []
    for k in _hopeful(nodes):
        order = compare(nodes[k], nodes[ties[0]], assumed) if ties else 1
        if order is None:
            return None
        if order > 0:
            ties = []
        if order >= 0:
            ties.append(k)
    return ties


def _hopeful(nodes: Sequence[Node]) -> list[int]:
    """Indices of the values that may be the largest: quick balls rule out the others."""
    if symbols(*nodes):
        return list(range(len(nodes)))
    balls = Balls(64)
    values = [balls.value(x) for x in nodes]
    floors = [x.lower() for x in values if isinstance(x, arb) and not x.is_nan()]
    floor = max(floors, default=arb.neg_inf())
    return [k for k, x in enumerate(values) if not (isinstance(x, arb) and x < floor)]

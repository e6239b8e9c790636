"""One order for every expression: what is proved doesn't depend on how it was entered.

Both sides are built again in a Dag of their own, arguments in an order that depends on
the expressions alone, so that decide(a, b) and decide(b, a) do the same work.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag, Node
from derive.exact.points import reach, subject

LONG = 10_000  # bits


def digests(nodes: Sequence[Node]) -> dict[int, bytes]:
    """A name for each node that is the same in every Dag; nodes in order of creation."""
    out: dict[int, bytes] = {}
    for x in nodes:
        parts = [out[a.index] for a in x.args]
        if x.op in ("add", "mul"):
            parts.sort()
        text = b"".join((x.op.encode(), b" ", _text(x.data), *parts))
        out[x.index] = blake2b(text, digest_size=16).digest()
    return out


def canonical(
    a: Node, b: Node, assumptions: Sequence[Assumption]
) -> tuple[Node, Node, tuple[Assumption, ...]]:
    """The two sides (possibly exchanged) and the assumptions in a fresh Dag."""
    facts = [subject(x) for x in assumptions]
    names = digests(reach(a, b, *facts))
    if names[b.index] < names[a.index]:
        a, b = b, a
    ordered = sorted(
        zip(facts, assumptions, strict=True), key=lambda f: (names[f[0].index], f[1].relation)
    )
    dag = Dag()
    built: dict[int, Node] = {}
    roots = [a, b, *(node for node, _ in ordered)]
    for x in _walk(roots, names):
        args = [built[y.index] for y in x.args]
        if x.op in ("add", "mul"):
            args.sort(key=lambda y: y.index)
        built[x.index] = dag._make(x.op, tuple(args), x.data)  # it is simplified already
    left, right, *rest = (built[x.index] for x in roots)
    kept = tuple(Assumption(n, f[1].relation) for n, f in zip(rest, ordered, strict=True))
    return left, right, kept


def _arguments(x: Node, names: dict[int, bytes]) -> Sequence[Node]:
    return sorted(x.args, key=lambda y: names[y.index]) if x.op in ("add", "mul") else x.args


def _walk(roots: Sequence[Node], names: dict[int, bytes]) -> Sequence[Node]:
    """All nodes, arguments first, in an order that depends on the names alone."""
    out: list[Node] = []
    seen: set[int] = set()
    stack = [(x, False) for x in reversed(roots)]
    while stack:
        x, ready = stack.pop()
        if ready:
            out.append(x)
        elif x.index not in seen:
            seen.add(x.index)
            stack.append((x, True))
            stack.extend((y, False) for y in reversed(_arguments(x, names)))
    return out


def rebuild(dag: Dag, x: Node, args: Sequence[Node]) -> Node:
    """The node x with other arguments, in the Dag."""
    if x.op == "rational":
        return dag.rational(*x.data)  # type: ignore[misc]
    if x.op in ("pi", "i"):
        return dag.pi if x.op == "pi" else dag.i
    build = getattr(dag, x.op)
    out: Node = build(*args) if x.data is None else build(*args, x.data)
    return out


def _text(data: object) -> bytes:
    """Data as a text; integers too long for Python to print in decimals, in base 16."""
    if isinstance(data, tuple):
        return b"(%s)" % b", ".join(map(_text, data))
    if isinstance(data, int) and data.bit_length() > LONG:
        return b"%x" % data
    return repr(data).encode()

"""Certificates: the small steps by which the checker (checker.py) repeats what was decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from derive.exact.assumptions import Assumption
from derive.exact.budget import RestartError, UndecidedError
from derive.exact.canonical import digests
from derive.exact.cases import solve, substitute
from derive.exact.checker import Rejected, check
from derive.exact.dag import Node, UndefinedValue
from derive.exact.points import points, reach, subject, symbols
from derive.exact.recorder import Recorder
from derive.exact.writer import FAILED

if TYPE_CHECKING:
    from derive.exact.evidence import Evidence

Data = dict[str, Any]
Images = dict[int, Node | None]  # nodes of the claim in the prover's words
ROOM = (32, 100, 400)  # letters
MOST_BITS = 1 << 18


def claim_of(
    kind: str, a: Node, b: Node, assumptions: Sequence[Assumption]
) -> tuple[Data, list[Node]]:
    """The claim about two nodes, and the nodes of its program."""
    roots = [a, b, *(subject(x) for x in assumptions)]
    program, places = a.dag.program(*roots)
    given = [[k, x.relation] for k, x in zip(places[2:], assumptions, strict=True)]
    lines = [list(line) for line in program]
    claim = {"kind": kind, "program": lines, "left": places[0], "right": places[1]}
    return {**claim, "assumptions": given}, reach(*roots)


def certificate(claim: Data, nodes: Sequence[Node], evidence: Evidence) -> Data:
    """What the checker needs besides the claim, or a word that it can't repeat this verdict."""
    try:
        if evidence.witness is not None:
            return apart_by_balls(sample(evidence), evidence.witness.bits)
        if evidence.kind == "different" and not evidence.factors:
            return apart_by_balls(sample(evidence), bits_of(claim, sample(evidence)))
        return proved(claim, nodes, evidence)
    except (*FAILED, StopIteration, RestartError, UndecidedError, UndefinedValue) as why:
        return {"not_replayable": f"no certificate was found ({type(why).__name__}: {why})"}


def apart_by_balls(point: Mapping[str, str], bits: int) -> Data:
    """The enclosures of the sides are disjoint."""
    return {"program": [], "letters": 0, "steps": [], "point": dict(point), "bits": bits}


def sample(evidence: Evidence) -> dict[str, str]:
    """A point where the assumptions hold: the one of the witness, if there is one."""
    a, b, assumptions = evidence.asked
    found = dict(evidence.witness.point) if evidence.witness else {}
    names = symbols(a, b, *(subject(x) for x in assumptions))
    if not found and names:
        found = next(points(names, assumptions, 1))
    return {name: str(x) for name, x in found.items()}


def bits_of(claim: Data, point: Mapping[str, str]) -> int:
    """A precision at which two numbers are seen to be different."""
    bits = 64
    while bits <= MOST_BITS:
        try:
            check(claim, apart_by_balls(point, bits))
        except Rejected:
            bits *= 2
            continue
        return bits
    raise Rejected("the sides are too close")


def proved(claim: Data, nodes: Sequence[Node], evidence: Evidence) -> Data:
    """The steps of a proof, with room for as many letters as it needs."""
    for room in ROOM:
        out = Recorder(claim, room)
        try:
            return _proved(out, nodes, evidence)
        except FAILED:
            if room == ROOM[-1] or min(out.proof.left, out.least) > 0:
                raise
    raise AssertionError("no room")


def _proved(out: Recorder, nodes: Sequence[Node], evidence: Evidence) -> Data:
    claim = out.claim
    if claim["left"] == claim["right"]:
        out.end("equal")
        return out.finished()
    for k, _ in claim["assumptions"]:
        out.value(k)
    for j, _ in enumerate(claim["assumptions"]):
        out.do("given", j)
    _follow(out, evidence, dict(enumerate(images_of(nodes, evidence))))
    return out.finished(sample(evidence) if evidence.kind == "different" else None)


def images_of(nodes: Sequence[Node], evidence: Evidence) -> list[Node | None]:
    """The same nodes in the order of the prover (canonical.py)."""
    names = digests(nodes)
    roots = [evidence.left, evidence.right, *(subject(a) for a in evidence.assumptions)]
    theirs = {name: k for k, name in digests(reach(*roots)).items()}
    places = [theirs.get(names[x.index]) for x in nodes]
    return [None if k is None else evidence.left.dag.nodes[k] for k in places]


def _follow(out: Recorder, evidence: Evidence, images: Images) -> None:
    """The steps that the prover took, as the evidence tells them."""
    tower = evidence.tower
    if tower is not None:
        known = [(k, x.index) for k, x in images.items() if x is not None]
        out.tower = tower
        out.hints = {k: tower.known[j] for k, j in known if j in tower.known}
        out.waves = {k: tower.waves[j] for k, j in known if j in tower.waves}
    if evidence.cases:
        return _by_conditions(out, evidence, images)
    for k in range(out.own):
        op, inner, _ = out.proof.lines[k]
        if op == "select" and k not in out.hints and k not in out.proof.value:
            if not _asked(out, inner[0], k):
                return _cases(out, inner[0], lambda: _follow(out, evidence, images))
        out.value(k)
    if evidence.kind == "different":
        return _apart(out, evidence)
    if evidence.method == "algebraic bound":
        any(out.unity(out.claim["left"], out.claim["right"], n) for n in (2, 3, 4, 6))
    table = tower.ground.generators.table if tower and evidence.method == "cases" else {}
    _by_sizes(out, [k for k in sorted(table) if table[k].kind == "abs"])


def _asked(out: Recorder, c: int, select: int) -> bool:
    """The condition of a select has one sign; at least it is real."""
    out.sign(c)
    if c not in out.proof.signs:
        out.do("has", select)
    return out.single(c)


def _apart(out: Recorder, evidence: Evidence) -> None:
    """The difference is a product of factors that are never 0."""
    tower: Any = evidence.tower
    x = tower.known[evidence.left.index] - tower.known[evidence.right.index]
    c, parts = tower.signs.split(x.num)
    factors = [(out.polynomial(f, out.generator), int(e)) for f, e in parts]
    for f, _ in factors:
        out.nonzero(f)
    powers = [out.power(f, e) for f, e in factors]
    k = out.product([out.number(c), *powers, *out.below(x)])
    if k not in out.proof.nonzero:
        out.do("compute", k)
    a, b = (out.value(out.claim[side]) for side in ("left", "right"))
    for node in (k, out.minus(k)):
        gap = out.proof.reduce(out.value(node) - a + b)
        if not gap or out.over(gap):
            out.do("over", *(out.over(gap) if gap else ()))
            return out.end("apart", node)
    raise Rejected("the difference")


def _by_sizes(out: Recorder, sizes: Sequence[int]) -> None:
    """The sides are equal, perhaps for each sign of what stands in |f|."""
    a, b = (out.value(out.claim[side]) for side in ("left", "right"))
    gap = out.proof.reduce(a - b)
    factors = out.over(gap) if gap else []
    if not gap or factors or not (sizes or out.supposed):
        out.do("over", *factors)
        return out.end("equal")
    if not sizes:
        for m in [*out.supposed]:
            for attempt in (out.by_terms, out.by_given, out.by_sums):
                attempt(m, 3)
        return _absurd(out)
    f = out.element(out.tower.ground.generators.table[sizes[-1]].argument)
    size = out.node("root", out.power(f, 2), 2)
    out.sign(f)

    def inner() -> None:
        (side,) = out.proof.signs[f]
        e = out.product([out.number(side), f])
        out.can("compute", e)
        out.unity(size, e, 2)
        _by_sizes(out, sizes[:-1])

    _cases(out, f, inner)


def _cases(out: Recorder, k: int, inner: Callable[[], None]) -> None:
    """A proof for each sign of k; in each `inner` finds the steps."""
    proof, steps, proofs = out.proof, out.steps, {}
    before = _copied(proof), _copied(out)
    for side in sorted(proof.signs[k]):
        vars(proof).update(_copied(proof, before[0]))
        vars(out).update(_copied(out, before[1]))
        out.steps = []
        proof.learn(k, frozenset((side,)))
        out.supposed.append(k)
        out.tried.clear()
        if side == 0 and proof.reduce(out.value(k)):
            out.do("zero", k)
        inner()
        proofs[str(side)] = out.steps
        before[1]["least"] = out.least
    vars(proof).update(before[0])
    vars(out).update(before[1])
    out.steps = [*steps, ["cases", k, proofs]]


def _copied(thing: object, parts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What a case must not change for the next one; nodes stay."""
    kept = ("lines", "data", "claim", "proof")
    every = (vars(thing) if parts is None else parts).items()
    return {
        name: copy(x) if isinstance(x, list | dict | set) else x
        for name, x in every
        if name not in kept
    }


def _by_conditions(out: Recorder, evidence: Evidence, images: Images) -> None:
    """The prover split the condition of a select."""
    x = evidence.cases[0][1]
    selects = [k for k in range(out.own) if out.proof.lines[k][0] == "select"]
    conditions = [(out.proof.lines[k][1][0], k) for k in selects]
    c, select = next((c, k) for c, k in conditions if _is(images[c], x))
    condition = images[c]
    assert condition is not None
    out.value(c)
    _asked(out, c, select)
    found = {
        0 if relation == "=" else 1 if node is condition else -1: case
        for relation, node, case in evidence.cases
    }

    def inner() -> None:
        (side,) = out.proof.signs[c]
        solved = solve(condition) if side == 0 else None
        now = images
        if solved is not None:
            now = {k: None if y is None else _replaced(solved, y) for k, y in images.items()}
        if side in found:
            _follow(out, found[side], now)
        else:
            _absurd(out)

    _cases(out, c, inner)


def _is(y: Node | None, x: Node) -> bool:
    return y is not None and (y is x or -y is x)


def _replaced(rule: tuple[Node, Node], x: Node) -> Node | None:
    try:
        return substitute(rule, [x])[0]
    except UndefinedValue:
        return None


def _absurd(out: Recorder) -> None:
    """This case can't be: a node has no value, or no sign is left."""
    for k in range(out.own):
        op, inner, data = out.proof.lines[k]
        divides = op == "log" or (op == "power" and data[0] < 0)
        if divides and not out.proof.reduce(out.value(inner[0])):
            out.do("has", k)
            return out.end("absurd", inner[0])
        if k not in out.proof.value and op != "select":
            out.value(k)
    out.end("absurd", next(k for k, signs in out.proof.signs.items() if not signs))

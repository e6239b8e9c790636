"""Where two sides are defined: equality is claimed only where both are, so a difference is said.

A quotient needs a divisor that isn't 0, a logarithm an argument that isn't 0, and so on.  These
conditions are read off the texts; what is 0 nowhere, or is needed by both sides, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import mul

from derive.exact.assumptions import Assumption
from derive.exact.balls import Balls
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.decide import decide
from derive.exact.points import symbols
from derive.exact.reading import evaluate
from derive.exact.sign import sign
from derive.exact.verdict import Verdict
from derive.text import Tree, show
from derive.text.tree import Binary, Call, Constant, Negative, Number, Sum, children, names

Domain = dict[str, list[str]]  # "A", "B" -> what it needs and the other does not: "x != 0"
NEVER_ZERO = ("exp", "pi", "i", "rational", "infinity")


def domain(a: Tree, b: Tree, dag: Dag, assumptions: Sequence[Assumption]) -> Domain | None:
    """The conditions that only one side needs; None where both are defined on the same set.

    >>> from derive.text import parse
    >>> domain(parse("x^2/x"), parse("x"), Dag(), [])
    {'A': ['x != 0'], 'B': []}
    >>> domain(parse("1/(x^2 - 1)"), parse("1/(x - 1)/(x + 1)"), Dag(), []) is None
    True
    """
    safe = {a.expr for a in assumptions if a.relation in ("!=", ">")}
    left, right = _conditions(a, dag), _conditions(b, dag)
    only_a, only_b = (
        {x: text for x, text in mine.items() if x not in other and x not in safe and -x not in safe}
        for mine, other in ((left, right), (right, left))
    )
    only_a, only_b = (
        {x: text for x, text in only.items() if sign(x, assumptions) not in (1, -1)}
        for only in (only_a, only_b)
    )
    if (not only_a and not only_b) or _same_zeros(only_a, only_b, assumptions):
        return None
    return {"A": list(dict.fromkeys(only_a.values())), "B": list(dict.fromkeys(only_b.values()))}


def _same_zeros(a: dict[Node, str], b: dict[Node, str], assumptions: Sequence[Assumption]) -> bool:
    """The products agree but for the sign: x^2 - 1 and (x - 1)(x + 1)."""
    if not a or not b:
        return False
    x, y = reduce(mul, a), reduce(mul, b)
    return decide(x, y, assumptions).equal or decide(x, -y, assumptions).equal


def decide_where_defined(
    a: Node, b: Node, trees: Sequence[Tree], assumptions: Sequence[Assumption]
) -> Verdict:
    """The verdict on two sides where both are defined, as they are written.

    Shared nodes cancel x/x, so a witness may stand where a side has no value; such a verdict
    is given again with what must not be 0 as assumptions.
    """
    verdict = decide(a, b, assumptions)
    witness = verdict.evidence.witness if verdict.evidence else None
    if not verdict.different or witness is None:
        return verdict
    needed = dict.fromkeys(x for tree in trees for x in _conditions(tree, a.dag))
    point = dict(witness.point)
    with Balls(256, point) as f:
        if all(set(symbols(x)) <= point.keys() and not f.value(x).contains(0) for x in needed):
            return verdict
    return decide(a, b, [*assumptions, *(Assumption(x, "!=") for x in needed)])


def _conditions(tree: Tree, dag: Dag) -> dict[Node, str]:
    """What must not be 0, as the factors that can be 0 -> text of the condition."""
    found: dict[Node, str] = {}
    for part in _needed(tree):
        try:
            node = evaluate(part, dag)
        except UndefinedValue:
            continue
        if isinstance(node, Node):
            found |= {x: f"{show(part)} != 0" for x in _factors(node)}
    return found


def _needed(tree: Tree) -> Iterator[Tree]:
    """The parts of a text that must not be 0; those with a running index are passed over."""
    match tree:
        case Binary(op="/", right=b):
            yield b
        case Binary(op="^", left=a, right=Negative(x=Number())):
            yield a
        case Binary(op="^", left=a, right=b) if names(b) and not isinstance(a, Constant | Number):
            yield a
        case Call(function="ln" | "log" | "lg", args=args):
            yield args[0]
            yield from (Binary("-", base, Number(1)) for base in args[1:])
        case Call(function="tan" | "sec", args=args):
            yield Call("cos", args)
        case Call(function="cot" | "csc", args=args):
            yield Call("sin", args)
        case Call(function="atanh", args=(x,)):
            yield Binary("-", Number(1), Binary("^", x, Number(2)))
        case Sum(low=low, high=high):
            yield from (*_needed(low), *_needed(high))
            return
    for part in children(tree):
        yield from _needed(part)


def _factors(x: Node) -> Iterator[Node]:
    """The factors of a product, powers and roots by their base, constants left out."""
    if x.op in ("mul", "power", "root"):
        for arg in x.args:
            yield from _factors(arg)
    elif x.op not in NEVER_ZERO:
        yield x

"""Are two expressions equal?  What callers use; the proofs are in prove.py."""

from __future__ import annotations

from collections.abc import Sequence

from derive.exact.assumptions import Assumption, Expression, ambiguous, as_node, known
from derive.exact.budget import Budget
from derive.exact.dag import Dag, Node, UndefinedValue, UnsupportedFunction
from derive.exact.points import reach
from derive.exact.prove import prove
from derive.exact.verdict import Verdict


def decide(
    a: Expression,
    b: Expression,
    assumptions: Sequence[Assumption] = (),
    budget: Budget | None = None,
) -> Verdict:
    """Decide a = b wherever both sides are defined and the assumptions hold.

    a and b are SymPy expressions or nodes of one Dag.  Letters stand for real numbers.  With
    `Sum` over a range whose size is a letter, `Indexed` or `KroneckerDelta` it is decided for all
    sizes (derive.exact.sums).  The budget bounds the steps and sizes of a proof; another one than
    the default is spent.

    >>> f = Dag()
    >>> x = f.symbol("x")
    >>> decide(f.cos(x) ** 2 + f.sin(x) ** 2, f.one).verdict
    'equal'
    >>> decide(f.sqrt(x**2), x).verdict, decide(f.sqrt(x**2), x, [Assumption(x, ">")]).verdict
    ('different', 'equal')
    """
    if not isinstance(a, Node) and not isinstance(b, Node):
        from derive.exact.sums.from_sympy import about_sums, decide_sympy

        if about_sums(a, b):
            return decide_sympy(a, b, assumptions)
    dag = next((x.dag for x in (a, b) if isinstance(x, Node)), None) or Dag()
    sides: list[Node] = []
    for side, expression in (("left", a), ("right", b)):
        try:
            sides.append(as_node(expression, dag))
        except UndefinedValue as why:
            reason = f"the {side} side is not defined: {why}"
            return Verdict("undecided", "not defined", reason=reason)
        except UnsupportedFunction as why:
            return Verdict("undecided", "not supported", reason=f"the {side} side: {why}")
    if name := ambiguous((a, b)):
        reason = f"two letters {name} with different properties"
        return Verdict("undecided", "not supported", reason=reason)
    return decide_nodes(sides[0], sides[1], known(dag, assumptions, (a, b)), budget)


def is_zero(node: Node, assumptions: Sequence[Assumption] = ()) -> bool | None:
    """Whether the expression is 0 (everywhere it is defined); None: undecided.

    >>> f = Dag()
    >>> is_zero(f.log(f.rational(6)) - f.log(f.rational(2)) - f.log(f.rational(3)))
    True
    """
    verdict = decide_nodes(node, node.dag.zero, known(node.dag, assumptions))
    return None if verdict.verdict == "undecided" else verdict.equal


def decide_nodes(
    a: Node, b: Node, assumptions: Sequence[Assumption] = (), budget: Budget | None = None
) -> Verdict:
    """The same for nodes of one Dag and assumptions on its nodes."""
    if a is not b and "infinity" in (a.op, b.op) and not _inside(a, b):
        return _infinite(a, b)
    if a is not b and any(x.op == "infinity" for x in reach(a, b)):
        return Verdict("undecided", "infinity", reason="infinity inside an expression")
    return prove(a, b, assumptions, budget or Budget())


def _inside(a: Node, b: Node) -> bool:
    """An infinity stands inside of a side that is not one itself."""
    return any(x.op == "infinity" for side in (a, b) if side.args for x in reach(side))


def _infinite(a: Node, b: Node) -> Verdict:
    """Equal only when both are the same infinity."""
    if a is b:
        return Verdict("equal", "same expression")
    return Verdict("different", "infinity", reason="only one side is this infinity")

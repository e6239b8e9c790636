"""What is known of the letters: relations to zero, and letters that are integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from derive.exact.dag import Dag, Node

if TYPE_CHECKING:
    import sympy

Expression = Union["sympy.Basic", Node]

RELATIONS = (">", ">=", "!=", "=", "integer")
FLAGS = (  # what a SymPy symbol may say of itself, strongest first
    ("is_positive", 1, ">"),
    ("is_negative", -1, ">"),
    ("is_nonnegative", 1, ">="),
    ("is_nonpositive", -1, ">="),
    ("is_nonzero", 1, "!="),
    ("is_integer", 1, "integer"),
)


@dataclass(frozen=True)
class Assumption:
    """`expr` stands in `relation` to 0; the relation "integer" says it is an integer.

    >>> x = Dag().symbol("x")
    >>> Assumption(x, ">")
    Assumption(expr=n2:symbol('x'), relation='>')
    """

    expr: Expression
    relation: str

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise ValueError(f"an assumption says one of {', '.join(RELATIONS)}")


def known(
    dag: Dag, assumptions: Sequence[Assumption], expressions: Iterable[object] = ()
) -> tuple[Assumption, ...]:
    """The assumptions on nodes of the Dag, with what SymPy's symbols say of themselves."""
    found: dict[tuple[int, str], Assumption] = {}
    for a in (*assumptions, *_flags(expressions), *_flags(a.expr for a in assumptions)):
        node = as_node(a.expr, dag)
        found.setdefault((node.index, a.relation), Assumption(node, a.relation))
    return tuple(found.values())


def as_node(expr: object, dag: Dag) -> Node:
    """A SymPy expression as a node of the Dag; a node as it is."""
    if isinstance(expr, Node):
        if expr.dag is not dag:
            raise ValueError("both sides and the assumptions must be nodes of one Dag")
        return expr
    from derive.exact.symbolic import to_node

    return to_node(expr, dag)


def _flags(expressions: Iterable[object]) -> Iterable[Assumption]:
    symbols = {s for x in expressions if not isinstance(x, Node) for s in _letters(x)}
    for s in sorted(symbols, key=lambda s: str(s.name)):  # type: ignore[attr-defined]
        said = [(sign, relation) for flag, sign, relation in FLAGS if getattr(s, flag)]
        for sign, relation in said[:1] if said and said[0][1] != "integer" else []:
            yield Assumption(s * sign if sign < 0 else s, relation)  # type: ignore[operator]
        if any(relation == "integer" for _, relation in said):
            yield Assumption(s, "integer")


def ambiguous(expressions: Iterable[object]) -> str | None:
    """The name that SymPy symbols with different properties share, if there is one."""
    seen: dict[str, object] = {}
    for x in expressions:
        for s in () if isinstance(x, Node) else _letters(x):
            name = str(s)
            if seen.setdefault(name, s) != s:
                return name
    return None


def _letters(expr: object) -> set[object]:
    return set(getattr(expr, "free_symbols", ()))

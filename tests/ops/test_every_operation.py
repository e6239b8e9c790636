"""What holds for every operation: two independent descriptions agree, and the law holds.

The inputs are free letters, so each proof holds for all numbers at these sizes.
"""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import derive.ops
from derive.exact.dag import Dag, Node
from derive.exact.decide import decide
from derive.line import Power, Sum, value
from derive.operation import Operation
from derive.ops import ALL
from tests.ops.helpers import Filled, formula_value, nested, over

NAMES = [operation.__name__ for operation in ALL]


def letters(operation: Operation, sizes: dict[str, int], f: Dag) -> dict[str, Filled]:
    rules = [rule for rule in operation.shape.split("->")[0].split(",") if rule.strip()]
    views = {}
    for role, rule in zip(operation.inputs, rules, strict=True):
        shape = tuple(int(x) if x.isdigit() else sizes[x] for x in rule.split())
        views[role] = Filled(nested(shape, lambda *at: f.symbol("_".join([role, *map(str, at)]))))  # noqa: B023
    return views


def equal(a: Node | int, b: Node | int, f: Dag) -> None:
    verdict = decide(f.node(a), f.node(b))
    assert verdict.verdict == "equal", verdict


def test_every_module_is_listed() -> None:
    found = set()
    for module in pkgutil.iter_modules(derive.ops.__path__):
        inside = vars(importlib.import_module(f"derive.ops.{module.name}")).values()
        found |= {x for x in inside if isinstance(x, type) and issubclass(x, Operation)}
    assert found - {Operation} == set(ALL)


@pytest.mark.parametrize("kind", ALL, ids=NAMES)
def test_it_is_described(kind: type[Operation]) -> None:
    operation, sizes = kind.example()
    assert operation.name and kind.__doc__
    lengths = list(sizes.values())
    assert len(set(lengths)) == len(lengths), "axes of an example differ in length"


@pytest.mark.parametrize("kind", ALL, ids=NAMES)
def test_formulas_say_what_define_computes(kind: type[Operation]) -> None:
    operation, sizes = kind.example()
    f = Dag()
    views = letters(operation, sizes, f)
    out = over(operation, f, views)
    for at, computed in out.items():
        equal(formula_value(operation, f, views, at), computed, f)


@pytest.mark.parametrize("kind", ALL, ids=NAMES)
def test_law(kind: type[Operation]) -> None:
    operation, sizes = kind.example()
    f = Dag()
    views = letters(operation, sizes, f)
    out = over(operation, f, views)
    pairs = list(operation.law(f, out, **views))
    assert pairs
    for left, right in pairs:
        equal(left, right, f)


@pytest.mark.parametrize("kind", ALL, ids=NAMES)
def test_a_wrong_formula_would_be_noticed(kind: type[Operation]) -> None:
    """The proof is not vacuous: a formula with one more summand, or doubled, is different."""
    operation, sizes = kind.example()
    f = Dag()
    views = letters(operation, sizes, f)
    out = over(operation, f, views)
    computed = next(x for x in out.values() if x.op != "infinity")
    assert decide(computed, computed + 1).verdict == "different"


def test_softmax_in_scores_is_the_softmax_of_exponentials() -> None:
    """The long formula of a softmax cell says the same as the short one."""
    from derive.ops import Exponentials, RowTotal, Softmax

    f = Dag()
    scores = Filled([[f.symbol(f"s_{i}_{j}") for j in range(3)] for i in range(2)])
    exp = over(Exponentials(s="s"), f, {"s": scores})
    total = over(RowTotal(x="exp"), f, {"x": exp})
    softmax = Softmax(scores="s", exp="exp", sum="sum")
    out = over(softmax, f, {"exp": exp, "sum": total})
    cells = {"s": scores, "exp": exp, "sum": total}
    for at, computed in out.items():
        long, short = softmax.formulas(*at)
        assert any(isinstance(x, Sum | Power) for x in (long.above, long.below))  # type: ignore[union-attr]
        for formula in (long, short):
            equal(value(formula, f, lambda name, k: cells[name][k]), computed, f)
    for i in range(2):
        equal(out[i, 0] + out[i, 1] + out[i, 2], 1, f)

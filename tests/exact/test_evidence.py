"""Evidence is plain data, and the identities in it hold when they are computed again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from derive.exact.assumptions import Assumption
from derive.exact.dag import Dag
from derive.exact.decide import decide

from .cases import Case, load, read

CASES = [c for c in (*load("zero_cases.jsonl"), *load("more_cases.jsonl"))]


class Replay:
    """The field of a piece of evidence, rebuilt from its data alone."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        size = 1 + max((v["index"] for v in data["variables"]), default=0)
        self.ring = fmpq_mpoly_ctx.get([f"x{k}" for k in range(size)], Ordering.lex)
        self.size = size
        self.relations = [(k, self.poly(p)) for k, p in data["relations"]]
        self.nodes = [self.element(x) for x in data["nodes"]]

    def poly(self, rows: list[Any]) -> fmpq_mpoly:
        terms = {}
        for c, powers in rows:
            p, _, q = c.partition("/")
            exponents = tuple(powers.get(str(k), 0) for k in range(self.size))
            terms[exponents] = fmpq(int(p), int(q or 1))
        return self.ring.from_dict(terms)

    def element(self, pair: Any) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        num, den = pair
        return self.poly(num), self.poly(den)

    def zero(self, p: fmpq_mpoly) -> bool:
        for _, modulus in reversed(self.relations):
            p = divmod(p, modulus)[1]
        return bool(p.is_zero())

    def equal(self, x: Any, y: Any) -> bool:
        return self.zero(x[0] * y[1] - y[0] * x[1])

    def power(self, x: Any, n: int) -> Any:
        return (x[0] ** n, x[1] ** n) if n >= 0 else (x[1] ** -n, x[0] ** -n)

    def check_nodes(self) -> None:
        for line, value in zip(self.data["program"], self.nodes, strict=True):
            op, *rest = line
            one = self.ring.constant(1)
            if op == "rational":
                assert self.equal(value, (self.ring.constant(fmpq(*rest)), one))
            elif op in ("add", "mul"):
                num, den = self.nodes[rest[0]]
                for k in rest[1:]:
                    n, d = self.nodes[k]
                    num, den = (num * d + n * den, den * d) if op == "add" else (num * n, den * d)
                assert self.equal(value, (num, den))
            elif op == "power":
                assert self.equal(value, self.power(self.nodes[rest[0]], rest[1]))
            elif op == "root":
                assert self.equal(self.power(value, rest[1]), self.nodes[rest[0]])

    def check_facts(self) -> None:
        one = self.ring.constant(1)
        for fact in self.data["facts"]:
            if fact["fact"] == "root":
                value, x = self.element(fact["value"]), self.element(fact["x"])
                assert self.equal(self.power(value, fact["degree"]), x)
            if fact["fact"] == "exp":
                num, den, product = self.ring.constant(0), one, (one, one)
                for exponent, q, power in fact["terms"]:
                    p, _, r = q.partition("/")
                    (n, d), (a, b) = self.element(exponent), self.element(power)
                    num, den = num * d * int(r or 1) + n * den * int(p), den * d * int(r or 1)
                    product = product[0] * a, product[1] * b
                assert self.equal((num, den), self.element(fact["x"]))
                assert self.equal(product, self.element(fact["value"]))


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: case.id)
def test_the_identities_hold(case: Case) -> None:
    verdict = decide(*read(case))
    assert verdict.evidence is not None
    data = json.loads(json.dumps(verdict.evidence.data()))
    assert data["kind"] == verdict.verdict and data["method"] == verdict.method
    if verdict.method == "normal form":
        replay = Replay(data)
        replay.check_nodes()
        replay.check_facts()
        assert replay.equal(replay.nodes[data["left"]], replay.nodes[data["right"]])


def test_the_witness_of_a_difference() -> None:
    f = Dag()
    x = f.symbol("x")
    data: Any = decide(f.sqrt(x**2), x).evidence.data()  # type: ignore[union-attr]
    assert data["method"] == "ball" and list(data["point"]) == ["x"]
    assert data["bits"] >= 64


def test_cases_carry_their_conditions() -> None:
    f = Dag()
    x = f.symbol("x")
    verdict = decide(f.sign(x) * f.abs(x), x, [Assumption(x, "!=")])
    assert verdict.equal
    verdict = decide(f.sign(x) * f.abs(x), x)
    assert verdict.method == "cases"
    cases = verdict.evidence.data()["cases"]  # type: ignore[union-attr]
    assert [case[0]["relation"] for case in cases] == [">", ">", "="]  # type: ignore[union-attr]

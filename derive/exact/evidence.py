"""Evidence: everything that a small independent program needs to repeat a proof.

`Evidence.data()` is a JSON object.  Numbers are texts "p/q"; an element of K is
[numerator, denominator], a polynomial is [[coefficient, {variable: exponent}], …].
Nothing of it is built before it is asked for.

    kind         equal | different
    method       as in the verdict
    program      nodes, arguments first, as Dag.program gives them
    left, right  positions of the two sides in the program
    assumptions  [[position, relation], …]

By method:

ball             point {symbol: number}, bits; left_ball, right_ball: one or two (real,
                 imaginary) intervals [low, high] with ends "m*2^e", which are disjoint
two rational numbers, same expression, infinity: nothing more
algebraic bound  nothing more: the separation bound of the difference is computed again
cases            cases: [{program, node, relation}, evidence], one for each sign of a condition;
                 in the evidence of "= 0" a symbol may be replaced by what the condition says;
                 without cases: proof; equal for all signs that the f in variables |f| can have
                 A condition is that of a select, an assumption (then "= 0" alone may stand), or
                 a linear combination of letters: it is real
assumption       proof, numerator: of left - right, a multiple of what is assumed to be 0
normal form      proof (below); left and right are the same element
unit, positive   proof, numerator: of left - right; factors [[polynomial, reason], …] of it
Lindemann-Weierstrass  proof, numerator: not 0; the variables are independent

A proof is {variables, relations, nodes, facts, point}:

variables  in order of creation, {index, kind, argument, part, degree, name, nature, number}
           kinds: symbol: the root of the symbol `name` of that degree (mostly 1); pi; i;
           exp of argument; log of |argument|; arg of argument;
           erf (or the function `name`) of argument, known to be one value for equal
           arguments; root: part * s is the principal root of argument of that degree;
           abs: s = part * |argument|; unity: exp(2 pi i / name);
           parity: (-1)^argument, the argument being a product of integer symbols
           nature: real | unit (absolute value 1) | complex
relations  [index, polynomial that is 0], triangular: reduce by the last one first
nodes      the element of each node of the program; null where only an assumption needs it
facts      in the order in which they were used, each with the data to verify it:
  root   value^degree = x; the branch by balls for a number; for a function value >= 0
         where signs of x has no -1, else value = w * part * s with w >= 0
  unity  value = exp(2 pi i power/degree): value^degree = 1, and balls
  exp    x = sum q * exponent and value = product of powers, power = exp(q * exponent);
         exponents are arguments of variables of kind exp, logs, i arg, or i pi
  log    value is real and exp(value) = |x|; terms as for exp: the squares are equal
  angle  exp(2 i value) = z/mirror, mirror the conjugate of z; the multiple of pi by balls
         (for a function at the point, z being continuous and its real part >= 0), or value is
         the sum of two angles of real parts > 0, and z a positive multiple of the product
  sign   the signs that x may have: a number by balls, a function by the ranges of its
         variables, the assumptions and its factors
  select the signs of the condition x: one, or continued by |x|
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flint import fmpq

from derive.exact.assumptions import Assumption
from derive.exact.dag import Node
from derive.exact.field import Element, Poly
from derive.exact.points import subject
from derive.exact.refute import Witness

if TYPE_CHECKING:
    from derive.exact.tower import Tower

Data = dict[str, object]
WRITING = 100_000_000  # steps allowed for multiplying out denominators


@dataclass(frozen=True)
class Evidence:
    """Why two nodes are equal or different; `data()` gives it as a JSON object.

    >>> from derive.exact.dag import Dag
    >>> from derive.exact.decide import decide
    >>> f = Dag()
    >>> evidence = decide(f.sqrt(f.rational(8)), 2 * f.sqrt(f.rational(2))).evidence
    >>> evidence.data()["relations"]
    [[3, [['1', {'3': 2}], ['-2', {}]]]]
    """

    kind: str
    method: str
    left: Node
    right: Node
    assumptions: Sequence[Assumption] = ()
    tower: Tower | None = None
    witness: Witness | None = None
    numerator: Poly | None = None
    factors: Sequence[tuple[Poly, str]] = ()
    cases: Sequence[tuple[str, Node, Evidence]] = field(default=())

    def data(self) -> Data:
        """The evidence as plain lists, dicts and texts."""
        roots = [self.left, self.right, *(subject(a) for a in self.assumptions)]
        program, places = self.left.dag.program(*roots)
        out: Data = {
            "kind": self.kind,
            "method": self.method,
            "program": [list(line) for line in program],
            "left": places[0],
            "right": places[1],
            "assumptions": [
                [k, a.relation] for k, a in zip(places[2:], self.assumptions, strict=True)
            ],
        }
        if self.witness is not None:
            out |= _witness(self.witness)
        if self.tower is not None:
            out |= _proof(self.tower, roots)
        if self.numerator is not None:
            out["numerator"] = _poly(self.numerator)
            out["factors"] = [[_poly(f), why] for f, why in self.factors]
        if self.cases:
            out["cases"] = [self._case(*case) for case in self.cases]
        return out

    def _case(self, relation: str, node: Node, evidence: Evidence) -> list[object]:
        program, places = node.dag.program(node)
        condition = {"program": [list(line) for line in program], "node": places[0]}
        return [{**condition, "relation": relation}, evidence.data()]


def _witness(witness: Witness) -> Data:
    return {
        "point": {name: str(x) for name, x in witness.point},
        "bits": witness.bits,
        "left_ball": [list(interval) for interval in witness.left],
        "right_ball": [list(interval) for interval in witness.right],
    }


def _proof(tower: Tower, roots: Sequence[Node]) -> Data:
    from derive.exact.points import reach

    ground = tower.ground
    ground.budget.work = max(ground.budget.work, WRITING)  # the proof itself is done
    facts = [_fact(tower, name, data) for name, data in tuple(ground.trace)]
    point = ground.generators.point or {}
    return {
        "variables": [
            {
                "index": g.index,
                "kind": g.kind,
                "argument": None if g.argument is None else _element(g.argument),
                "part": None if g.part is None else _element(g.part),
                "degree": g.degree,
                "name": g.name,
                "nature": g.nature,
                "number": g.number,
            }
            for g in ground.generators.table.values()
        ],
        "relations": [[r.index, _poly(r.modulus)] for r in ground.field.relations],
        "nodes": [
            _element(tower.known[x.index]) if x.index in tower.known else None
            for x in reach(*roots)
        ],
        "facts": facts,
        "point": {name: str(x) for name, x in point.items()},
    }


def _fact(tower: Tower, name: str, data: Data) -> Data:
    out: Data = {"fact": name}
    for key, value in data.items():
        out[key] = _plain(value)
    value = data.get("value")
    if name in ("log", "angle") and isinstance(value, Element):
        exponent = value if name == "log" else value * tower.ground.i
        out["terms"] = _plain(tower.exponentials.terms(exponent))
    return out


def _plain(value: object) -> object:
    if isinstance(value, Element):
        return _element(value)
    if isinstance(value, fmpq):
        return str(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(x) for x in value]
    return value


def _element(x: Element) -> list[object]:
    return [_poly(x.num), _poly(x.den)]


def _poly(p: Poly) -> list[list[object]]:
    return [
        [str(c), {str(k): int(e) for k, e in enumerate(exponents) if e}]
        for exponents, c in p.to_dict().items()
    ]

"""A second, small program that checks the evidence of a verdict; it trusts nothing in it.

    python -m derive.exact.checker FILE      (or - for standard input)

The format is described in evidence.py.  Neither SymPy nor any module of the prover is used,
only checker_*.py, which read from the bottom up: balls (programs and enclosures), field
(fractions of polynomials), letters (what each stands for), proof (the nodes), and here the
claims.

`different` says: at one point of the domain (where the assumptions hold) both sides have
values, and these differ.  `equal` says: they are the same wherever the assumptions hold, all
nodes have values (a condition has one if it is real), and no denominator is 0; each
denominator is shown not to be 0 at a sample point, on no branch of its roots.  For numbers
nothing is left out.  Every side's element in the field is checked against the operation of
its node, so of the evidence only these elements, the definitions of the letters, the
conditions of cases and a few hints are used; nature, signs and intervals are found again.

Axioms, besides the arithmetic of polynomials and of balls (python-flint):

root       the principal root s of x has s^n = x, and s >= 0 for x >= 0; root(-x) = i root(x)
           for square roots and x >= 0; root(w^n x) = w root(x) for w >= 0; root_mn is root_m
           of root_n; |x| = root_2 of x^2
exp        exp(a + b) = exp(a) exp(b), exp(i pi) = -1, so exp(2 pi i n) = 1 for integers n;
           exp of a real number is positive and grows with it; exp(conj x) = conj exp(x);
           cos x = (w + 1/w)/2 and sin x = (w - 1/w)/2i with w = exp(i x); both lie in
           [-1, 1] for real x
log        exp(log x) = x; log x is real for x > 0, and positive for x > 1 alone; log(-x) =
           log x + i pi for x > 0
arg        exp(i arg z) = z/|z|, arg(conj z) = -arg z unless z < 0
atan       exp(2 i atan x) = (1 + i x)/(1 - i x); atan x = arg(1 + i x) for real x
asin       asin x = -i log z with z = root_2(1 - x^2) + i x, so exp(i asin x) = z; acos x =
           pi/2 - asin x
cos        cos v >= 0 for -pi/2 <= v <= pi/2; sin x = cos(x - pi/2); cos(v + pi) = -cos v
erf        odd; in (-1, 1) for real x
others     equal arguments have equal values; atan and asin are odd
boxes      a polynomial linear in each letter is largest and least at the corners of a box
reals      sums and products of positive numbers are positive; x < 0, x = 0 or x > 0; a
           continuous function on a convex set with values in a discrete set is constant
theorems   Lindemann and Weierstrass; the separation bound of Burnikel and others
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from flint import fmpz
from flint.utils.flint_exceptions import DomainError

from derive.exact.checker_balls import (
    Program,
    arguments,
    disjoint,
    evaluate,
    reach,
    vanishes,
    well_formed,
)
from derive.exact.checker_field import ANY, Ratio, Rejected, Signs, need, sign
from derive.exact.checker_letters import RELATIONS, Data, Domain, alone, linear
from derive.exact.checker_proof import Proof, Put, by_form

__all__ = ["Rejected", "check"]

MALFORMED = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, DomainError,
    RecursionError, StopIteration,
)  # fmt: skip
NOTHING: Data = {"program": [["rational", 0, 1]], "left": 0, "right": 0, "nodes": [None]} | {
    part: [] for part in ("assumptions", "variables", "relations", "facts")
}


def check(data: Data) -> None:
    """Accept the evidence quietly, or raise Rejected."""
    try:
        program, sides = data["program"], (data["left"], data["right"])
        need(well_formed(program), "the program")
        need(all(type(k) is int and 0 <= k < len(program) for k in sides), "the sides")
        if data["kind"] == "different":
            _difference(data)
        else:
            given = [(program, k, relation) for k, relation in data["assumptions"]]
            _equality(data, Claim(program, sides, given, {}, own=True))
    except MALFORMED as why:
        raise Rejected(f"malformed ({type(why).__name__}: {why})") from why


def _difference(data: Data) -> None:
    method = data["method"]
    if method in ("ball", "two rational numbers"):
        point, bits = Domain(data).point, data.get("bits", 64)
        need(0 < bits < 1 << 20, "the precision")
        sides = data["left"], data["right"]
        values = evaluate(data["program"], point, bits, sides)
        need(disjoint(*(values[k] for k in sides)), "the enclosures overlap")
    elif method in ("unit", "positive"):
        Proof(data).differ()
    elif method == "Lindemann-Weierstrass":
        Proof(data).lindemann()
    else:
        need(method == "algebraic bound" and _is_zero(data) is False, "the separation bound")


def _is_zero(data: Data) -> bool | None:
    """Whether the difference of the sides, an algebraic number, is 0."""
    n = len(data["program"])
    difference = [("rational", -1, 1), ("mul", n, data["right"]), ("add", data["left"], n + 1)]
    return vanishes([*data["program"], *difference], n + 2)


@dataclass
class Claim:
    """Two nodes of a program are equal where the given relations hold."""

    program: Program
    sides: tuple[int, int]
    given: Sequence[tuple[Program, int, str]]
    put: Put  # symbols that were solved for
    own: bool  # the program is that of the evidence

    def conditions(self, field: Proof) -> list[Ratio | None]:
        """What the selects of the program ask for the sign of."""
        asked = [line[1] for line in self.program if line[0] == "select"]
        return [field.value(self.program, k, self.put) for k in asked]


def _equality(data: Data, claim: Claim) -> None:
    method = data["method"]
    need(data["kind"] == "equal" and well_formed(data["program"]), "the program")
    if "cases" in data:
        return _cases(data, claim)
    if method == "algebraic bound":
        return need(claim.own and _is_zero(data), "the separation bound")
    need(method in ("same expression", "normal form", "cases", "assumption"), "the method")
    if claim.own and method == "same expression":
        return need(data["left"] == data["right"], "two expressions")
    same = method == "same expression"
    proof = Proof(NOTHING if same else data, 0 if claim.own else _room(claim))
    sides: list[Ratio | None] = [proof.left, proof.right]
    if not claim.own:
        sides = [proof.value(claim.program, k, claim.put) for k in claim.sides]
        given = [(proof.value(p, k, claim.put), r) for p, k, r in claim.given]
        for k, relation in () if same else data["assumptions"]:
            known = [x for x, r in given if r == relation and x is not None]
            need(any(x == proof.nodes[k] for x in known), "an assumption of its own")
    a, b = sides
    if a is None or b is None:
        raise Rejected("a side has no value")
    if method == "assumption":
        return need(proof.multiple_of_zero(a - b), "no multiple of 0")
    sizes = [k for k, v in proof.table.items() if v.inner is not None and method == "cases"]
    need(proof.vanishes(a - b, sizes, {}), "not equal")


def _room(claim: Claim) -> int:
    """Enough free letters for the functions that occur."""
    return 3 * (len(claim.program) + sum(len(program) for program, _, _ in claim.given))


def _cases(data: Data, claim: Claim) -> None:
    """One proof for each sign of a real condition: of a select, assumed, or of letters alone."""
    conditions = [(c["program"], c["node"], c["relation"]) for c, _ in data["cases"]]
    need(all(well_formed(program) for program, _, _ in conditions), "a condition")
    field = Proof(NOTHING, _room(replace(claim, given=[*claim.given, *conditions])))
    values = [field.value(program, k, {}) for program, k, _ in conditions]
    x, missing = values[0], {-1, 0, 1}
    if x is None:
        raise Rejected("a condition without a value")
    assumed = [field.value(p, k, claim.put) for p, k, _ in claim.given]
    real = linear(*conditions[0][:2]) is not None  # in letters, which are real
    real |= any(y in (x, x * -1) for y in (*claim.conditions(field), *assumed) if y is not None)
    need(real, "a condition that may be complex")
    for (_, inner), y, condition in zip(data["cases"], values, conditions, strict=True):
        program, k, relation = condition
        need(relation in (">", "=") and y is not None and y in (x, x * -1), "another condition")
        side = 0 if relation == "=" else 1 if y == x else -1
        solved = [] if side else alone(program, k)
        puts: list[Put] = [claim.put, *({**claim.put, name: (program, k)} for name in solved)]
        given = [*claim.given, condition]
        claims = [replace(claim, own=False, given=given, put=put) for put in puts]
        need(any(_accepted(inner, c) for c in claims), "a case")
        missing.discard(side)
    program, k, _ = conditions[0]
    signs: dict[int, Signs | None] = {}
    for j in reach(program, [k]):
        signs[j] = by_form(program[j], [signs[i] for i in arguments(program[j])])
    for side in missing & (signs[k] or ANY):
        need(_excluded(field, claim, x, side, (program, k)), "a case is missing")


def _accepted(data: Data, claim: Claim) -> bool:
    try:
        _equality(data, claim)
    except Rejected:
        return False
    return True


def _excluded(field: Proof, claim: Claim, x: Ratio, side: int, where: tuple[Program, int]) -> bool:
    """The assumptions exclude this sign of the condition x, or a side has no value there."""
    for p, k, relation in claim.given:
        y = field.value(p, k, claim.put)
        c = None if y is None else y.multiple(x)
        if c is not None and side * sign(c) not in RELATIONS[relation]:
            return True
    puts: list[Put] = [{**claim.put, name: where} for name in alone(*where) if not side]
    return any(field.value(claim.program, k, put) is None for put in puts for k in claim.sides)


def main(args: Sequence[str]) -> int:
    """The command line: 0 accepted, 1 rejected, 2 not readable."""
    try:
        (name,) = args
        text = sys.stdin.read() if name == "-" else Path(name).read_text()
        data = json.loads(text, parse_int=lambda digits: int(fmpz(digits)))
        check(data.get("evidence", data))
    except Rejected as why:
        sys.stdout.write(f"rejected: {why}\n")
        return 1
    except (OSError, ValueError, AttributeError) as why:
        sys.stderr.write(f"python -m derive.exact.checker FILE|-: {why}\n")
        return 2
    sys.stdout.write("accepted\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

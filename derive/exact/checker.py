"""A small program that checks certificates: it trusts nothing in them and searches nothing.

`python -m derive.exact.checker < FILE`.  A claim is {kind, program, left, right, assumptions}:
lines [operation, arguments…, data…], both sides, [position, relation to 0]….  "different": at a
point where the assumptions hold both sides have values, and these differ.  "equal": they are the
same wherever the assumptions hold and all nodes have values.  A certificate adds nodes, and steps
(rules) by which this becomes known of nodes: `value`, a polynomial in letters, which are nodes
themselves, those in `zero` are 0; `signs` that the node may have, which is real; `nonzero`.
"""

import json
import sys
from collections.abc import Sequence
from copy import copy
from functools import reduce
from operator import add, mul
from typing import Any

from flint import Ordering, acb, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz
from flint.utils.flint_exceptions import DomainError

Line = Sequence[Any]
Signs = frozenset[int]  # those that a real number may have
ANY, NOT_NEGATIVE, POSITIVE, ZERO = map(frozenset, ((-1, 0, 1), (0, 1), (1,), (0,)))
RELATIONS = {">": POSITIVE, ">=": NOT_NEGATIVE, "!=": ANY - ZERO, "=": ZERO, "integer": ANY}
FUNCTIONS = ("exp", "log", "sin", "cos", "asin", "acos", "atan", "erf")  # principal values
SHAPES: dict[str, tuple[int, tuple[type, ...]]] = {  # operation: arguments (-1: some), data
    "rational": (0, (int, int)), "symbol": (0, (str,)), "pi": (0, ()), "i": (0, ()),
    "add": (-1, ()), "mul": (-1, ()), "power": (1, (int,)), "root": (1, (int,)), "select": (4, ()),
    **{name: (1, ()) for name in FUNCTIONS},
}  # fmt: skip
MALFORMED = (ArithmeticError, AttributeError, DomainError, LookupError, TypeError, ValueError)
NAN = arb.nan()


class Rejected(Exception):
    """The certificate doesn't show what is claimed; the message says where it fails."""


def need(holds: object, reason: str) -> None:  # go on only where it holds
    if not holds:
        raise Rejected(reason)


def read(program: Sequence[Line]) -> list[tuple[str, Line, Line]]:
    """Operation, arguments and data of each line; arguments are lines before it."""
    lines: list[tuple[str, Line, Line]] = []
    for op, *rest in program:
        count, kinds = SHAPES[op]
        inner, data = rest[: len(rest) - len(kinds)], rest[len(rest) - len(kinds) :]
        fits = (len(inner) == count or count < 0 < len(inner)) and [*map(type, data)] == [*kinds]
        fits = fits and all(type(j) is int and 0 <= j < len(lines) for j in inner)
        need(fits and (op not in ("rational", "root") or data[-1] > len(inner)), f"{op}, {rest}")
        lines.append((op, inner, data))
    return lines


def evaluate(lines: Sequence[Line], point: dict[str, fmpq], bits: int) -> list[Any]:
    """Enclosures of all nodes at a point: not finite where one has no value or none is found."""
    values: list[Any] = []
    with ctx.workprec(bits):
        for op, inner, data in lines:
            args = [values[k] for k in inner]
            if op in ("add", "mul"):
                values.append(reduce(add if op == "add" else mul, args))
            elif inner or op == "symbol":
                values.append(apply(op, args, *data) if inner else point.get(data[0], NAN))
            else:
                values.append(fmpq(*data) if data else arb.pi() if op == "pi" else acb(0, 1))
    return values


def apply(op: str, args: Sequence[Any], n: int = 0) -> Any:  # to fmpq, arb or acb
    x = args[0]
    if op == "power" and isinstance(x, fmpq) and (x or n > 0) and abs(n) < 1 << 12:
        return x**n
    x = arb(x) if isinstance(x, fmpq) else x
    if op == "select":
        seen = [y for s, y in zip((-1, 0, 1), args[1:], strict=True) if sign(x) == s]
        return seen[0] if seen else reduce(acb.union, map(acb, args[1:])) + 0 * x
    inside = isinstance(x, arb) and (x > 0 if op == "log" else x >= 0 if n else abs(x) <= 1)
    x = x if inside or op not in ("log", "root", "asin", "acos") else acb(x)
    if op not in ("power", "root"):
        return getattr(x, op)() if x.is_finite() else NAN
    if not x.contains(0):
        return x**n if op == "power" else x.root(n) if n < 1 << 62 else (x.log() / n).exp()
    size = arb(x.abs_upper())  # of what may be 0
    size = arb(0, size.root(n) if op == "root" else size**n if n > 0 else NAN)
    return size if isinstance(x, arb) else acb(size, size)


def sign(x: Any) -> Any:  # of a real number; None where it isn't seen
    x = x if not isinstance(x, acb) else x.real if x.imag == 0 else NAN
    return 1 if x > 0 else -1 if x < 0 else 0 if x == 0 else None


def times(a: Signs, b: Signs) -> Signs:  # the signs of a product
    return frozenset(x * y for x in a for y in b)


def plus(a: Signs, b: Signs) -> Signs:  # and of a sum
    return frozenset(s for x in a for y in b for s in (ANY if x * y < 0 else (x or y,)))


def by_form(op: str, data: Line, known: Sequence[Signs]) -> Signs | None:
    """The signs of a node from those of its real arguments; None where it may be complex."""
    low = {"root": NOT_NEGATIVE, "log": POSITIVE}.get(op, ANY)
    if op in ("i", "asin", "acos") or (known and not known[0] <= low):
        return None
    if op in ("add", "mul"):
        return reduce(plus if op == "add" else times, known)
    if op == "power" and data[0] % 2 == 0:
        return frozenset(s * s for s in known[0])
    if op in ("power", "root", "atan", "erf"):
        return known[0]
    rational = frozenset((sign(data[0]),)) if op == "rational" else ANY
    return POSITIVE if op in ("exp", "pi") else rational


class Proof:  # what the steps have shown so far
    def __init__(self, claim: dict[str, Any], data: dict[str, Any]) -> None:
        self.claim, self.own = claim, range(len(claim["program"]))
        self.lines = read([*claim["program"], *data["program"]])
        self.left = data["letters"]  # that are not used yet
        self.ring = fmpq_mpoly_ctx.get([f"v{k}" for k in range(self.left + 1)], Ordering.lex)
        self.over = self.one = self.ring.constant(1)
        self.i: Any = None  # until it is a letter: then no rule that needs it holds
        self.pi: Any = None
        self.zero: list[fmpq_mpoly] = []
        self.value: dict[int, fmpq_mpoly] = {}
        self.signs: dict[int, Signs] = {}
        self.nonzero: set[int] = set()

    def reduce(self, p: fmpq_mpoly) -> fmpq_mpoly:  # modulo the polynomials that are 0
        before = p
        for q in reversed(self.zero):
            if all(d >= e for d, e in zip(p.degrees(), q.monomial(0), strict=True)):
                p = divmod(p, q)[1]
        return p if p == before else self.reduce(p)

    def agree(self, a: fmpq_mpoly, b: fmpq_mpoly) -> bool:  # up to a factor that is never 0
        need(not self.reduce((a - b) * self.over), "two values differ")
        return True

    def learn(self, k: int, signs: Signs | None, nonzero: bool = False) -> None:
        """Take note of the signs of a node, if it is real, and that it is not 0."""
        if signs is not None or k in self.signs:
            signs = self.signs.get(k, ANY) & (ANY if signs is None else signs)
            nonzero = nonzero or 0 not in signs or k in self.nonzero
            self.signs[k] = signs - ZERO if nonzero else signs
        self.nonzero |= {k} if nonzero else set()

    def be(self, k: int, p: fmpq_mpoly) -> None:
        """Take note of the value of a node, and of what its operation says of its sign."""
        op, inner, data = self.lines[k]
        gap = self.reduce(self.value.get(k, p) - p)
        self.zero += [gap] if gap else []
        self.value[k] = self.reduce(p)
        known = [self.signs[j] for j in inner if j in self.signs]
        unit = op in ("mul", "power", "root") and self.nonzero.issuperset(inner)
        signs = by_form(op, data, known) if len(known) == len(inner) else None
        self.learn(k, signs, op in ("exp", "i") or unit)

    def arg(self, k: int, *ops: str) -> fmpq_mpoly:  # of a node that is one of these
        need(self.lines[k][0] in ops, f"node {k} is no {' or '.join(ops)}")
        return self.value[self.lines[k][1][0]]

    def letter(self, k: int) -> fmpq_mpoly:  # i^2 = -1, root(x)^n = x, x^-n x^n = 1
        (op, inner, data), self.left = self.lines[k], self.left - 1
        need(self.left >= 0 and op not in ("rational", "add", "mul", "select"), f"node {k}")
        need(op != "atan" or inner[0] in self.signs or k in self.own, "atan i")
        v, x = self.ring.gen(self.left), self.value[inner[0]] if inner else self.one
        vars(self).update({op: v} if op in ("i", "pi") else {})
        if op in ("power", "log"):
            need(inner[0] in self.nonzero and (op == "log" or data[0] < 0), "a division by 0")
        if op in ("i", "root"):
            self.zero.append(v**2 + 1 if op == "i" else v ** data[0] - x)
        self.zero += [v * x ** -data[0] - 1] if op == "power" else []
        return v

    def integer(self, k: int) -> bool:  # by its form
        op, inner, data = self.lines[k]
        if op in ("symbol", "rational"):
            return data[-1] == 1 or [k, "integer"] in self.claim["assumptions"]
        return op in ("add", "mul") and all(map(self.integer, inner))

    def balls(self, bits: int, *ks: int) -> list[acb]:  # around numbers
        balls = evaluate(self.lines, {}, bits)
        need(all(acb(balls[k]).is_finite() for k in ks), "not a number, or not seen")
        return [acb(balls[k]) for k in ks]

    def step(self, step: Line) -> None:  # noqa: C901
        """One rule: where the values in `same` agree, `new` is that of node k."""
        v, arg, i, signs = self.value, self.arg, self.i, self.signs
        same: list[tuple[fmpq_mpoly, fmpq_mpoly]] = []
        new = None
        match step:
            case "compute", k:  # numbers, sums, products, powers
                op, inner, data = self.lines[k]
                n = data[0] if op == "power" else 1
                need(op in ("rational", "add", "mul", "power") and n > 0, f"node {k}")
                args = [v[j] for j in inner] or [self.one * fmpq(*data)]
                new = reduce(add if op == "add" else mul, args) ** n
            case "letter", k:
                new = self.letter(k)
            case "over", *ks:  # equalities are multiplied by these from now on
                need(self.nonzero.issuperset(ks), "a factor 0")
                self.over = reduce(mul, (v[k] for k in ks), self.one)
            case "same", j, k:  # two nodes with one value; k gets the form of j
                self.agree(v[j], v[k])
                v[k] = v[j]
                self.learn(k, signs.get(j), j in self.nonzero)
            case "copy", k, j, side:  # f(x) = f(x) or -f(-x)
                op, _, data = self.lines[k]
                odd = side == 1 or (side == -1 and op in ("asin", "atan", "erf"))
                need(odd and op in ("root", *FUNCTIONS) and data == self.lines[j][2], "functions")
                same, new = [(arg(k, op), arg(j, op) * side)], v[j] * side
            case "product", k, terms:  # exp(n x + m y …) = exp(x)^n exp(y)^m …
                total = sum((arg(j, "exp") * n for j, n in terms), self.one * 0)
                same = [(arg(k, "exp"), total)]
                new = reduce(mul, (v[j] ** n for j, n in terms), self.one)
            case "turn", k, *ms:  # exp(i pi) = -1, and exp(2 i pi m) = 1 for an integer m
                need(all(map(self.integer, ms)), "no integer")
                same = [(arg(k, "exp"), i * self.pi * (2 * v[ms[0]] if ms else 1))]
                new = self.one if ms else -self.one
            case "wave", k, j, m:  # cos x and sin x from exp(i x) and exp(-i x)
                same = [(arg(j, "exp"), arg(k, "cos", "sin") * i), (arg(m, "exp"), -arg(j, "exp"))]
                new = (v[j] + v[m] if self.lines[k][0] == "cos" else (v[m] - v[j]) * i) / 2
            case "log", k, j:  # exp log x = x
                same, new = [(arg(k, "exp"), v[j])], arg(j, "log")
            case "asin", k, j, r:  # exp(i asin x) = root(1 - x^2) + i x
                same = [(arg(k, "exp"), v[j] * i), (arg(r, "root"), 1 - arg(j, "asin") ** 2)]
                need(self.lines[r][2] == [2], "a square root")
                new = v[r] + i * arg(j, "asin")
            case "atan", k, j, r:  # exp(2 i atan x) = (1 + i x)/(1 - i x), r = 1/(1 - i x)
                x = i * arg(j, "atan")
                same, new = (
                    [(arg(k, "exp"), v[j] * i * 2), (v[r] * (1 - x), self.one)],
                    v[r] * (1 + x),
                )
            case "acos", k, j:  # acos x = pi/2 - asin x
                same, new = [(arg(k, "acos"), arg(j, "asin"))], self.pi / 2 - v[j]
            case "turned", k, r:  # root(x) = i r for r >= 0 with r^2 = -x
                need(self.lines[k][2] == [2] and signs[r] <= NOT_NEGATIVE, "a square root")
                same, new = [(arg(k, "root"), -(v[r] ** 2))], i * v[r]
            case "unity", k, e, n, *bits:  # k^n = e^n, both are >= 0, or k/e is a number near 1
                same, new = [(v[k] ** n, v[e] ** n)], v[e]
                need(n > 0 and (bits or signs[k] | signs[e] <= NOT_NEGATIVE), "two signs")
                for near, far in [self.balls(*bits, k, e)] if bits else []:
                    need(abs(near / far - 1) < 2 * arb(fmpq(1, n)).sin_pi(), "far apart")
            case "branch", k, e, c, j, m, *bits:  # exp(c k) = exp(c e), all real or numbers
                same = [(arg(j, "exp"), v[c] * v[k]), (arg(m, "exp"), v[c] * v[e]), (v[j], v[m])]
                need(c in self.nonzero and (bits or {c, k, e} <= signs.keys()), "complex")
                for near, far, z in [self.balls(*bits, k, e, c)] if bits else []:
                    need(abs((near - far) * z) < 6, "far apart")
                new = v[e]
            case "given", j:  # an assumption
                k, relation = self.claim["assumptions"][j]
                self.learn(k, RELATIONS[relation])
            case "has", k:  # a node of the claim has a value: it divides by no 0 …
                op, (j, *_), data = self.lines[k]
                need(k in self.own and op in ("log", "select", "power"), f"node {k}")
                self.learn(j, ANY if op == "select" else None, op == "log" or min([*data, 0]) < 0)
            case "ball", k, bits:  # a number is not 0; the sign of a real one
                (ball,) = self.balls(bits, k)
                need(not ball.contains(0), "it may be 0")
                self.learn(k, frozenset((sign(acb(ball.real)),)) if k in signs else None, True)
            case "quotient", k, j, m:  # k = m/j
                self.agree(v[k] * v[j], v[m])
                above, below = signs.get(m), ANY if signs.get(m) == ZERO else signs.get(j)
                if j in self.nonzero and above is not None and below is not None:
                    self.learn(k, times(above, below))
                self.learn(k, None, m in self.nonzero)
            case "grow", k, m:  # exp x - 1 has the sign of x, and log x that of x - 1
                j, exp = self.lines[k][1][0], self.lines[k][0] == "exp"
                self.agree(v[m], (v[k] if exp else arg(k, "log")) - 1)
                need({j, k} <= signs.keys(), "complex")
                self.learn(m if exp else k, signs[j if exp else m])
            case "bound", k, m, side:  # |cos x|, |sin x| <= 1, |erf x| < 1 for real x
                self.agree(v[m], 1 + v[k] * side + 0 * arg(k, "cos", "sin", "erf"))
                need(self.lines[k][1][0] in signs and side in (1, -1), "complex")
                self.learn(m, POSITIVE if self.lines[k][0] == "erf" else NOT_NEGATIVE)
            case "zero", k:  # a node that is 0
                need(signs[k] <= ZERO, "it may differ from 0")
                self.zero.append(v[k])
            case "select", k, e, s, rest:  # in each case e is the branch, up to multiples of 0
                op, (c, *branches), _ = self.lines[k]
                need(op == "select" and signs[s] <= NOT_NEGATIVE, "the absolute value")
                same, new = [(v[s] ** 2, v[c] ** 2)], v[e]  # s = |c|
                for side in signs[c]:
                    zeros = [v[s] - side * v[c], *([] if side else [v[c]])]
                    more = [v[q] * z for q, z in zip(rest[str(side)], zeros, strict=True)]
                    same.append((v[e], sum(more, v[branches[side + 1]])))
            case _:
                raise Rejected(f"no rule {step[0]}")
        for one, other in same:
            self.agree(one, other)
        if new is not None:
            self.be(k, new)

    def run(self, steps: Sequence[Line]) -> None:  # every step; the last one ends the proof
        for step in steps[:-1]:
            self.step(step)
        self.end(*steps[-1])

    def end(self, rule: str, k: int = 0, more: Any = None) -> None:
        """What the claim follows from."""
        a, b, v = self.claim["left"], self.claim["right"], self.value
        need((rule == "apart") == (self.claim["kind"] == "different"), "another claim")
        if rule == "equal":
            need(a == b or self.agree(v[a], v[b]), "the sides")
        elif rule == "apart":
            need(self.agree(v[k], v[a] - v[b]) and k in self.nonzero, "the difference may be 0")
        elif rule == "absurd":  # what is never 0 is 0, or no sign is left
            need(k in self.nonzero, "it is possible")
            need(not self.signs.get(k, ANY) or self.agree(v[k], self.one * 0), "it is possible")
        else:  # one proof for each sign of a real node
            for side in self.signs[k]:
                case = copy(self)
                parts = ((n, x) for n, x in vars(self).items() if isinstance(x, list | dict | set))
                vars(case).update((n, copy(x)) for n, x in parts)
                case.learn(k, frozenset((side,)))
                case.run(more[str(side)])


def check(claim: dict[str, Any], certificate: dict[str, Any]) -> None:
    """Accept the certificate of the claim quietly, or raise Rejected."""
    try:
        proof, given, steps = Proof(claim, certificate), claim["assumptions"], certificate["steps"]
        different, sides = claim["kind"] == "different", [claim["left"], claim["right"]]
        inside = all(type(k) is int and k in proof.own for k in [*sides, *(k for k, _ in given)])
        need((different or claim["kind"] == "equal") and inside, "the claim")
        if different:
            point = {name: fmpq(x) for name, x in certificate["point"].items()}
            balls = evaluate(proof.lines[: len(proof.own)], point, certificate["bits"])
            for k, relation in given:
                whole = isinstance(balls[k], fmpq) and balls[k].q == 1
                fits = whole if relation == "integer" else sign(balls[k]) in RELATIONS[relation]
                need(fits, "the assumptions don't hold at the point")
            with ctx.workprec(1 << 18):
                values = [acb(x) for x in (balls if steps else (balls[k] for k in sides))]
            need(all(x.is_finite() for x in values), "no value at the point")
            need(steps or not values[0].overlaps(values[1]), "the enclosures overlap")
        if steps or not different:
            proof.run(steps)
    except MALFORMED as why:
        raise Rejected(f"malformed: {type(why).__name__}: {why}") from why


if __name__ == "__main__":
    data = json.load(sys.stdin, parse_int=lambda digits: int(fmpz(digits)))
    try:
        check((data := data.get("evidence", data))["claim"], data)
    except Rejected as why:
        sys.exit(f"rejected: {why}")
    sys.stdout.write("accepted\n")

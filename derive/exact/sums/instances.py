"""Statements at small sizes: sums written out, so that the plain kernel can judge them.

Shares nothing with the normal form: it is the second net under every proof, and where
counterexamples come from.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from derive.exact.assumptions import Assumption
from derive.exact.budget import UndecidedError
from derive.exact.dag import Dag, Node, UndefinedValue
from derive.exact.reading import evaluate
from derive.exact.refute import Witness, refute
from derive.exact.sums.affine import INVERSE, Affine
from derive.exact.sums.facts import Facts
from derive.text.show import show
from derive.text.tree import (
    Binary,
    Call,
    Constant,
    Index,
    Name,
    Negative,
    Number,
    Sum,
    Tree,
    Vector,
)

LARGEST = 3  # of a size
TRIES = 12  # instances for each largest size
MOST = 300  # choices of sizes and indices that are looked at for each
BITS = 256
Cell = tuple[str, tuple[int, ...]]
ZERO, ONE, TWO = Number(0), Number(1), Number(2)


@dataclass(frozen=True)
class Counterexample:
    """Sizes, indices and exact numbers at which two sides differ."""

    integers: tuple[tuple[str, int], ...]
    maps: tuple[tuple[str, tuple[int, ...]], ...]
    values: tuple[tuple[str, Fraction], ...]
    witness: Witness
    sides: tuple[Tree, Tree]  # both sides written out

    def text(self) -> str:
        """n = 2, i = 0, s[0] = 1/2, …

        Values that no side reads are left out.
        """
        parts = [f"{name} = {x}" for name, x in self.integers]
        parts += [f"{name} = {list(x)}" for name, x in self.maps]
        return ", ".join(parts + [f"{name} = {x}" for name, x in self.values])


class Instance:
    """Sizes and indices as numbers, permutations as lists, families as letters or numbers."""

    def __init__(self, facts: Facts, integers: Mapping[str, int], rng: random.Random) -> None:
        self.facts, self.integers, self.rng = facts, dict(integers), rng
        self.maps: dict[str, list[int]] = {}
        self.fixed: dict[Cell, Tree] = {}
        for name, size in facts.maps:
            if not name.endswith(INVERSE):
                self.maps[name] = list(range(self.size(size)))
                rng.shuffle(self.maps[name])
        for a, b, size in facts.inverses:
            self._inverse(a, b, self.size(size))
        self.defined = {
            name: (index, first, then) for name, index, first, then in facts.recurrences
        }

    def size(self, x: Affine) -> int:
        """An index expression as a number."""
        return sum(c * self._base(b) for b, c in x)

    def _base(self, base: object) -> int:
        if base == "1":
            return 1
        if isinstance(base, str):
            return self.integers[base]
        assert isinstance(base, tuple)
        if base[0] == "at":
            return self.mapped(base[1], self.size(base[2]))
        return self._base(base[1]) * self._base(base[2])

    def mapped(self, name: str, k: int) -> int:
        """An integer map at k; a permutation leaves what is outside its range."""
        if name not in self.maps:
            raise UndecidedError(f"no value for the map {name}")
        table = self.maps[name]
        return table[k] if 0 <= k < len(table) else k

    def _inverse(self, a: str, b: str, n: int) -> None:
        """Two inverse matrices: products of a few elementary ones."""
        left = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
        right = [row[:] for row in left]
        for _ in range(2 * n):
            i, j, c = self.rng.randrange(n), self.rng.randrange(n), self.rng.randint(1, 3)
            if i == j:  # scale a row of A, and a column of B by the inverse
                left[i] = [c * x for x in left[i]]
                for row in right:
                    row[i] /= c
            else:
                left[i] = [x + c * y for x, y in zip(left[i], left[j], strict=True)]
                for row in right:
                    row[j] -= c * row[i]
        for i in range(n):
            for j in range(n):
                self.fixed[a, (i, j)] = Number(*left[i][j].as_integer_ratio())
                self.fixed[b, (i, j)] = _signed(right[i][j])
                self.fixed[a, (i, j)] = _signed(left[i][j])

    def solve(self, equation: tuple[Tree, Tree]) -> None:
        """Make sum_k y[k] = c (or a letter = c) true by the value of y[0]."""
        left, right = self.written(equation[0]), self.written(equation[1])
        unknown = next(iter(cells(left)), None)
        if unknown is None:
            raise UndecidedError("an equation without a family")
        slope = derivative(left, unknown)
        if unknown in set(cells(right)) or not _nothing(derivative(slope, unknown)):
            raise UndecidedError("an equation that isn't linear")
        slope, rest = replaced(slope, unknown, ZERO), replaced(left, unknown, ZERO)
        self.fixed[_cell(unknown)] = Binary("/", Binary("-", right, rest), slope)

    # trees without sums

    def written(self, t: Tree, scope: Mapping[str, int] | None = None) -> Tree:
        """A tree with every sum, delta, mask and derivative written out."""
        scope = scope or {}

        def go(x: Tree) -> Tree:
            return self.written(x, scope)

        match t:
            case Name() | Index():
                return self._letter(t, scope)
            case Negative(x=x):
                return Negative(go(x))
            case Binary(op=op, left=a, right=b):
                return Binary(op, go(a), go(b))
            case Sum():
                return self._sum(t, scope)
            case Call():
                return self._call(t, scope)
            case Vector(items=items):
                return Vector(tuple(map(go, items)))
        return t

    def _letter(self, t: Name | Index, scope: Mapping[str, int]) -> Tree:
        name = t.name
        if isinstance(t, Name):
            if name in scope or name in self.integers:
                return _signed(Fraction(scope.get(name, self.integers.get(name, 0))))
            return self.fixed.get((name, ()), t)
        place = tuple(self.index(x, scope) for x in t.indices)
        if name in self.maps:
            return _signed(Fraction(self.mapped(name, place[0])))
        if name in self.defined and len(place) == 1:
            return self._step(name, place[0])
        return self.fixed.get((name, place), _index(name, place))

    def _call(self, t: Call, scope: Mapping[str, int]) -> Tree:
        if t.function in ("delta", "leq"):
            m, n = (self.index(x, scope) for x in t.args)
            return ONE if (m == n if t.function == "delta" else m <= n) else ZERO
        if t.function == "diff":
            return self._diff(t.args[0], t.args[1], scope)
        return Call(t.function, tuple(self.written(x, scope) for x in t.args))

    def _step(self, name: str, n: int) -> Tree:
        """A member of a family that is defined step by step."""
        index, first, then = self.defined[name]
        if n < 0:
            raise UndecidedError(f"{name} has no member {n}")
        return self.written(first) if n == 0 else self.written(then, {index: n - 1})

    def _diff(self, body: Tree, by: Tree, scope: Mapping[str, int]) -> Tree:
        held = dict(self.fixed)
        if isinstance(by, Index):
            place = tuple(self.index(x, scope) for x in by.indices)
            cell: Index | Name = _index(by.name, place)
        elif isinstance(by, Name):
            cell = by
        else:
            raise UndecidedError("a derivative by something that is no letter")
        value = self.fixed.pop(_cell(cell), None)
        try:
            slope = derivative(self.written(body, scope), cell)
        finally:
            self.fixed = held
        return slope if value is None else replaced(slope, cell, value)

    def _sum(self, t: Sum, scope: Mapping[str, int]) -> Tree:
        low, high = self.index(t.low, scope), self.index(t.high, scope)
        out: Tree = ZERO
        for n in range(low, high + 1):
            term = self.written(t.body, {**scope, t.index: n})
            out = term if out == ZERO else Binary("+", out, term)
        return out

    def index(self, t: Tree, scope: Mapping[str, int]) -> int:
        """A tree in an index or a bound, as a number."""
        match t:
            case Number(p=p, q=1):
                return p
            case Name(name=name) if name in scope or name in self.integers:
                return scope[name] if name in scope else self.integers[name]
            case Negative(x=x):
                return -self.index(x, scope)
            case Binary(op="+" | "-" | "*" as op, left=a, right=b):
                m, n = self.index(a, scope), self.index(b, scope)
                return m + n if op == "+" else m - n if op == "-" else m * n
            case Index(name=name, indices=(x,)):
                return self.mapped(name, self.index(x, scope))
        raise UndecidedError("an index that is no whole number")


def _nothing(t: Tree) -> bool:
    """Whether a written-out tree is certainly 0."""
    from derive.exact.decide import decide_nodes

    dag = Dag()
    try:
        value = evaluate(t, dag)
    except (UndefinedValue, ZeroDivisionError):
        return False
    return not isinstance(value, tuple) and decide_nodes(value, dag.rational(0, 1)).equal


def _signed(x: Fraction) -> Tree:
    p, q = abs(x).as_integer_ratio()
    return Negative(Number(p, q)) if x < 0 else Number(p, q)


def _index(name: str, place: tuple[int, ...]) -> Index:
    return Index(name, tuple(_signed(Fraction(k)) for k in place))


def _cell(t: Index | Name) -> Cell:
    if isinstance(t, Name):
        return t.name, ()
    return t.name, tuple(
        -x.x.p if isinstance(x, Negative) and isinstance(x.x, Number) else x.p  # type: ignore[union-attr]
        for x in t.indices
    )


def cells(t: Tree) -> Iterator[Index | Name]:
    """The letters and members of families in a written-out tree."""
    from derive.text.tree import children

    if isinstance(t, Index | Name):
        yield t
        return
    for part in children(t):
        yield from cells(part)


def replaced(t: Tree, cell: Index | Name, by: Tree) -> Tree:
    """A letter replaced."""
    if t == cell:
        return by
    match t:
        case Negative(x=x):
            return Negative(replaced(x, cell, by))
        case Binary(op=op, left=a, right=b):
            return Binary(op, replaced(a, cell, by), replaced(b, cell, by))
        case Call(function=f, args=args):
            return Call(f, tuple(replaced(x, cell, by) for x in args))
    return t


def derivative(t: Tree, cell: Index | Name) -> Tree:
    """The derivative of a written-out tree, by the rules of any textbook."""
    if cell not in set(cells(t)):
        return ZERO
    if t == cell:
        return ONE

    def d(x: Tree) -> Tree:
        return derivative(x, cell)

    match t:
        case Negative(x=x):
            return Negative(d(x))
        case Binary(op="+" | "-" as op, left=a, right=b):
            return Binary(op, d(a), d(b))
        case Binary(op="*", left=a, right=b):
            return Binary("+", Binary("*", d(a), b), Binary("*", a, d(b)))
        case Binary(op="/", left=a, right=b):
            top = Binary("-", Binary("*", d(a), b), Binary("*", a, d(b)))
            return Binary("/", top, Binary("^", b, TWO))
        case Binary(op="^", left=a, right=b) if d(b) == ZERO:
            less = Binary("^", a, Binary("-", b, ONE))
            return Binary("*", Binary("*", b, less), d(a))
        case Call(function=f, args=(x,)) if f in SLOPES:
            return Binary("*", SLOPES[f](x), d(x))
    raise UndecidedError(f"no derivative of {show(t)}")


def _bend(s: Tree) -> Tree:
    """s (1 - s), the slope of a sigmoid whose value is s."""
    return Binary("*", s, Binary("-", ONE, s))


def _gelu_slope(x: Tree) -> Tree:
    """(1 + erf(x/sqrt(2)))/2 + x exp(-x^2/2)/sqrt(2 pi)."""
    inner = Call("erf", (Binary("/", x, Call("sqrt", (TWO,))),))
    bell = Call("exp", (Negative(Binary("/", Binary("^", x, TWO), TWO)),))
    width = Call("sqrt", (Binary("*", TWO, Constant("pi")),))
    grown = Binary("/", Binary("*", x, bell), width)
    return Binary("+", Binary("/", Binary("+", ONE, inner), TWO), grown)


SLOPES: dict[str, Callable[[Tree], Tree]] = {
    "exp": lambda x: Call("exp", (x,)),
    "ln": lambda x: Binary("/", ONE, x),
    "log": lambda x: Binary("/", ONE, x),
    "sqrt": lambda x: Binary("/", ONE, Binary("*", TWO, Call("sqrt", (x,)))),
    "sin": lambda x: Call("cos", (x,)),
    "cos": lambda x: Negative(Call("sin", (x,))),
    "tanh": lambda x: Binary("-", ONE, Binary("^", Call("tanh", (x,)), TWO)),
    "sigmoid": lambda x: _bend(Call("sigmoid", (x,))),
    "silu": lambda x: Binary(
        "+", Call("sigmoid", (x,)), Binary("*", x, _bend(Call("sigmoid", (x,))))
    ),
    "gelu": _gelu_slope,
    "abs": lambda x: Binary("/", x, Call("abs", (x,))),
    "relu": lambda x: Binary("/", Binary("+", ONE, Binary("/", x, Call("abs", (x,)))), TWO),
    "erf": lambda x: Binary(
        "*",
        Binary("/", TWO, Call("sqrt", (Constant("pi"),))),
        Call("exp", (Negative(Binary("^", x, TWO)),)),
    ),
}


# small sizes


def small(facts: Facts, names: set[str], seed: int = 1) -> Iterator[Instance]:
    """Instances that the facts allow, smallest sizes first."""
    rng = random.Random(seed)
    integers = sorted(facts.integers & names | _needed(facts))
    for top in range(1, LARGEST + 1):
        found = 0
        for chosen in _choices(integers, top, rng):
            try:
                instance = Instance(facts, chosen, rng)
                if any(instance.size(x) < 0 for x in facts.above):
                    continue
                for equation in facts.equations:
                    instance.solve(equation)
            except (KeyError, ValueError, UndecidedError):
                continue
            yield instance
            found += 1
            if found == TRIES:
                break


def _choices(names: list[str], top: int, rng: random.Random) -> Iterator[dict[str, int]]:
    """Values from 0 to top, the largest being met, in a mixed order; not more than MOST."""
    if (top + 1) ** len(names) <= MOST:
        every = [c for c in itertools.product(range(top + 1), repeat=len(names))]
        rng.shuffle(every)
    else:
        every = [tuple(rng.randint(0, top) for _ in names) for _ in range(MOST)]
    for choice in every:
        if top == 1 or top in choice:
            yield dict(zip(names, choice, strict=True))


def _needed(facts: Facts) -> set[str]:
    from derive.exact.sums.affine import names_of

    found = set().union(*(names_of(x) for x in facts.above), *(names_of(x) for _, x in facts.maps))
    return found.union(*(names_of(x) for _, _, x in facts.inverses))


def sides(instance: Instance, a: Tree, b: Tree) -> tuple[Node, Node, list[Assumption]] | None:
    """Both sides as nodes of one Dag, with what is known of their letters."""
    dag = Dag()
    try:
        x, y = instance.written(a), instance.written(b)
        left, right = evaluate(x, dag), evaluate(y, dag)
    except (UndefinedValue, ZeroDivisionError):
        return None
    if isinstance(left, tuple) or isinstance(right, tuple):
        raise UndecidedError("a vector where a number is needed")
    known = []
    for tree, relation in instance.facts.relations:
        known.append(Assumption(evaluate(instance.written(tree), dag), relation))
    for cell in {*cells(x), *cells(y)}:
        if cell.name in instance.facts.positive:
            known.append(Assumption(evaluate(cell, dag), ">"))
    return left, right, known


def counterexample(a: Tree, b: Tree, facts: Facts, names: set[str]) -> Counterexample | None:
    """Small sizes and exact numbers at which a and b certainly differ; None: none was found."""
    for instance in small(facts, names):
        found = sides(instance, a, b)
        if found is None:
            continue
        witness = refute(*found, BITS)
        if witness is not None:
            written = instance.written(a), instance.written(b)
            return _told(instance, witness, names, written)
    return None


def _told(
    instance: Instance, witness: Witness, names: set[str], written: tuple[Tree, Tree]
) -> Counterexample:
    values = dict(witness.point)
    dag = Dag()
    known = {name: dag.rational(*x.as_integer_ratio()) for name, x in values.items()}
    for (name, place), tree in sorted(instance.fixed.items(), key=lambda item: item[0]):
        if name in names and all(_text(c) in known for c in cells(tree)):
            number = evaluate(tree, dag, known).number
            if number is not None:
                values[_text(_index(name, place) if place else Name(name))] = Fraction(*number)
    return Counterexample(
        tuple(sorted(instance.integers.items())),
        tuple((k, tuple(v)) for k, v in sorted(instance.maps.items()) if k in names),
        tuple(sorted(values.items())),
        witness,
        written,
    )


def _text(cell: Index | Name) -> str:
    return show(cell).replace(" ", "")

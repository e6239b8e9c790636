"""Keys that state properties: a student's own witness is put in, and every property decided."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from derive.answers.deciding import decided
from derive.answers.limits import NoLimit, limit
from derive.answers.verdict import INVALID, RIGHT, UNDECIDED, WRONG, Marked, Part
from derive.blocks import build
from derive.errors import AddressError, DeriveError, TextError
from derive.exact.amounts import TooLarge
from derive.exact.assumptions import Assumption
from derive.exact.balls import Balls, disjoint, rebuild
from derive.exact.dag import Node, UndefinedValue
from derive.exact.points import points, reach, symbols
from derive.exact.reading import NotEvaluated, UnknownName, WrongShape, evaluate
from derive.exact.sign import compare
from derive.graph import Graph
from derive.model import load
from derive.model.model import Model
from derive.model.section import Section
from derive.text.show import show
from derive.text.statements import CONDITIONS, VALUES, parse_statement, trees
from derive.text.tree import Binary, Index, Name, Negative, Tree, Vector, children

WORK = 40_000_000  # steps of the prover for one property
POINTS = 12  # where an inequality with letters is tried
MOST_ENTRIES = 400
RELATION = re.compile(r"<=|>=|!=|≤|≥|≠|=|<|>")
ALIKE = {"≤": "<=", "≥": ">=", "≠": "!="}
SHAPE = re.compile(r"([^\W\d][\w.]*)\s*(?:\[\s*(\d{1,3})\s*(?:,\s*(\d{1,3})\s*)?\])?")
LIMIT = re.compile(r"(?:limit|lim)\s*\(")
RELATIONS = {"positive": ">", "nonnegative": ">=", "nonzero": "!=", "integer": "integer"}
HOLDS = {  # order of the sides -> whether the relation holds
    "=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1),
}  # fmt: skip


class PropertyError(DeriveError):
    """A property, or an unknown, of a marking key can't be read."""


class _Unreadable(DeriveError):
    """The witness can't be read."""


@dataclass(frozen=True)
class Unknown:
    """What the student is to find: a number, a vector `q[2]` or a matrix `M[2,3]`."""

    name: str
    shape: tuple[int, ...]

    @property
    def words(self) -> str:
        if not self.shape:
            return f"{self.name}, a number"
        if len(self.shape) == 1:
            return f"{self.name}, a vector of {self.shape[0]}"
        return f"{self.name}, a matrix of {self.shape[0]} rows and {self.shape[1]} columns"

    def places(self) -> Iterator[tuple[int, ...]]:
        if not self.shape:
            yield ()
        elif len(self.shape) == 1:
            yield from ((k,) for k in range(self.shape[0]))
        else:
            yield from ((i, j) for i in range(self.shape[0]) for j in range(self.shape[1]))


def judge_properties(
    model: Model | str, unknowns: Sequence[str], properties: Sequence[str], answer: str
) -> Marked:
    """Does a witness have every property?

    `unknowns` are names with their sizes: `c`, `q[2]`, `M[2,3]`.  One that is a matrix of the
    model replaces it; one whose entries are letters of the model (`q0`, `q_0`, `M01`) is put in
    for them; others are known to the properties only.  A property is a relation, or a chain of
    them, between expressions in the unknowns, letters and cells of the model; a side may be
    `limit(letter, place, expression)`.  An answer is the value of the one unknown, or
    `q = [1, 2]; c = 3`; it may use the letters.  Raises PropertyError and ModelError for what
    the lecturer wrote.

    >>> judge_properties("cats", ["q[2]"], ["q[0] > 0", "q[0]*q[1] = 1"], "[2, 1/2]").verdict
    'right'
    """
    model = load(model) if isinstance(model, str) else model
    wanted = [_unknown(text) for text in unknowns]
    asked = [_Property(text) for text in properties]
    letters = [*model.symbols, *dict.fromkeys(x for p in asked for x in p.letters)]
    free = Section({**{x: "real" for x in letters}, **model.symbols})
    model = replace(model, symbols=free)
    plain = build(model)
    for unknown in wanted:
        _matrix(plain, unknown)
    for property_ in asked:
        property_.read(plain, wanted)
    try:
        trees_ = _witness(answer, wanted, letters)
        values = _World(model, plain, wanted, trees_)
    except (_Unreadable, TextError) as why:
        return Marked(INVALID, message=str(why), error=_place(why))
    except (TooLarge, NotEvaluated) as why:
        return Marked(UNDECIDED, message=_SAID[UNDECIDED], notes=(str(why),))
    except (UndefinedValue, WrongShape, UnknownName) as why:
        return Marked(INVALID, message=f"The answer has no value: {why}.")
    shown = "; ".join(f"{u.name} = {show(trees_[u.name])}" for u in wanted)
    parts, notes = [], []
    for k, property_ in enumerate(asked):
        found, reason = values.decide(property_)
        verdict = {True: RIGHT, False: WRONG, None: UNDECIDED}[found]
        value = {True: "equal", False: "different", None: "undecided"}[found]
        parts.append(Part((k,), verdict, value, message=f"{property_.text}: {_HOLDS[found]}."))
        if reason:
            notes.append(f"{property_.text}: {reason}")
    verdicts = [part.verdict for part in parts]
    verdict = next((v for v in (WRONG, UNDECIDED) if v in verdicts), RIGHT)
    value = {WRONG: "different", UNDECIDED: "undecided", RIGHT: "equal"}[verdict]
    message = _SAID[verdict]
    if verdict == WRONG and len(parts) > 1:
        message = f"{verdicts.count(RIGHT)} of {len(parts)} properties hold."
    entries = tuple(parts) if len(parts) > 1 else ()
    return Marked(verdict, value, read=shown, message=message, entries=entries, notes=tuple(notes))


_HOLDS = {True: "it holds", False: "it does not hold", None: "it could not be decided"}
_SAID = {
    RIGHT: "Right.",
    WRONG: "What was asked for does not hold for this answer.",
    UNDECIDED: "This could not be decided; a person will look at it.",
}


def _place(why: DeriveError) -> dict[str, Any] | None:
    if not isinstance(why, TextError):
        return None
    return {"position": why.position + 1, "found": why.found, "expected": why.expected}


def _unknown(text: str) -> Unknown:
    found = SHAPE.fullmatch(text.strip())
    shape = tuple(int(x) for x in found.groups()[1:] if x) if found else ()
    size = 1
    for n in shape:
        size *= n
    if found is None or not 0 < size <= MOST_ENTRIES:
        raise PropertyError(f"unknown {text[:40]!r}: expected a name with sizes: c, q[2] or M[2,3]")
    return Unknown(found[1], shape)


# properties


def _cut(text: str, at_depth_0: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """Parts of a text and what stands between them, outside of every bracket."""
    parts, signs, depth, start, k = [], [], 0, 0, 0
    while k < len(text):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        found = None if depth else at_depth_0.match(text, k)
        if found:
            parts.append(text[start:k])
            signs.append(found[0])
            k = start = found.end()
        else:
            k += 1
    return [*parts, text[start:]], signs


@dataclass(frozen=True)
class _Side:
    tree: Tree
    letter: str | None = None  # of a limit
    place: Tree | None = None


class _Property:
    """One property: sides with relations between them."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        self.sides, signs = _cut(text, RELATION)
        self.signs = [ALIKE.get(x, x) for x in signs]
        if not self.signs or not all(side.strip() for side in self.sides):
            raise PropertyError(f"property {text[:60]!r}: expected a relation such as q[0] > 0")
        self.limits = [_limit_parts(side) for side in self.sides]
        self.letters = [found[0] for found in self.limits if found]
        self.read_sides: list[_Side] = []

    def read(self, graph: Graph, unknowns: list[Unknown]) -> None:
        """The sides as trees; names and cells must be known."""
        names = [*graph.model.symbols, *(u.name for u in unknowns)]
        for text, parts in zip(self.sides, self.limits, strict=True):
            letter, place, body = parts or (None, None, text)
            side = _Side(self.tree(body, names), letter, self.tree(place, names) if place else None)
            self.read_sides.append(side)
            for name in _names(side.tree):
                self.known(name, graph, unknowns)

    def tree(self, text: str, names: list[str]) -> Tree:
        try:
            found = parse_statement(text, names=names, addresses=True)
        except TextError as why:
            raise PropertyError(f"property {self.text!r}: {why}") from None
        if isinstance(found, (*VALUES, *CONDITIONS)):
            raise PropertyError(f"property {self.text!r}: {text.strip()!r} is not a number")
        return found

    def known(self, name: str, graph: Graph, unknowns: list[Unknown]) -> None:
        base = name.partition("[")[0]
        mine = next((u for u in unknowns if u.name == base), None)
        if mine is not None and base not in graph.matrices:
            places = {f"{base}{list(at)}".replace(" ", "") if at else base for at in mine.places()}
            if name not in places and name != base:
                raise PropertyError(f"property {self.text!r}: {name} is no entry of {mine.words}")
        elif "[" in name:
            try:
                _ = graph[name]
            except AddressError as why:
                raise PropertyError(f"property {self.text!r}: {why}") from None


def _limit_parts(side: str) -> tuple[str, str, str] | None:
    """Letter, place and expression of `limit(letter, place, expression)`."""
    text = side.strip()
    start = LIMIT.match(text)
    if not start:
        return None
    inside, closing = _cut(text[start.end() :], re.compile(r"\Z"))[0][0], text[-1:]
    parts, _ = _cut(inside[:-1], re.compile(","))
    if closing != ")" or len(parts) < 3 or not re.fullmatch(r"[^\W\d]\w*", parts[0].strip()):
        raise PropertyError(f"{text[:60]!r}: expected limit(letter, place, expression)")
    return parts[0].strip(), parts[1], ",".join(parts[2:])


def _names(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Name | Index):
        yield tree.name if isinstance(tree, Name) else show(tree).replace(" ", "")
    if not isinstance(tree, Index):
        for part in children(tree):
            yield from _names(part)


# the witness


def _witness(text: str, wanted: list[Unknown], letters: list[str]) -> dict[str, Tree]:
    """The trees that a student gives for the unknowns."""
    statements = [x for x in _cut(text, re.compile(r"[;\n]"))[0] if x.strip()]
    if not statements:
        raise _Unreadable("an empty answer")
    by_name = {u.name: u for u in wanted}
    whole: dict[str, Tree] = {}
    single: dict[str, dict[tuple[int, ...], Tree]] = {}
    for statement in statements:
        sides, signs = _cut(statement, re.compile("="))
        if not signs and len(wanted) == len(statements) == 1:
            name, at = wanted[0].name, None
        elif len(sides) == 2:
            name, at = _left(sides[0], by_name)
        else:
            example = "; ".join(f"{u.name} = …" for u in wanted)
            raise _Unreadable(f"expected {example}")
        tree = parse_statement(sides[-1], names=letters)
        if isinstance(tree, CONDITIONS):
            raise _Unreadable(f"expected a value of {name}")
        value = _listed(tree)
        if at is None:
            whole[name] = value
        else:
            single.setdefault(name, {})[at] = value
    for name, entries in single.items():
        whole.setdefault(name, _assembled(by_name[name], entries))
    for unknown in wanted:
        if unknown.name not in whole:
            raise _Unreadable(f"{unknown.words}, is missing")
        whole[unknown.name] = _shaped(unknown, whole[unknown.name])
    return whole


def _left(text: str, by_name: dict[str, Unknown]) -> tuple[str, tuple[int, ...] | None]:
    name, _, rest = text.strip().partition("[")
    if name.strip() not in by_name:
        raise _Unreadable(f"no unknown {text.strip()[:40]!r}; there is {', '.join(by_name)}")
    if not rest:
        return name.strip(), None
    numbers = re.fullmatch(r"\s*(\d{1,3})\s*(?:,\s*(\d{1,3})\s*)?\]", rest)
    at = tuple(int(x) for x in numbers.groups() if x) if numbers else ()
    if at not in set(by_name[name.strip()].places()):
        raise _Unreadable(f"{text.strip()[:40]} is no entry of {by_name[name.strip()].words}")
    return name.strip(), at


def _listed(tree: Any) -> Tree:
    """(1, 2) as the vector [1, 2]."""
    if isinstance(tree, VALUES):
        if hasattr(tree, "items"):
            return Vector(tuple(tree.items))
        low, high = (x for x in trees(tree))
        return Vector((low, high))
    return tree  # type: ignore[no-any-return]


def _assembled(unknown: Unknown, entries: dict[tuple[int, ...], Tree]) -> Tree:
    missing = [at for at in unknown.places() if at not in entries]
    if missing:
        raise _Unreadable(f"{unknown.name}{list(missing[0])} is missing")
    if len(unknown.shape) == 1:
        return Vector(tuple(entries[at] for at in unknown.places()))
    rows, columns = unknown.shape
    row = [Vector(tuple(entries[i, j] for j in range(columns))) for i in range(rows)]
    return Vector(tuple(row))


def _shaped(unknown: Unknown, tree: Tree) -> Tree:
    """The tree with the shape that is asked for: a factor is multiplied into a vector."""
    tree = _scaled(tree)

    def fits(x: Tree, shape: tuple[int, ...]) -> bool:
        if not shape:
            return not isinstance(x, Vector)
        return (
            isinstance(x, Vector)
            and len(x.items) == shape[0]
            and all(fits(y, shape[1:]) for y in x.items)
        )

    if len(unknown.shape) == 1 and isinstance(tree, Vector) and len(tree.items) == 1:
        tree = tree.items[0] if isinstance(tree.items[0], Vector) else tree  # [[1, 2]]
    if len(unknown.shape) == 2 and unknown.shape[0] == 1 and fits(tree, unknown.shape[1:]):
        tree = Vector((tree,))
    if not fits(tree, unknown.shape):
        raise _Unreadable(f"expected {unknown.words}")
    return tree


def _scaled(x: Tree) -> Tree:
    """Sums and multiples of vectors, entry by entry."""
    if isinstance(x, Negative):
        inside = _scaled(x.x)
        if isinstance(inside, Vector):
            return Vector(tuple(_scaled(Negative(y)) for y in inside.items))
    if not isinstance(x, Binary):
        return x
    a, b = _scaled(x.left), _scaled(x.right)
    if x.op in "+-" and isinstance(a, Vector) and isinstance(b, Vector):
        if len(a.items) != len(b.items):
            raise _Unreadable("vectors of different lengths are added")
        pairs = zip(a.items, b.items, strict=True)
        return Vector(tuple(_scaled(Binary(x.op, p, q)) for p, q in pairs))
    if x.op == "*" and isinstance(b, Vector) and not isinstance(a, Vector):
        return Vector(tuple(_scaled(Binary("*", a, y)) for y in b.items))
    if x.op in "*/" and isinstance(a, Vector) and not isinstance(b, Vector):
        return Vector(tuple(_scaled(Binary(x.op, y, b)) for y in a.items))
    return x


class _World:
    """The model with the witness put in."""

    def __init__(
        self, model: Model, plain: Graph, wanted: list[Unknown], witness: dict[str, Tree]
    ) -> None:
        given = dict(model.given)
        inside: list[Unknown] = []
        for unknown in wanted:
            full = _matrix(plain, unknown)
            if full is not None:
                tree: Any = witness[unknown.name]
                rows = tree.items if len(unknown.shape) == 2 else (tree,)
                given[full] = tuple(tuple(row.items) for row in rows)
            else:
                inside.append(unknown)
        self.graph = build(replace(model, given=Section(given)))
        f = self.graph.dag
        self.values: dict[str, Any] = {x: f.symbol(x) for x in model.symbols}
        self.put: dict[Node, Node] = {}
        for unknown in wanted:
            value = evaluate(witness[unknown.name], f, {x: f.symbol(x) for x in model.symbols})
            for at in unknown.places():
                entry = value
                for k in at:
                    entry = entry[k]
                self.values[f"{unknown.name}[{','.join(map(str, at))}]" if at else unknown.name] = (
                    entry
                )
                if unknown in inside:
                    for letter in _letter_names(unknown.name, at):
                        if letter in model.symbols:
                            self.put[f.symbol(letter)] = entry
            if unknown.shape:
                self.values[unknown.name] = value
        self.assumptions = tuple(
            Assumption(f.symbol(name), RELATIONS[kind])
            for name, kind in model.symbols.items()
            if kind in RELATIONS and f.symbol(name) not in self.put
        )

    def decide(self, property_: _Property) -> tuple[bool | None, str]:
        """Does the property hold?  With the reason where that stays open."""
        try:
            sides = [self.side(side) for side in property_.read_sides]
            found = [
                self.holds(sign, a, b)
                for sign, a, b in zip(property_.signs, sides, sides[1:], strict=False)
            ]
        except NoLimit as why:
            return None, str(why)
        except UndefinedValue:
            return False, "a side has no value for this witness"
        except (TooLarge, NotEvaluated, WrongShape) as why:
            return None, str(why)
        if False in found:
            return False, ""
        return (None, "the order of the two sides stays open") if None in found else (True, "")

    def side(self, side: _Side) -> Any:
        f = self.graph.dag
        known = dict(self.values)
        for name in _names(side.tree):
            if "[" in name and name not in known:
                known[name] = self.graph[name].node
        value = self.substituted(evaluate(side.tree, f, known))
        if side.letter is None:
            return value
        assert side.place is not None
        place = self.substituted(evaluate(side.place, f, known))
        if isinstance(value, tuple):
            return tuple(limit(x, side.letter, place, self.assumptions) for x in value)
        return limit(value, side.letter, place, self.assumptions)

    def substituted(self, value: Any) -> Any:
        """Letters of the model that are unknowns, replaced by the witness."""
        if isinstance(value, tuple):
            return tuple(map(self.substituted, value))
        if not self.put:
            return value
        made: dict[Node, Node] = {}
        for x in reach(value):
            put = self.put.get(x)
            made[x] = rebuild(x, [made[y] for y in x.args]) if put is None else put
        return made[value]

    def holds(self, sign: str, a: Any, b: Any) -> bool | None:
        if isinstance(a, tuple) or isinstance(b, tuple):
            return self.vectors(sign, a, b)
        if sign in ("=", "!="):
            found = decided(a, b, self.assumptions, WORK).verdict
            if found == "undecided":
                return None
            return (found == "equal") == (sign == "=")
        order = compare(a, b, self.assumptions)
        if order is not None:
            return order in HOLDS[sign]
        if (a.op == "infinity") or (b.op == "infinity"):
            return None
        return False if self.refuted(sign, a, b) else None

    def vectors(self, sign: str, a: Any, b: Any) -> bool | None:
        if not (isinstance(a, tuple) and isinstance(b, tuple)) or len(a) != len(b):
            raise WrongShape("vectors of different lengths are compared")
        found = [self.holds("=", x, y) for x, y in zip(a, b, strict=True)]
        same = False if False in found else None if None in found else True
        if sign not in ("=", "!="):
            raise WrongShape("vectors have no order")
        return same if sign == "=" or same is None else not same

    def refuted(self, sign: str, a: Node, b: Node) -> bool:
        """Is there a point where the inequality fails?"""
        from flint import arb

        for point in points(symbols(a, b), self.assumptions, POINTS):
            balls = Balls(256, point)
            try:
                x, y = balls.value(a), balls.value(b)
            except UndefinedValue:
                continue
            if isinstance(x, arb) and isinstance(y, arb) and disjoint(x, y):
                order = 1 if x > y else -1
                if order not in HOLDS[sign]:
                    return True
        return False


def _matrix(graph: Graph, unknown: Unknown) -> str | None:
    """The matrix of the model that an unknown replaces."""
    try:
        found = graph.matrix(unknown.name)
    except AddressError:
        return None
    shape = (1, *unknown.shape) if len(unknown.shape) == 1 else unknown.shape
    if found.shape != shape:
        sizes = ",".join(map(str, found.shape))
        raise PropertyError(f"unknown {unknown.name}: the model's has the sizes [{sizes}]")
    return found.name


def _letter_names(name: str, at: tuple[int, ...]) -> tuple[str, ...]:
    """How the letters of an unknown's entries may be called in a model."""
    digits = "".join(map(str, at))
    return (f"{name}{digits}", f"{name}_{digits}", f"{name.lower()}{digits}") if at else (name,)

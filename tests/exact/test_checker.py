"""The independent checker replays every verdict, and accepts no false claim."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from derive.exact import checker as checker_module
from derive.exact.assumptions import Assumption, known
from derive.exact.checker import Rejected, check
from derive.exact.dag import Dag, UndefinedValue
from derive.exact.decide import decide
from tests.exact.cases import Case, assumption, load, node, read
from tests.exact.replay import Data, asked, claim, evidence, holds, replay
from tests.fuzz import kernel
from tests.fuzz.language import POSITIVE_NAMES, value

CASES = [*load("zero_cases.jsonl"), *load("more_cases.jsonl")]
CHEAP = [case for case in CASES if len(case.left) + len(case.right) < 200]
FUZZ_PAIRS = 160
MUTANTS = 18  # of each kind


NOT_REPLAYED = {"ataninv"}  # verdicts that the checker can't repeat, and says so


@cache
def found(case: Case) -> tuple[Data, Data]:
    """The claim as it was asked, and the evidence; copy them before you change them."""
    a, b, given = read(case)
    verdict = decide(a, b, given)
    data = evidence(verdict)
    assert data is not None and data["kind"] == case.truth
    return asked(case.truth, a, b, known(a.dag, given)), data


# what is true is accepted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_verdict_is_replayed(case: Case) -> None:
    claimed, data = found(case)
    assert ("not_replayable" in data) == (case.id in NOT_REPLAYED)
    if case.id in NOT_REPLAYED:
        with pytest.raises(Rejected):
            check(claimed, data)
    else:
        check(claimed, data)


def test_random_pairs_are_replayed() -> None:
    replayed: Counter[str] = Counter()
    for k in range(FUZZ_PAIRS):
        pair = kernel.make_pair(f"5:{k}")
        f = Dag()
        given = [Assumption(f.symbol(n), ">") for n in pair.names if n in POSITIVE_NAMES]
        try:
            verdict = decide(value(pair.left, f), value(pair.right, f), given)
        except UndefinedValue:
            continue
        if "not_replayable" in (evidence(verdict) or ()):
            replayed["not"] += 1
            continue
        replay(verdict)
        replayed[verdict.method] += 1
    assert replayed["not"] <= FUZZ_PAIRS // 20
    assert replayed["normal form"] > 30 and replayed["ball"] > 30


FURTHER = [  # what the files have nothing of
    ("exp(10^-3000)", "1 + 10^-3000", ()),  # Lindemann and Weierstrass
    ("exp(sqrt(2)*10^-3000)", "1 + sqrt(2)*10^-3000", ()),
    ("cos(pi*n)^2", "1", ("n integer",)),
    ("cos(x + 2*pi*n)", "cos(x)", ("n integer",)),
    ("sin(pi*n)", "0", ("n integer",)),
    ("sign(x)*sign(y)", "sign(x*y)", ()),
    ("max(abs(x), abs(y))", "(abs(x+y) + abs(x-y))/2", ()),
    ("log(1 + exp(x))", "max(x, 0) + log(1 + exp(-abs(x)))", ()),
    ("abs(exp(x) - exp(y))", "exp(x) - exp(y)", ("x > y",)),
    ("log((2 + cos(x))^2)", "2*log(2 + cos(x))", ()),
    ("sqrt(-x)", "i*sqrt(x)", ("x > 0",)),
    ("root(x, 6)^2", "root(x, 3)", ("x > 0",)),
    ("asin(x) + acos(x)", "pi/2", ()),
    ("x^y*x^z", "x^(y+z)", ("x > 0",)),
]


@pytest.mark.parametrize(("left", "right", "given"), FURTHER)
def test_further_kinds_are_replayed(left: str, right: str, given: tuple[str, ...]) -> None:
    f = Dag()
    verdict = decide(node(f, left), node(f, right), [assumption(f, text) for text in given])
    assert verdict.verdict != "undecided"
    replay(verdict)


# what is false is rejected

DELICATE = [  # true equalities, or false ones that no small number of bits tells apart
    ("sqrt(3*(3-e)^2)*sqrt(3*exp(x))", "3*(3-e)*exp(x/2)", (), "equal"),
    ("sqrt(5*(cos(1)-1)^2)*sqrt(5*x^2)", "5*(1-cos(1))*x", ("x > 0",), "equal"),
    ("cos(2*pi*sqrt(n))", "1", ("n integer", "n > 10^100", "n < 10^100+2"), "different"),
    (
        "sqrt(3*(x+sqrt(6))^2)*sqrt(2)",
        "sqrt(6)*(x+sqrt(6))",
        (f"x > -{24494897427831780981972840747058913919659474806566702}/10^52",),
        "different",
    ),
]


@pytest.mark.parametrize(("left", "right", "given", "truth"), DELICATE)
def test_no_wrong_verdict_is_replayed(
    left: str, right: str, given: tuple[str, ...], truth: str
) -> None:
    """Whatever the prover says of these: if it is wrong, the checker rejects the evidence."""
    f = Dag()
    verdict = decide(node(f, left), node(f, right), [assumption(f, text) for text in given])
    if verdict.verdict not in (truth, "undecided"):
        with pytest.raises(Rejected):
            replay(verdict)


def steps_of(data: Data) -> list[list[Any]]:
    """All lists of steps of the certificate."""
    out, stack = [], [data["steps"]]
    while stack:
        steps = stack.pop()
        out.append(steps)
        if steps and steps[-1][0] == "cases":
            stack += steps[-1][2].values()
    return out


def step(rng: Random, data: Data, *names: str) -> list[Any]:
    """One of the steps with such a name."""
    every = [x for steps in steps_of(data) for x in steps if not names or x[0] in names]
    return rng.choice(every)


def places(x: Any) -> list[tuple[Any, int]]:
    """All integers in a step, each with the list that holds it."""
    if isinstance(x, dict):
        return [place for part in x.values() for place in places(part)]
    own = [(x, k) for k, y in enumerate(x) if type(y) is int]
    return own + [place for y in x if isinstance(y, list | dict) for place in places(y)]


def another_node(rng: Random, claimed: Data, data: Data) -> None:
    """Another node, or number, in one step."""
    holder, k = rng.choice(places(step(rng, data)))
    count = len(claimed["program"]) + len(data["program"])
    holder[k] = rng.choice((holder[k] + 1, holder[k] - 1, -holder[k], rng.randrange(count)))


def dropped(rng: Random, claimed: Data, data: Data) -> None:
    """Without one of the steps."""
    steps = rng.choice([steps for steps in steps_of(data) if len(steps) > 1])
    steps.pop(rng.randrange(len(steps)))


def exchanged(rng: Random, claimed: Data, data: Data) -> None:
    """Two steps change places."""
    steps = rng.choice([steps for steps in steps_of(data) if len(steps) > 2])
    j, k = rng.sample(range(len(steps)), 2)
    steps[j], steps[k] = steps[k], steps[j]


def another_rule(rng: Random, claimed: Data, data: Data) -> None:
    """Another rule for the same nodes."""
    chosen = step(rng, data)
    chosen[0] = rng.choice([name for name in RULES if name != chosen[0]])


def shortened(rng: Random, claimed: Data, data: Data) -> None:
    """No precision, divisor or term where one was given."""
    step(rng, data, "unity", "branch", "over", "product").pop()


def no_ball(rng: Random, claimed: Data, data: Data) -> None:
    """Too few bits."""
    step(rng, data, "unity", "branch", "ball")[-1] = rng.choice((1, 2, 3))


def no_case(rng: Random, claimed: Data, data: Data) -> None:
    """One case is missing, or is proved like another one."""
    cases = step(rng, data, "cases", "select")[-1]
    name = rng.choice(list(cases))
    if rng.randrange(2):
        del cases[name]
    else:
        cases[name] = cases[rng.choice(list(cases))]


def side_of_root(rng: Random, claimed: Data, data: Data) -> None:
    """Another number in a node that the certificate adds, for instance a sign."""
    lines = [line for line in data["program"] if line[0] in ("rational", "power", "root")]
    line = rng.choice(lines)
    line[1 if line[0] == "rational" else 2] *= rng.choice((-1, 2))


def more_letters(rng: Random, claimed: Data, data: Data) -> None:
    """Another number of letters."""
    data["letters"] += rng.choice((-1, 1, -data["letters"]))


def constant(rng: Random, claimed: Data, data: Data) -> None:
    """Another rational number in the claim."""
    line = rng.choice([line for line in claimed["program"] if line[0] == "rational"])
    line[1] += rng.choice((1, -1, line[2]))


def operation(rng: Random, claimed: Data, data: Data) -> None:
    """Another function in the claim."""
    names = ("exp", "sin", "cos", "log")
    line = rng.choice([line for line in claimed["program"] if line[0] in names])
    line[0] = rng.choice([op for op in (*names, "atan") if op != line[0]])


def degree(rng: Random, claimed: Data, data: Data) -> None:
    """Another power or root in the claim."""
    line = rng.choice([line for line in claimed["program"] if line[0] in ("power", "root")])
    line[2] += 1 if line[2] > 0 else -1


def side(rng: Random, claimed: Data, data: Data) -> None:
    """Another node as a side of the claim."""
    claimed[rng.choice(("left", "right"))] = rng.randrange(len(claimed["program"]))


def transplanted(rng: Random, claimed: Data, data: Data) -> None:
    """The proof under the claim of another case."""
    claimed.update(deepcopy(found(rng.choice(CHEAP))[0]))


def point(rng: Random, claimed: Data, data: Data) -> None:
    """Another sample point."""
    name = rng.choice(list(data["point"]))
    data["point"][name] = rng.choice(("0", "-7", "1/3", str(-int(data["point"][name][0]) - 1)))


def relation(rng: Random, claimed: Data, data: Data) -> None:
    """An assumption that says something else, or is gone."""
    k = rng.randrange(len(claimed["assumptions"]))
    if rng.randrange(2):
        claimed["assumptions"].pop(k)
    else:
        claimed["assumptions"][k][1] = rng.choice((">", ">=", "!=", "="))


def opposite(rng: Random, claimed: Data, data: Data) -> None:
    """The opposite claim."""
    claimed["kind"] = "different" if claimed["kind"] == "equal" else "equal"
    data.setdefault("point", {})
    data.setdefault("bits", 64)


RULES = (
    "compute", "letter", "same", "copy", "product", "turn", "wave", "log", "asin", "atan", "acos",
    "turned", "unity", "branch", "given", "has", "ball", "quotient", "grow", "bound", "zero",
)  # fmt: skip
MUTATIONS: list[Callable[[Random, Data, Data], None]] = [
    another_node, dropped, exchanged, another_rule, shortened, no_ball, no_case, side_of_root,
    more_letters, constant, operation, degree, side, transplanted, point, relation, opposite,
]  # fmt: skip
HARMLESS = {
    "point",
    "exchanged",
    "more_letters",
    "shortened",
    "no_ball",
}  # what often changes no proof


def mutated(
    mutate: Callable[[Random, Data, Data], None], wanted: int
) -> Iterator[tuple[str, Data, Data]]:
    """So many claims with this fault, or with a certificate that has it."""
    rng = Random(mutate.__name__)
    for case in rng.choices(CHEAP, k=120 * wanted):
        claimed, data = deepcopy(found(case))
        try:
            mutate(rng, claimed, data)
        except (IndexError, KeyError, ValueError):  # there is nothing of the kind in it
            continue
        if (claimed, data) != found(case):
            wanted -= 1
            yield case.id, claimed, data
        if not wanted:
            return


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_no_false_claim_is_accepted(mutate: Callable[[Random, Data, Data], None]) -> None:
    """With one fault the certificate is rejected, or the claim is still true."""
    outcomes: Counter[str] = Counter()
    for name, claimed, data in mutated(mutate, MUTANTS):
        try:
            check(claimed, data)
        except Rejected:
            outcomes["rejected"] += 1
        else:
            assert holds(claimed), name
            outcomes["still true"] += 1
    assert outcomes.total() == MUTANTS, outcomes
    assert outcomes["rejected"] >= (0 if mutate.__name__ in HARMLESS else 5), outcomes


@pytest.mark.parametrize("case", CHEAP[::3], ids=lambda case: case.id)
def test_a_claim_about_something_else_is_rejected(case: Case) -> None:
    """right + 1 in the place of right; and left = left called different."""
    claimed, data = deepcopy(found(case))
    if claimed["kind"] == "equal":
        k = len(claimed["program"])
        claimed["program"] += [["rational", 1, 1], ["add", claimed["right"], k]]
        claimed["right"] = k + 1
    else:
        claimed["right"] = claimed["left"]
    with pytest.raises(Rejected):
        check(claimed, data)


def test_without_its_assumption() -> None:
    """|x| = x for x > 0 alone."""
    f = Dag()
    x = f.symbol("x")
    data = evidence(decide(f.sqrt(x**2), x, [Assumption(x, ">")]))
    assert data is not None
    check(data["claim"], data)
    with pytest.raises(Rejected):
        check({**data["claim"], "assumptions": []}, data)
    assert not holds({**data["claim"], "assumptions": []})


def test_a_witness_must_lie_in_the_domain() -> None:
    f = Dag()
    x = f.symbol("x")
    data = evidence(decide(f.sqrt(x**2), x))
    assert data is not None and data["point"]["x"].startswith("-")
    claimed = data["claim"]
    check(claimed, data)
    k = next(k for k, line in enumerate(claimed["program"]) if line[0] == "symbol")
    with pytest.raises(Rejected, match="assumptions"):
        check({**claimed, "assumptions": [[k, ">"]]}, data)


# a proof by hand, and false ones with one rule each


def by_hand(program: Any, left: int, right: int, given: Any, more: Any, steps: Any) -> None:
    """Check a certificate that is written by hand."""
    claimed = {
        "kind": "equal",
        "program": program,
        "left": left,
        "right": right,
        "assumptions": given,
    }
    check(claimed, {"program": more, "letters": 9, "steps": [*steps, ["equal"]]})


X = [["rational", 1, 1], ["symbol", "x"], ["rational", -1, 1]]  # 1, x, -1
KNOWN = [["compute", 0], ["letter", 1], ["compute", 2]]
ROOT = [*X, ["power", 1, 2], ["root", 3, 2], ["mul", 1, 2]]  # …, x^2, root(x^2), -x
ROOTED = [*KNOWN, ["compute", 3], ["letter", 4], ["compute", 5]]


def test_proofs_by_hand_are_accepted() -> None:
    """So the forgeries are not rejected for their form."""
    by_hand(ROOT, 4, 1, [[1, ">"]], [], [*ROOTED, ["given", 0], ["unity", 4, 1, 2]])
    quotient = [*X, ["power", 1, -1], ["mul", 1, 3]]  # x/x = 1
    steps = [*KNOWN, ["has", 3], ["letter", 3], ["compute", 4]]
    by_hand(quotient, 4, 0, [], [], steps)


IMAGINARY, PI = ["i"], ["pi"]
FORGERIES: dict[str, tuple[Any, ...]] = {
    "unity: sqrt(x^2) = x": (ROOT, 4, 1, [], [], [*ROOTED, ["unity", 4, 1, 2]]),
    "unity: sqrt(x^2) = -x": (
        ROOT, 4, 5, [[1, ">"]], [], [*ROOTED, ["given", 0], ["unity", 4, 5, 2]],
    ),
    "unity: sqrt(x^2) = x, seen at no point": (
        ROOT, 4, 1, [], [], [*ROOTED, ["unity", 4, 1, 2, 64]],
    ),
    "unity: sqrt(4) = -2": (
        [["rational", 4, 1], ["root", 0, 2], ["rational", -2, 1]], 1, 2, [], [],
        [["compute", 0], ["letter", 1], ["compute", 2], ["unity", 1, 2, 2, 64]],
    ),
    "unity: a power 0": (X, 0, 2, [], [], [*KNOWN, ["unity", 0, 2, 0]]),
    "has: 1/x in a node that only the certificate has, so sign(x^2) = 1": (
        [*X, ["power", 1, 2], ["rational", 0, 1], ["select", 3, 2, 4, 0]], 5, 0, [],
        [["power", 1, -1]],
        [*KNOWN, ["compute", 3], ["compute", 4], ["has", 6], ["letter", 6],
         ["select", 5, 0, 3, {"1": [4]}]],
    ),
    "has: the same, counted from the end": (
        [*X, ["power", 1, 2], ["rational", 0, 1], ["select", 3, 2, 4, 0]], 5, 0, [],
        [["power", 1, -1]],
        [*KNOWN, ["compute", 3], ["compute", 4], ["has", -1], ["letter", 6],
         ["select", 5, 0, 3, {"1": [4]}]],
    ),
    "letter: 1/x without a word about x": (
        [*X, ["power", 1, -1], ["mul", 1, 3]], 4, 0, [], [],
        [*KNOWN, ["letter", 3], ["compute", 4]],
    ),
    "letter: x is no letter twice": (
        [*X, ["add", 1, 0]], 3, 1, [], [], [*KNOWN, ["letter", 3]],
    ),
    "select: sign(x) = 1": (
        [*X, ["rational", 0, 1], ["select", 1, 2, 3, 0]], 4, 0, [], [],
        [*KNOWN, ["compute", 3], ["select", 4, 0, 1, {"1": [3]}]],
    ),
    "select: sign(x) = 1, with x for |x|": (
        [*X, ["rational", 0, 1], ["select", 1, 2, 3, 0]], 4, 0, [], [],
        [*KNOWN, ["compute", 3], ["select", 4, 0, 1, {"1": [3], "0": [3, 3], "-1": [3]}]],
    ),
    "same: x = 1": (X, 1, 0, [], [], [*KNOWN, ["same", 0, 1]]),
    "same: x = 1, both multiplied by 0": (
        [*X, ["rational", 0, 1]], 1, 0, [], [],
        [*KNOWN, ["compute", 3], ["over", 3], ["same", 0, 1]],
    ),
    "copy: cos(x) = -cos(-x)": (
        [*X, ["cos", 1], ["mul", 1, 2], ["cos", 4], ["mul", 2, 5]], 3, 6, [], [],
        [*KNOWN, ["letter", 3], ["compute", 4], ["copy", 5, 3, -1], ["compute", 6]],
    ),
    "product: exp(x) = 1": ([*X, ["exp", 1]], 3, 0, [], [], [*KNOWN, ["product", 3, []]]),
    "turn: exp(i) = -1": (
        [*X, IMAGINARY, ["exp", 3]], 4, 2, [], [], [*KNOWN, ["letter", 3], ["turn", 4]],
    ),
    "turns: exp(2 pi i x) = 1 for a real x": (
        [*X, IMAGINARY, PI, ["rational", 2, 1], ["mul", 1, 3, 4, 5], ["exp", 6]], 7, 0, [], [],
        [*KNOWN, ["letter", 3], ["letter", 4], ["compute", 5], ["compute", 6], ["turn", 7, 1]],
    ),
    "wave: cos(x) = exp(x)": (
        [*X, ["cos", 1], ["exp", 1]], 3, 4, [], [IMAGINARY],
        [*KNOWN, ["letter", 5], ["letter", 4], ["wave", 3, 4, 4]],
    ),
    "log: exp(1) = x": (
        [*X, ["log", 1], ["exp", 0]], 4, 1, [[1, ">"]], [],
        [*KNOWN, ["given", 0], ["letter", 3], ["log", 4, 3]],
    ),
    "letter: exp(log(x)) = x, where x may be 0": (
        [*X], 1, 0, [], [["log", 1]], [*KNOWN, ["letter", 3], ["ball", 1, 64], ["same", 0, 1]],
    ),
    "turned: sqrt(x^2) = i x": (
        [*ROOT, IMAGINARY, ["mul", 1, 6]], 4, 7, [[1, ">"]], [],
        [*ROOTED, ["given", 0], ["letter", 6], ["compute", 7], ["turned", 4, 1]],
    ),
    "branch: log(exp(2 pi i)) = 2 pi i": (
        [*X, IMAGINARY, PI, ["rational", 2, 1], ["mul", 3, 4, 5], ["exp", 6], ["log", 7]], 8, 6, [],
        [["exp", 8]],
        [*KNOWN, ["letter", 3], ["letter", 4], ["compute", 5], ["compute", 6], ["turn", 7, 0],
         ["letter", 8], ["log", 9, 8], ["branch", 8, 6, 0, 9, 7, 64]],
    ),
    "branch: the same, as if all were real": (
        [*X, IMAGINARY, PI, ["rational", 2, 1], ["mul", 3, 4, 5], ["exp", 6], ["log", 7]], 8, 6, [],
        [["exp", 8]],
        [*KNOWN, ["letter", 3], ["letter", 4], ["compute", 5], ["compute", 6], ["turn", 7, 0],
         ["letter", 8], ["log", 9, 8], ["branch", 8, 6, 0, 9, 7]],
    ),
    "branch: x = 1, multiplied by 0": (
        [*X, ["rational", 0, 1], ["exp", 3]], 1, 0, [], [],
        [*KNOWN, ["compute", 3], ["product", 4, []], ["branch", 1, 0, 3, 4, 4]],
    ),
    "ball: x is 1": (X, 1, 0, [], [], [*KNOWN, ["ball", 1, 64], ["unity", 1, 0, 1]]),
    "quotient: 0 x = 0, so x = 0": (
        [*X, ["rational", 0, 1]], 1, 3, [], [],
        [*KNOWN, ["compute", 3], ["quotient", 1, 3, 3], ["zero", 1]],
    ),
    "zero: x": (X, 1, 2, [[1, ">="]], [], [*KNOWN, ["given", 0], ["zero", 1]]),
    "bound: cos(i) <= 1, though it is real": (
        [*X, IMAGINARY, ["cos", 3], ["mul", 2, 4], ["add", 0, 5]], 6, 0, [], [],
        [*KNOWN, ["letter", 3], ["letter", 4], ["compute", 5], ["compute", 6],
         ["bound", 4, 6, -1], ["zero", 6]],
    ),
    "given: an assumption that was not made": (X, 1, 0, [], [], [*KNOWN, ["given", 0]]),
    "grow: exp(x) > 1": (
        [*X, ["exp", 1], ["add", 3, 2]], 4, 1, [], [],
        [*KNOWN, ["letter", 3], ["compute", 4], ["grow", 3, 4], ["zero", 4]],
    ),
    "acos: acos(x) = pi/2 - asin(1)": (
        [*X, ["acos", 1], ["asin", 0], PI, ["mul", 4, 2], ["rational", 1, 2], ["mul", 5, 7],
         ["add", 6, 8]], 3, 9, [], [],
        [*KNOWN, ["letter", 4], ["letter", 5], *(["compute", k] for k in (6, 7, 8, 9)),
         ["acos", 3, 4]],
    ),
    "asin: a root of another number": (
        [*X, ["asin", 1], IMAGINARY, ["mul", 3, 4], ["exp", 5], ["mul", 1, 4]], 6, 7, [],
        [["rational", 0, 1], ["root", 8, 2]],
        [*KNOWN, ["letter", 4], ["letter", 3], ["compute", 5], ["compute", 7], ["compute", 8],
         ["letter", 9], ["unity", 9, 8, 2], ["asin", 6, 3, 9]],
    ),
    "atan: another quotient": (
        [*X, ["atan", 1], IMAGINARY, ["rational", 2, 1], ["mul", 3, 4, 5], ["exp", 6],
         ["mul", 1, 4], ["add", 0, 8]], 7, 9, [], [],
        [*KNOWN, ["letter", 4], ["letter", 3], *(["compute", k] for k in (5, 6, 8, 9)),
         ["atan", 7, 3, 0]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_rejected(name: str) -> None:
    with pytest.raises(Rejected):
        by_hand(*FORGERIES[name])


def test_what_was_known_in_one_case_is_forgotten_in_the_next() -> None:
    """i, divisors and relations of a case must not be used in another one."""
    program = [*X, ["rational", 0, 1]]
    inner = [["letter", 4], ["over", 1], ["zero", 3], ["equal"]]
    for leak in ([["wave", 5, 6, 6], ["equal"]], [["same", 0, 1], ["equal"]]):
        proofs = {"-1": inner, "0": leak, "1": leak}
        claimed = {"kind": "equal", "program": program, "left": 0, "right": 1, "assumptions": []}
        more = [IMAGINARY, ["cos", 1], ["exp", 1]]
        steps = [*KNOWN, ["compute", 3], ["cases", 1, proofs]]
        with pytest.raises(Rejected):
            check(claimed, {"program": more, "letters": 9, "steps": steps})


# the program


def test_garbage_is_rejected() -> None:
    good = {"kind": "equal", "program": X, "left": 0, "right": 1, "assumptions": []}
    for data in ({}, {"program": [], "letters": 0, "steps": []}, {"program": [["add"]]}):
        for claimed in (
            {},
            {"kind": "equal"},
            {**good, "kind": "maybe"},
            good,
            {**good, "left": -1},
        ):
            with pytest.raises(Rejected):
                check(claimed, data)


@pytest.mark.parametrize(
    "line", [["add"], ["add", 9], ["rational", 1, 0], ["root", 0, 1], ["pi", 0]]
)
def test_lines_that_are_no_operation(line: list[Any]) -> None:
    claimed = {"kind": "equal", "program": [*X, line], "left": 0, "right": 0, "assumptions": []}
    with pytest.raises(Rejected):
        check(claimed, {"program": [], "letters": 0, "steps": [["equal"]]})


def checker(text: str) -> subprocess.CompletedProcess[str]:
    """The program, with this on standard input."""
    command = [sys.executable, "-m", "derive.exact.checker"]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def test_the_command_line() -> None:
    _, data = deepcopy(found(CASES[0]))
    assert checker(json.dumps({"evidence": data})).stdout == "accepted\n"
    data["claim"]["left"] = 0
    done = checker(json.dumps(data))
    assert done.returncode == 1 and done.stderr.startswith("rejected: ")


def test_json_of_the_command_line_is_read() -> None:
    command = [
        sys.executable,
        "-m",
        "derive",
        "equal",
        "--to",
        "json",
        "--",
        "sqrt(8)",
        "2*sqrt(2)",
    ]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert checker(out).stdout == "accepted\n"


def test_it_shares_no_code_with_the_prover() -> None:
    code = "import sys, derive.exact.checker; print(*sorted(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in out.stdout.split() if name.split(".")[0] in ("sympy", "derive")]
    ours = [name for name in loaded if name != "derive.exact.checker"]
    assert ours == ["derive", "derive.exact"], ours


def test_a_claim_is_rebuilt() -> None:
    a, b, given = claim(found(CASES[0])[0])
    assert decide(a, b, given).verdict == CASES[0].truth


NOT_LETTERED = {  # forgeries with i and pi that no step has made letters: neither is 0
    "turn": ([["rational", 0, 1], ["exp", 0]], [["compute", 0], ["product", 1, []], ["turn", 1]]),
    "acos": (
        [["symbol", "x"], ["acos", 0], ["asin", 0]],
        [["letter", 0], ["letter", 2], ["acos", 1, 2]],
    ),
    "wave": (
        [["rational", 0, 1], ["exp", 0], ["symbol", "x"], ["cos", 2]],
        [["compute", 0], ["product", 1, []], ["letter", 2], ["wave", 3, 1, 1]],
    ),
    "turned": (
        [["rational", -4, 1], ["root", 0, 2], ["rational", 2, 1]],
        [["compute", 0], ["compute", 2], ["turned", 1, 2]],
    ),
    "asin": (
        [["rational", 5, 1], ["asin", 0], ["rational", -24, 1], ["root", 2, 2], ["rational", 0, 1],
         ["exp", 4]],
        [["compute", 0], ["letter", 1], ["compute", 2], ["letter", 3], ["compute", 4],
         ["asin", 5, 1, 3]],
    ),
    "atan": (
        [["symbol", "x"], ["atan", 0], ["rational", 1, 1], ["rational", 0, 1], ["exp", 3]],
        [["letter", 0], ["letter", 1], ["compute", 2], ["compute", 3], ["atan", 4, 1, 2]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", sorted(NOT_LETTERED))
def test_rules_about_i_and_pi_need_them_as_letters(rule: str) -> None:
    program, steps = NOT_LETTERED[rule]
    lines = [["rational", 1, 1], ["rational", -1, 1]]
    more = [[op, *(x + 2 if op in OF_NODES and n < OF_NODES[op] else x
                   for n, x in enumerate(rest))] for op, *rest in program]  # fmt: skip
    moved = [[name, *(x + 2 if isinstance(x, int) else x for x in rest)] for name, *rest in steps]
    asked = {"kind": "equal", "program": lines, "left": 0, "right": 1, "assumptions": []}
    data = {"program": more, "letters": 9, "steps": [["compute", 0], ["compute", 1], *moved,
                                                     ["equal"]]}  # fmt: skip
    with pytest.raises(Rejected, match="NoneType"):
        check(asked, data)


OF_NODES = {"exp": 1, "acos": 1, "asin": 1, "atan": 1, "cos": 1, "root": 1}  # how many are nodes


def test_it_is_small() -> None:
    """At most 300 lines of code; what else stands there is words and room."""
    text = Path(checker_module.__file__).read_text(encoding="utf-8")
    words = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node)
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    lines = [
        line
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#") and number not in words
    ]
    assert len(lines) <= 300
    assert len(text.splitlines()) <= 360

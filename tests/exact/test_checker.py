"""The independent checker replays every verdict, and accepts no false claim."""

from __future__ import annotations

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

from derive.exact.assumptions import Assumption
from derive.exact.checker import Rejected, check, main
from derive.exact.dag import Dag, UndefinedValue
from derive.exact.decide import decide
from tests.exact.cases import Case, assumption, load, node, read
from tests.exact.replay import Data, claim, evidence, holds, replay
from tests.fuzz import kernel
from tests.fuzz.language import POSITIVE_NAMES, value

CASES = [*load("zero_cases.jsonl"), *load("more_cases.jsonl")]
CHEAP = [case for case in CASES if len(case.left) + len(case.right) < 200]
FUZZ_PAIRS = 160
MUTANTS = 18  # of each kind


@cache
def found(case: Case) -> Data:
    """The evidence of a case; copy it before you change it."""
    data = evidence(decide(*read(case)))
    assert data is not None and data["kind"] == case.truth
    return data


# what is true is accepted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_verdict_is_replayed(case: Case) -> None:
    check(found(case))


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
        replay(verdict)
        replayed[verdict.method] += 1
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
    ("atan(x) + atan(1/x)", "pi/2", ("x > 0",)),
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


def leaves(data: Any) -> Iterator[Any]:
    """All terms [coefficient, powers] of the polynomials in the evidence."""
    if isinstance(data, dict):
        for part in data.values():
            yield from leaves(part)
    elif isinstance(data, list) and [*map(type, data)] == [str, dict]:
        yield data
    elif isinstance(data, list):
        for part in data:
            yield from leaves(part)


def polynomials(data: Data) -> dict[str, Any]:
    """The parts of the evidence that are made of polynomials."""
    parts = ("variables", "relations", "nodes", "facts", "numerator", "factors")
    return {part: data[part] for part in parts if part in data}


def coefficient(rng: Random, data: Data) -> None:
    """Another coefficient in some polynomial."""
    term = rng.choice(list(leaves(polynomials(data))))
    p, _, q = term[0].partition("/")
    term[0] = f"{rng.choice((-int(p), int(p) + 1, 2 * int(p)))}/{q or 1}"


def exponent(rng: Random, data: Data) -> None:
    """Another exponent in some polynomial."""
    term = rng.choice([t for t in leaves(polynomials(data)) if t[1]])
    k = rng.choice(list(term[1]))
    term[1][k] = term[1][k] + 1


def other_sign(rng: Random, data: Data) -> None:
    """The negative of a node's element, for instance of a root."""
    node = rng.choice([x for x in data["nodes"] if x])
    for term in node[0]:
        term[0] = term[0][1:] if term[0].startswith("-") else f"-{term[0]}"


def dropped(rng: Random, data: Data) -> None:
    """Without a relation, a variable, a fact, a factor or a case."""
    parts = ("relations", "variables", "facts", "factors", "cases")
    part = rng.choice([part for part in parts if data.get(part)])
    data[part].pop(rng.randrange(len(data[part])))


def constant(rng: Random, data: Data) -> None:
    """Another rational number in the claim."""
    line = rng.choice([line for line in data["program"] if line[0] == "rational"])
    line[1] += rng.choice((1, -1, line[2]))


def operation(rng: Random, data: Data) -> None:
    """Another function in the claim."""
    line = rng.choice([line for line in data["program"] if line[0] in ("exp", "sin", "cos", "log")])
    line[0] = rng.choice([op for op in ("exp", "sin", "cos", "log", "atan") if op != line[0]])


def degree(rng: Random, data: Data) -> None:
    """Another power or root in the claim."""
    line = rng.choice([line for line in data["program"] if line[0] in ("power", "root")])
    line[2] += 1 if line[2] > 0 else -1


def side(rng: Random, data: Data) -> None:
    """Another node as a side of the claim."""
    data[rng.choice(("left", "right"))] = rng.randrange(len(data["program"]))


def transplanted(rng: Random, data: Data) -> None:
    """The proof under the claim of another case."""
    other = found(rng.choice(CHEAP))
    for part in ("program", "left", "right", "assumptions"):
        data[part] = deepcopy(other[part])


def point(rng: Random, data: Data) -> None:
    """Another sample point."""
    name = rng.choice(list(data["point"]))
    data["point"][name] = rng.choice(("0", "-7", "1/3", str(-int(data["point"][name][0]) - 1)))


def relation(rng: Random, data: Data) -> None:
    """An assumption that says something else, or is gone."""
    k = rng.randrange(len(data["assumptions"]))
    if rng.randrange(2):
        data["assumptions"].pop(k)
    else:
        data["assumptions"][k][1] = rng.choice((">", ">=", "!=", "="))


def meaning(rng: Random, data: Data) -> None:
    """A variable that stands for something else."""
    v = rng.choice(data["variables"])
    if rng.randrange(2):
        v["kind"] = rng.choice(("exp", "log", "arg", "root", "abs", "pi", "symbol", "opaque"))
    else:
        v["degree"] += 1


def opposite(rng: Random, data: Data) -> None:
    """The opposite claim."""
    data["kind"] = "different" if data["kind"] == "equal" else "equal"
    data["method"] = rng.choice((data["method"], "normal form", "unit"))


MUTATIONS: list[Callable[[Random, Data], None]] = [
    coefficient, exponent, other_sign, dropped, constant, operation, degree, side,
    transplanted, point, relation, meaning, opposite,
]  # fmt: skip


def mutated(mutate: Callable[[Random, Data], None], wanted: int) -> Iterator[tuple[str, Data]]:
    """So many pieces of evidence with this fault, always the same ones."""
    rng = Random(mutate.__name__)
    for case in rng.choices(CHEAP, k=60 * wanted):
        data = deepcopy(found(case))
        try:
            mutate(rng, data)
        except (IndexError, KeyError, ValueError):  # there is nothing of the kind in it
            continue
        if data != found(case):
            wanted -= 1
            yield case.id, data
        if not wanted:
            return


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_no_false_claim_is_accepted(mutate: Callable[[Random, Data], None]) -> None:
    """Evidence with one fault is rejected, or its claim is still true."""
    outcomes: Counter[str] = Counter()
    for name, data in mutated(mutate, MUTANTS):
        try:
            check(data)
        except Rejected:
            outcomes["rejected"] += 1
        else:
            assert holds(data), name
            outcomes["still true"] += 1
    assert outcomes.total() == MUTANTS and outcomes["rejected"] >= 5, outcomes


@pytest.mark.parametrize("case", CHEAP[::3], ids=lambda case: case.id)
def test_a_claim_about_something_else_is_rejected(case: Case) -> None:
    """right + 1 in the place of right; and left = left called different."""
    data = deepcopy(found(case))
    if data["kind"] == "equal":
        data["program"] += [["rational", 1, 1], ["add", data["right"], len(data["program"])]]
        data["right"] = len(data["program"]) - 1
    else:
        data["right"] = data["left"]
    with pytest.raises(Rejected):
        check(data)


def test_branches_that_agree_at_the_sample_point_only() -> None:
    """|x| = x, proved with the root letter of the right sign at the point alone."""
    f = Dag()
    x = f.symbol("x")
    data = evidence(decide(f.sqrt(x**2), x, [Assumption(x, ">")]))
    assert data is not None
    check(data)
    with pytest.raises(Rejected):
        check({**data, "assumptions": []})
    assert not holds({**data, "assumptions": []})


def test_a_witness_must_lie_in_the_domain() -> None:
    f = Dag()
    x = f.symbol("x")
    data = evidence(decide(f.sqrt(x**2), x))
    assert data is not None and data["point"]["x"].startswith("-")
    check(data)
    data["program"] += [["symbol", "x"]]
    data["assumptions"] = [[len(data["program"]) - 1, ">"]]
    with pytest.raises(Rejected, match="assumptions"):
        check(data)


ONE: list[Any] = [["1", {}]]


def forged(
    claimed: Data, variables: list[Data], nodes: list[Any], elements: Any = None, **more: Any
) -> Data:
    """Evidence written by hand; `claimed` is program, right and assumptions."""
    shape = {"argument": None, "part": None, "name": "", "nature": "real", "number": False}
    return {
        "kind": "equal",
        "method": "normal form",
        "left": len(claimed["program"]) - 1,
        "variables": [{**shape, "degree": 0, **v} for v in variables],
        "relations": [],
        "nodes": elements or [[num, ONE] for num in nodes],
        "facts": [],
        "point": {"x": "1"},
        **claimed,
        **more,
    }


X = [["1", {"1": 1}]]
SYMBOL = {"index": 1, "kind": "symbol", "name": "x", "degree": 1}
FORGERIES = {
    "a symbol as its own power 0: log(x) = 0": forged(
        {
            "program": [["rational", 0, 1], ["symbol", "x"], ["log", 1]],
            "right": 0,
            "assumptions": [[1, ">"]],
        },
        [{**SYMBOL, "degree": 0}],
        [[], ONE, []],
    ),
    "an i with i^4 = -1": forged(
        {"program": [["rational", -1, 1], ["i"], ["power", 1, 4]], "right": 0, "assumptions": []},
        [{"index": 0, "kind": "i", "degree": 4}],
        [[["-1", {}]], [["1", {"0": 1}]], [["-1", {}]]],
        relations=[[0, [["1", {"0": 4}], ["1", {}]]]],
    ),
    "an angle of x, so x is not 0: sign(x^2) = 1": forged(
        {
            "program": [
                *(["rational", k, 1] for k in (1, 0, -1)),
                ["symbol", "x"],
                ["power", 3, 2],
                ["select", 4, 2, 1, 0],
            ],
            "right": 0,
            "assumptions": [],
        },
        [
            SYMBOL,
            {"index": 0, "kind": "i", "degree": 2},
            {"index": 2, "kind": "arg", "argument": [X, ONE]},
        ],
        [ONE, [], [["-1", {}]], [["1", {"1": 1}], ["0", {"2": 1}]], [["1", {"1": 2}]], ONE],
        relations=[[0, [["1", {"0": 2}], ["1", {}]]]],
    ),
    "the wrong sign of a root: sqrt(x^2) = -x": forged(
        {
            "program": [["rational", -1, 1], ["symbol", "x"], ["mul", 0, 1], ["power", 1, 2],
                        ["root", 3, 2]],
            "right": 2,
            "assumptions": [[1, ">"]],
        },
        [SYMBOL],
        [[["-1", {}]], X, [["-1", {"1": 1}]], [["1", {"1": 2}]], [["-1", {"1": 1}]]],
    ),
    "division by 0: x = x + 1": forged(
        {
            "program": [["rational", 1, 1], ["symbol", "x"], ["add", 0, 1]],
            "right": 1,
            "assumptions": [],
        },
        [SYMBOL],
        [],
        elements=[[ONE, ONE], [X, []], [X, []]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_rejected(name: str) -> None:
    with pytest.raises(Rejected):
        check(FORGERIES[name])


def test_a_proof_by_hand_is_accepted() -> None:
    """So the forgeries are not rejected for their form."""
    data = deepcopy(FORGERIES["the wrong sign of a root: sqrt(x^2) = -x"])
    data["program"][2] = ["mul", 1]
    data["nodes"][2] = data["nodes"][4] = [X, ONE]
    check(data)


# the program


def test_garbage_is_rejected() -> None:
    for data in ({}, {"kind": "equal"}, {"kind": "maybe", "method": "ball", "program": []}):
        with pytest.raises(Rejected):
            check(data)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = found(CASES[0])
    good, bad, garbage = (tmp_path / name for name in ("good", "bad", "garbage"))
    good.write_text(json.dumps({"evidence": data}), encoding="utf-8")
    bad.write_text(json.dumps({**data, "left": 0}), encoding="utf-8")
    garbage.write_text("garbage", encoding="utf-8")
    assert [main([str(path)]) for path in (good, bad, garbage)] == [0, 1, 2]
    assert main([]) == main([str(tmp_path / "missing")]) == 2
    out = capsys.readouterr().out
    assert out.startswith("accepted\nrejected: ")


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
    checker = [sys.executable, "-m", "derive.exact.checker", "-"]
    done = subprocess.run(checker, input=out, capture_output=True, text=True, check=True)
    assert done.stdout == "accepted\n"


def test_it_shares_no_code_with_the_prover() -> None:
    code = "import sys, derive.exact.checker; print(*sorted(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in out.stdout.split() if name.split(".")[0] in ("sympy", "derive")]
    ours = [name for name in loaded if not name.startswith("derive.exact.checker")]
    assert ours == ["derive", "derive.exact"], ours


def test_a_claim_is_rebuilt() -> None:
    a, b, given = claim(found(CASES[0]))
    assert decide(a, b, given).verdict == CASES[0].truth

"""Wrong answers are explained by the slip that gives them, and right ones never are."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.slips import run, table
from derive.answers.check import Marker, check
from derive.answers.policy import Policy
from derive.blocks import build
from derive.blocks.slips import candidates, makable
from derive.errors import DeriveError
from derive.exact.decide import decide
from derive.graph import Cell, Graph, Variant
from derive.model import load
from derive.model.bundled import bundled_names
from derive.model.reading import loads
from derive.ops import ALL

CATS = build(load("cats"))
MARKER = Marker(CATS)
SF = Policy.of({"sf": 5, "places": "at-least"})
SETTINGS = [  # the same slip made by a model file, a cell where it shows, its name
    ("cats", "attention.scale=1", "A[2,0]", "no-scale"),
    ("cats", "attention.scale=1/k", "A[2,0]", "scale-without-root"),
    ("cats", "attention.mask=none", "A[2,0]", "no-mask"),
    ("cats", "attention.mask=none", "H[1,1]", "no-mask"),
    ("cats", "position.clockwise=true", "A[2,0]", "rope-reversed"),
    ("cats", "position.kind=none", "A[2,0]", "no-rope"),
    ("cats", "position.first=1", "Q_rot[2,1]", "positions-from-one"),
    ("cats", "attention.base=2", "A[2,0]", "base-two"),
    ("cats", "attention.base=10", "A[2,0]", "base-ten"),
    ("cats", "block.0.residual=[false,true]", "H_mid[2,1]", "no-residual"),
    ("cats", "block.0.norm2.eps=0", "N2[2,1]", "eps-forgotten"),
    ("cats", "block.0.norm2.eps_at=outside", "N2[2,1]", "eps-misplaced"),
    ("cats", "block.0.norm2.kind=layernorm", "N2[2,1]", "layernorm-for-rmsnorm"),
    ("cats", "ffn.activation=identity", "F[2,1]", "no-activation"),
    ("mat", "position.first=1", "A[3,1]", "positions-from-one"),
    ("mat", "position.layout=blocks", "A[3,1]", "other-layout"),
    ("mat", "block.0.norm1.variance=sample", "N1[2,1]", "sample-variance"),
    ("mat", "block.0.norm1.kind=rmsnorm", "N1.rms[2,0]", ""),
    ("llama", "position.layout=halves", "h0.A[2,0]", "other-pairs"),
    ("llama", "position.layout=pairs", "h0.A[2,0]", "other-pairs"),
    ("sampling", "output.temperature=1", "probs[0,0]", "no-temperature"),
]


def explained(model: str, cell: str, answer: str, policy: Policy = SF) -> set[str]:
    found = check(model, cell, answer, policy)
    assert found.verdict == "wrong", found
    return set() if found.mistake is None else {found.mistake.name, *found.mistake.also}


@pytest.mark.parametrize(("model", "setting", "cell", "name"), SETTINGS)
def test_a_slip_that_is_a_setting_of_the_model(
    model: str, setting: str, cell: str, name: str
) -> None:
    """The value comes from the model file, not from the slip's own code."""
    try:
        other = build(load(model, sets=[setting]))
        value = other[cell].decimal(6)
    except DeriveError:
        pytest.skip("this cell or setting is not in this model")
    assert value is not None
    if check(model, cell, value, {"sf": 6, "places": "at-least"}).value == "equal":
        pytest.skip("the setting changes nothing here")
    assert name in explained(model, cell, value)


def test_by_hand() -> None:
    """Scores before the scaling; a lost sign; a decimal point."""
    score = CATS["S[2,0]"].decimal(7)
    assert score is not None
    assert "no-scale" in explained("cats", "S_scaled[2,0]", score)
    assert "minus-dropped" in explained("cats", "A[1,1]", "-0.80006")
    assert "decimal-point" in explained("cats", "A[1,1]", "8.0006")
    assert explained("cats", "A[2,0]", "0.98765") == set()  # nothing gives this


def test_exact_answers_are_explained_exactly() -> None:
    """Queries and keys are the identity: without the scaling A[0,0] is e/(e + 1)."""
    assert "no-scale" in explained("attention", "A[0,0]", "e/(e + 1)", Policy())
    assert "not-normalised" in explained("attention", "A[0,0]", "exp(1/sqrt(2))", Policy())
    assert "no-exponential" in explained("attention", "A[0,0]", "1", Policy())
    assert explained("attention", "A[0,0]", "e/(e + 1) + 10^-40", Policy()) == set()


def test_slips_of_a_model_with_letters() -> None:
    model = loads(
        'symbols = { a = "real", b = "real" }\n'
        '[given]\nQ = [["a", 0]]\nK = [["a", "b"], [1, 1]]\nV = [[1, 0], [0, 1]]\n'
    )
    found = check(model, "S_scaled[0,0]", "a^2")
    assert found.mistake is not None and found.mistake.name == "no-scale"
    found = check(model, "A[0,0]", "exp(a^2)/(exp(a^2) + exp(a))")
    assert found.mistake is not None and found.mistake.name == "no-scale"
    assert check(model, "S_scaled[0,0]", "a^2/sqrt(2)").mistake is None


def test_several_slips_are_listed_and_told_apart() -> None:
    """A causal mask hides one row only: without it, and one place off, row 2 is the same."""
    value = build(load("cats", sets=["mask=none"]))["A[2,0]"].decimal(6)
    found = check("cats", "A[2,0]", str(value), "sf:6")
    assert found.mistake is not None
    assert found.mistake.name == "no-mask" and "mask-off-by-one" in found.mistake.also
    assert "exactly the same" in found.message
    wide = check("cats", "A[2,0]", "0.3", "dp:1")
    assert wide.mistake is not None and wide.mistake.also
    assert "so few digits" in wide.message


def test_two_slips_together() -> None:
    value = build(load("cats", sets=["attention.scale=1", "position.clockwise=true"]))["A[2,0]"]
    found = check("cats", "A[2,0]", str(value.decimal(6)), "sf:6")
    assert found.mistake is not None
    assert {"no-scale", "rope-reversed"} == set(found.mistake.name.split("-and-"))


def test_a_row_and_a_matrix_have_one_mistake() -> None:
    other = build(load("cats", sets=["attention.scale=1"]))
    rows = [[str(other[f"A[{i},{j}]"].decimal(6)) for j in range(4)] for i in range(4)]
    policy = {"sf": 6, "places": "at-least"}
    found = check("cats", "A[3,:]", f"[{', '.join(rows[3])}]", policy)
    assert found.mistake is not None and found.mistake.name == "no-scale"
    text = "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
    found = check("cats", "A", text, {"tolerance": "abs:0.00001"})
    assert found.mistake is not None and found.mistake.name == "no-scale"


def test_rounded_too_early() -> None:
    """By hand with two places: 1/3 is 0.33, and three of them are 0.99."""
    model = loads(
        '[given]\nA = [["1/3", "1/3", "1/3"]]\nV = [[1], [1], [2]]\n[[block]]\n'
        "norm1 = { kind = 'none' }\n[block.attention]\nW_O = [[3]]"
    )
    found = check(model, "O[0,0]", "3.99", "dp:2")
    assert found.mistake is not None and found.mistake.name == "rounded-early"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 3), st.integers(0, 3), st.integers(1, 6), st.sampled_from(["A", "Z", "U"]))
def test_right_answers_are_never_mistakes(i: int, j: int, places: int, name: str) -> None:
    matrix = CATS.matrix(name)
    cell = Cell(CATS, matrix, (i % matrix.shape[0], j % matrix.shape[1]))
    low, _ = cell.enclosure()
    value = cell.decimal(30)
    assert value is not None
    rounded = Fraction(value).limit_denominator(10**40)
    shown = round(rounded * 10**places)
    text = f"{'-' * (shown < 0)}{abs(shown) // 10**places}.{abs(shown) % 10**places:0{places}}"
    found = MARKER.check(cell.address, text, Policy.of({"dp": places}))
    assert found.right and found.mistake is None, low


def test_sheets_of_bundled_models() -> None:
    """A small run of `python -m benchmarks.slips`: all named, nobody accused, no key shown."""
    result = run(4, 1, ["cats", "next", "attention", "sheet"])
    assert not result.faults, table(result) + "\n" + "\n".join(result.faults)
    assert result.right == 4 and len(result.slips) > 25


@pytest.mark.parametrize("name", bundled_names())
def test_every_slip_can_be_made_or_is_refused(name: str) -> None:
    """Shapes stay; only what depends on the change is computed anew."""
    graph = build(load(name))
    for candidate in candidates(graph):
        variant = makable(graph, candidate.changes)
        if variant is None:
            continue
        for changed in candidate.changes:
            assert changed in variant.affected
            if changed in graph.matrices:
                assert variant.matrices[changed].shape == graph.matrices[changed].shape


def test_what_a_slip_does_not_touch_is_shared() -> None:
    graph = build(load("cats"))
    no_scale = next(c for c in candidates(graph) if c.name == "no-scale")
    variant = makable(graph, no_scale.changes)
    assert isinstance(variant, Variant)
    f = graph.dag
    assert variant.values("b0.h0.S", f) is graph.values("b0.h0.S", f)
    assert variant.values("b0.h0.A", f) is not graph.values("b0.h0.A", f)
    assert decide(variant["S_scaled[2,0]"].node, graph["S[2,0]"].node).verdict == "equal"
    assert variant.work


def test_slips_of_operations_are_well_formed() -> None:
    names = set()
    for operation in ALL:
        for slip in operation.slips:
            assert slip.name == slip.name.lower() and " " not in slip.name
            assert slip.sentence.startswith("It looks as if ") and slip.sentence.endswith(".")
            assert not any(c.isdigit() for c in slip.sentence)
            names.add(slip.name)
    assert {"no-scale", "no-mask", "rope-reversed", "wrong-axis"} <= names


def test_a_ranking_follows_the_slip() -> None:
    """Hard attention looks at the scores of the slip: turned the other way, another key wins."""
    graph: Graph = build(load("cats", sets=["attention.weights=hard"]))
    other = build(load("cats", sets=["attention.weights=hard", "position.clockwise=true"]))
    reverse = next(c for c in candidates(graph) if c.name == "rope-reversed")
    variant = makable(graph, reverse.changes)
    assert variant is not None
    for i in range(4):
        for j in range(4):
            at = f"A[{i},{j}]"
            assert variant[at].node.number == other[at].node.number


PRINTED = [  # wrong numbers that others have published, with the slip that gives them
    # sines of a column's own frequency, cut off: cos(1/100) is 0.99995
    ("[[0, 0, 0, 0], [0, 0, 0, 0]]", "P[1,1]", "0.99", 2, "frequency-not-paired-and-truncated"),
    ("[[0, 0, 0, 0], [0, 0, 0, 0]]", "P[1,2]", "0.00", 2, "frequency-not-paired"),
    ("[[1, 1, 1, 1], [1, 1, 1, 3]]", "X[1,2]", "1.00", 2, "frequency-not-paired"),
]


@pytest.mark.parametrize(("table_", "cell", "answer", "places", "name"), PRINTED)
def test_published_wrong_numbers(
    table_: str, cell: str, answer: str, places: int, name: str
) -> None:
    model = loads(
        f'tokens = ["a", "b"]\nvocabulary = ["a", "b"]\n[embedding]\nE = {table_}\n'
        '[position]\nkind = "sinusoidal"\n'
    )
    found = check(model, cell, answer, {"dp": places})
    assert found.mistake is not None
    assert name in (found.mistake.name, *found.mistake.also)


def test_a_published_normalisation_with_the_sample_variance() -> None:
    """Two unequal numbers are normalised to 1 and -1; a sheet prints 0.707 and -0.707."""
    model = loads(
        'tokens = ["a"]\n[embedding]\nX = [[1, 2]]\n[[block]]\n'
        '[block.norm1]\nkind = "layernorm"\n[block.ffn]\nW_up = [[1], [1]]\nW_down = [[1, 1]]\n'
        '[block.norm2]\nkind = "layernorm"\n'
    )
    found = check(model, "N2[0,1]", "0.707", "dp:3")
    assert found.mistake is not None and found.mistake.name == "sample-variance"

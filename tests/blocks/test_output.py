"""The output side and what leads to it: positions, LayerNorm, logits, chances, cuts, loss."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.exact.dag import Node
from derive.exact.decide import decide
from derive.exact.reading import evaluate
from derive.graph import Graph
from derive.model import loads
from derive.text import parse

WORDS = """
vocabulary = ["a", "b", "c", "d"]
tokens = ["b", "a"]
targets = ["c", "d"]
[embedding]
X = [[1, 0], [0, 1]]
[output]
W_U = [["ln(4)", "ln(3)", "ln(2)", 0], [1, 1, 1, 1]]
"""


def words(*sets: str) -> Graph:
    return build(loads(WORDS, "words", sets=list(sets)))


def assert_cell(graph: Graph, address: str, expected: str) -> None:
    f = graph.dag
    wanted: Node = evaluate(parse(expected), f, {})
    verdict = decide(graph[address].node, wanted)
    assert verdict.verdict == "equal", (address, expected, verdict)


def assert_row(graph: Graph, name: str, row: int, *expected: str) -> None:
    for j, text in enumerate(expected):
        assert_cell(graph, f"{name}[{row},{j}]", text)


def test_chances() -> None:
    graph = words()
    assert_row(graph, "probs", 0, "0.4", "0.3", "0.2", "0.1")
    assert_row(graph, "probs", 1, "1/4", "1/4", "1/4", "1/4")
    assert graph["probs[0,c]"].address == "probs[0,2]"
    assert graph["logits[b,d]"].address == "logits[0,3]"


def test_temperature_is_a_power_of_the_chances() -> None:
    """At T = 2 the chances are as the roots of 4, 3, 2, 1."""
    graph = words("temperature=2")
    total = "(2 + sqrt(3) + sqrt(2) + 1)"
    assert_row(graph, "probs", 0, f"2/{total}", f"sqrt(3)/{total}", f"sqrt(2)/{total}")


def test_top_k_keeps_ties() -> None:
    graph = words("top_k=2")
    assert_row(graph, "probs_cut", 0, "4/7", "3/7", "0", "0")
    assert_row(graph, "probs_cut", 1, "1/4", "1/4", "1/4", "1/4")
    assert_row(graph, "probs_cut.cum", 0, "4/7", "1", "1", "1")


@pytest.mark.parametrize(
    ("p", "kept"), [("0.3", 1), ("0.4", 1), ("0.41", 2), ("0.7", 2), ("0.9", 3), ("1", 4)]
)
def test_top_p_is_reached_exactly(p: str, kept: int) -> None:
    """0.4 alone reaches 0.4: a tie of a sum of chances with p is decided exactly."""
    graph = words(f"top_p={p}")
    assert [graph[f"probs_cut[0,{j}]"].sign for j in range(4)].count(1) == kept


def test_loss() -> None:
    graph = words()
    assert_cell(graph, "loss[0,0]", "ln(5)")
    assert_cell(graph, "loss[1,0]", "ln(4)")
    assert_cell(graph, "loss.mean[0,0]", "(ln(5) + ln(4))/2")


def test_soft_cap_and_bias() -> None:
    graph = words("output.soft_cap=2", "output.b_U=[0,1,0,0]")
    assert_cell(graph, "logits.raw[0,1]", "ln(3) + 1")
    assert_cell(graph, "logits[0,1]", "2*tanh((ln(3) + 1)/2)")


def test_tied_unembedding() -> None:
    text = """
    tokens = ["u", "v"]
    vocabulary = ["u", "v", "w"]
    [embedding]
    E = [[1, 2], [3, 4], [5, 6]]
    tied = true
    [output]
    """
    graph = build(loads(text, "tied"))
    assert graph.matrix("W_U").shape == (2, 3)
    assert_row(graph, "logits", 1, "11", "25", "39")


POSITIONS = """
tokens = ["u", "v"]
vocabulary = ["u", "v", "w"]
[embedding]
E = [[1, 2], [3, 4], [5, 6]]
scale = "sqrt(d)"
[position]
"""


def test_learned_positions_from_the_first_on() -> None:
    text = POSITIONS + 'kind = "learned"\nP = [[9, 9], [1, 0], [0, 1]]\nfirst = 1'
    graph = build(loads(text, "learned"))
    assert_row(graph, "X", 0, "sqrt(2) + 1", "2*sqrt(2)")
    assert_row(graph, "X", 1, "3*sqrt(2)", "4*sqrt(2) + 1")


def test_sinusoidal_positions() -> None:
    graph = build(loads(POSITIONS + 'kind = "sinusoidal"', "waves"))
    assert_row(graph, "P", 1, "sin(1)", "cos(1)")
    assert_row(graph, "X", 1, "3*sqrt(2) + sin(1)", "4*sqrt(2) + cos(1)")


NORMS = """
[embedding]
X = [[1, 2, 3, 6]]
[[block]]
norm2 = { kind = "layernorm", eps = 0.5, gain = [1, 2, 1, 1], shift = [0, 0, 0, 1] }
  [block.ffn]
  activation = "identity"
  W_up = [[1, 0], [0, 1], [0, 0], [0, 0]]
  W_down = [[1, 0, 0, 0], [0, 1, 0, 0]]
"""


def test_layernorm_and_its_statistics() -> None:
    """Mean 3, distances -2 -1 0 3, variance 14/4; sample variance 14/3."""
    graph = build(loads(NORMS, "norms"))
    assert_cell(graph, "N2.mean[0,0]", "3")
    assert_cell(graph, "N2.var[0,0]", "7/2")
    assert_cell(graph, "N2.root[0,0]", "2")
    assert_row(graph, "N2", 0, "-1", "-1", "0", "5/2")
    sample = build(loads(NORMS, "norms", sets=["block.0.norm2.variance=sample"]))
    assert_cell(sample, "N2.var[0,0]", "14/3")
    outside = build(loads(NORMS, "norms", sets=["block.0.norm2.eps_at=outside"]))
    assert_cell(outside, "N2.root[0,0]", "sqrt(14)/2 + 1/2")


def test_post_and_branch_norms() -> None:
    post = [
        "block.0.norm2={kind='none'}",
        "block.0.post2={kind='layernorm'}",
        "block.0.branch2={kind='rmsnorm'}",
    ]
    graph = build(loads(NORMS, "norms", sets=post))
    assert_row(graph, "F", 0, "1", "2", "0", "0")
    assert_cell(graph, "branch2.rms[0,0]", "sqrt(5)/2")
    assert_row(graph, "branch2", 0, "2/sqrt(5)", "4/sqrt(5)", "0", "0")
    assert_cell(graph, "R2[0,0]", "1 + 2/sqrt(5)")
    assert_cell(graph, "post2.mean[0,0]", "3 + 6/(4*sqrt(5))")
    assert graph["H[0,1]"].reads[0].address == "R2[0,1]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "learned"', "without a table"),
        ('kind = "learned"\nP = [[1, 2]]', "1 rows, expected at least 2: 2 tokens"),
        ('kind = "learned"\nP = [[1], [2]]', "expected 2: d is 2, the width of E"),
        ('kind = "sinusoidal"\nlayout = "pairs"', "expected interleaved | blocks"),
        ('kind = "none"\nlayout = "pairs"', "expected no layout"),
    ],
)
def test_wrong_positions(text: str, message: str) -> None:
    from derive.errors import ModelError

    with pytest.raises(ModelError) as caught:
        loads(POSITIONS + text, "wrong")
    assert message in str(caught.value)


def test_tied_and_given_is_a_clash() -> None:
    from derive.errors import ModelError
    from derive.model import load

    with pytest.raises(ModelError, match="one of the two"):
        load("mat", sets=["embedding.tied=true"])

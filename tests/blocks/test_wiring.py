"""Wiring: which matrices exist, and who reads whom, for the options of a block."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.graph import Graph
from derive.model import load, loads


def inputs(graph: Graph, name: str) -> list[str]:
    return [graph.short(x) for x in graph.matrix(name).operation.inputs.values()]


def test_what_a_model_lacks_does_not_exist_and_its_reader_reads_the_earlier_one() -> None:
    graph = build(load("next"))
    names = {graph.short(x) for x in graph.matrices}
    assert not names & {"E", "N1", "Q_rot", "K_rot", "W_O", "O", "N2", "U", "F"}
    assert inputs(graph, "S") == ["Q", "K"]
    assert inputs(graph, "H_mid") == ["Z"] and inputs(graph, "H") == ["H_mid"]


def test_options_switch_operations_off() -> None:
    graph = build(load("cats", sets=["mask=none", "attention.scale=1", "position.kind=none"]))
    names = {graph.short(x) for x in graph.matrices}
    assert not names & {"mask", "S_masked", "S_scaled", "Q_rot", "K_rot"}
    assert inputs(graph, "A.exp") == ["S"]


def test_identity_activation_has_no_matrix_of_its_own() -> None:
    graph = build(load("cats", sets=["activation=identity"]))
    assert "b0.G" not in graph.matrices
    assert inputs(graph, "F") == ["U", "W_down"]


def test_a_norm_before_attention_is_read_by_the_projections() -> None:
    graph = build(load("cats-two-blocks"))
    assert inputs(graph, "b1.Q") == ["N1", "b1.W_Q"]
    assert inputs(graph, "b0.Q") == ["X", "b0.W_Q"]
    assert inputs(graph, "b1.N1") == ["b0.H", "N1.rms"]


def test_no_addition() -> None:
    graph = build(load("cats", sets=["residual=false"]))
    assert graph["H_mid[2,0]"].node == graph["O[2,0]"].node
    assert graph["H[2,0]"].node == graph["F[2,0]"].node


@pytest.mark.parametrize("first", [0, 3])
def test_a_later_first_position_turns_further_but_keeps_the_weights(first: int) -> None:
    """RoPE's scores depend on differences of positions only: exactly equal weights."""
    from derive.exact.dag import Dag
    from derive.exact.decide import decide

    graph = build(load("cats", sets=[f"position.first={first}"]))
    usual = build(load("cats"))
    f = Dag()
    for cell in ("A[2,0]", "A[3,1]"):
        a, b = graph[cell].value(f), usual[cell].value(f)
        assert decide(a, b).verdict == "equal"
    if first:
        assert graph["Q_rot[0,0]"].decimal(5) != usual["Q_rot[0,0]"].decimal(5)


def test_frequencies_from_a_base() -> None:
    text = """
    [embedding]
    X = [[1, 0, 1, 0, 2], [1, 0, 1, 0, 2]]
    [position]
    kind = "rope"
    base = 100
    [[block]]
    residual = false
      [block.attention]
      W_Q = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
      W_K = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
      W_V = [[1], [0], [0], [0], [0]]
    """
    graph = build(loads(text, "base"))
    f = graph.dag
    assert graph["Q_rot[1,0]"].node == f.cos(f.one)
    assert graph["Q_rot[1,2]"].node == f.cos(f.rational(1, 10)), "100^(-2/4) = 1/10"

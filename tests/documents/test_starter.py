"""`derive new`: every file it can make validates and computes."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.blocks import build
from derive.cli.program import program
from derive.documents.starter import NORMS, POSITIONS, Plan, starter
from derive.model import loads


@settings(max_examples=25, deadline=None)
@given(
    st.builds(
        Plan,
        tokens=st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4).map(tuple),
        d_model=st.integers(1, 6),
        heads=st.integers(1, 3),
        head_dim=st.sampled_from((2, 4)),
        d_ff=st.sampled_from((0, 3)),
        blocks=st.integers(1, 2),
        position=st.sampled_from(sorted(POSITIONS)),
        norm=st.sampled_from(sorted(NORMS)),
        output=st.booleans(),
        seed=st.integers(0, 9),
    )
)
def test_it_validates_and_builds(plan: Plan) -> None:
    model = loads(starter(plan))
    assert model.sizes["d"] == plan.d_model
    assert model.tokens == plan.tokens
    graph = build(model)
    assert ("logits" in graph.matrices) is plan.output


def test_the_command() -> None:
    result = CliRunner().invoke(program, ["new", "--heads", "2", "--position", "rope"])
    assert result.exit_code == 0
    assert loads(result.stdout).blocks[0]["attention"]["heads"] == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--tokens", " "), "no words"),
        (("--heads", "3", "--kv-heads", "2"), "does not divide"),
        (("--d-model", "3", "--position", "rope"), "pairs"),
    ],
)
def test_what_cannot_be_is_said(words: tuple[str, ...], expected: str) -> None:
    result = CliRunner().invoke(program, ["new", *words])
    assert result.exit_code == 2
    assert expected in result.stderr

"""The model file in the README is read and derived as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from derive.blocks import build
from derive.graph import derivation
from derive.model import loads


def test_the_model_of_the_readme() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (model,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    graph = build(loads(model, "readme"))
    assert derivation(graph, "Z[2,1]").steps[0].lines
    assert "w" in str(derivation(graph, "X[2,1]").exact)

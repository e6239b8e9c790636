"""`derive shapes`: every tensor, in letters and numbers."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_json(run: Run) -> None:
    data = json.loads(run("shapes", "llama-3-8b", "--tokens", "16", "--to", "json").stdout)
    assert next(iter(data)) == "schema" and data["schema"] == "derive.shapes/1"
    tensors = {x["name"]: x for x in data["tensors"]}
    assert tensors["W_K"]["letters"] == ["d", "k"] and tensors["W_K"]["shape"] == [4096, 128]
    assert tensors["cache.K"]["shape"] == [16, 8, 128]
    assert tensors["A"]["copies"] == 32 * 32
    weights = sum(x["entries"] for x in data["tensors"] if x["kind"] == "weight")
    assert weights == 8_030_261_248


def test_text_and_pdf(run: Run) -> None:
    assert "V×d" in run("shapes").stdout
    assert run("shapes", "deepseek-v2", "--tokens", "4", "--to", "pdf").stdout_bytes[:4] == b"%PDF"


def test_a_model(run: Run) -> None:
    result = run("shapes", "cats")
    assert result.exit_code == 0 and "W_Q" in result.stdout

"""`derive prove`: lists, formats, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from derive.identities import catalogue


def test_list(run) -> None:
    lines = run("prove", "--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(catalogue())


def test_one_and_several(run) -> None:
    result = run("prove", "softmax-shift")
    assert result.exit_code == 0 and "proved" in result.stdout and "refuted by" in result.stdout
    data = json.loads(run("prove", "softmax-shift", "log-softmax", "--to", "json").stdout)
    assert [x["name"] for x in data["identities"]] == ["softmax-shift", "log-softmax"]


def test_an_unknown_name(run) -> None:
    result = run("prove", "sofmax-shift")
    assert result.exit_code == 2
    assert "softmax-shift" in result.stderr
    assert run("prove").exit_code == 2


def test_booklet(run, tmp_path: Path) -> None:
    path = tmp_path / "some.pdf"
    result = run("prove", "online-softmax", "masked-softmax", "--to", "pdf", "-o", str(path))
    assert result.exit_code == 0
    assert path.read_bytes().startswith(b"%PDF")

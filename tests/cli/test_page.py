"""`derive page`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.cli.page import command


def test_writes_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    result = CliRunner().invoke(command, ["attention", "-o", str(path), "--quiet"])
    assert result.exit_code == 0
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [path]


def test_default_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(command, ["attention"]).exit_code == 0
    assert (tmp_path / "latex_out/attention.html").exists()

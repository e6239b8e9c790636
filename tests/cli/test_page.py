"""`derive page`."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from derive.cli.page import command


def test_writes_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    result = CliRunner().invoke(command, ["attention", "-o", str(path), "--quiet"])
    assert result.exit_code == 0
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [path]


def test_default_place(tmp_path: Path) -> None:
    with CliRunner().isolated_filesystem(tmp_path):
        result = CliRunner().invoke(command, ["attention"])
        assert result.exit_code == 0
        assert Path("latex_out/attention.html").exists()

"""`derive matrices`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def test_every_matrix_with_its_shape(run) -> None:
    lines = run("matrices", "cats").stdout.splitlines()
    assert lines[0].split()[:2] == ["E", "6×4"]
    assert any(line.startswith("b0.h0.A.exp ") and "4×4" in line for line in lines)
    assert all(len(line) <= 100 for line in lines)


def test_json(run) -> None:
    found = json.loads(run("matrices", "cats-two-blocks", "--to", "json").stdout)
    assert found["schema"] == "derive.matrices/1"
    by_name = {m["name"]: m for m in found["matrices"]}
    assert by_name["b1.h0.A"]["shape"] == [4, 4]
    assert list(by_name["b1.h0.A"]) == ["name", "shape", "operation", "meaning"]


def test_a_set_key_and_another_text(run) -> None:
    words = ("matrices", "cats", "--set", "mask=none", "--tokens", "you like")
    lines = run(*words).stdout.splitlines()
    assert any("b0.h0.A " in line and "2×2" in line for line in lines)
    assert not any("b0.h0.mask" in line for line in lines)


@pytest.mark.parametrize("words", [("matrices", "cats"), ("models",)])
def test_neither_sympy_nor_flint_is_needed(words: tuple[str, ...]) -> None:
    code = (
        "import sys; sys.modules['sympy'] = sys.modules['flint'] = None\n"
        f"sys.argv = ['derive', *{words}]\nfrom derive.cli import main; main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


def test_all_errors_of_a_file_at_once(run, tmp_path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('tokens = ["a"]\ntitel = "x"\nids = 3\n')
    result = run("matrices", str(path))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "bad.toml:2" in result.stderr
    assert "title" in result.stderr
    assert "bad.toml:3" in result.stderr


def test_no_such_model(run) -> None:
    result = run("matrices", "cast")
    assert result.exit_code == 2
    assert result.stderr.startswith("derive: ")
    assert "nearest: cats" in result.stderr

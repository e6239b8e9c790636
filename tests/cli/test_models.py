"""`derive models`."""

from __future__ import annotations

import json
import tomllib

from derive.model import bundled_names


def test_one_a_line_name_first(run) -> None:
    result = run("models")
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == sorted(bundled_names())


def test_json(run) -> None:
    found = json.loads(run("models", "--to", "json").stdout)
    assert next(iter(found)) == "schema"
    assert found["schema"] == "derive.models/1"
    assert len(found["models"]) == len(bundled_names())
    assert all(list(model) == ["name", "title", "source"] for model in found["models"])


def test_the_file_of_one_loads_again(run, tmp_path) -> None:
    path = tmp_path / "mine.toml"
    assert run("models", "cats", "-o", str(path)).exit_code == 0
    assert tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    same = run("matrices", str(path)).stdout
    assert (
        same
        == run("matrices", "cats").stdout
        == run("matrices", "-", stdin=path.read_bytes()).stdout
    )


def test_the_nearest_name(run) -> None:
    result = run("models", "cast")
    assert result.exit_code == 2
    assert "nearest: cats" in result.stderr


def test_a_file_has_one_format(run) -> None:
    assert run("models", "cats", "--to", "json").exit_code == 2

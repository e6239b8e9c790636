"""`derive count`: formats, errors, and nothing imported that a count doesn't need."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain

import pytest

from derive.cli.quick import quick
from derive.model import load
from derive.model.bundled import bundled_names
from tests.cli.conftest import Run

WORDS = [
    ["count", "kv-cache"],
    ["count", "kv-cache", "llama-3-8b", "--tokens", "8192", "--bytes=2", "--in", "GiB"],
    ["count", "parameters", "gpt2", "--tied", "--to", "json"],
    ["count", "tiles", "--tokens", "1000", "--tile-q", "128", "--tile-k", "64", "--causal"],
    ["count", "flops", "gpt2-xl", "--tokens", "1024", "--pass", "optimizer"],
    ["count", "flops", "--solve", "tokens", "--balance", "attention=projections"],
    ["count", "parameters", "cats"],
    ["shapes", "gpt2", "--tokens", "1024"],
    ["shapes", "--to", "json", "--no-gated"],
]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_the_short_way_prints_the_same(run: Run, words: list[str]) -> None:
    result = run(*words)
    assert result.exit_code == 0
    assert result.stdout == quick(words)


@pytest.mark.parametrize(
    "words",
    [["count"], ["count", "--help"], ["count", "kv-cache", "-o", "x"], ["shapes", "--part", "x"],
     ["count", "kv-cach"], ["count", "kv-cache", "--to", "pdf"], ["cell", "cats"]],
    ids=" ".join,
)  # fmt: skip
def test_the_rest_is_left_to_the_program(words: list[str]) -> None:
    assert quick(words) is None


@pytest.mark.parametrize("words", [*WORDS[1:3], WORDS[6]], ids=" ".join)
def test_no_engine_is_imported(words: list[str]) -> None:
    code = (
        f"import sys; sys.argv = {['derive', *words]!r}\n"
        "from derive.cli import main; main()\n"
        "print(sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    loaded = result.stderr
    assert "'derive'" in loaded
    assert "sympy" not in loaded and "flint" not in loaded
    if "cats" not in words:
        assert "click" not in loaded


def test_json(run: Run) -> None:
    data = json.loads(
        run("count", "kv-cache", "llama-3-8b", "--tokens", "1", "--to", "json").stdout
    )
    assert list(data)[:6] == ["schema", "quantity", "formula", "value", "unit", "parts"]
    assert data["schema"] == "derive.count/1" and data["unit"] == "bytes"
    assert data["value"] == "65536*b"
    numbers = json.loads(run("count", "parameters", "gpt2", "--to", "json").stdout)
    assert numbers["value"] == "124439808"
    assert sum(int(part["value"]) for part in numbers["parts"]) == 124_439_808


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("kv-cach",), "nearest: kv-cache"),
        (("kv-cache", "llama-3-8"), "nearest: llama-3-8b"),
        (("kv-cache", "--layer", "2"), "--layers"),
        (("kv-cache", "cats", "--layers", "2"), "own sizes"),
        (("kv-cache", "--tokens", "x+"), "tokens"),
    ],
)
def test_errors(run: Run, words: tuple[str, ...], message: str) -> None:
    result = run("count", *words)
    assert result.exit_code == 2 and not result.stdout
    assert message in result.stderr


@pytest.mark.parametrize(
    "words", [WORDS[1], WORDS[5], ["count", "memory", "gpt2", "--for", "training"]]
)
def test_latex_compiles(run: Run, words: list[str]) -> None:
    rest = [w for w in words if w not in ("--to", "json")]
    assert run(*rest, "--to", "pdf").stdout_bytes.startswith(b"%PDF")


def test_a_spec_file(run: Run, tmp_path: object) -> None:
    path = tmp_path / "mine.toml"  # type: ignore[operator]
    path.write_text('preset = "gpt2"\nlayers = 1\n')
    one, all_of_them = (
        json.loads(run("count", "parameters", x, "--to", "json").stdout)
        for x in (str(path), "gpt2")
    )
    layer = 12 * 768**2 + 13 * 768  # weights, biases and norms of a layer
    assert int(all_of_them["value"]) - int(one["value"]) == 11 * layer
    path.write_text("layer = 1\n")
    result = run("count", "parameters", str(path))
    assert result.exit_code == 2 and "mine.toml" in result.stderr and "layers" in result.stderr


def entries(x: object) -> int:
    """Numbers in nested lists."""
    return sum(map(entries, x)) if isinstance(x, list | tuple) else 1


def weights_of(section: object) -> int:
    """Every matrix whose name says weight or bias, and gains and shifts, wherever it stands."""
    if isinstance(section, list | tuple):
        return sum(map(weights_of, section))
    if not hasattr(section, "items"):
        return 0
    found = 0
    for key, value in section.items():
        named = key[:2] in ("W_", "b_") or key in ("E", "E_type", "P", "gain", "shift")
        if named and isinstance(value, list | tuple):
            found += entries(value)
        elif not named:
            found += weights_of(value)
    return found


@pytest.mark.parametrize("name", bundled_names())
def test_a_model_has_as_many_parameters_as_its_file_has_numbers(run: Run, name: str) -> None:
    model = load(name)
    rest = [model.output or {}, model.memory or {}]
    sections = chain([model.embedding, model.position], model.blocks, rest)
    expected = sum(map(weights_of, sections))
    result = run("count", "parameters", name, "--to", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["value"] == str(expected)

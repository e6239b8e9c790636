"""Golden output: whole files as users get them, byte for byte (`make golden` writes them).

What the lines say is proved elsewhere; here a change of a single space is seen and looked at.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.cli.program import program

ROOT = Path(__file__).parents[1]
GOLDEN = {  # file -> what prints it
    "latex_out/cats.tex": 'cell cats "H[2,0]" --depth all --to tex',
    "latex_out/cats-solution.tex": "solution cats -o -",
    "tests/golden/solution.txt": "solution weights b2.A --to text -o -",
    "latex_out/identities.tex": "prove gibbs attention-convex temperature-low dot-product-variance"
    " softmax-shift query-for-two-keys --to tex",
    "tests/golden/cell.txt": 'cell cats "A[2,0]" --depth 1',
    "tests/golden/cell.json": 'cell cats "A[2,0]" --to json',
    "tests/golden/cell.tex": 'cell cats "Z[2,0]" --to latex',
    "tests/golden/cell-long.txt": 'cell cats-two-blocks "b1.H[2,3]" --digits 30',
    "tests/golden/show.txt": "show cats A",
    "tests/golden/show-exact.txt": "show cats S_masked --form exact",
    "tests/golden/show.tex": "show cats S --form symbolic --to latex",
    "tests/golden/count.txt": "count kv-cache llama-3-8b --tokens 8192 --bytes 2 --in GiB",
    "tests/golden/shapes.txt": "shapes gpt2 --tokens 1024",
    "tests/golden/matrices.txt": "matrices cats-two-blocks",
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    result = CliRunner().invoke(program, shlex.split(GOLDEN[name]))
    assert result.exit_code == 0, result.stderr
    path = ROOT / name
    if request.config.getoption("--update-golden"):
        path.write_bytes(result.stdout_bytes)
    assert path.exists(), f"{name} is missing: make golden"
    assert result.stdout_bytes.decode() == path.read_bytes().decode()


def test_nothing_else_is_called_golden() -> None:
    found = {f"tests/golden/{path.name}" for path in (ROOT / "tests/golden").iterdir()}
    assert found <= set(GOLDEN)

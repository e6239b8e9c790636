"""`derive cell`."""

from __future__ import annotations

import json
import shutil

import pytest
import sympy

A20 = ("cell", "cats", "A[2,0]")


def test_json(run) -> None:
    found = json.loads(run(*A20, "--to", "json").stdout)
    assert next(iter(found)) == "schema"
    assert found["schema"] == "derive.cell/1"
    assert found["cell"] == "A[2,0]"
    assert found["decimal"].startswith("0.41238")
    assert found["reads"] == ["A.exp[2,0]", "A.sum[2,0]"]
    assert {"kind", "text", "latex"} <= set(found["steps"][0]["lines"][0])


@pytest.mark.parametrize("address", ["A[cats,I]", "b0.h0.A[2,0]", 'A["cats",0]', "b0.A[2, 0]"])
def test_addresses(run, address: str) -> None:
    assert run("cell", "cats", address).stdout == run(*A20).stdout


def test_options_before_and_after_the_names(run) -> None:
    assert run("cell", "--to", "json", *A20[1:]).stdout == run(*A20, "--to", "json").stdout


def test_depth(run) -> None:
    def cells(depth: str) -> list[str]:
        found = json.loads(run(*A20, "--depth", depth, "--to", "json").stdout)
        return [step["cell"] for step in found["steps"]]

    assert cells("0") == ["A[2,0]"]
    assert cells("1") == ["A[2,0]", "A.exp[2,0]", "A.sum[2,0]"]
    assert {"Q[2,0]", "K_rot[0,1]"} <= set(cells("all"))
    assert run(*A20, "--depth", "-1").exit_code == 2
    assert "'all'" in run(*A20, "--depth", "deep").stderr


def test_form_and_digits(run) -> None:
    text = run(*A20, "--form", "decimal", "--digits", "20").stdout
    assert "0.41238224473739280565" in text
    assert "cos" not in text


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("A[2,4]", "out of range"),
        ("A[cat,0]", "nearest: cats"),
        ("A[2]", "2 indices"),
        ("A", "A[0,0]"),
        ("B[0,0]", "no matrix B"),
    ],
)
def test_addresses_that_mean_nothing(run, address: str, words: str) -> None:
    result = run("cell", "cats", address)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr


def test_a_model_from_standard_input(run) -> None:
    model = b'{"given": {"Q": [[1, 2]], "K": [[3, "1/2"], [0, 1]], "V": [[1], [0]]}}'
    result = run("cell", "-", "S[0,0]", "--to", "json", stdin=model)
    assert json.loads(result.stdout)["exact"] == "4"


def test_the_same_bytes_whatever_locale_hash_seed_and_ground_types(process) -> None:
    first = process(*A20, LC_ALL="C", PYTHONHASHSEED="1", SYMPY_GROUND_TYPES="python")
    second = process(*A20, PYTHONIOENCODING="ascii", PYTHONHASHSEED="2", SYMPY_GROUND_TYPES="flint")
    assert first.stdout == second.stdout
    assert "≈ 0.41238\n" in first.stdout.decode()
    assert b"\r" not in first.stdout
    assert first.stderr == b""


def test_colour_only_where_it_is_asked_for(run) -> None:
    assert "\x1b[" not in run(*A20).stdout
    assert "\x1b[" in run(*A20, "--color", "always").stdout
    assert "\x1b[" not in run(*A20, "--color", "always", "--to", "tex").stdout


def test_pdf(run, tmp_path) -> None:
    path = tmp_path / "a.pdf"
    result = run(*A20, "--to", "pdf", "-o", str(path))
    if shutil.which("pdflatex"):
        assert result.exit_code == 0
        assert path.read_bytes().startswith(b"%PDF")
    else:
        assert result.exit_code == 2
        assert "texlive" in result.stderr
        assert not path.exists()


def test_sympy_decides_nothing(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one call of its judges of equality on the way to a cell."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("SymPy was asked")

    for method in ("equals", "simplify", "is_constant"):
        monkeypatch.setattr(sympy.Expr, method, refuse)
    assert run("cell", "cats", "H[2,0]", "--depth", "1").exit_code == 0
